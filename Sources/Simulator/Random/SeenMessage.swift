import JSON
import JSONRPC
import Timekeeping

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

/// Walks over a line once, and builds values on request only.
struct SeenReader {
  private let raw: UnsafeRawBufferPointer
  private var scanner: JSONScanner
  private var member = JSONScanner.Member()
  private var depth = 0

  init(_ raw: UnsafeRawBufferPointer) {
    self.raw = raw
    scanner = JSONScanner(raw)
    scanner.skipWhitespace()
  }

  /// Calls `body` for each member of the object at this position; `body` reads its value or steps
  /// over it.
  ///
  /// Another value has no members.
  @inline(__always)
  mutating func members(
    _ body: (inout SeenReader, MemberKey) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard scanner.peek == UInt8(ascii: "{") else { return try step() }
    try scanner.open(depth: depth)
    depth += 1
    var isFirst = true
    while try scanner.nextKey(into: &member, isFirst: isFirst) {
      isFirst = false
      try body(&self, MemberKey(word: member.packedKey, length: member.key.range.count))
    }
    depth -= 1
  }

  /// Calls `body` for each element of the array at this position; `body` reads it or steps over it.
  @inline(__always)
  mutating func elements(
    _ body: (inout SeenReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard scanner.peek == UInt8(ascii: "[") else { return try step() }
    try scanner.open(depth: depth)
    depth += 1
    var isFirst = true
    while try scanner.findElement(isFirst: isFirst) {
      isFirst = false
      try body(&self)
    }
    depth -= 1
  }

  /// Steps over the value at this position.
  mutating func step() throws(JSONError) { try scanner.scanValue(into: &member, depth: depth) }

  /// Returns the bytes of the value at this position.
  mutating func bytes() throws(JSONError) -> [UInt8] {
    try step()
    return Array(raw[member.value.range])
  }

  /// Returns the value at this position if it is a string, else `nil`.
  mutating func text() throws(JSONError) -> String? {
    try step()
    return scanner.string(member.value)
  }

  /// A number or a string; `nil` for anything else.
  mutating func id() throws(JSONError) -> JSONValue? {
    try step()
    if let number = member.value.integer { return .int(number) }
    return scanner.string(member.value).map { .string($0) }
  }

  /// Returns the value at this position if it is an integer, else `nil`.
  mutating func integer() throws(JSONError) -> Int64? {
    try step()
    return member.value.integer
  }

  /// Returns whether the value at this position is `true`.
  mutating func bool() throws(JSONError) -> Bool {
    let isTrue = scanner.peek == UInt8(ascii: "t")
    try step()
    return isTrue
  }

  /// Whether the value at this position is an object.
  var isObject: Bool { scanner.peek == UInt8(ascii: "{") }

  /// Whether the value at this position is an array.
  var isArray: Bool { scanner.peek == UInt8(ascii: "[") }

  mutating func expectEnd() throws(JSONError) { try scanner.expectEnd() }
}

/// A widget as a client was told to show it.
struct SeenWidget {
  var id: String?
  var hasEntry = false
  var date: WallTime?
  var shown = FakeClient.Shown(content: nil, isStale: false)

  private static let idKey = MemberKey("id")
  private static let staleKey = MemberKey("stale")
  private static let entryKey = MemberKey("entry")
  private static let modeKey = MemberKey("mode")
  private static let heightKey = MemberKey("height")
  private static let dateKey = MemberKey("date")
  private static let contentKey = MemberKey("content")
  private static let viewKey = MemberKey("view")

  /// Reads the view at this position.
  init(_ reader: inout SeenReader) throws(JSONError) {
    var seen = SeenWidget()
    try reader.members { (reader, key) throws(JSONError) in
      switch key {
      case Self.idKey: seen.id = try reader.text()
      case Self.staleKey: seen.shown.isStale = try reader.bool()
      case Self.modeKey: seen.shown.mode = try reader.text()
      case Self.heightKey: seen.shown.height = try reader.integer()
      case Self.entryKey: try seen.readEntry(&reader)
      default: try reader.step()
      }
    }
    self = seen
  }

  private init() {}

  private mutating func readEntry(_ reader: inout SeenReader) throws(JSONError) {
    hasEntry = true
    var date: WallTime?
    var content: [UInt8]?
    var view: [UInt8]?
    try reader.members { (reader, key) throws(JSONError) in
      switch key {
      case Self.viewKey: view = try reader.bytes()
      case Self.dateKey: date = try reader.text().flatMap { WallTime(rfc3339: $0) }
      case Self.contentKey: content = try reader.bytes()
      default: try reader.step()
      }
    }
    self.date = date
    shown.content = content
    shown.view = view
  }
}

/// A line whose bulk are widgets: an update of a surface, or the answer to a request that lists
/// them.
///
/// Each byte is checked to be JSON; few values are built.
struct SeenMessage {
  /// `nil`: an answer.
  var method: String?
  var id: JSONValue?
  var widgets: [SeenWidget] = []
  var removed: [String] = []
  /// The line is something else.
  private var isOther = false
  private var hasBody = false

  private static let methodKey = MemberKey("method")
  private static let idKey = MemberKey("id")
  private static let paramsKey = MemberKey("params")
  private static let resultKey = MemberKey("result")
  private static let errorKey = MemberKey("error")
  private static let widgetsKey = MemberKey("widgets")
  private static let removedKey = MemberKey("removed")
  private static let stackKey = MemberKey("stack")
  private static let surfaceKey = MemberKey("surface")

  /// Reads a line; `nil` if it is another message, or if its id or method does not come first.
  ///
  /// `isList` tells whether the request with an id lists widgets.
  init?(_ bytes: [UInt8], isList: (JSONValue) -> Bool) throws(JSONError) {
    var message = SeenMessage()
    try bytes.span.withUnsafeBytes { (raw) throws(JSONError) in
      var reader = SeenReader(raw)
      guard reader.isObject else {
        message.isOther = true
        return
      }
      try reader.members { (reader, key) throws(JSONError) in
        guard !message.isOther else { return try reader.step() }
        switch key {
        case Self.methodKey: message.method = try reader.text()
        case Self.idKey: message.id = try reader.id()
        case Self.paramsKey, Self.resultKey:
          let isOurs =
            message.method.map { $0 == "surface.update" } ?? message.id.map(isList) ?? false
          message.isOther = !isOurs
          message.hasBody = true
          if isOurs { try message.readBody(&reader) } else { try reader.step() }
        case Self.errorKey:
          message.isOther = true
          try reader.step()
        default: try reader.step()
        }
      }
      try reader.expectEnd()
    }
    guard message.hasBody, !message.isOther else { return nil }
    self = message
  }

  private mutating func readBody(_ reader: inout SeenReader) throws(JSONError) {
    var widgets: [SeenWidget] = []
    var removed: [String] = []
    var isOther = !reader.isObject
    try reader.members { (reader, key) throws(JSONError) in
      switch key {
      case Self.widgetsKey:
        try reader.elements { (reader) throws(JSONError) in widgets.append(try SeenWidget(&reader))
        }
      case Self.removedKey:
        try reader.elements { (reader) throws(JSONError) in
          if let id = try reader.text() { removed.append(id) }
        }
      // These hold ids alone, in which no rule is checked.
      case Self.stackKey, Self.surfaceKey: try reader.step()
      default:
        isOther = true
        try reader.step()
      }
    }
    self.widgets = widgets
    self.removed = removed
    self.isOther = isOther
  }

  private init() {}
}
