import Foundation

/// The parts of a declaration with `@Entry`: `@Entry var name: Type = value`.
struct EntryDeclaration {
  /// As it is written, perhaps in backticks.
  var name: Substring
  /// `nil`: the value says the type.
  var type: Substring?
  /// `nil`: an optional type without a value.
  var value: Substring?

  /// Reads the text of a declaration; `nil`: it is no variable with a name and a type or a value.
  init?(_ source: String) {
    var rest = Substring(source)
    guard Self.skipToVariable(&rest) else { return nil }
    Self.skipSpace(&rest)
    name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "`" }
    rest = rest.dropFirst(name.count)
    Self.skipSpace(&rest)
    if rest.first == ":" {
      rest = rest.dropFirst()
      // No type has the sign that begins a value.
      let written = rest.prefix { $0 != "=" && $0 != "{" }
      type = written
      rest = rest.dropFirst(written.count)
    }
    if rest.first == "=" { value = rest.dropFirst() }
    guard !name.isEmpty, rest.first != "{", type != nil || value != nil else { return nil }
  }

  /// The name of the key's type.
  private var key: String { "__Key_" + name.filter { $0 != "`" } }

  /// The accessors of the variable.
  var accessors: String {
    "{\nget { self[\(key).self] }\nset { self[\(key).self] = newValue }\n}"
  }

  /// The key.
  ///
  /// Its default is made anew for each use if its type is written: so it need not be
  /// `Sendable`.
  var keyType: String {
    let start = "private struct \(key): EnvironmentKey {\n"
    guard let type else { return start + "static let defaultValue =\(value ?? "")\n}" }
    return start + "static var defaultValue: \(type)\n{\n\(value ?? "nil")\n}\n}"
  }

  /// Skips comments, attributes and other words before `var`.
  private static func skipToVariable(_ rest: inout Substring) -> Bool {
    while true {
      skipSpace(&rest)
      guard let first = rest.first else { return false }
      if first == "(" {
        skipParentheses(&rest)
        continue
      }
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "@" }
      guard !word.isEmpty else { return false }
      rest = rest.dropFirst(word.count)
      if word == "var" { return true }
    }
  }

  private static func skipSpace(_ rest: inout Substring) {
    while true {
      rest = rest.drop { $0.isWhitespace }
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        guard let end = rest.firstRange(of: "*/") else { return rest = "" }
        rest = rest[end.upperBound...]
      } else {
        return
      }
    }
  }

  private static func skipParentheses(_ rest: inout Substring) {
    var depth = 0
    repeat {
      let sign = rest.removeFirst()
      if sign == "(" { depth += 1 } else if sign == ")" { depth -= 1 }
    } while depth > 0 && !rest.isEmpty
  }
}

/// Returns the answer to a message that asks for one part of an `@Entry`: accessors, or the key.
func entryAnswer(to message: [String: Any]) throws -> String {
  let declaration = message["declSyntax"] as? [String: Any] ?? [:]
  var result: [String: Any] = ["expandedSource": "", "diagnostics": [Any]()]
  if let entry = EntryDeclaration(declaration["source"] as? String ?? "") {
    result["expandedSource"] =
      message["macroRole"] as? String == "accessor" ? entry.accessors : entry.keyType
  } else {
    let file = (declaration["location"] as? [String: Any])?["fileName"] ?? ""
    result["diagnostics"] = [
      [
        "message": "'@Entry' needs a variable with a type or a value, and without accessors",
        "severity": "error", "position": ["fileName": file, "offset": 0], "highlights": [Any](),
        "notes": [Any](), "fixIts": [Any](),
      ] as [String: Any]
    ]
  }
  let answer = try JSONSerialization.data(withJSONObject: ["expandMacroResult": result])
  return String(decoding: answer, as: UTF8.self)
}
