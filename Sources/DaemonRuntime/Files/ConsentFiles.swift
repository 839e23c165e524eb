import DaemonCore
import Glibc
import IntentRouter
package import JSON
import Timekeeping
package import WidgetCenter

/// The files in which consents are kept: `KIND.json`, one for each kind.
///
/// A file that cannot be read, or that somebody else may change, grants nothing and is an issue.
package struct ConsentFiles {
  package let folder: String

  package init(folder: String) { self.folder = folder }

  package func path(of kind: String) -> String { "\(folder)/\(kind).json" }

  /// Whether a file of this name is read.
  static func isName(_ name: String) -> Bool { name.hasSuffix(".json") }

  /// Reads all consents, by kind.
  package func load() -> (consents: [String: Consent], issues: [DocumentIssue]) {
    var consents: [String: Consent] = [:]
    var issues: [DocumentIssue] = []
    let names = configurationEntries(of: folder).filter(Self.isName)
    if names.count > RuntimeLimits.consentCountMax {
      issues.append(
        DocumentIssue(
          file: folder, line: 0,
          message: "there are \(names.count) consents; those after the first"
            + " \(RuntimeLimits.consentCountMax) grant nothing",
          expected: "only those of kinds that are there; remove the others"))
    }
    for name in names.prefix(RuntimeLimits.consentCountMax) {
      let file = "\(folder)/\(name)"
      switch Self.read(file, named: String(name.dropLast(".json".count)), in: folder) {
      case .success(let consent): consents[consent.kind] = consent
      case .failure(let failure):
        issues.append(
          DocumentIssue(
            file: file, line: 0, message: "it grants nothing: \(failure.message)",
            expected: "a consent that 'intent-send permissions KIND --grant' wrote"))
      }
    }
    return (consents, issues)
  }

  private static func read(
    _ file: String, named kind: String, in folder: String
  ) -> Result<Consent, FileFailure> {
    if let doubt = FileTrust.ofThisProcess.doubt(about: file, upTo: folder) {
      return .failure(FileFailure(message: "\(doubt.message); \(doubt.remedy)"))
    }
    return readFile(file, bytesMax: RuntimeLimits.consentFileBytesMax).flatMap { bytes in
      do throws(JSONError) {
        guard let consent = Consent(json: try JSONValue(parsing: bytes)), consent.kind == kind
        else { return .failure(FileFailure(message: "it is no consent for '\(kind)'")) }
        return .success(consent)
      } catch {
        return .failure(FileFailure(message: "it is no JSON: \(error.message)"))
      }
    }
  }

  /// Writes a consent, whole or not at all; throws the system's reason.
  package func write(_ consent: Consent) throws(FileFailure) {
    try PrivateFolder.make(folder)
    try PrivateFolder.write(
      Array((consent.json.serialized + "\n").utf8), to: path(of: consent.kind), mode: 0o600)
  }

  /// Removes a kind's consent, if there is one; throws the system's reason.
  package func remove(_ kind: String) throws(FileFailure) {
    guard unlink(path(of: kind)) == 0 || errno == ENOENT else {
      throw FileFailure(message: String(cString: strerror(errno)))
    }
  }
}

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
      let manifest = json["manifest"]?.stringValue, manifest.hasPrefix("/"),
      let granted = json["granted"].flatMap(ProviderPermissions.init(json:)),
      let date = json["date"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }),
      let items = json["files"]?.arrayValue, items.count <= RuntimeLimits.pinnedFileCountMax
    else { return nil }
    let files = items.compactMap(PinnedFile.init(json:))
    guard files.count == items.count else { return nil }
    self.init(
      kind: kind, manifest: manifest, granted: granted, date: date, pin: ProgramPin(files: files))
  }
}

extension ProviderPermissions {
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
  }
}

extension PinnedFile {
  fileprivate var json: JSONValue {
    [
      "path": .string(path), "sha256": .string(digest),
      "device": .string(String(identity.device)), "inode": .string(String(identity.inode)),
      "size": .int(identity.size), "modified": .int(identity.modified),
      "changed": .int(identity.changed),
    ]
  }

  fileprivate init?(json: JSONValue) {
    guard let path = json["path"]?.stringValue, path.hasPrefix("/"),
      let digest = json["sha256"]?.stringValue, digest.utf8.count == 64,
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
