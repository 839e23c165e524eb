import PlainText

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
/// one the first `Limits.quotedScalarsMax` scalars are left, and `…`. A control character, a line
/// break too, becomes a space, and a character that reorders text or is not seen nothing, by the rule
/// of `printable`.
///
/// Whatever looks like a quotation mark becomes a space. An apostrophe of another shape would not do:
/// ’ and ʼ look like the mark that closes, and \' is read by programmers alone. `O Brien` is still
/// understood. O(1), since the rest of the text is not read.
package func quotedValue(_ text: some StringProtocol) -> String { "'\(inQuestion(text))'" }

/// Returns what `quotedValue` puts between its marks, and others may put between theirs.
package func inQuestion(_ text: some StringProtocol) -> String {
  var kept = String.UnicodeScalarView()
  for scalar in text.unicodeScalars.prefix(Limits.quotedScalarsMax) {
    switch scalar.value {
    // The blank of Braille is a sign to Unicode, and nothing to the eye.
    case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x2800: kept.append(" ")
    default: kept.append(looksLikeQuotationMark(scalar) ? " " : scalar)
    }
  }
  let isCut = !text.unicodeScalars.dropFirst(Limits.quotedScalarsMax).isEmpty
  return printable(String(kept)) + (isCut ? "…" : "")
}

/// Whether a scalar is a quotation mark of some language, or looks like one.
///
/// Source: Unicode's PropList.txt, `Quotation_Mark`, and what confusables.txt of UTS 39 compares to
/// ' and ", without the letters that are no apostrophes.
package func looksLikeQuotationMark(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x60, 0xB4, 0x02B9...0x02BF, 0x02C8, 0x02CA, 0x02CB, 0x02DD, 0x02EE, 0x02F4, 0x02F6: true
  case 0x0374, 0x0384, 0x055A, 0x05F3, 0x05F4, 0x07F4, 0x07F5: true
  case 0x1FBD, 0x1FBF, 0x1FEF, 0x1FFD, 0x1FFE, 0x2032...0x2037, 0x2057: true
  case 0x275B...0x2760, 0x276E, 0x276F, 0x3003, 0x3008...0x300B, 0xA78C, 0xFF40: true
  case 0x1F676...0x1F678: true
  default: scalar.properties.isQuotationMark
  }
}

/// Returns the parameters of an intent for a question: ` (city 'Paris', days 3)`; empty without any.
///
/// Of many the first `Limits.questionValuesMax` by name are left.
package func valuesInQuestion(_ parameters: [String: JSONValue]) -> String {
  valuesInBrackets(
    parameters.sorted { $0.key < $1.key }.map { JSONObject.Member(key: $0.key, value: $0.value) })
}

private func valuesInBrackets(_ members: [JSONObject.Member]) -> String {
  guard !members.isEmpty else { return "" }
  var words = members.prefix(Limits.questionValuesMax).map { member in
    let (name, value) = (member.key, member.value)
    // A name may be foreign as well: that of an item of a widget is what its program wrote.
    let isPlain = name.utf8.count <= 64 && name.utf8.allSatisfy(isNameByte)
    return "\(isPlain ? name : quotedValue(name)) \(shownInQuestion(value))"
  }
  if members.count > words.count { words.append("and \(members.count - words.count) more") }
  return " (\(words.joined(separator: ", ")))"
}

private func shownInQuestion(_ value: JSONValue) -> String {
  switch value {
  case .string(let text): quotedValue(text)
  case .null, .bool, .int, .double: value.serialized
  case .object(let object):
    if let display = object.shownText {
      quotedValue(display) + valuesInBrackets(object.valuesBesideShownText)
    } else {
      quotedValue(value.serialized)
    }
  case .array(let values):
    values.count <= 4
      ? "[\(values.map(shownInQuestion).joined(separator: ", "))]"
      : quotedValue(value.serialized)
  }
}

extension JSONObject {
  /// The words that show an object to a person: its `display`, else its `name`; `nil`: it has none.
  package var shownText: String? { self["display"]?.stringValue ?? self["name"]?.stringValue }

  /// The members that `shownText` does not tell: an intent is done to these, whatever the words
  /// say.
  ///
  /// The identifier and the coordinates, by which things and places are known, come first. Without
  /// `display`, `name`, and what is the same as the words.
  package var valuesBesideShownText: [Member] {
    let text = shownText.map { JSONValue.string($0) }
    let first = ["identifier", "latitude", "longitude"]
    let shown = self["display"]?.stringValue == nil ? "name" : "display"
    let rest = members.filter { $0.key != shown && $0.value != text }
    return first.flatMap { name in rest.filter { $0.key == name } }
      + rest.filter { !first.contains($0.key) }
  }
}

private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
  default: false
  }
}
