/// The text that a person wants to see of a widget: `{title} {percentage}%`.
///
/// Values stand in braces; a brace itself is written twice. The template is text like the values:
/// a bar's own commands in it are escaped too.
package struct BarTemplate: Hashable, Sendable {
  /// The values of a widget that a template can name.
  package enum Value: String, CaseIterable, Hashable, Sendable {
    /// The short text, else the first line of the text, else the title.
    case line
    /// The title, or the one of several whose turn it is.
    case title
    case subtitle
    /// The first line of the text.
    case text
    case short
    /// A whole number.
    case percentage
    case symbol
    /// The name of the widget's kind.
    case name
    case id
  }

  /// A mistake in a template, in words for the person who wrote it.
  package struct Mistake: Error, Hashable {
    package var message: String
  }

  enum Piece: Hashable {
    case words(String)
    case value(Value)
  }

  private(set) var pieces: [Piece] = []

  /// Reads a template; throws at an unknown name, at a brace that is not closed and at a template
  /// of more than `BarLimits.templateCharacterCountMax` characters.
  package init(parsing text: String) throws(Mistake) {
    guard text.count <= BarLimits.templateCharacterCountMax else {
      throw Mistake(
        message:
          "the format has more than \(BarLimits.templateCharacterCountMax) characters; shorten it")
    }
    var words = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "{" || character == "}" else {
        words.append(character)
        continue
      }
      if rest.first == character {
        rest.removeFirst()
        words.append(character)
        continue
      }
      guard character == "{" else {
        throw Mistake(message: "the format has a '}' without a '{'; write }} for the character")
      }
      guard let end = rest.firstIndex(of: "}") else {
        throw Mistake(message: "the format has a '{' without a '}'; write {{ for the character")
      }
      let name = String(rest[..<end])
      guard let value = Value(rawValue: name) else {
        let names = Value.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
        throw Mistake(message: "the format names '{\(name)}'; there is \(names)")
      }
      if !words.isEmpty { pieces.append(.words(words)) }
      words = ""
      pieces.append(.value(value))
      rest = rest[rest.index(after: end)...]
    }
    if !words.isEmpty { pieces.append(.words(words)) }
  }

  /// Returns the text with its values; `nil` if it names values and the widget has none of them.
  func filled(_ value: (Value) -> BarText) -> BarText? {
    var text = BarText()
    var hasValue = false
    var namesValue = false
    for piece in pieces {
      switch piece {
      case .words(let words): text.append(words)
      case .value(let name):
        let filled = value(name)
        namesValue = true
        hasValue = hasValue || !filled.isEmpty
        text.append(filled)
      }
    }
    return namesValue && !hasValue ? nil : text
  }
}
