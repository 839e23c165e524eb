/// The text that a person wants to see of a widget: `{title} {percentage}%`.
///
/// Values stand in braces; a brace itself is written twice. A word of which the widget has no value
/// is left out with the blanks before it: without a percentage, `{title} {percentage}%` is the title
/// alone. The template is text like the values: a bar's own commands in it are escaped too.
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

  /// Text and values between two blanks, or a row of blanks.
  struct Word: Hashable {
    var pieces: [Piece] = []
    var isBlank = false
  }

  private(set) var words: [Word] = []

  /// Reads a template; throws at an unknown name, at a brace that is not closed and at a template
  /// of more than `BarLimits.templateCharacterCountMax` characters.
  package init(parsing text: String) throws(Mistake) {
    guard text.count <= BarLimits.templateCharacterCountMax else {
      throw Mistake(
        message:
          "the format has more than \(BarLimits.templateCharacterCountMax) characters; shorten it")
    }
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "{" || character == "}" else {
        append(character)
        continue
      }
      if rest.first == character {
        rest.removeFirst()
        append(character)
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
      append(.value(value), isBlank: false)
      rest = rest[rest.index(after: end)...]
    }
  }

  private mutating func append(_ character: Character) {
    let isBlank = character.isWhitespace
    if words.last?.isBlank == isBlank, case .words(let text)? = words.last?.pieces.last {
      words[words.count - 1].pieces.removeLast()
      append(.words(text + [character]), isBlank: isBlank)
    } else {
      append(.words(String(character)), isBlank: isBlank)
    }
  }

  private mutating func append(_ piece: Piece, isBlank: Bool) {
    if words.last?.isBlank != isBlank { words.append(Word(isBlank: isBlank)) }
    words[words.count - 1].pieces.append(piece)
  }

  /// Returns the text with its values; `nil` if it names values and the widget has none of them.
  func filled(_ value: (Value) -> BarText) -> BarText? {
    var text = BarText()
    var blanks = ""
    var isOneLeftOut = false
    var hasValue = false
    var namesValue = false
    for word in words {
      var filled = BarText()
      var isMissing: Bool?
      for piece in word.pieces {
        switch piece {
        case .words(let words) where word.isBlank: blanks += words
        case .words(let words): filled.append(words)
        case .value(let name):
          let value = value(name)
          isMissing = isMissing != false && value.isEmpty
          filled.append(value)
        }
      }
      namesValue = namesValue || isMissing != nil
      hasValue = hasValue || isMissing == false
      if word.isBlank { continue }
      if isMissing == true {
        isOneLeftOut = true
      } else {
        // Words that are left out at the beginning leave no blanks behind.
        if !isOneLeftOut || !text.isEmpty { text.append(blanks) }
        text.append(filled)
      }
      blanks = ""
    }
    text.append(blanks)
    return namesValue && !hasValue ? nil : text
  }
}
