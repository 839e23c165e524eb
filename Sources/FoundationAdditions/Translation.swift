import Foundation

/// A translation of one key: a text, or one for each plural form, with parts that depend on a number
/// of their own.
struct Translation: Hashable, Sendable {
  /// A text for each plural form; one that is always the same is that of `other`.
  struct Forms: Hashable, Sendable {
    var texts: [PluralCategory: String]

    init(_ texts: [PluralCategory: String]) { self.texts = texts }
    init(_ text: String) { texts = [.other: text] }

    /// Returns the text for a number, whose form the rules of the language say; `nil`: there is none.
    ///
    /// A text for `zero` is that of the number 0 in every language.
    func text(
      for number: Double?, _ category: (Double) -> PluralCategory
    ) -> String? {
      guard let number, texts.count > 1 || texts[.other] == nil else {
        return texts[.other] ?? texts.values.first
      }
      if number == 0, let zero = texts[.zero] { return zero }
      return texts[category(number)] ?? texts[.other]
    }
  }

  /// A part that the format names `%#@name@`.
  struct Variable: Hashable, Sendable {
    var forms: Forms
    /// The number of its value, from 1; `nil`: the next one of the format.
    var argument: Int?
    /// The specifier of its value, such as `lld`, which `%arg` stands for.
    var specifier: String
  }

  var forms: Forms
  var variables: [String: Variable] = [:]

  init(_ forms: Forms, variables: [String: Variable] = [:]) {
    self.forms = forms
    self.variables = variables
  }

  init(_ text: String) { forms = Forms(text) }

  /// The text whatever the number; `nil`: there is none.
  var plainText: String? { forms.texts[.other] }

  /// Returns the text with values in the places of its specifiers.
  ///
  /// Each value is written by itself: a translator may leave one out, put them in another order, or
  /// name a type that is not the value's.
  func text(
    with arguments: [String.LocalizationValue.Argument], _ category: (Double) -> PluralCategory
  ) -> String {
    let outer = forms.text(for: arguments.lazy.compactMap(\.number).first, category) ?? ""
    // Only a literal with values is a format; in any other text a `%` is a percent sign.
    guard !arguments.isEmpty else { return outer }
    func argument(_ number: Int) -> String.LocalizationValue.Argument? {
      arguments.indices.contains(number - 1) ? arguments[number - 1] : nil
    }
    var text = ""
    var next = 1
    var reader = FormatReader(outer)
    while let part = reader.next() {
      switch part {
      case .words(let words): text += words
      case .specifier(let position, let specifier):
        text += argument(position ?? next)?.text(specifier) ?? ""
        if position == nil { next += 1 }
      case .variable(let position, let name):
        guard let variable = variables[name] else { continue }
        let number = position ?? variable.argument ?? next
        if position == nil, variable.argument == nil { next += 1 }
        let inner = variable.forms.text(for: argument(number)?.number, category) ?? ""
        var innerReader = FormatReader(inner.replacing("%arg", with: "%\(variable.specifier)"))
        while let part = innerReader.next() {
          switch part {
          case .words(let words): text += words
          case .specifier(let position, let specifier):
            text += argument(position ?? number)?.text(specifier) ?? ""
          // A variable within a variable: nobody needs it.
          case .variable: continue
          }
        }
      }
    }
    return text
  }
}

extension String.LocalizationValue.Argument {
  /// The number that decides between plural forms; `nil` for a text.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .number(let value): value
    case .text: nil
    }
  }

  /// The value as a specifier such as `.1f` writes it.
  fileprivate func text(_ specifier: String) -> String {
    let type = specifier.last ?? "@"
    let flags = Self.flags(of: specifier)
    switch (self, type) {
    case (.text(let text), _): return text
    case (_, "f"), (_, "F"), (_, "e"), (_, "E"), (_, "g"), (_, "G"):
      return String(format: "%\(flags)\(type)", number ?? 0)
    case (.number(let value), "@"): return "\(value)"
    case (.integer(let value), "@"): return "\(value)"
    case (.unsigned(let value), "@"): return "\(value)"
    case (.integer(let value), "x"), (.integer(let value), "X"), (.integer(let value), "o"),
      (.integer(let value), "d"), (.integer(let value), "i"):
      return String(format: "%\(flags)ll\(type)", value)
    case (.unsigned(let value), "x"), (.unsigned(let value), "X"), (.unsigned(let value), "o"):
      return String(format: "%\(flags)ll\(type)", value)
    case (.integer(let value), _): return String(format: "%\(flags)lld", value)
    case (.unsigned(let value), _): return String(format: "%\(flags)llu", value)
    case (.number(let value), _):
      return String(format: "%\(flags)lld", Int64(exactly: value.rounded()) ?? 0)
    }
  }
}

extension String.LocalizationValue.Argument {
  /// The flags, the width and the precision of a specifier; none where one is no flag or too large.
  private static func flags(of specifier: String) -> Substring {
    let flags = specifier.prefix { !$0.isLetter && $0 != "@" && $0 != "*" }
    let isMeant =
      flags.allSatisfy { "-+ #'.0123456789".contains($0) }
      && flags.split { !$0.isNumber }.allSatisfy { $0.count <= Limits.formatDigitCountMax }
    return isMeant ? flags : ""
  }
}

/// Takes a format apart, such as `%#@stops@ in %2$@`.
private struct FormatReader {
  enum Part {
    /// A percent sign is `%%` in a format.
    case words(String)
    /// The number of a value, and the specifier behind it, such as `.1f`.
    case specifier(Int?, String)
    case variable(Int?, String)
  }

  private var rest: Substring

  init(_ format: String) { rest = Substring(format) }

  mutating func next() -> Part? {
    guard let first = rest.first else { return nil }
    guard first == "%" else {
      let words = rest.prefix { $0 != "%" }
      rest = rest[words.endIndex...]
      return .words(String(words))
    }
    rest.removeFirst()
    if rest.first == "%" {
      rest.removeFirst()
      return .words("%")
    }
    var position: Int?
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    if !digits.isEmpty, rest[digits.endIndex...].first == "$" {
      position = Int(digits)
      rest = rest[digits.endIndex...].dropFirst()
    }
    if rest.hasPrefix("#@") {
      let name = rest.dropFirst(2).prefix { $0 != "@" }
      rest = rest[name.endIndex...].dropFirst()
      return .variable(position, String(name))
    }
    // Flags, widths and lengths, up to the letter of the type.
    let flags = rest.prefix { !($0 == "@" || ($0.isLetter && !"hlLqtzj".contains($0))) }
    rest = rest[flags.endIndex...]
    guard let type = rest.popFirst() else { return .words(String(flags)) }
    return .specifier(position, flags + String(type))
  }
}
