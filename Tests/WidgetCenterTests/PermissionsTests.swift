import Documents
import JSON
import Testing
import Timekeeping
import WidgetCenter

/// The permissions of a manifest, and what becomes of them.
@Suite struct PermissionsTests {
  private func read(
    _ lines: String..., origin: ManifestOrigin = .own
  ) throws -> (kind: WidgetKind?, issues: [String]) {
    let right = ["kind: w", "name: W", "families: [systemSmall]", "provider:", "  exec: [w]"]
    let text = (right + lines).joined(separator: "\n")
    let value = try #require(readYAML(text, file: "w.yaml").value)
    let read = ManifestReader.read(
      ManifestSource(file: "/w/w.yaml", directory: "/w", document: value, origin: origin))
    return (read.kind, read.issues.map { "\($0.line) \($0.message)" })
  }

  private static let asking =
    "permissions: {network: true, read: [~/Documents, /srv], bus: [org.mpris.MediaPlayer2.*]}"
  private static let asked = ProviderPermissions(
    network: true, read: ["~/Documents", "/srv"], bus: ["org.mpris.MediaPlayer2.*"])

  private func consent(
    _ granted: ProviderPermissions, manifest: String = "/w/w.yaml"
  ) -> Consent {
    Consent(
      kind: "w", manifest: manifest, granted: granted, date: WallTime(milliseconds: 0),
      pin: ProgramPin(files: []))
  }

  @Test func `a manifest of the person's own is open, and asks for nothing`() throws {
    let kind = try #require(try read().kind)
    #expect(kind.asked.isEmpty)
    #expect(kind.provider.containment == .open)
    #expect(!kind.provider.hasPrivileges)
    // A consent changes nothing.
    #expect(kind.held(by: consent(Self.asked)) == kind)
  }

  @Test func `permissions of the person's own manifest count only where it wants a box`() throws {
    let open = try #require(try read(Self.asking).kind)
    #expect(open.asked == Self.asked)
    #expect(open.held(by: consent(Self.asked)).provider.containment == .open)
    let strict = try #require(try read(Self.asking, "sandbox: strict").kind)
    #expect(strict.provider.containment == .boxed(ProviderPermissions()))
    #expect(strict.held(by: consent(Self.asked)).provider.containment == .boxed(Self.asked))
  }

  @Test func `a manifest that was installed is in a box with nothing until it is granted`() throws {
    let kind = try #require(try read(Self.asking, origin: .installed).kind)
    #expect(kind.provider.containment == .boxed(ProviderPermissions()))
    let held = kind.held(by: consent(Self.asked))
    #expect(held.provider.containment == .boxed(Self.asked))
    #expect(held.provider.pin == ProgramPin(files: []))
    // Revoked.
    #expect(held.held(by: nil) == kind)
  }

  @Test func `a grant gives no more than the manifest asks for`() throws {
    let kind = try #require(try read("permissions: {read: [/srv]}", origin: .installed).kind)
    let expected = ProviderPermissions(read: ["/srv"])
    #expect(kind.held(by: consent(Self.asked)).provider.containment == .boxed(expected))
    let more = try #require(try read(Self.asking, origin: .installed).kind)
    #expect(more.held(by: consent(expected)).provider.containment == .boxed(expected))
  }

  @Test func `a grant to another manifest of the same kind is none`() throws {
    let kind = try #require(try read(Self.asking, origin: .installed).kind)
    #expect(kind.held(by: consent(Self.asked, manifest: "/other/w.yaml")) == kind)
  }

  // MARK: The file of a consent

  /// A consent with everything that its file can have.
  private var full: Consent {
    var consent = consent(Self.asked)
    consent.pin.files = [
      PinnedFile(
        path: "/w/w.yaml", digest: String(repeating: "0f", count: 32),
        identity: FileIdentity(device: .max, inode: .max, size: 1, modified: .min, changed: .max))
    ]
    return consent
  }

  @Test func `a consent comes back from its file as it was`() throws {
    let text = full.json.serialized
    #expect(Consent(json: try JSONValue(parsing: text)) == full)
  }

