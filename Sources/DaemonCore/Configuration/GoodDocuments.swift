import IntentRouter
import JSON

/// The last version without mistakes of each document of intents.
///
/// While a file has a mistake, its last good version stays in force: a half-finished sentence must
/// not take the others of its file away.
struct GoodDocuments: Sendable {
  private struct Document: Sendable {
    var kind: CatalogSource.Kind
    var packed: PackedDocument
  }

  private var byFile: [String: Document] = [:]
  /// The files in the order in which they were read last, bad ones too.
  private var order: [String] = []

  /// Returns the sources with the last good version of each file in `bad`; `nil` when none of them
  /// has one that differs.
  func replacing(_ bad: Set<String>, in sources: [CatalogSource]) -> [CatalogSource]? {
    guard bad.contains(where: { byFile[$0] != nil }) else { return nil }
    var replaced = sources
    for index in replaced.indices where bad.contains(replaced[index].file) {
      guard let good = byFile[replaced[index].file] else { continue }
      replaced[index].document = good.packed.document
    }
    // A file that could not be parsed is no source: it returns to its place.
    let present = Set(sources.map(\.file))
    for (place, file) in order.enumerated() where bad.contains(file) && !present.contains(file) {
      guard let good = byFile[file] else { continue }
      let before = Set(order[..<place])
      let index = replaced.lastIndex { before.contains($0.file) }.map { $0 + 1 } ?? 0
      replaced.insert(
        CatalogSource(file: file, document: good.packed.document, kind: good.kind), at: index)
    }
    return replaced == sources ? nil : replaced
  }

  /// Keeps the sources that have no mistake; files that are gone are forgotten.
  mutating func keep(_ sources: [CatalogSource], bad: Set<String>) {
    var kept = byFile.filter { bad.contains($0.key) }
    var names: [String] = []
    for source in sources {
      names.append(source.file)
      guard !bad.contains(source.file) else { continue }
      kept[source.file] = Document(kind: source.kind, packed: PackedDocument(source.document))
    }
    let present = Set(names)
    for (place, file) in order.enumerated() where kept[file] != nil && !present.contains(file) {
      let before = Set(order[..<place])
      names.insert(file, at: names.lastIndex { before.contains($0) }.map { $0 + 1 } ?? 0)
    }
    byFile = kept
    order = names
  }

  func has(_ file: String) -> Bool { byFile[file] != nil }
}
