import JSON

/// One JSON-RPC message, read in one pass without building values.
///
/// The whole line is checked against JSON's grammar; `params`, `result` and `error` stay byte
/// ranges of it, for the method that knows their shape. A mistake never throws: it becomes
/// `.invalid` with the answer that the standard asks for. Members may come in any order, the last
/// of two with one name wins, unknown ones are ignored.
///
/// Source: JSON-RPC 2.0 §4–§6.
package struct Envelope {
  package enum Kind: Hashable, Sendable {
    case request
    case notification
    case response
    /// Several messages; `elements` says where.
    ///
    /// Read each with `init(readingElement:)`.
    case batch
    /// To be answered with this error and `id` (null when `id` is `nil`).
    indirect case invalid(RPCError)
  }

  package private(set) var kind: Kind
  /// The id of a request or response; of an invalid request when it could be read; else `nil`.
  package private(set) var id: RequestID?
  /// The method's name: its bytes in the line, between the quotes.
  ///
  /// Empty unless it is a request or notification.
  package private(set) var method: Range<Int>
  /// The method's name when it was written with escapes, which `method` still has.
  package private(set) var methodText: String?
  /// The messages of a batch, in order.
  package private(set) var elements: [Range<Int>]

  // A message has at most one of params, result and error. One range and its role instead of three
  // optional ranges: an envelope is copied once on its way out.
  private var body: Range<Int>
  private var bodyRole: BodyRole

  private enum BodyRole { case none, params, result, error }

  /// The bytes of `params`, an array or object.
  package var params: Range<Int>? { bodyRole == .params ? body : nil }
  /// The bytes of `result`.
  package var result: Range<Int>? { bodyRole == .result ? body : nil }
  /// The bytes of `error`, an object.
  package var error: Range<Int>? { bodyRole == .error ? body : nil }

  /// Reads a line: one message or a batch.
  package init(reading line: Span<UInt8>) {
    self = Envelope.read(line, mayBeBatch: true)
  }

  /// Reads one element of a batch, which is never a batch itself.
  ///
  /// Ranges count from its own start.
  package init(readingElement element: Span<UInt8>) {
    self = Envelope.read(element, mayBeBatch: false)
  }

  private static func read(_ line: Span<UInt8>, mayBeBatch: Bool) -> Envelope {
    var members = Members()
    let shape = line.withUnsafeBytes { members.read($0) }
    var id: RequestID?
    let kind: Kind
    do throws(RPCError) {
      kind = try Self.kind(of: shape, members, in: line, mayBeBatch: mayBeBatch, id: &id)
    } catch {
      kind = .invalid(error)
    }

    switch kind {
    case .request, .notification:
      guard let name = members.method else { preconditionFailure("a call has a method") }
      return Envelope(
        kind: kind, id: id, method: content(of: name),
        methodText: name.hasEscapes ? text(name, in: line) : nil, body: members.params,
        as: .params)
    case .response:
      return members.error == nil
        ? Envelope(kind: kind, id: id, body: members.result, as: .result)
        : Envelope(kind: kind, id: id, body: members.error, as: .error)
    case .batch:
      guard case .array(let ranges) = shape else { preconditionFailure("a batch is an array") }
      return Envelope(kind: kind, elements: ranges)
    case .invalid:
      // Only the id is kept, so that nothing invalid can be used by mistake.
      return Envelope(kind: kind, id: id)
    }
  }

  private init(
    kind: Kind, id: RequestID? = nil, method: Range<Int> = 0..<0, methodText: String? = nil,
    body: Range<Int>? = nil, as role: BodyRole = .none, elements: [Range<Int>] = []
  ) {
    self.kind = kind
    self.id = id
    self.method = method
    self.methodText = methodText
    self.elements = elements
    self.body = body ?? 0..<0
    bodyRole = body == nil ? .none : role
  }

  /// Applies the standard to a line that has been read, and takes its id.
  private static func kind(
    of shape: Members.Shape, _ members: Members, in line: Span<UInt8>, mayBeBatch: Bool,
    id: inout RequestID?
  ) throws(RPCError) -> Kind {
    switch shape {
    case .object:
      return try kind(of: members, in: line, id: &id)
    case .array(let ranges):
      guard mayBeBatch else { throw .invalidRequest("a batch holds messages, not batches") }
      guard !ranges.isEmpty else { throw .invalidRequest("the batch is empty") }
      guard ranges.count <= RPCLimits.batchElementsMax else {
        throw .invalidRequest("a batch holds at most \(RPCLimits.batchElementsMax) messages")
      }
      return .batch
    case .scalar:
      throw .invalidRequest("expected an object or an array of objects")
    case .malformed(let error):
      throw .parse(error)
    }
  }

  private static func kind(
    of members: Members, in line: Span<UInt8>, id: inout RequestID?
  ) throws(RPCError) -> Kind {
    if let value = members.id { id = try requestID(value, in: line) }
    if let method = members.method {
      try check(version: members.version, in: line)
      guard line[method.range.lowerBound] == UInt8(ascii: "\"") else {
        throw .invalidRequest("\"method\" must be a string")
      }
      if let range = members.params {
        let first = line[range.lowerBound]
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
          throw .invalidRequest("\"params\" must be an object or an array")
        }
      }
      return members.id == nil ? .notification : .request
    }

    guard members.result != nil || members.error != nil else {
      try check(version: members.version, in: line)
      throw .invalidRequest("\"method\" is missing")
    }
    // A client would take a refusal with the id of one of its requests for the answer to it: so a
    // malformed response is refused without an id.
    let answered = id
    id = nil
    try check(version: members.version, in: line)
    guard members.result == nil || members.error == nil else {
      throw .invalidRequest("a response has \"result\" or \"error\", not both")
    }
    if let error = members.error, line[error.lowerBound] != UInt8(ascii: "{") {
      throw .invalidRequest("\"error\" must be an object")
    }
    guard answered != nil else { throw .invalidRequest("a response needs an \"id\"") }
    id = answered
    return .response
  }

  private static func check(
    version: JSONScanner.Value?, in line: Span<UInt8>
  ) throws(RPCError) {
    guard let version else { throw .invalidRequest("\"jsonrpc\" is missing; it must be \"2.0\"") }
    let start = version.range.lowerBound
    if version.range.count == 5, line[start] == UInt8(ascii: "\""),
      line[start + 1] == UInt8(ascii: "2"), line[start + 2] == UInt8(ascii: "."),
      line[start + 3] == UInt8(ascii: "0")
    {
      return
    }
    guard version.hasEscapes, text(version, in: line) == "2.0" else {
      throw .invalidRequest("\"jsonrpc\" must be \"2.0\"")
    }
  }

  private static func requestID(
    _ value: JSONScanner.Value, in line: Span<UInt8>
  ) throws(RPCError) -> RequestID {
    if let integer = value.integer { return .integer(integer) }
    switch line[value.range.lowerBound] {
    case UInt8(ascii: "\""): return .string(text(value, in: line))
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .other(line.extracting(value.range).withUnsafeBufferPointer { Array($0) })
    default: throw .invalidRequest("\"id\" must be a string, a number or null")
    }
  }
}

