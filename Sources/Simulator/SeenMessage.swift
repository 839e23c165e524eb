import JSON
import JSONRPC
import Timekeeping

/// The members of an object, found in its bytes without building values of what nobody asks for.
struct MemberReader {
  struct Member {
    var key: String
    var value: JSONScanner.Value
    /// The value, when it is a string.
    var text: String?
  }

  private(set) var members: [Member] = []

  /// Reads the object at `range`; of anything else there are no members. `isAll`: nothing may follow it.
  init(
    _ raw: UnsafeRawBufferPointer, _ range: Range<Int>, isAll: Bool = false
  ) throws(JSONError) {
    var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: raw[range]))
    scanner.skipWhitespace()
    guard scanner.peek == UInt8(ascii: "{") else { return }
    try scanner.open(depth: 0)
    var member = JSONScanner.Member()
    var isFirst = true
    while try scanner.nextMember(into: &member, isFirst: isFirst, depth: 1) {
      isFirst = false
      var value = member.value
      value.range =
        value.range.lowerBound + range.lowerBound..<value.range.upperBound + range.lowerBound
      members.append(
        Member(
          key: scanner.text(of: member.key), value: value, text: scanner.string(member.value)))
    }
    if isAll { try scanner.expectEnd() }
  }

  subscript(key: String) -> Member? { members.last { $0.key == key } }
}

/// A widget as a client was told to show it.
struct SeenWidget {
  var id: String?
  var hasEntry = false
  var date: WallTime?
  var shown: FakeClient.Shown

  /// Reads the view at `range`.
  init(_ raw: UnsafeRawBufferPointer, _ range: Range<Int>) throws(JSONError) {
    let view = try MemberReader(raw, range)
    id = view["id"]?.text
    let isStale = view["stale"].map { raw[$0.value.range.lowerBound] == UInt8(ascii: "t") }
    shown = FakeClient.Shown(content: nil, isStale: isStale ?? false)
    guard let entry = view["entry"] else { return }
    hasEntry = true
    let members = try MemberReader(raw, entry.value.range)
    date = members["date"]?.text.flatMap { WallTime(rfc3339: $0) }
    shown.content = members["content"].map { Array(raw[$0.value.range]) }
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

  /// `nil` when the line is anything else than one such message. `isList` says of an id whether the
  /// request with it lists widgets.
  init?(
    _ bytes: [UInt8], isList: (JSONValue) -> Bool
  ) throws(JSONError) {
    let read = try bytes.span.withUnsafeBytes { (raw) throws(JSONError) -> SeenMessage? in
      var message = SeenMessage()
      let members = try MemberReader(raw, 0..<raw.count, isAll: true)
      let body: MemberReader.Member?
      if let method = members["method"]?.text {
        guard method == "surface.update" else { return nil }
        message.method = method
        body = members["params"]
      } else {
        guard let id = members["id"], members["error"] == nil else { return nil }
        let value = id.value.integer.map { JSONValue.int($0) } ?? id.text.map { .string($0) }
        guard let value, isList(value) else { return nil }
        message.id = value
        body = members["result"]
      }
      guard let body else { return nil }
      for member in try MemberReader(raw, body.value.range).members {
        switch member.key {
        case "widgets":
          for range in try elements(raw, member.value.range) {
            message.widgets.append(try SeenWidget(raw, range))
          }
        case "removed":
          let part = Array(raw[member.value.range])
          message.removed =
            try JSONValue(parsing: part).arrayValue?.compactMap(\.stringValue) ?? []
        // Nothing but lists of names.
        case "stack", "surface": break
        default: return nil
        }
      }
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
