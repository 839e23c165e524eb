import JSON
import WidgetCenter

/// Fuzzes the reader of consents: a file gives a consent that keeps all limits, or nothing.
///
/// A consent survives a round trip, and it gives a manifest no more than it says.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  guard let json = try? JSONValue(parsing: input),
    let consent = within(1_000, "reading", { Consent(json: json) })
  else { return 0 }
  precondition(ManifestReader.isIdentifier(consent.kind))
  precondition(consent.pin.files.count <= Limits.pinnedFileCountMax)
  for path in [consent.manifest] + consent.pin.files.map(\.path) {
    precondition(path.utf8.first == UInt8(ascii: "/"), "a path that is not absolute")
    precondition(!path.utf8.contains(0), "a NUL that the kernel would cut at")
  }
  let granted = consent.granted
  for list in [granted.read, granted.write, granted.bus] {
    precondition(list.count <= Limits.permissionCountMax)
  }
  precondition((granted.read + granted.write).allSatisfy(ManifestReader.isPermissionPath))
  precondition(granted.bus.allSatisfy(ManifestReader.isBusName))
  precondition(granted.group.map(ManifestReader.isIdentifier) ?? true, "a group is no path")
  let digits = Set("0123456789abcdef".utf8)
  for file in consent.pin.files {
    precondition(file.digest.utf8.count == 64 && file.digest.utf8.allSatisfy(digits.contains))
  }

  guard let again = Consent(json: consent.json) else { fatalError("it does not read its own file") }
  precondition(again == consent, "another consent came back")

  var kind = WidgetKind(
    kind: consent.kind, name: "W", families: [.systemSmall],
    provider: ProviderDeclaration(exec: ["./w"]), reload: ReloadRules(), file: consent.manifest)
  kind.origin = .installed
  kind.group = "org.example.mail"
  kind.asked = ProviderPermissions(
    network: true, read: ["/a", "~/b"], bus: ["org.example.*"], group: kind.group)
  let held = kind.held(by: consent)
  precondition(held.granted.subtracting(granted).isEmpty, "more than was granted")
  precondition(held.granted.subtracting(kind.asked).isEmpty, "more than it asks for")
  kind.file += "x"
  precondition(kind.held(by: consent).granted.isEmpty, "a grant to another manifest")
  return 0
}
