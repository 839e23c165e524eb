package import JSON

/// The messages we send. Each is one JSON object appended to the buffer, with the line break that ends a
/// frame unless `newline` is false (inside a batch).

/// Appends a response; `body` appends its result, exactly one JSON value.
package func appendResult(
  id: RequestID, to buffer: inout [UInt8], newline: Bool = true, _ body: (inout [UInt8]) -> Void
) {
  appendASCII("{\"jsonrpc\":\"2.0\",\"id\":", to: &buffer)
  id.write(into: &buffer)
  appendASCII(",\"result\":", to: &buffer)
  body(&buffer)
  finish(&buffer, newline: newline)
}

/// Appends a response whose result is a value.
package func appendResult(
  id: RequestID, _ result: JSONValue, to buffer: inout [UInt8], newline: Bool = true
) {
  appendResult(id: id, to: &buffer, newline: newline) { result.write(into: &$0) }
}

/// Appends a refusal; `id` is null in it when the request's could not be read.
package func appendError(
  id: RequestID?, _ error: RPCError, to buffer: inout [UInt8], newline: Bool = true
) {
  appendASCII("{\"jsonrpc\":\"2.0\",\"id\":", to: &buffer)
  (id ?? .null).write(into: &buffer)
  appendASCII(",\"error\":", to: &buffer)
  error.write(into: &buffer)
  finish(&buffer, newline: newline)
}

/// Appends a notification; `params`, an array or object, is left out when `nil`.
package func appendNotification(
  method: String, params: JSONValue? = nil, to buffer: inout [UInt8], newline: Bool = true
) {
  appendCall(id: nil, method: method, to: &buffer)
  append(params, to: &buffer)
  finish(&buffer, newline: newline)
}

/// Appends a notification; `params` appends its parameters, exactly one array or object.
package func appendNotification(
  method: String, to buffer: inout [UInt8], newline: Bool = true,
  params: (inout [UInt8]) -> Void
) {
  appendCall(id: nil, method: method, to: &buffer)
  appendASCII(",\"params\":", to: &buffer)
  params(&buffer)
  finish(&buffer, newline: newline)
}

/// Appends a request; `params`, an array or object, is left out when `nil`.
package func appendRequest(
  id: RequestID, method: String, params: JSONValue? = nil, to buffer: inout [UInt8],
  newline: Bool = true
) {
  appendCall(id: id, method: method, to: &buffer)
  append(params, to: &buffer)
  finish(&buffer, newline: newline)
}

/// Appends a request; `params` appends its parameters, exactly one array or object.
package func appendRequest(
  id: RequestID, method: String, to buffer: inout [UInt8], newline: Bool = true,
  params: (inout [UInt8]) -> Void
) {
  appendCall(id: id, method: method, to: &buffer)
  appendASCII(",\"params\":", to: &buffer)
  params(&buffer)
  finish(&buffer, newline: newline)
}

private func appendCall(id: RequestID?, method: String, to buffer: inout [UInt8]) {
  appendASCII("{\"jsonrpc\":\"2.0\",", to: &buffer)
  if let id {
    appendASCII("\"id\":", to: &buffer)
    id.write(into: &buffer)
    buffer.append(UInt8(ascii: ","))
  }
  appendASCII("\"method\":", to: &buffer)
  appendJSONString(method, to: &buffer)
}

private func append(_ params: JSONValue?, to buffer: inout [UInt8]) {
  guard let params else { return }
  switch params {
  case .array, .object: break
  case .null, .bool, .int, .double, .string:
    preconditionFailure("params are an array or an object, not \(params.typeName)")
  }
  appendASCII(",\"params\":", to: &buffer)
  params.write(into: &buffer)
}

private func finish(_ buffer: inout [UInt8], newline: Bool) {
  if newline { appendASCII("}\n", to: &buffer) } else { appendASCII("}", to: &buffer) }
}
