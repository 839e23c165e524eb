package import Timekeeping

/// The sort of folder in which a manifest stands, which decides how its provider is held.
package enum ManifestOrigin: String, Hashable, Sendable {
  /// A folder of the person's own, or of the system, which only root fills.
  case own
  /// The folder that `intent-send install` fills with what comes from elsewhere.
  case installed
}

/// A person's consent to the program of one manifest.
package struct Consent: Hashable, Sendable {
  package var kind: String
  /// The absolute path of the manifest that the person saw.
  package var manifest: String
  package var granted: ProviderPermissions
  package var date: WallTime
  package var pin: ProgramPin

  package init(
    kind: String, manifest: String, granted: ProviderPermissions, date: WallTime, pin: ProgramPin
  ) {
    self.kind = kind
    self.manifest = manifest
    self.granted = granted
    self.date = date
    self.pin = pin
  }
}

/// The files of a program as they were when a person agreed to them.
package struct ProgramPin: Hashable, Sendable {
  package var files: [PinnedFile]

  package init(files: [PinnedFile]) { self.files = files }

  /// Whether both have the same contents at the same paths.
  package func hasSameContents(as other: ProgramPin) -> Bool {
    files.count == other.files.count
      && zip(files, other.files).allSatisfy { $0.path == $1.path && $0.digest == $1.digest }
  }
}

/// One file of a pin.
package struct PinnedFile: Hashable, Sendable {
  /// Absolute.
  package var path: String
  /// The SHA-256 of its content, in 64 hexadecimal digits.
  package var digest: String
  /// The file's identity at that time; while it is the same, the content is not read again.
  package var identity: FileIdentity

  package init(path: String, digest: String, identity: FileIdentity) {
    self.path = path
    self.digest = digest
    self.identity = identity
  }
}

/// The properties of a file of which at least one changes when its content does.
///
/// The kernel sets `changed` itself: a program of an ordinary user cannot put it back.
package struct FileIdentity: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64
  /// Bytes.
  package var size: Int64
  /// Nanoseconds since 1970: of the last change of the content.
  package var modified: Int64
  /// Nanoseconds since 1970: of the last change of the content or of a property.
  package var changed: Int64

  package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }
}
