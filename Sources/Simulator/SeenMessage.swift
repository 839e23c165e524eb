import JSON
import JSONRPC
import Timekeeping

/// Calls `body` for each member of the object at `range`, found without building values of what nobody asks
/// for; of anything else there are no members.
///
/// `isAll`: nothing may follow it.
///
/// `value`: where it stands in `raw`.
func forEachMember(
  _ raw: UnsafeRawBufferPointer, _ range: Range<Int>, isAll: Bool = false,
  _ body: (_ key: MemberKey, _ value: SeenValue) throws(JSONError) -> Void
) throws(JSONError) {
  var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: raw[range]))
  scanner.skipWhitespace()
  guard scanner.peek == UInt8(ascii: "{") else { return }
  try scanner.open(depth: 0)
  var member = JSONScanner.Member()
  var isFirst = true
  while try scanner.nextMember(into: &member, isFirst: isFirst, depth: 1) {
    isFirst = false
    try body(
      MemberKey(word: member.packedKey, length: member.key.range.count),
      SeenValue(
        range: member.value.range.lowerBound + range.lowerBound..<member.value.range.upperBound
          + range.lowerBound, integer: member.value.integer, hasEscapes: member.value.hasEscapes))
  }
  if isAll { try scanner.expectEnd() }
}

/// A key as it is written; two of one length are told apart by their first eight bytes.
struct MemberKey: Hashable {
  var word: UInt64
  var length: Int

  init(word: UInt64, length: Int) {
    self.word = word
    self.length = length
  }

  init(_ key: StaticString) {
    word = 0
    length = key.utf8CodeUnitCount
    for index in (0..<min(8, length)).reversed() { word = word << 8 | UInt64(key.utf8Start[index]) }
  }
}

/// A value that was checked to be JSON and not read.
struct SeenValue {
  var range: Range<Int>
  var integer: Int64?
  var hasEscapes: Bool

  /// The value, when it is a string.
  func text(_ raw: UnsafeRawBufferPointer) throws(JSONError) -> String? {
    guard raw[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
    if hasEscapes { return try JSONValue(parsing: Array(raw[range])).stringValue }
    let inside = range.lowerBound + 1..<range.upperBound - 1
    return String(decoding: UnsafeRawBufferPointer(rebasing: raw[inside]), as: UTF8.self)
  }
}

/// A widget as a client was told to show it.
struct SeenWidget {
  var id: String?
  var hasEntry = false
  var date: WallTime?
  var shown: FakeClient.Shown

  private static let idKey = MemberKey("id")
  private static let staleKey = MemberKey("stale")
  private static let entryKey = MemberKey("entry")
  private static let dateKey = MemberKey("date")
  private static let contentKey = MemberKey("content")

  /// Reads the view at `range`.
  init(_ raw: UnsafeRawBufferPointer, _ range: Range<Int>) throws(JSONError) {
    var id: String?
    var isStale = false
    var entry: Range<Int>?
    var date: WallTime?
    var content: [UInt8]?
    try forEachMember(raw, range) { (key, value) throws(JSONError) in
      switch key {
      case Self.idKey: id = try value.text(raw)
      case Self.staleKey: isStale = raw[value.range.lowerBound] == UInt8(ascii: "t")
      case Self.entryKey: entry = value.range
      default: break
      }
    }
    if let entry {
      try forEachMember(raw, entry) { (key, value) throws(JSONError) in
        switch key {
        case Self.dateKey: date = try value.text(raw).flatMap { WallTime(rfc3339: $0) }
        case Self.contentKey: content = Array(raw[value.range])
        default: break
        }
      }
    }
    self.id = id
    self.date = date
    hasEntry = entry != nil
    shown = FakeClient.Shown(content: content, isStale: isStale)
  }
}

/// A line whose bulk are widgets: an update of a surface, or the answer to a request that lists them.
///
/// Every byte is checked to be JSON; values are built of little.
struct SeenMessage {
  /// `nil`: an answer.
  var method: String?
  var id: JSONValue?
  var widgets: [SeenWidget] = []
  var removed: [String] = []

  private static let methodKey = MemberKey("method")
  private static let idKey = MemberKey("id")
  private static let paramsKey = MemberKey("params")
  private static let resultKey = MemberKey("result")
  private static let errorKey = MemberKey("error")
  private static let widgetsKey = MemberKey("widgets")
  private static let removedKey = MemberKey("removed")
  private static let stackKey = MemberKey("stack")
  private static let surfaceKey = MemberKey("surface")

  /// `nil` when the line is anything else than one such message.
  ///
  /// `isList` says of an id whether the request with it lists widgets.
  init?(
    _ bytes: [UInt8], isList: (JSONValue) -> Bool
  ) throws(JSONError) {
    let read = try bytes.span.withUnsafeBytes { (raw) throws(JSONError) -> SeenMessage? in
      var message = SeenMessage()
      var method: String?
      var id: JSONValue?
      var body: Range<Int>?
      var isRefusal = false
      try forEachMember(raw, 0..<raw.count, isAll: true) { (key, value) throws(JSONError) in
        switch key {
        case Self.methodKey: method = try value.text(raw)
        case Self.idKey:
          if let number = value.integer {
            id = .int(number)
          } else {
            id = try value.text(raw).map { .string($0) }
          }
        case Self.paramsKey, Self.resultKey: body = value.range
        case Self.errorKey: isRefusal = true
        default: break
        }
      }
      guard let body, !isRefusal, method == nil || method == "surface.update" else { return nil }
      message.method = method
      if method == nil {
        guard let id, isList(id) else { return nil }
        message.id = id
      }
      var isOther = false
      try forEachMember(raw, body) { (key, value) throws(JSONError) in
        switch key {
        case Self.widgetsKey:
          for range in try elements(raw, value.range) {
            message.widgets.append(try SeenWidget(raw, range))
          }
        case Self.removedKey:
          let list = try JSONValue(parsing: Array(raw[value.range]))
          message.removed = list.arrayValue?.compactMap(\.stringValue) ?? []
        // Nothing but names.
        case Self.stackKey, Self.surfaceKey: break
        default: isOther = true
        }
      }
      if isOther { return nil }
      return message
    }
    guard let read else { return nil }
    self = read
  }

  private init() {}
}

private func elements(
  _ raw: UnsafeRawBufferPointer, _ list: Range<Int>
) throws(JSONError) -> [Range<Int>] {
  var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: raw[list]))
  guard scanner.peek == UInt8(ascii: "[") else { return [] }
  try scanner.open(depth: 0)
  var found: [Range<Int>] = []
  while let range = try scanner.nextElement(isFirst: found.isEmpty, depth: 1) {
    found.append(range.lowerBound + list.lowerBound..<range.upperBound + list.lowerBound)
  }
  return found
}
