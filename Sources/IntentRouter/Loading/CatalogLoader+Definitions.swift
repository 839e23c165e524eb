// Definition files into the catalogue: their intents, and the sentences of every language that
// they or their translations have.

import JSON
import PropertyLists

/// A definition file with all that belongs to it.
private struct DefinitionGroup {
  /// Copies of the file; the one for every language first.
  var files: [(source: CatalogSource, language: String?)] = []
  var translations: [(source: CatalogSource, language: String)] = []
}

/// A definition file that is in the catalogue, whose sentences are still to be made.
struct LoadedDefinitions {
  var content: DefinitionFile
  var file: String
  var language: String
  var translations: [(language: String, texts: DefinitionTranslations)]
}

extension CatalogLoader {
  /// Reads definition files; their intents join the catalogue, and those that have the name of
  /// another are reported.
  mutating func readDefinitions(_ sources: [CatalogSource]) {
    var groups: [String: DefinitionGroup] = [:]
    for source in sources {
      let place = DefinitionPlace(file: source.file)
      switch source.kind {
      case .definitions:
        groups[place.group, default: .init()].files.append((source, place.language))
      case .translations:
        let language = place.language ?? DefinitionPlace.developmentLanguage
        groups[place.group, default: .init()].translations.append((source, language))
      case .intent, .sentences, .examples, .list: break
      }
    }
    for name in groups.keys.sorted() {
      guard let group = groups[name],
        let main = group.files.first(where: { $0.language == nil }) ?? group.files.first
      else { continue }
      readDefinitions(main, group)
    }
  }

  private mutating func readDefinitions(
    _ main: (source: CatalogSource, language: String?), _ group: DefinitionGroup
  ) {
    var reader = DefinitionReader(file: main.source.file)
    var content = reader.readFile(main.source.document)
    issues += reader.issues
    content.entries = content.entries.filter { entry in
      let name = entry.definition.name
      if let place = definitionPlaces[name] {
        report(
          main.source.file, entry.line, "\(entry.path): the intent '\(name)' is defined already",
          expected: "another name; the first is at \(place.file):\(place.line)")
        return false
      }
      definitionPlaces[name] = (main.source.file, entry.line)
      catalog.definitions.append(entry.definition)
      return true
    }
    for (name, type) in content.objectTypes where catalog.objectTypes[name] == nil {
      catalog.objectTypes[name] = type
    }
    var loaded = LoadedDefinitions(
      content: content, file: main.source.file,
      language: main.language ?? DefinitionPlace.developmentLanguage, translations: [])
    for (source, language) in group.files where source.file != main.source.file {
      guard let language else { continue }
      loaded.translations.append(
        (language, DefinitionTranslations(copy: source.document, file: source.file)))
    }
    for (source, language) in group.translations {
      loaded.translations.append(
        (language, DefinitionTranslations(strings: source.document, file: source.file)))
    }
    definitionFiles.append(loaded)
  }

  /// Makes the sentences of all definition files.
  mutating func collectTitles() {
    for loaded in definitionFiles {
      var documents: [(language: String, texts: DefinitionTranslations?)] = []
      if !loaded.translations.contains(where: { $0.language == loaded.language }) {
        documents.append((loaded.language, nil))
      }
      documents += loaded.translations.map { ($0.language, $0.texts) }
      for (language, texts) in documents {
        let (document, found) = loaded.content.sentences(
          language: language, translations: texts, file: loaded.file)
        issues += found
        guard let document else { continue }
        collectSentences(
          CatalogSource(file: texts?.file ?? loaded.file, document: document, kind: .sentences))
      }
    }
  }
}
