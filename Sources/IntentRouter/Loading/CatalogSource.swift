package import JSON

/// One file of a catalogue, already read into values with lines.
package struct CatalogSource: Hashable, Sendable {
  /// The sort of a file, by its place in an intents folder.
  package enum Kind: Hashable, Sendable {
    /// `NAME/intent.yaml`.
    case intent
    /// `NAME/LANGUAGE.yaml`: a hassil document.
    case sentences
    /// `NAME/examples.yaml`.
    case examples
    /// `lists/*.yaml`: lists for every language.
    case list
    /// `NAME.intentdefinition`: intents of Xcode's form, as a property list.
    case definitions
    /// `LANGUAGE.lproj/NAME.strings`: its texts in another language.
    case translations
  }

  /// A name for messages, as a person would write it.
  package var file: String
  package var document: LocatedValue
  package var kind: Kind

  package init(file: String, document: LocatedValue, kind: Kind) {
    self.file = file
    self.document = document
    self.kind = kind
  }
}

extension CatalogSource.Kind {
  /// The kind of a file by its path below an intents folder; `nil` for a file that is no part of a
  /// catalogue.
  package init?(path: String) {
    let parts = path.split(separator: "/")
    guard let name = parts.last else { return nil }
    let folder = parts.dropLast().last
    if name.hasSuffix(".intentdefinition") {
      self = .definitions
      return
    }
    if name.hasSuffix(".strings"), folder?.hasSuffix(".lproj") == true {
      self = .translations
      return
    }
    guard name.hasSuffix(".yaml") || name.hasSuffix(".yml") else { return nil }
    guard folder != "schema" else { return nil }
    if folder == "lists" {
      self = .list
      return
    }
    switch name.prefix(while: { $0 != "." }) {
    case "intent": self = .intent
    case "examples": self = .examples
    default: self = .sentences
    }
  }
}
