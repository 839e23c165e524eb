import JSON

/// Reads an unquoted scalar by the core schema of YAML 1.2 (§10.3.2).
///
/// `null`, `~` and an empty scalar are null; `true` and `false` are booleans; decimal, `0o` and
/// `0x` integers, decimal fractions and exponents are numbers. All else is text, also `yes`,
/// `12:30`, `1_000`, and `.inf` and `.nan`, which JSON cannot express as numbers.
func resolvePlainScalar(_ text: String) -> LocatedValue.Node {
  switch text {
  case "", "~", "null", "Null", "NULL": return .null
  case "true", "True", "TRUE": return .bool(true)
  case "false", "False", "FALSE": return .bool(false)
  default: break
  }
  let bytes = Array(text.utf8)
  guard let first = bytes.first, isDigit(first) || "+-.".utf8.contains(first) else {
    return .string(text)
  }
  if bytes.count > 2, first == UInt8(ascii: "0") {
    let radix = bytes[1] == UInt8(ascii: "x") ? 16 : bytes[1] == UInt8(ascii: "o") ? 8 : 0
    if radix != 0, bytes[2] != UInt8(ascii: "+"), bytes[2] != UInt8(ascii: "-"),
      let value = Int64(text.dropFirst(2), radix: radix)
    {
      return .int(value)
    }
  }
  switch numberShape(bytes) {
  case .integer:
    if let value = Int64(text) { return .int(value) }
    return finite(text)
  case .fraction: return finite(text)
  case .neither: return .string(text)
  }
}

private func finite(_ text: String) -> LocatedValue.Node {
  guard let value = Double(text), value.isFinite else { return .string(text) }
  return .double(value)
}

private enum NumberShape { case integer, fraction, neither }

/// Tells whether `bytes` have the form of the core schema's numbers.
///
/// The form is `[-+]? ( digits ( . digits* )? | . digits+ ) ( [eE] [-+]? digits )?`.
private func numberShape(_ bytes: [UInt8]) -> NumberShape {
  var index = 0
  func digits() -> Int {
    let start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    return index - start
  }
  if bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-") { index += 1 }
  var digitCount = digits()
  var shape = NumberShape.integer
  if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
    index += 1
    digitCount += digits()
    shape = .fraction
  }
  guard digitCount > 0 else { return .neither }
  if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
    index += 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
      index += 1
    }
    guard digits() > 0 else { return .neither }
    shape = .fraction
  }
  return index == bytes.count ? shape : .neither
}

private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
