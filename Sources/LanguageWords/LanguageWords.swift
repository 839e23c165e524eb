// What people say around a command, and what turns it into something else, by language.

/// The words of a language that near reading knows beside its templates.
///
/// `fillers` are politeness and hesitation: a sentence means the same without them. `blockers` are
/// words of negation, exception, another time and talk about talk: a sentence with one of them that
/// no template has is not a command to do something now. Several words are one phrase. A language
/// is found by its code ("pt-BR"), else by the part before the hyphen ("pt").
package enum WordsOfLanguages {
  package static func fillers(in language: String) -> [String] { phrases(in: language, of: 0) }

  package static func blockers(in language: String) -> [String] { phrases(in: language, of: 1) }

  private static func phrases(in language: String, of column: Int) -> [String] {
    let base = language.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map(String.init)
    guard let row = table[language] ?? base.flatMap({ table[$0] }) else { return [] }
    let text = column == 0 ? row.fillers : row.blockers
    return text.split(separator: ",").map { phrase in
      String(phrase.drop(while: \.isWhitespace))
    }.filter { !$0.isEmpty }
  }
}
