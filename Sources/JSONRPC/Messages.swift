package import JSON

/// The messages we send.
///
/// Each is one JSON object appended to the buffer, with the line break that ends a frame unless
/// `newline` is false (inside a batch).

/// Appends a response; `body` appends its result, exactly one JSON value.
package func appendResult(
  id: RequestID, to buffer: inout [UInt8], newline: Bool = true, _ body: (inout [UInt8]) -> Void
) {
  beginResult(id: id, to: &buffer)
  let start = buffer.count
  body(&buffer)
  assert(buffer.count > start, "a response without its result")
  endResult(&buffer, newline: newline)
}

/// Appends a response up to its result, exactly one JSON value that the caller appends, now or in
/// slices; `endResult` ends the message.
package func beginResult(id: RequestID, to buffer: inout [UInt8]) {
  if case .integer(let number) = id {
    append("{\"jsonrpc\":\"2.0\",\"id\":", number, ",\"result\":", to: &buffer)
    return
  }
  appendASCII("{\"jsonrpc\":\"2.0\",\"id\":", to: &buffer)
  id.write(into: &buffer)
  appendASCII(",\"result\":", to: &buffer)
}

/// Ends a response that `beginResult` began.
package func endResult(_ buffer: inout [UInt8], newline: Bool = true) {
  finish(&buffer, newline: newline)
}

/// Appends a response whose result is the empty object, such as the answer to a liveness check.
///
/// One look at the room that the buffer has.
package func appendEmptyResult(id: Int64, to buffer: inout [UInt8]) {
  append("{\"jsonrpc\":\"2.0\",\"id\":", id, ",\"result\":{}}\n", to: &buffer)
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
  append(params, to: &buffer)
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
  append(params, to: &buffer)
  finish(&buffer, newline: newline)
}

private func appendCall(id: RequestID?, method: String, to buffer: inout [UInt8]) {
  assert(!method.isEmpty, "a call without a method")
  appendASCII("{\"jsonrpc\":\"2.0\",", to: &buffer)
  if let id {
    appendASCII("\"id\":", to: &buffer)
    id.write(into: &buffer)
    buffer.append(UInt8(ascii: ","))
  }
  appendASCII("\"method\":", to: &buffer)
  appendJSONString(method, to: &buffer)
}

private func append(_ params: (inout [UInt8]) -> Void, to buffer: inout [UInt8]) {
  appendASCII(",\"params\":", to: &buffer)
  let start = buffer.count
  params(&buffer)
  assert(
    buffer.count > start
      && (buffer[start] == UInt8(ascii: "{") || buffer[start] == UInt8(ascii: "[")),
    "params are an array or an object")
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

/// Appends an integer between two texts that are known when this is compiled, with one look at the
/// room that the buffer has.
///
/// In this module, so that the lengths of the texts are known where it is inlined.
@inline(__always)
private func append(
  _ head: StaticString, _ value: Int64, _ tail: StaticString, to buffer: inout [UInt8]
) {
  // 19 digits and a sign.
  let room = head.utf8CodeUnitCount + 20 + tail.utf8CodeUnitCount
  buffer.append(addingCapacity: room) { output in
    output.withUnsafeMutableBufferPointer { memory, count in
      let start = UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped + count)
      start.copyMemory(from: head.utf8Start, byteCount: head.utf8CodeUnitCount)
      var offset = head.utf8CodeUnitCount
      let digitCount = decimalDigitCount(value.magnitude)
      if value < 0 {
        start.storeBytes(of: UInt8(ascii: "-"), toByteOffset: offset, as: UInt8.self)
        offset += 1
      }
      var rest = value.magnitude
      for place in (offset..<offset + digitCount).reversed() {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start.storeBytes(
          of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit), toByteOffset: place,
          as: UInt8.self)
        rest = quotient
      }
      offset += digitCount
      (start + offset).copyMemory(from: tail.utf8Start, byteCount: tail.utf8CodeUnitCount)
      count += offset + tail.utf8CodeUnitCount
    }
  }
}

/// The number of decimal digits, 1…20.
@inline(__always)
private func decimalDigitCount(_ value: UInt64) -> Int {
  var count = 1
  var rest = value
  while rest >= 10 {
    rest /= 10
    count += 1
  }
  return count
}
