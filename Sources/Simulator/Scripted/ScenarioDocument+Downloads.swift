import Downloads
import JSON

extension ScenarioDocument {
  /// The outcome of the downloads of a kind, the first, second, third time.
  struct Fetch: Hashable, Sendable {
    /// The name of the content, by the id of the download; those that are missing fail.
    var files: [String: String] = [:]
    /// The error of the others.
    var code = DownloadError.Code.unreachable
    var status: Int?
    /// Milliseconds after which the server wants to be asked again.
    var retryAfter: Int64?
    /// Whether `intent-fetch` is not installed.
    var isMissing = false
    /// Milliseconds of its own time.
    var takes: Int64 = 0
  }
}

extension ScenarioReader {
  /// The keys of a kind that are no manifest's.
  static let ownKeys = [
    "answers", "expanded", "previews", "performed", "fetches", "timeout", "refused",
  ]

  mutating func readFetch(_ value: LocatedValue) -> ScenarioDocument.Fetch? {
    check(value, "an outcome of downloads", ["files", "fails", "status", "retryAfter", "takes"])
    var fetch = ScenarioDocument.Fetch()
    for member in value["files"].map({ object($0) })?.members ?? [] {
      fetch.files[member.key] = member.value.stringValue ?? member.value.serialized
    }
    if let takes = value["takes"] { fetch.takes = span(takes, "takes") ?? 0 }
    if let later = value["retryAfter"] { fetch.retryAfter = span(later, "retryAfter") }
    fetch.status = value["status"]?.json.intValue.flatMap { Int(exactly: $0) }
    if let fails = value["fails"] {
      let word = fails.json.stringValue ?? ""
      if let code = DownloadError.Code(rawValue: word) {
        fetch.code = code
      } else if word == "missing" {
        fetch.isMissing = true
      } else {
        let known = DownloadError.Code.allCases.map(\.rawValue).joined(separator: ", ")
        report(fails.line, "fails is \(fails.json.serialized)", "missing, or one of \(known)")
      }
    }
    return fetch
  }
}
