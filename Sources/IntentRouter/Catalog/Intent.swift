package import JSON

/// A named request with resolved parameters: `ShowWeather(city: "Beijing")`.
package struct Intent: Hashable, Sendable {
  package var name: String
  /// Resolved values: a list's own name for what was said, numbers as numbers.
  package var parameters: [String: JSONValue]

  package init(name: String, parameters: [String: JSONValue] = [:]) {
    self.name = name
    self.parameters = parameters
  }

  /// The same for two intents exactly when they are the same configuration: equal names and equal
  /// values, where text is compared in Unicode's composed form (NFC) and without case.
  package var canonicalKey: String {
    var key = name
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) where !value.isNull {
      key += "\u{1}\(name)\u{2}"
      appendCanonical(value, to: &key)
    }
    return key
  }
}

private func appendCanonical(_ value: JSONValue, to key: inout String) {
  switch value {
  case .null: key += "n"
  case .bool(let flag): key += flag ? "t" : "f"
  case .int(let number): key += "#\(number)"
  case .double(let number):
    if let whole = Int64(exactly: number) { key += "#\(whole)" } else { key += "#\(number)" }
  case .string(let text): key += "\"\(caseFolded(text))\""
  case .array(let values):
    key += "["
    for element in values {
      appendCanonical(element, to: &key)
      key += ","
    }
    key += "]"
  case .object(let object):
    key += "{"
    for member in object.members.sorted(by: { $0.key < $1.key }) {
      key += "\(member.key)\u{2}"
      appendCanonical(member.value, to: &key)
      key += ","
    }
    key += "}"
  }
}
