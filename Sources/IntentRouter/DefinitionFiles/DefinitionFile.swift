import PropertyLists

/// A definition file of Xcode's (`.intentdefinition`): custom intents with their parameters, the
/// enumerations and object types that these use, and the titles by which people know them.
///
/// The file is a property list, one for all languages; `NAME.strings` in `LANGUAGE.lproj` beside it
/// translate its texts by their identifiers.

/// A type of values with an identifier and a display string, and properties of its own.
package struct ObjectType: Hashable, Sendable {
  package var name: String
  /// The type's name for a person.
  package var title: String
  /// Without the four that every object has: identifier, displayString, pronunciationHint and
  /// alternativeSpeakableMatches.
  package var properties: [ParameterDefinition]

  package init(name: String, title: String = "", properties: [ParameterDefinition] = []) {
    self.name = name
    self.title = title.isEmpty ? name : title
    self.properties = properties
  }
}

/// The content of a definition file, before its sentences are made.
struct DefinitionFile {
  struct Enumeration: Hashable {
    struct Case: Hashable {
      var value: ParameterDefinition.EnumerationCase
      var title: DefinitionText?
    }
    var name: String
    /// The cases, without `unknown`, which is Xcode's case for no value.
    var cases: [Case]
  }

  /// The texts that may stand where a title names a parameter.
  enum Spoken {
    /// The texts of values, each with the value.
    case values([(text: DefinitionText, value: String)])
    case numbers(from: Int, to: Int, hasFractions: Bool)
    case anything
  }

  struct Title {
    var text: DefinitionText
    var path: String
  }

  struct Entry {
    var definition: IntentDefinition
    var path: String
    var line: Int
    /// Titles of its combinations, in the order of the document.
    var titles: [Title] = []
    /// By parameter.
    var spoken: [String: Spoken] = [:]
  }

  var enumerations: [String: Enumeration] = [:]
  var objectTypes: [String: ObjectType] = [:]
  var entries: [Entry] = []
}

/// The rank of a definition file or a translation among its copies.
struct DefinitionPlace: Hashable {
  /// The path without `LANGUAGE.lproj` and extension: the same for a file and its translations.
  var group: String
  /// As people write it, `zh-CN`; `nil` for a file that is for every language.
  var language: String?

  /// The language of a file that names none: the one that Xcode's templates are written in.
  static let developmentLanguage = "en"

  init(file: String) {
    var parts = file.split(separator: "/", omittingEmptySubsequences: false)
    let name = parts.popLast() ?? ""
    if let folder = parts.last, folder.hasSuffix(".lproj") {
      parts.removeLast()
      language = Self.language(String(folder.dropLast(".lproj".count)))
    }
    let stem = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
    group = (parts + [stem]).joined(separator: "/")
  }

  /// Apple names Chinese by its script, sentence documents by its country.
  private static func language(_ name: String) -> String? {
    switch name {
    case "Base": nil
    case "zh-Hans": "zh-CN"
    case "zh-Hant": "zh-TW"
    default: String(name.map { $0 == "_" ? "-" : $0 })
    }
  }
}
