import JSON
import JSONRPC

/// Fuzzes the JSON-RPC envelope.
///
/// The envelope and the JSON reader accept the same lines, and the envelope's ranges are values of
/// the line.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let line = Span(
    _unsafeStart: start ?? UnsafePointer(("" as StaticString).utf8Start), count: count)
  let envelope = Envelope(reading: line)
  let value: JSONValue?
  do throws(JSONError) { value = try JSONValue(parsing: line) } catch { value = nil }

  var isParseError = false
  if case .invalid(let error) = envelope.kind { isParseError = error.code == RPCError.Code.parse }
  precondition(isParseError == (value == nil), "reader and envelope disagree on what is JSON")
  guard let value else { return 0 }

  check(envelope, in: line, is: value)
  if envelope.kind == .batch, case .array(let elements) = value {
    precondition(elements.count == envelope.elements.count)
    for (range, element) in zip(envelope.elements, elements) {
      let bytes = line.extracting(range)
      let inner = Envelope(readingElement: bytes)
      precondition(inner.kind != .batch)
      check(inner, in: bytes, is: element)
    }
  }

  var answer: [UInt8] = []
  appendError(id: envelope.id, .internalError("x"), to: &answer, newline: false)
  precondition(Envelope(reading: answer.span).kind == .response, "our answer is none")
  return 0
}

private func check(_ envelope: Envelope, in line: Span<UInt8>, is value: JSONValue) {
  func read(_ range: Range<Int>) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: line.extracting(range))
    } catch {
      preconditionFailure("a range that is no value: \(error.message)")
    }
  }
  switch envelope.kind {
  case .request, .notification:
    var quoted: [UInt8] = [34]
    quoted += line.extracting(envelope.method).withUnsafeBufferPointer { Array($0) } + [34]
    do throws(JSONError) {
      let name = try JSONValue(parsing: quoted)
      precondition(name == value["method"], "another method")
      precondition(envelope.methodText.map(JSONValue.string) ?? name == name)
    } catch {
      preconditionFailure("a method that is no string")
    }
    precondition(envelope.params.map(read) == value["params"], "other params")
    precondition((envelope.id == nil) == (value["id"] == nil))
  case .response:
    precondition(envelope.result.map(read) == value["result"], "another result")
    precondition(envelope.error.map(read) == value["error"], "another error")
    precondition((envelope.result == nil) != (envelope.error == nil))
    precondition(envelope.id != nil)
  case .batch:
    precondition(!envelope.elements.isEmpty)
  case .invalid:
    precondition(envelope.params == nil && envelope.elements.isEmpty)
  }
  if let id = envelope.id, let given = value["id"] {
    var raw: [UInt8] = []
    id.write(into: &raw)
    do throws(JSONError) {
      let read = try JSONValue(parsing: raw)
      precondition(read == given, "another id")
    } catch {
      preconditionFailure("an id that is no value")
    }
  }
}
