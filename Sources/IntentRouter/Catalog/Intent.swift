package import JSON

/// A named request with resolved parameters: `ShowWeather(city: "Beijing")`.
package struct Intent: Hashable, Sendable {
  package var name: String
  /// The resolved values: a list's value for the words of the sentence, numbers as numbers.
  package var parameters: [String: JSONValue]

  package init(name: String, parameters: [String: JSONValue] = [:]) {
    self.name = name
    self.parameters = parameters
  }

  /// The same for two intents exactly when they are the same configuration: equal names and equal
  /// values, where text is compared in Unicode's composed form (NFC) and without case.
  package var canonicalKey: String {
    var key = name
    func append(_ name: String, _ value: JSONValue) {
      guard !value.isNull else { return }
      key.append("\u{1}")
      key.append(name)
      key.append("\u{2}")
      appendCanonical(value, to: &key)
    }
    if parameters.count == 1, let (name, value) = parameters.first {
      append(name, value)
    } else {
      for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { append(name, value) }
    }
    return key
  }

  /// Bytes that `canonicalKey` has at most: a cheap bound.
  var canonicalBytesMax: Int {
    parameters.reduce(name.utf8.count) { $0 + $1.key.utf8.count + 2 + canonicalMax($1.value) }
  }
}

/// Composing and folding make less than four bytes of one.
private func canonicalMax(_ value: JSONValue) -> Int {
  switch value {
  case .null, .bool: 1
  case .int, .double: 32
  case .string(let text): 2 + 4 * text.utf8.count
  case .array(let values): values.reduce(2) { $0 + canonicalMax($1) + 1 }
  case .object(let object):
    object.members.reduce(2) { $0 + $1.key.utf8.count + 2 + canonicalMax($1.value) }
  }
}

private func appendCanonical(_ value: JSONValue, to key: inout String) {
  switch value {
  case .null: key += "n"
  case .bool(let flag): key += flag ? "t" : "f"
  case .int(let number): key += "#\(number)"
  case .double(let number):
    if let whole = Int64(exactly: number) { key += "#\(whole)" } else { key += "#\(number)" }
  case .string(let text):
    key.append("\"")
    key.append(caseFolded(text))
    key.append("\"")
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
