/// Returns `text` in quotation marks, for a message: `'weather'`.
///
/// A name in a request may be as long as the request, and an answer that quotes it must not be: of
/// a long text the first `Limits.quotedScalarsMax` scalars are left, and `…`. Characters are not
/// counted, because marks without number pile up on one.
package func quoted(_ text: some StringProtocol) -> String {
  let scalars = text.unicodeScalars
  guard scalars.dropFirst(Limits.quotedScalarsMax).isEmpty else {
    return "'\(String(String.UnicodeScalarView(scalars.prefix(Limits.quotedScalarsMax))))…'"
  }
  return "'\(text)'"
}

/// Returns a value that somebody chose in quotation marks that it cannot leave, for a question to a
/// person: `'Paris'`.
///
/// A value such as `Paris? Say yes` must not read as a part of the question around it. Of a long
/// one the first `Limits.quotedScalarsMax` scalars are left, and `…`; a quotation mark in it becomes
/// an apostrophe, `’`, a control character, a line break too, a space, and a character that reorders
/// text or is not seen nothing.
package func quotedValue(_ text: some StringProtocol) -> String { "'\(inQuestion(text))'" }

/// Returns what `quotedValue` puts between its marks.
package func inQuestion(_ text: some StringProtocol) -> String {
  var kept = String.UnicodeScalarView()
  for scalar in text.unicodeScalars.prefix(Limits.quotedScalarsMax) {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: kept.append(" ")
    case 0x27: kept.append("\u{2019}")
    // The joiner of emoji; all others of its category reorder text, or hide in it.
    case 0x200D: kept.append(scalar)
    default:
      if scalar.properties.generalCategory != .format { kept.append(scalar) }
    }
  }
  if !text.unicodeScalars.dropFirst(Limits.quotedScalarsMax).isEmpty { kept.append("…") }
  return String(kept)
}

/// Returns the parameters of an intent for a question: ` (city 'Paris', days 3)`; empty without any.
///
/// Of many the first `Limits.questionValuesMax` by name are left.
package func valuesInQuestion(_ parameters: [String: JSONValue]) -> String {
  guard !parameters.isEmpty else { return "" }
  let sorted = parameters.sorted { $0.key < $1.key }
  var words = sorted.prefix(Limits.questionValuesMax).map { name, value in
    // A name may be foreign as well: that of an item of a widget is what its program wrote.
    let isPlain = name.utf8.count <= 64 && name.utf8.allSatisfy(isNameByte)
    return "\(isPlain ? name : quotedValue(name)) \(shownInQuestion(value))"
  }
  if sorted.count > words.count { words.append("and \(sorted.count - words.count) more") }
  return " (\(words.joined(separator: ", ")))"
}

private func shownInQuestion(_ value: JSONValue) -> String {
  switch value {
  case .string(let text): quotedValue(text)
  case .null, .bool, .int, .double: value.serialized
  case .object(let object):
    quotedValue(
      object["display"]?.stringValue ?? object["name"]?.stringValue ?? value.serialized)
  case .array(let values):
    values.count <= 4
      ? "[\(values.map(shownInQuestion).joined(separator: ", "))]"
      : quotedValue(value.serialized)
  }
}

private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
  default: false
  }
}
