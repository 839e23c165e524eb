import Digests
import JSON
package import Timekeeping

/// The record of one URL in the cache: where its body is, and how to ask whether it changed.
///
/// It is a file of JSON beside the body. A record that cannot be read is no record: the body is
/// asked for whole.
package struct CacheRecord: Hashable, Sendable {
  package var url: String
  /// The URL that gave the body, after redirects.
  package var finalURL: String
  package var etag: String?
  /// The text of `Last-Modified`, as the server wrote it.
  package var lastModified: String?
  /// When the server last said that this is the body.
  package var date: WallTime
  /// In lower case, without parameters; `nil`: the server said none.
  package var type: String?
  package var byteCount: Int64
  /// SHA-256 of the body in hexadecimal digits.
  package var hash: String

  package init(
    url: String, finalURL: String, etag: String? = nil, lastModified: String? = nil, date: WallTime,
    type: String? = nil, byteCount: Int64, hash: String
  ) {
    self.url = url
    self.finalURL = finalURL
    self.etag = etag
    self.lastModified = lastModified
    self.date = date
    self.type = type
    self.byteCount = byteCount
    self.hash = hash
  }

  /// The name under which a URL stands in the cache: the same URL with other headers is another one,
  /// since its answer may be another person's.
  package static func key(_ url: DownloadURL, headers: [DownloadHeader]) -> String {
    guard !headers.isEmpty else { return key(of: url.text) }
    let lines = headers.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
    return key(of: ([url.text] + lines).joined(separator: "\n"))
  }

  private static func key(of text: String) -> String {
    String(SHA256.digest(of: Array(text.utf8)).prefix(32))
  }

  /// The name of the body's file: another body has another name, so that a reader of the old one is
  /// not disturbed.
  package static func bodyName(key: String, hash: String) -> String { "\(key)-\(hash.prefix(16))" }

  /// Reads a record; `nil` if it is none, or belongs to another URL.
  package init?(_ bytes: [UInt8], of url: DownloadURL) {
    guard bytes.count <= DownloadLimits.recordBytesMax, let object = Self.object(bytes),
      object["url"]?.stringValue == url.text,
      let final = object["finalURL"]?.stringValue, Self.isURL(final),
      let date = object["date"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }),
      let count = object["bytes"]?.intValue, (0...DownloadLimits.bodyBytesMax).contains(count),
      let hash = object["sha256"]?.stringValue, hash.utf8.count == 64,
      hash.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    self.init(url: url.text, finalURL: final, date: date, byteCount: count, hash: hash)
    etag = object["etag"]?.stringValue.flatMap(Self.usableETag)
    lastModified = object["lastModified"]?.stringValue.flatMap(Self.usableDate)
    type = object["type"]?.stringValue.flatMap(MediaType.bare)
  }

  private static func object(_ bytes: [UInt8]) -> JSONObject? {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes).objectValue
    } catch {
      // A record that somebody broke is none.
      return nil
    }
  }

  private static func isURL(_ text: String) -> Bool {
    do throws(DownloadURL.Mistake) {
      return try DownloadURL(text).text == text
    } catch {
      return false
    }
  }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    var object: JSONObject = [
      "url": .string(url), "finalURL": .string(finalURL), "date": .string(date.rfc3339),
      "bytes": .int(byteCount), "sha256": .string(hash),
    ]
    if let etag { object["etag"] = .string(etag) }
    if let lastModified { object["lastModified"] = .string(lastModified) }
    if let type { object["type"] = .string(type) }
    return Array(JSONValue.object(object).serialized.utf8) + [UInt8(ascii: "\n")]
  }

  /// The headers that ask a URL whether it still has this body; none if it is not the URL that gave
  /// it, since another server's tag may read the same.
  package func conditions(for url: DownloadURL) -> [String] {
    guard url.text == finalURL else { return [] }
    var lines: [String] = []
    if let etag { lines.append("If-None-Match: \(etag)") }
    if let lastModified { lines.append("If-Modified-Since: \(lastModified)") }
    return lines
  }

  /// Takes over what an answer says about its body.
  package mutating func noteValidators(of head: ResponseHead) {
    if let text = head["etag"] { etag = Self.usableETag(text) }
    if let text = head["last-modified"] { lastModified = Self.usableDate(text) }
  }

  /// Source: RFC 9110, section 8.8.3: a quoted text, which may begin with `W/`.
  private static func usableETag(_ text: String) -> String? {
    let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
    guard text.utf8.count <= DownloadLimits.etagBytesMax, opaque.utf8.count >= 2,
      opaque.hasPrefix("\""), opaque.hasSuffix("\""),
      opaque.utf8.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x22 })
    else { return nil }
    return text
  }

  private static func usableDate(_ text: String) -> String? {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
    return WallTime(http: text, now: WallTime(milliseconds: 0)) == nil ? nil : text
  }
}
