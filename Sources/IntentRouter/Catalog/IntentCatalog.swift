/// Everything the router knows: intents, the sentences of each language, lists and routes.
///
/// A catalogue is a value. It is loaded from documents (`load`), answers sentences (`recognize`),
/// direct calls (`resolve`) and URLs (`route`), and changes only where a list is replaced
/// (`setList`).
package import JSON

package struct IntentCatalog: Sendable {
  /// Sorted by name.
  package internal(set) var definitions: [IntentDefinition]
  /// Codes of the languages that have sentences, sorted.
  package var languages: [String] { grammars.map(\.language) }

  /// Types of objects that definition files have, by name.
  package internal(set) var objectTypes: [String: ObjectType] = [:]

  /// Sorted by language.
  var grammars: [PhraseGrammar]
  /// Lists that templates hold themselves, by language.
  var otherLists: [String: OtherLists] = [:]
  /// The grammars' programs refer to lists by index; replacing one keeps its place.
  var lists: [ValueList]
  /// What the documents said of the lists that clients changed, by index.
  var documentLists: [Int: ValueList] = [:]
  /// Where each language has a range of its own, by the list that all of them name.
  var rangeCopies: [Int: [Int]] = [:]
  /// Lists that every document and a direct call can name.
  var listIndices: [String: Int]

  /// A catalogue that knows nothing.
  package init() {
    definitions = []
    grammars = []
    lists = []
    listIndices = [:]
  }

  package func definition(named name: String) -> IntentDefinition? {
    // Sorted, so found in logarithmic time.
    var low = 0
    var high = definitions.count
    while low < high {
      let middle = (low + high) / 2
      if definitions[middle].name < name { low = middle + 1 } else { high = middle }
    }
    guard low < definitions.count, definitions[low].name == name else { return nil }
    return definitions[low]
  }

  /// Names of the lists, sorted.
  package var listNames: [String] { listIndices.keys.sorted() }

  /// What the values of a text list stand for, each once, in the order of the list; `nil` when
  /// there is no such list.
  package func values(ofList name: String) -> [JSONValue]? {
    guard let list = textList(named: name) else { return nil }
    var seen: Set<JSONValue> = []
    return list.values.map(\.canonical).filter { seen.insert($0).inserted }
  }

  func textList(named name: String) -> TextList? {
    guard let index = listIndices[name], case .text(let list) = lists[index] else { return nil }
    return list
  }
}