  /// Parts of the file of `full`, with others in their place that make it no consent.
  private static let damages = [
    ("\"kind\":\"w\"", "\"kind\":\"../w\""), ("\"manifest\":\"/w", "\"manifest\":\"w"),
    ("\"manifest\":\"/w", "\"manifest\":\"/\\u0000w"), ("\"path\":\"/w", "\"path\":\"/\\u0000w"),
    ("\"path\":\"/w", "\"path\":\"w"), ("0f0f", "0F0f"), ("0f0f", "0f0"), ("0f0f", "zf0f"),
    ("\"/srv\"", "\"/srv/../etc\""), ("\"/srv\"", "1"), ("\"network\":true", "\"network\":1"),
    ("MediaPlayer2.*", "*.*"), ("\"date\":\"1970", "\"date\":\"then"),
    ("\"18446744073709551615\"", "18446744073709551615"), ("\"size\":1", "\"size\":\"1\""),
    ("\"write\":[]", "\"wrote\":[]"),
  ]

  @Test(arguments: damages)
  func `a file of another form is no consent`(part: String, damage: String) throws {
    let text = full.json.serialized
    let range = try #require(text.firstRange(of: part), "\(part) is not in \(text)")
    let damaged = text[..<range.lowerBound] + damage + text[range.upperBound...]
    #expect(Consent(json: try JSONValue(parsing: String(damaged))) == nil, "\(damaged)")
  }

  @Test func `needing the network is asking for it`() throws {
    let kind = try #require(try read("needs: network", origin: .installed).kind)
    #expect(kind.asked == ProviderPermissions(network: true))
  }

  @Test func `privileges are for the person's own manifest without a box`() throws {
    #expect(try read("privileges: true").kind?.provider.hasPrivileges == true)
    #expect(try read("privileges: false", "sandbox: strict").issues == [])
    #expect(
      try read("privileges: true", "sandbox: strict").issues
        == ["6 privileges is 'true' beside sandbox: strict"])
    #expect(
      try read("privileges: true", origin: .installed).issues
        == ["6 privileges is 'true' in a manifest that was installed"])
    #expect(try read("privileges: 1").issues == ["6 privileges is '1'"])
  }

  @Test(arguments: [
    "Documents", "~", "~/", "/", "~me/x", "~/../x", "~/a/../b", "/a/./b", "/a//b", "/a/", "",
    "/a\\u202Eb", "/a\\u200Bb", "/a\\nb", "/a\\0b",
  ])
  func `a path that is not plain is a mistake`(path: String) throws {
    for key in ["read", "write"] {
      let read = try read("permissions: {\(key): [\"\(path)\"]}")
      #expect(read.kind == nil, "\(path)")
      #expect(read.issues.count == 1)
    }
  }

  @Test(arguments: ["org", "*", "org.*", ".a.b", "a..b", "a.1b", "a.b*", "a.*.b", "a.b.", ":1.5"])
  func `a name that is none on the bus is a mistake`(name: String) throws {
    #expect(try read("permissions: {bus: [\"\(name)\"]}").kind == nil, "\(name)")
  }

  @Test func `lists have an end, and what is written twice counts once`() throws {
    func paths(_ count: Int) -> String {
      (0..<count).map { "/p\($0)" }.joined(separator: ", ")
    }
    #expect(try read("permissions: {read: [\(paths(32))]}").kind?.asked.read.count == 32)
    #expect(
      try read("permissions: {read: [\(paths(33))]}").issues
        == ["6 permissions.read is a list of 33"])
    let long = "/" + String(repeating: "a", count: 4_095)
    #expect(try read("permissions: {read: [\(long), \(long)]}").kind?.asked.read == [long])
    #expect(try read("permissions: {read: [\(long)a]}").kind == nil)
  }

  @Test func `values of other forms are mistakes with their lines`() throws {
    #expect(
      try read(
        "permissions:", "  network: often", "  read: ~/x", "  write: [1]", "sandbox: loose"
      ).issues == [
        "7 permissions.network is 'often'", "8 permissions.read is '~/x'",
        "9 permissions.write has '1'", "10 sandbox is 'loose'",
      ])
    #expect(try read("permissions: all").issues == ["6 permissions is 'all'"])
    #expect(try read("permissions: {camera: true}").issues.first?.contains("camera") == true)
  }

  @Test(arguments: ["sandbox: strict", "permissions: {network: true}", "privileges: true"])
  func `below provider they are mistakes, not words that nobody knows`(_ key: String) throws {
    let name = key.prefix { $0 != ":" }
    // The lines go on where those of the provider end.
    let read = try read("  " + key)
    #expect(read.kind == nil)
    #expect(read.issues.contains("6 provider.\(name) has no effect"))
  }
}
