import JSON

/// A value that an author gives to a parameter: `city=Beijing`.
struct Assignment: Hashable {
  var name: String
  var value: JSONValue

  /// A sentence about a text that assigns nothing.
  struct Mistake: Error, Hashable {
    var message: String
  }

  /// Reads `name=value` as a text, and `name:=JSON` as any value.
  init(_ text: String) throws(Mistake) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw Mistake(message: "'\(text)' is no parameter; write name=value")
    }
    let name = text[..<equals]
    let value = String(text[text.index(after: equals)...])
    guard name.hasSuffix(":"), name.count > 1 else {
      self.name = String(name)
      self.value = .string(value)
      return
    }
    self.name = String(name.dropLast())
    do throws(JSONError) {
      self.value = try JSONValue(parsing: value)
    } catch {
      throw Mistake(message: "the value of '\(name)=' is not JSON: \(error.message)")
    }
  }
}
