package import JSON

/// Everything that the router knows: intents, the sentences of each language, lists and routes.
///
/// A catalogue is a value. It is loaded from documents (`load`), answers sentences (`recognize`),
/// direct calls (`resolve`) and URLs (`route`), and changes only where a list is replaced
/// (`setList`).
package struct IntentCatalog: Sendable {
  /// Sorted by name.
  package internal(set) var definitions: [IntentDefinition]
  /// Where the routes of each scheme stand, in the order of `definitions`.
  ///
  /// Made by `indexDefinitions`.
  private(set) var routesByScheme: [String: [RoutePlace]] = [:]
  /// The facts about parameters for recognition, by the places of definition and parameter.
  ///
  /// Made by `indexDefinitions`.
  private(set) var slotFacts: [[SlotFacts]] = []
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
  /// The lists as the documents have them, by index, where a client changed one.
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

  /// Returns the intent of this name, in logarithmic time; `nil`: there is none.
  package func definition(named name: String) -> IntentDefinition? {
    definitionIndex(named: name).map { definitions[$0] }
  }

  /// Where the intent stands in `definitions`; found in logarithmic time.
  func definitionIndex(named name: String) -> Int? {
    var low = 0
    var high = definitions.count
    while low < high {
      let middle = (low + high) / 2
      if definitions[middle].name < name { low = middle + 1 } else { high = middle }
    }
    guard low < definitions.count, definitions[low].name == name else { return nil }
    return low
  }

  /// Finds the places of all routes, and the facts about parameters; called once `definitions` and
  /// `listIndices` are complete, and the first are sorted.
  mutating func indexDefinitions() {
    slotFacts = definitions.map { definition in
      definition.parameters.map { parameter in
        SlotFacts(isText: parameter.isText, list: parameter.list.flatMap { listIndices[$0] })
      }
    }
    routesByScheme = [:]
    for definition in definitions.indices {
      for (index, route) in definitions[definition].routes.enumerated() {
        routesByScheme[route.scheme, default: []].append(
          RoutePlace(definition: definition, route: index))
      }
    }
  }

  /// Names of the lists, sorted.
  package var listNames: [String] { listIndices.keys.sorted() }

  /// The canonical values of a text list, each once, in the order of the list; `nil` when
  /// there is no such list.
  package func values(ofList name: String) -> [JSONValue]? {
    guard let list = textList(named: name) else { return nil }
    var seen: Set<JSONValue> = []
    return list.values.map(\.canonical).filter { seen.insert($0).inserted }
  }

  /// The first values of a text list, as a person is told them, and how many there are; `nil` when
  /// there is no such list.
  ///
  /// O(`Limits.toldValuesMax`).
  package func told(ofList name: String) -> (titles: [String], count: Int)? {
    guard let list = textList(named: name) else { return nil }
    var titles: [String] = []
    for value in list.values {
      guard titles.count < Limits.toldValuesMax else { break }
      let title = title(of: value.canonical)
      if !titles.contains(title) { titles.append(title) }
    }
    return (titles, list.canonicalCount)
  }

  func textList(named name: String) -> TextList? {
    guard let index = listIndices[name], case .text(let list) = lists[index] else { return nil }
    return list
  }
}

/// A parameter as recognition asks about it, since the whole is a large value to copy.
struct SlotFacts: Sendable {
  /// Whether a value is one text, whatever the other parameters are.
  var isText: Bool
  /// The place of its list in `IntentCatalog.lists`; `nil`: it has none.
  var list: Int?
}

/// A route of an intent, by the places of both.
struct RoutePlace: Hashable, Sendable {
  var definition: Int
  var route: Int
}
