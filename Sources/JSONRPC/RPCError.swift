package import JSON

/// A refusal as it goes over the wire: a code for programs, a sentence for people, data to react
/// to.
///
/// Source: JSON-RPC 2.0 §5.1. Codes from -32768 to -32000 belong to the standard.
package struct RPCError: Error, Hashable, Sendable {
  /// The standard's own codes.
  package enum Code {
    package static let parse = -32700
    package static let invalidRequest = -32600
    package static let methodNotFound = -32601
    package static let invalidParams = -32602
    package static let internalError = -32603
  }

  package var code: Int
  package var message: String
  package var data: JSONValue?

  package init(code: Int, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The line is not JSON.
  ///
  /// `data.offset` is the byte where it stops being so.
  package static func parse(_ error: JSONError) -> RPCError {
    RPCError(
      code: Code.parse, message: "parse error: \(error.message)",
      data: ["offset": .int(Int64(error.offset))])
  }

  /// The line could not be read at all.
  package static func parse(_ message: String) -> RPCError {
    RPCError(code: Code.parse, message: "parse error: \(message)")
  }

  /// The line is JSON and no request.
  package static func invalidRequest(_ message: String) -> RPCError {
    RPCError(code: Code.invalidRequest, message: "invalid request: \(message)")
  }

  /// No method has this name.
  package static func methodNotFound(_ method: String) -> RPCError {
    RPCError(
      code: Code.methodNotFound, message: "unknown method '\(method)'",
      data: ["method": .string(method)])
  }

  /// The method does not take these parameters.
  package static func invalidParams(_ message: String, data: JSONValue? = nil) -> RPCError {
    RPCError(code: Code.invalidParams, message: "invalid parameters: \(message)", data: data)
  }

  /// A mistake of the daemon.
  package static func internalError(_ message: String) -> RPCError {
    RPCError(code: Code.internalError, message: "internal error: \(message)")
  }

  /// The `error` member of a response; `nil` when it has not the standard's shape.
  package init?(_ value: JSONValue) {
    guard let code = value["code"]?.intValue, let message = value["message"]?.stringValue else {
      return nil
    }
    self.init(code: Int(code), message: message, data: value["data"])
  }

  /// Appends the error object.
  package func write(into buffer: inout [UInt8]) {
    appendASCII("{\"code\":", to: &buffer)
    appendJSON(Int64(code), to: &buffer)
    appendASCII(",\"message\":", to: &buffer)
    appendJSONString(message, to: &buffer)
    if let data {
      appendASCII(",\"data\":", to: &buffer)
      data.write(into: &buffer)
    }
    buffer.append(UInt8(ascii: "}"))
  }
}
