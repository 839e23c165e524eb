import JSON

/// One JSON-RPC message, read in one pass without building values.
///
/// The whole line is checked against JSON's grammar; `params`, `result` and `error` stay byte ranges of
/// it, for whoever knows their shape. A mistake never throws: it becomes `.invalid` with the answer the
/// standard asks for. Members may come in any order, the last of two with one name wins, unknown ones
/// are ignored.
///
/// Source: JSON-RPC 2.0 §4–§6.
package struct Envelope {
  package enum Kind: Hashable, Sendable {
    case request
    case notification
    case response
    /// Several messages; `elements` says where. Read each with `init(readingElement:)`.
    case batch
    /// To be answered with this error and `id` (null when `id` is `nil`).
    case invalid(RPCError)
  }

  package private(set) var kind: Kind
  /// The id of a request or response; of an invalid request when it could be read; else `nil`.
  package private(set) var id: RequestID?
  /// The method's name: its bytes in the line, between the quotes. Empty unless request or notification.
  package private(set) var method: Range<Int> = 0..<0
  /// The method's name when it was written with escapes, which `method` still has.
  package private(set) var methodText: String?
  /// The bytes of `params`, an array or object.
  package private(set) var params: Range<Int>?
  package private(set) var result: Range<Int>?
  /// The bytes of `error`, an object.
  package private(set) var error: Range<Int>?
  /// The messages of a batch, in order.
  package private(set) var elements: [Range<Int>] = []

  /// Reads a line: one message or a batch.
  package init(reading line: Span<UInt8>) {
    self.init(line, mayBeBatch: true)
  }

  /// Reads one element of a batch, which is never a batch itself. Ranges count from its own start.
  package init(readingElement element: Span<UInt8>) {
    self.init(element, mayBeBatch: false)
  }

  // Filled in place: an envelope is large, and a copy costs as much as reading a short line.
  private init(_ line: Span<UInt8>, mayBeBatch: Bool) {
    kind = .notification
    line.withUnsafeBytes { read($0, mayBeBatch: mayBeBatch) }
  }

  private mutating func read(_ line: UnsafeRawBufferPointer, mayBeBatch: Bool) {
    var scanner = JSONScanner(line)
    do throws(JSONError) {
      scanner.skipWhitespace()
      switch scanner.peek {
      case UInt8(ascii: "{"):
        var members = Members()
        try members.read(from: &scanner)
        try scanner.expectEnd()
        do throws(RPCError) { try apply(members, line, scanner) } catch { refuse(error) }
      case UInt8(ascii: "["):
        elements = try Self.elements(&scanner)
        try scanner.expectEnd()
        kind = .batch
        if !mayBeBatch {
          refuse(.invalidRequest("a batch holds messages, not batches"))
        } else if elements.isEmpty {
          refuse(.invalidRequest("the batch is empty"))
        } else if elements.count > RPCLimits.batchElementsMax {
          refuse(.invalidRequest("a batch holds at most \(RPCLimits.batchElementsMax) messages"))
        }
      default:
        try scanner.skipValue()
        try scanner.expectEnd()
        refuse(.invalidRequest("expected an object or an array of objects"))
      }
    } catch {
      refuse(.parse(error))
    }
  }

  /// Nothing of an invalid message is left to be used by mistake but its id.
  @inline(never)
  private mutating func refuse(_ error: RPCError) {
    self.kind = .invalid(error)
    method = 0..<0
    methodText = nil
    params = nil
    result = nil
    self.error = nil
    elements = []
  }

  /// The elements' ranges; one more than the limit at most, the rest is only checked.
  private static func elements(_ scanner: inout JSONScanner) throws(JSONError) -> [Range<Int>] {
    try scanner.open(depth: 0)
    var elements: [Range<Int>] = []
    var isFirst = true
    while let element = try scanner.nextElement(isFirst: isFirst, depth: 1) {
      if elements.count <= RPCLimits.batchElementsMax { elements.append(element) }
      isFirst = false
    }
    return elements
  }

  /// Decides what the members make together. They are valid JSON; here the standard is applied.
  private mutating func apply(
    _ members: Members, _ line: UnsafeRawBufferPointer, _ scanner: JSONScanner
  ) throws(RPCError) {
    if let value = members.id { id = try Self.requestID(value, in: line, scanner) }
    guard members.method == nil else {
      try Self.check(version: members.version, in: line, scanner)
      try applyCall(members, line, scanner)
      return
    }
    guard members.result != nil || members.error != nil else {
      try Self.check(version: members.version, in: line, scanner)
      throw .invalidRequest("\"method\" is missing")
    }
    // A refusal that carries the id of one of their requests would be taken for its answer: what
    // looks like a response is refused without an id.
    let answered = id
    id = nil
    try Self.check(version: members.version, in: line, scanner)
    guard members.result == nil || members.error == nil else {
      throw .invalidRequest("a response has \"result\" or \"error\", not both")
    }
    if let error = members.error, line[error.lowerBound] != UInt8(ascii: "{") {
      throw .invalidRequest("\"error\" must be an object")
    }
    guard answered != nil else { throw .invalidRequest("a response needs an \"id\"") }
    kind = .response
    id = answered
    result = members.result
    error = members.error
  }

  private mutating func applyCall(
    _ members: Members, _ line: UnsafeRawBufferPointer, _ scanner: JSONScanner
  ) throws(RPCError) {
    guard let name = members.method, line[name.range.lowerBound] == UInt8(ascii: "\"") else {
      throw .invalidRequest("\"method\" must be a string")
    }
    if let range = members.params {
      let first = line[range.lowerBound]
      guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
        throw .invalidRequest("\"params\" must be an object or an array")
      }
    }
    kind = id == nil ? .notification : .request
    method = name.range.lowerBound + 1..<name.range.upperBound - 1
    if name.hasEscapes { methodText = text(name, scanner) }
    params = members.params
  }

  private static func check(
    version: JSONScanner.Value?, in line: UnsafeRawBufferPointer, _ scanner: JSONScanner
  ) throws(RPCError) {
    guard let version else { throw .invalidRequest("\"jsonrpc\" is missing; it must be \"2.0\"") }
    let start = version.range.lowerBound
    if version.range.count == 5, line[start] == UInt8(ascii: "\""),
      line[start + 1] == UInt8(ascii: "2"), line[start + 2] == UInt8(ascii: "."),
      line[start + 3] == UInt8(ascii: "0")
    {
      return
    }
    guard version.hasEscapes, text(version, scanner) == "2.0" else {
      throw .invalidRequest("\"jsonrpc\" must be \"2.0\"")
    }
  }

  private static func requestID(
    _ value: JSONScanner.Value, in line: UnsafeRawBufferPointer, _ scanner: JSONScanner
  ) throws(RPCError) -> RequestID {
    if let integer = value.integer { return .integer(integer) }
    switch line[value.range.lowerBound] {
    case UInt8(ascii: "\""): return .string(text(value, scanner))
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .other([UInt8](line[value.range]))
    default: throw .invalidRequest("\"id\" must be a string, a number or null")
    }
  }
}

/// The text of a value that is a string.
private func text(_ value: JSONScanner.Value, _ scanner: JSONScanner) -> String {
  let content = value.range.lowerBound + 1..<value.range.upperBound - 1
  return scanner.text(of: .init(range: content, hasEscapes: value.hasEscapes))
}

/// Where the members that mean something are.
private struct Members {
  var version: JSONScanner.Value?
  var id: JSONScanner.Value?
  var method: JSONScanner.Value?
  var params: Range<Int>?
  var result: Range<Int>?
  var error: Range<Int>?

  /// Reads an object that `scanner` is at, past its `}`.
  mutating func read(from scanner: inout JSONScanner) throws(JSONError) {
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

  /// The same for a key that was written with escapes, which nobody does but anybody may.
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
