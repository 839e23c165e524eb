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
    self = line.withUnsafeBytes { Envelope(reading: $0, mayBeBatch: true) }
  }

  /// Reads one element of a batch, which is never a batch itself. Ranges count from its own start.
  package init(readingElement element: Span<UInt8>) {
    self = element.withUnsafeBytes { Envelope(reading: $0, mayBeBatch: false) }
  }

  private init(_ kind: Kind, id: RequestID? = nil) {
    self.kind = kind
    self.id = id
  }

  private init(invalid error: RPCError, id: RequestID? = nil) {
    self.init(.invalid(error), id: id)
  }

  private init(reading line: UnsafeRawBufferPointer, mayBeBatch: Bool) {
    var scanner = JSONScanner(line)
    do throws(JSONError) {
      scanner.skipWhitespace()
      switch scanner.peek {
      case UInt8(ascii: "{"):
        var members = Members()
        try members.read(line, from: &scanner)
        try scanner.expectEnd()
        self = Self.message(members, in: line, scanner)
      case UInt8(ascii: "["):
        let elements = try Self.elements(&scanner)
        try scanner.expectEnd()
        if !mayBeBatch {
          self.init(invalid: .invalidRequest("a batch holds messages, not batches"))
        } else if elements.isEmpty {
          self.init(invalid: .invalidRequest("the batch is empty"))
        } else if elements.count > RPCLimits.batchElementsMax {
          self.init(
            invalid: .invalidRequest(
              "a batch holds at most \(RPCLimits.batchElementsMax) messages"))
        } else {
          self.init(.batch)
          self.elements = elements
        }
      default:
        try scanner.skipValue()
        try scanner.expectEnd()
        self.init(invalid: .invalidRequest("expected an object or an array of objects"))
      }
    } catch {
      self.init(invalid: .parse(error))
    }
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
  private static func message(
    _ members: Members, in line: UnsafeRawBufferPointer, _ scanner: JSONScanner
  ) -> Envelope {
    let isCall = members.method != nil
    // An answer that carries the id of one of our requests would be taken for its answer: a message
    // that looks like a response is refused without one.
    let isAnswer = !isCall && (members.result != nil || members.error != nil)
    let id: RequestID?
    do throws(RPCError) {
      id = try members.id.map { (value) throws(RPCError) in
        try requestID(value, in: line, scanner)
      }
    } catch {
      return Envelope(invalid: error)
    }

    guard let version = members.version, isSupported(version, scanner) else {
      return Envelope(
        invalid: .invalidRequest("\"jsonrpc\" must be \"2.0\""), id: isAnswer ? nil : id)
    }

    if let method = members.method {
      guard line[method.value.lowerBound] == UInt8(ascii: "\"") else {
        return Envelope(invalid: .invalidRequest("\"method\" must be a string"), id: id)
      }
      if let params = members.params {
        let first = line[params.lowerBound]
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
          return Envelope(
            invalid: .invalidRequest("\"params\" must be an object or an array"), id: id)
        }
      }
      var call = Envelope(id == nil ? .notification : .request, id: id)
      let name = method.value.lowerBound + 1..<method.value.upperBound - 1
      call.method = name
      if method.valueHasEscapes {
        call.methodText = scanner.text(of: .init(range: name, hasEscapes: true))
      }
      call.params = members.params
      return call
    }

    guard isAnswer else {
      return Envelope(invalid: .invalidRequest("\"method\" is missing"), id: id)
    }
    guard members.result == nil || members.error == nil else {
      return Envelope(invalid: .invalidRequest("a response has \"result\" or \"error\", not both"))
    }
    if let error = members.error, line[error.lowerBound] != UInt8(ascii: "{") {
      return Envelope(invalid: .invalidRequest("\"error\" must be an object"))
    }
    guard let id else {
      return Envelope(invalid: .invalidRequest("a response needs an \"id\""))
    }
    var response = Envelope(.response, id: id)
    response.result = members.result
    response.error = members.error
    return response
  }

  private static func isSupported(
    _ version: JSONScanner.Member, _ scanner: JSONScanner
  ) -> Bool {
    guard version.valueHasEscapes else { return scanner.isRaw(version.value, "\"2.0\"") }
    let content = version.value.lowerBound + 1..<version.value.upperBound - 1
    return scanner.text(of: .init(range: content, hasEscapes: true)) == "2.0"
  }

  private static func requestID(
    _ value: JSONScanner.Member, in line: UnsafeRawBufferPointer, _ scanner: JSONScanner
  ) throws(RPCError) -> RequestID {
    let range = value.value
    switch line[range.lowerBound] {
    case UInt8(ascii: "\""):
      let content = range.lowerBound + 1..<range.upperBound - 1
      return .string(scanner.text(of: .init(range: content, hasEscapes: value.valueHasEscapes)))
    case UInt8(ascii: "n"):
      return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      if let integer = scanner.integer(in: range) { return .integer(integer) }
      return .other([UInt8](line[range]))
    default:
      throw .invalidRequest("\"id\" must be a string, a number or null")
    }
  }
}

/// Where the members that mean something are.
private struct Members {
  var version: JSONScanner.Member?
  var id: JSONScanner.Member?
  var method: JSONScanner.Member?
  var params: Range<Int>?
  var result: Range<Int>?
  var error: Range<Int>?

  /// Reads an object that `scanner` is at, past its `}`.
  mutating func read(
    _ line: UnsafeRawBufferPointer, from scanner: inout JSONScanner
  ) throws(JSONError) {
    try scanner.open(depth: 0)
    var isFirst = true
    while let member = try scanner.nextMember(isFirst: isFirst, depth: 1) {
      isFirst = false
      guard !member.key.hasEscapes else {
        take(member, named: scanner.text(of: member.key))
        continue
      }
      let key = member.key.range
      switch key.count {
      case 2 where scanner.isRaw(key, "id"): id = member
      case 5 where scanner.isRaw(key, "error"): error = member.value
      case 6 where scanner.isRaw(key, "method"): method = member
      case 6 where scanner.isRaw(key, "params"): params = member.value
      case 6 where scanner.isRaw(key, "result"): result = member.value
      case 7 where scanner.isRaw(key, "jsonrpc"): version = member
      default: break
      }
    }
  }

  /// The same for a key that was written with escapes, which nobody does but anybody may.
  private mutating func take(_ member: JSONScanner.Member, named key: String) {
    switch key {
    case "id": id = member
    case "error": error = member.value
    case "method": method = member
    case "params": params = member.value
    case "result": result = member.value
    case "jsonrpc": version = member
    default: break
    }
  }
}
