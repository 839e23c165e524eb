import Documents
import IntentRouter
import JSON

/// Fuzzes Xcode's definition files and their translations.
///
/// No file may crash the reader or occupy the loop for long, and each refusal has an issue. The
/// first section is the property list, the optional second a `.strings` file, the optional third a
/// sentence. Each title is also recognised as a sentence.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 3)
  let definitions = within(2_000, "reading") {
    readPropertyList(parts[0], file: "A/Base.lproj/D.intentdefinition")
  }
  check(definitions.issues)
  var sources: [CatalogSource] = []
  if let value = definitions.value {
    sources.append(CatalogSource(file: definitions.file, document: value, kind: .definitions))
  } else {
    precondition(!definitions.issues.isEmpty, "nothing was read, and nothing says why")
  }
  if parts.count > 1 {
    let texts = within(2_000, "reading texts") {
      readStrings(parts[1], file: "A/zh-Hans.lproj/D.strings")
    }
    check(texts.issues)
    if let value = texts.value {
      sources.append(CatalogSource(file: texts.file, document: value, kind: .translations))
    } else {
      precondition(!texts.issues.isEmpty, "nothing was read, and nothing says why")
    }
  }
  let (catalog, issues) = within(2_000, "loading") { IntentCatalog.load(sources) }
  check(issues)
  for definition in catalog.definitions.prefix(8) {
    precondition(catalog.definition(named: definition.name) == definition, "an intent is lost")
    var before: Set<String> = []
    for parameter in definition.parameters {
      if let parent = parameter.relationship?.parent {
        precondition(before.contains(parent), "a child stands before its parent")
      }
      before.insert(parameter.name)
    }
    for combination in definition.combinations.prefix(8) {
      within(1_000, "recognising") {
        _ = catalog.recognize(combination.title, languages: ["en", "zh-CN"])
      }
    }
    _ = catalog.resolution(name: definition.name, parameters: [:])
  }
  if parts.count > 2 {
    within(1_000, "recognising") {
      _ = catalog.recognize(line(parts[2]), languages: ["en", "zh-CN"])
    }
  }
  return 0
}

private func check(_ issues: [DocumentIssue]) {
  for issue in issues {
    precondition(!issue.message.isEmpty, "an issue says nothing")
    precondition(issue.file.hasPrefix("A/"), "an issue of another file: \(issue.description)")
  }
}