/// The range between the quotes of a value that is a string.
private func content(of value: JSONScanner.Value) -> Range<Int> {
  value.range.lowerBound + 1..<value.range.upperBound - 1
}

/// The text of a value that is a string.
private func text(_ value: JSONScanner.Value, in line: Span<UInt8>) -> String {
  line.withUnsafeBytes {
    JSONScanner($0).text(of: .init(range: content(of: value), hasEscapes: value.hasEscapes))
  }
}

/// The places of the members that the standard names.
private struct Members {
  var version: JSONScanner.Value?
  var id: JSONScanner.Value?
  var method: JSONScanner.Value?
  var params: Range<Int>?
  var result: Range<Int>?
  var error: Range<Int>?

  /// The kind of JSON value that a line is.
  enum Shape {
    /// Its members are known now.
    case object
    /// Where its elements are; one more than the limit at most, the rest is only checked.
    case array([Range<Int>])
    case scalar
    case malformed(JSONError)
  }

  /// Reads a whole line.
  mutating func read(_ line: UnsafeRawBufferPointer) -> Shape {
    var scanner = JSONScanner(line)
    var shape = Shape.object
    do throws(JSONError) {
      scanner.skipWhitespace()
      switch scanner.peek {
      case UInt8(ascii: "{"):
        try readObject(from: &scanner)
      case UInt8(ascii: "["):
        shape = .array(try elements(from: &scanner))
      default:
        try scanner.skipValue()
        shape = .scalar
      }
      try scanner.expectEnd()
      return shape
    } catch {
      return .malformed(error)
    }
  }

  private func elements(from scanner: inout JSONScanner) throws(JSONError) -> [Range<Int>] {
    try scanner.open(depth: 0)
    var elements: [Range<Int>] = []
    var isFirst = true
    while let element = try scanner.nextElement(isFirst: isFirst, depth: 1) {
      if elements.count <= RPCLimits.batchElementsMax { elements.append(element) }
      isFirst = false
    }
    return elements
  }

  /// Reads an object that `scanner` is at, past its `}`.
  private mutating func readObject(from scanner: inout JSONScanner) throws(JSONError) {
    try scanner.open(depth: 0)
    var isFirst = true
    var member = JSONScanner.Member()
    while try scanner.nextMember(into: &member, isFirst: isFirst, depth: 1) {
      isFirst = false
      guard !member.key.hasEscapes else {
        take(member, named: scanner.text(of: member.key))
        continue
      }
      switch (member.key.range.count, member.packedKey) {
      case (2, packed("id")): id = member.value
      case (5, packed("error")): error = member.value.range
      case (6, packed("method")): method = member.value
      case (6, packed("params")): params = member.value.range
      case (6, packed("result")): result = member.value.range
      case (7, packed("jsonrpc")): version = member.value
      default: break
      }
    }
  }

  /// Takes a member whose key was written with escapes, which is rare and allowed.
  private mutating func take(_ member: JSONScanner.Member, named key: String) {
    switch key {
    case "id": id = member.value
    case "error": error = member.value.range
    case "method": method = member.value
    case "params": params = member.value.range
    case "result": result = member.value.range
    case "jsonrpc": version = member.value
    default: break
    }
  }
}

/// A name of up to eight bytes as `JSONScanner.Member.packedKey` has it.
@inline(__always)
private func packed(_ name: StaticString) -> UInt64 {
  var word: UInt64 = 0
  for index in (0..<name.utf8CodeUnitCount).reversed() {
    word = word << 8 | UInt64(name.utf8Start[index])
  }
  return word
}
