import BusMessages

/// Fuzzes the reader of messages of a bus with steps that need not be well formed.
///
/// Each byte is a step: `a`, `r`, `e` and `v` go into a container, `)` leaves one, `s` is followed by
/// the length of a text and the text, and other bytes are values. A message is read or refused, stays
/// within the limits, and is read again as it was written.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var message = Tokens(tokens: steps(bytes(start, count)))
  var limits = BusLimits()
  limits.depthMax = 6
  limits.valueCountMax = 64
  limits.bytesMax = 256
  let values: [BusValue]
  do throws(BusReadError) {
    values = try limits.read(&message)
  } catch {
    precondition(!error.name.isEmpty && !error.message.isEmpty)
    return 0
  }
  precondition(values.reduce(0) { $0 + size(of: $1, depth: 0, limits) } <= 64, "too many values")
  var written = Tokens()
  for value in values { value.write(into: &written) }
  let again: [BusValue]
  do throws(BusReadError) { again = try limits.read(&written) } catch {
    preconditionFailure("what was written is not read: \(error)")
  }
  // An array has the type that the message says, whatever is in it.
  precondition(again == values, "other values")
  for value in values { _ = (value.unwrapped, value["key"], value.texts, value.number) }
  return 0
}

private func size(of value: BusValue, depth: Int, _ limits: BusLimits) -> Int {
  precondition(depth <= limits.depthMax, "too deep")
  let inner: [BusValue] =
    switch value {
    case .array(let elements, _): elements
    case .structure(let members): members
    case .entry(let key, let value): [key, value]
    case .variant(let value): [value]
    default: []
    }
  return inner.reduce(1) { $0 + size(of: $1, depth: depth + 1, limits) }
}

private func steps(_ input: [UInt8]) -> [Tokens.Token] {
  var steps: [Tokens.Token] = []
  var rest = input[...]
  while let byte = rest.popFirst() {
    switch Unicode.Scalar(byte) {
    case "a", "r", "e", "v":
      let contents = rest.popFirst().map { String(Unicode.Scalar($0)) } ?? ""
      steps.append(.open(BusItem(type: byte, contents: contents)))
    case ")": steps.append(.close)
    case "s":
      let length = Int(rest.popFirst() ?? 0)
      steps.append(.value(.string(text(Array(rest.prefix(length))))))
      rest = rest.dropFirst(length)
    case "b": steps.append(.value(.boolean(rest.popFirst() == 1)))
    case "d": steps.append(.value(.double(Double(rest.popFirst() ?? 0))))
    case "t": steps.append(.value(.uint64(UInt64(rest.popFirst() ?? 0) << 56)))
    default: steps.append(.value(.byte(byte)))
    }
  }
  return steps
}
