import DaemonCore
import Glibc
import IntentRouter
package import JSON
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
