package import JSON

/// One download that a provider asked for: an element of `downloads` in its answer.
package struct DownloadOrder: Hashable, Sendable {
  /// The provider's own name for it.
  package var id: String
  package var url: DownloadURL
  package var headers: [DownloadHeader]
  /// Whether an unchanged file needs no run of the provider.
  package var ifChanged: Bool
  /// Bytes of the body.
  package var bytesMax: Int64
  /// The types that the body may have, such as `application/json` or `image/*`; none: any.
  package var types: [String]

  package init(
    id: String, url: DownloadURL, headers: [DownloadHeader] = [], ifChanged: Bool = true,
    bytesMax: Int64 = DownloadLimits.usualBodyBytesMax, types: [String] = []
  ) {
    self.id = id
    self.url = url
    self.headers = headers
    self.ifChanged = ifChanged
    self.bytesMax = bytesMax
    self.types = types
  }

  /// Reads one order.
  ///
  /// `bytesLimit` is the most that may be expected.
  package init(
    _ json: JSONValue, bytesLimit: Int64 = DownloadLimits.orderedBodyBytesMax
  ) throws(DownloadMistake) {
    guard case .object(let object) = json else {
      throw DownloadMistake("", "it is \(json.typeName)", "an object with id and url")
    }
    let known = ["id", "url", "headers", "ifChanged", "expect"]
    if let stray = object.members.first(where: { !known.contains($0.key) }) {
      throw DownloadMistake(
        stray.key, "there is no such member\(didYouMean(nearest(to: stray.key, among: known)))",
        known.joined(separator: ", "))
    }
    guard let id = object["id"]?.stringValue,
      (1...DownloadLimits.idBytesMax).contains(id.utf8.count),
      id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw DownloadMistake(
        "id", "it is missing, or no short name",
        "printable ASCII without spaces, at most \(DownloadLimits.idBytesMax) bytes")
    }
    guard let text = object["url"]?.stringValue else {
      throw DownloadMistake("url", "it is missing, or no text", "https://HOST/…")
    }
    let url: DownloadURL
    do throws(DownloadURL.Mistake) {
      url = try DownloadURL(text)
    } catch {
      throw DownloadMistake(
        "url", "\(quoted(DownloadURL.shown(text))) \(error.message)", error.hint)
    }
    self.init(id: id, url: url)
    headers = try Self.readHeaders(object["headers"])
    switch object["ifChanged"] ?? .null {
    case .null: break
    case .bool(let flag): ifChanged = flag
    default: throw DownloadMistake("ifChanged", "it is no truth value", "true or false")
    }
    try readExpectation(object["expect"] ?? .null, bytesLimit: bytesLimit)
  }

  private static func readHeaders(
    _ json: JSONValue?
  ) throws(DownloadMistake) -> [DownloadHeader] {
    guard let json, json != .null else { return [] }
    guard case .object(let object) = json else {
      throw DownloadMistake("headers", "it is \(json.typeName)", #"an object: {"Accept": "…"}"#)
    }
    guard object.members.count <= DownloadLimits.headerCountMax else {
      throw DownloadMistake(
        "headers", "there are \(object.members.count)",
        "at most \(DownloadLimits.headerCountMax)")
    }
    var headers: [DownloadHeader] = []
    for member in object.members {
      guard let value = member.value.stringValue else {
        throw DownloadMistake("headers.\(member.key)", "the value is no text", "a text")
      }
      headers.append(try DownloadHeader(name: member.key, value: value))
    }
    return headers
  }

  private mutating func readExpectation(
    _ json: JSONValue, bytesLimit: Int64
  ) throws(DownloadMistake) {
    if json == .null { return }
    guard case .object(let object) = json else {
      throw DownloadMistake("expect", "it is \(json.typeName)", "an object: maxBytes, types")
    }
    if let stray = object.members.first(where: { !["maxBytes", "types"].contains($0.key) }) {
      throw DownloadMistake("expect.\(stray.key)", "there is no such member", "maxBytes, types")
    }
    if let limit = object["maxBytes"], limit != .null {
      guard let count = limit.intValue, (1...bytesLimit).contains(count) else {
        throw DownloadMistake(
          "expect.maxBytes", "it is no number of bytes", "1 to \(bytesLimit)")
      }
      bytesMax = count
    }
    guard let list = object["types"], list != .null else { return }
    guard let elements = list.arrayValue, elements.count <= DownloadLimits.typeCountMax else {
      throw DownloadMistake(
        "expect.types", "it is no list of types",
        "at most \(DownloadLimits.typeCountMax), such as application/json or image/*")
    }
    for element in elements {
      guard let type = element.stringValue.flatMap(MediaType.pattern) else {
        throw DownloadMistake(
          "expect.types", "\(quoted(element.serialized)) is no type",
          "such as application/json or image/*")
      }
      types.append(type)
    }
  }

  /// The order as `init(_:)` reads it.
  package var json: JSONValue {
    var object: JSONObject = ["id": .string(id), "url": .string(url.text)]
    if !headers.isEmpty {
      object["headers"] = .object(
        JSONObject(headers.map { .init(key: $0.name, value: .string($0.value)) }))
    }
    if !ifChanged { object["ifChanged"] = false }
    var expect: JSONObject = ["maxBytes": .int(bytesMax)]
    if !types.isEmpty { expect["types"] = .array(types.map { .string($0) }) }
    object["expect"] = .object(expect)
    return .object(object)
  }
}

/// Types of bodies.
///
/// Source: RFC 9110, section 8.3.1.
package enum MediaType {
  /// Returns the type of a `Content-Type` without its parameters, in lower case; `nil` if it is none.
  package static func bare(_ contentType: String) -> String? {
    let text = contentType.prefix { $0 != ";" }.lowercased()
    let trimmed = text.drop { $0 == " " || $0 == "\t" }
    let type = trimmed.prefix { $0 != " " && $0 != "\t" }
    return isType(type, mayBeAny: false) ? String(type) : nil
  }

  /// Returns a type to expect, in lower case: `text/html` or `image/*`; `nil` if it is none.
  package static func pattern(_ text: String) -> String? {
    let type = text.lowercased()
    return isType(type, mayBeAny: true) ? type : nil
  }

  /// Whether a body of this type is one of those that are expected; of no type it is not.
  package static func isExpected(_ type: String?, _ patterns: [String]) -> Bool {
    guard !patterns.isEmpty else { return true }
    guard let type else { return false }
    return patterns.contains { pattern in
      pattern == type || pattern == "*/*"
        || (pattern.hasSuffix("/*") && type.hasPrefix(pattern.dropLast()))
    }
  }

  private static func isType(_ text: some StringProtocol, mayBeAny: Bool) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= DownloadLimits.typeBytesMax else { return false }
    return parts.allSatisfy { part in
      if mayBeAny, part == "*" { return true }
      return !part.isEmpty
        && part.utf8.allSatisfy { byte in
          (97...122).contains(byte) || (48...57).contains(byte)
            || "!#$&-^_.+".utf8.contains(byte)
        }
    }
  }
}
