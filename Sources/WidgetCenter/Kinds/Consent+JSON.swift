package import JSON
import Timekeeping

/// A consent as its file has it.
extension Consent {
  package var json: JSONValue {
    [
      "kind": .string(kind), "manifest": .string(manifest), "granted": granted.json,
      "date": .string(date.rfc3339), "files": .array(pin.files.map(\.json)),
    ]
  }

  /// `nil`: a member is missing or of the wrong form.
  package init?(json: JSONValue) {
    guard let kind = json["kind"]?.stringValue, ManifestReader.isIdentifier(kind),
      let manifest = json["manifest"]?.stringValue, isAbsolutePath(manifest),
      let granted = json["granted"].flatMap(ProviderPermissions.init(json:)),
      let date = json["date"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }),
      let items = json["files"]?.arrayValue, items.count <= Limits.pinnedFileCountMax
    else { return nil }
    let files = items.compactMap(PinnedFile.init(json:))
    guard files.count == items.count else { return nil }
    self.init(
      kind: kind, manifest: manifest, granted: granted, date: date, pin: ProgramPin(files: files))
  }
}

extension ProviderPermissions {
  /// `nil`: a member is missing, or says something that no manifest may ask for.
  init?(json: JSONValue) {
    func texts(_ name: String, _ isValid: (String) -> Bool) -> [String]? {
      guard let items = json[name]?.arrayValue, items.count <= Limits.permissionCountMax else {
        return nil
      }
      let texts = items.compactMap(\.stringValue).filter(isValid)
      return texts.count == items.count ? texts : nil
    }
    guard let network = json["network"]?.boolValue,
      let read = texts("read", ManifestReader.isPermissionPath),
      let write = texts("write", ManifestReader.isPermissionPath),
      let bus = texts("bus", ManifestReader.isBusName)
    else { return nil }
    self.init(network: network, read: read, write: write, bus: bus)
    // Consents of before there were groups have no such member.
    if let group = json["group"] {
      guard let name = group.stringValue, ManifestReader.isIdentifier(name) else { return nil }
      self.group = name
    }
  }
}

extension PinnedFile {
  /// Device and inode are texts, since they may be larger than an `Int64`.
  fileprivate var json: JSONValue {
    [
      "path": .string(path), "sha256": .string(digest),
      "device": .string(String(identity.device)), "inode": .string(String(identity.inode)),
      "size": .int(identity.size), "modified": .int(identity.modified),
      "changed": .int(identity.changed),
    ]
  }

  fileprivate init?(json: JSONValue) {
    guard let path = json["path"]?.stringValue, isAbsolutePath(path),
      let digest = json["sha256"]?.stringValue, isDigest(digest),
      let device = json["device"]?.stringValue.flatMap({ UInt64($0) }),
      let inode = json["inode"]?.stringValue.flatMap({ UInt64($0) }),
      let size = json["size"]?.intValue, let modified = json["modified"]?.intValue,
      let changed = json["changed"]?.intValue
    else { return nil }
    self.init(
      path: path, digest: digest,
      identity: FileIdentity(
        device: device, inode: inode, size: size, modified: modified, changed: changed))
  }
}

/// Whether the kernel takes the whole text as an absolute path: it would end at a zero byte.
private func isAbsolutePath(_ text: String) -> Bool {
  text.utf8.first == UInt8(ascii: "/") && !text.utf8.contains(0)
}

/// Whether a text is a SHA-256 as `PinnedFile.digest` has it: 64 digits, in small letters.
private func isDigest(_ text: String) -> Bool {
  text.utf8.count == 64
    && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
}
