/// Makes sentence templates of the phrases of App Shortcuts.
///
/// `Show ${city} in ${applicationName}` is `Show {city} [in App]`: a phrase of iOS names the app,
/// because a phone has many; here a sentence may leave it out, unless too little would be left.
package enum SentenceTemplate {
  /// A part of a phrase.
  package enum Part: Hashable, Sendable {
    case words(String)
    case applicationName
    case parameter(String)
  }

  /// Reads a translation of a phrase: `${city} in ${applicationName} zeigen`.
  package static func parts(of phrase: String) -> [Part] {
    var parts: [Part] = []
    var rest = phrase[...]
    while let start = rest.firstRange(of: "${"),
      let end = rest[start.upperBound...].firstIndex(of: "}")
    {
      if start.lowerBound > rest.startIndex {
        parts.append(.words(String(rest[..<start.lowerBound])))
      }
      let name = String(rest[start.upperBound..<end])
      parts.append(name == "applicationName" ? .applicationName : .parameter(name))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.words(String(rest))) }
    return parts
  }

  /// Returns the template; `nil`: nothing that anybody could say is left.
  ///
  /// `reference` gives what stands for a parameter, such as `{cities:city}`; `nil`: no sentence can
  /// name it.
  package static func template(
    of parts: [Part], app: String, reference: (String) -> String?
  ) -> String? {
    var pieces: [Piece] = []
    var hasParameter = false
    for part in parts {
      switch part {
      case .words(let words):
        pieces += cleaned(words).split(separator: " ").map { .word(String($0)) }
      case .applicationName: pieces.append(.app)
      case .parameter(let name):
        guard let reference = reference(name) else { return nil }
        hasParameter = true
        pieces.append(.word(reference))
      }
    }
    let words = pieces.count { $0 != .app }
    guard words > 0 || hasParameter else { return nil }
    let name = cleaned(app)
    guard !name.isEmpty else { return text(pieces.filter { $0 != .app }, app: "") }
    // "Count" alone would take too much of what people say.
    let isOptional = words - (precedesApp(pieces) == nil ? 0 : 1) >= 2 || hasParameter
    guard isOptional else { return text(pieces, app: name) }
    return text(withOptionalApp(pieces, name), app: name)
  }

  private enum Piece: Equatable {
    case word(String)
    case app
  }

  /// Words that stand before the name of an app, and go with it.
  private static let prepositions: Set<String> = [
    "in", "with", "using", "on", "from", "for", "via", "to", "mit", "von", "auf", "über", "aus",
    "à",
    "dans", "avec", "sur", "en", "con", "da", "com", "no", "na", "med", "i", "på", "在", "用",
  ]

  /// The place of the preposition before the app.
  private static func precedesApp(_ pieces: [Piece]) -> Int? {
    guard let app = pieces.firstIndex(of: .app), app > 0, case .word(let word) = pieces[app - 1],
      prepositions.contains(word.lowercased())
    else { return nil }
    return app - 1
  }

  private static func withOptionalApp(_ pieces: [Piece], _ name: String) -> [Piece] {
    guard let app = pieces.firstIndex(of: .app) else { return pieces }
    var pieces = pieces
    if let preposition = precedesApp(pieces), case .word(let word) = pieces[preposition] {
      pieces.replaceSubrange(preposition...app, with: [.word("[\(word) \(name)]")])
    } else {
      pieces[app] = .word("[\(name)]")
    }
    return pieces
  }

  private static func text(_ pieces: [Piece], app: String) -> String {
    pieces.map { piece in
      switch piece {
      case .word(let word): word
      case .app: app
      }
    }.joined(separator: " ")
  }

  /// Returns a value as a person says it, without the signs of templates.
  package static func said(_ value: String) -> String { cleaned(value) }

  /// Words without the signs that mean something in a template, and without punctuation, which
  /// nobody says.
  static func cleaned(_ words: String) -> String {
    let kept = words.map { character -> Character in
      "()[]{}<>|;:?!.,\"".contains(character) || character.isNewline ? " " : character
    }
    return String(kept).split(separator: " ").joined(separator: " ")
  }
}
