public import FoundationAdditions

/// A list of values, in sections or without.
public protocol ResultsCollection {
  /// The type of a value.
  associatedtype Item
  /// All values.
  var items: [Item] { get }
}

extension Array: ResultsCollection {
  /// The elements.
  public var items: [Element] { self }
}

/// Values with a name, in sections.
public struct IntentItemCollection<Item>: ResultsCollection {
  /// The sections.
  public var sections: [IntentItemSection<Item>]
  /// A sentence above them.
  public var promptLabel: LocalizedStringResource?

  /// Makes it of sections.
  public init(
    promptLabel: LocalizedStringResource? = nil, sections: [IntentItemSection<Item>]
  ) {
    self.promptLabel = promptLabel
    self.sections = sections
  }
  /// Makes it of values.
  public init(promptLabel: LocalizedStringResource? = nil, items: [Item]) {
    self.init(
      promptLabel: promptLabel, sections: [IntentItemSection(items: items.map { IntentItem($0) })])
  }

  /// All values.
  public var items: [Item] { sections.flatMap { $0.items.map(\.item) } }
  /// No values.
  public static var empty: Self { Self(sections: []) }
}

/// The older name of `IntentItemCollection`.
public typealias ItemCollection<Item> = IntentItemCollection<Item>
/// The older name of `IntentItemSection`.
public typealias ItemSection<Item> = IntentItemSection<Item>

/// Values under a title.
public struct IntentItemSection<Item> {
  /// The title.
  public var title: LocalizedStringResource?
  /// The values.
  public var items: [IntentItem<Item>]

  /// Makes it of values with words of their own.
  public init(_ title: LocalizedStringResource? = nil, items: [IntentItem<Item>]) {
    self.title = title
    self.items = items
  }
  /// Makes it of values.
  public init(_ title: LocalizedStringResource? = nil, items: [Item]) {
    self.init(title, items: items.map { IntentItem($0) })
  }
}

/// A value with words of its own.
public struct IntentItem<Item> {
  /// The value.
  public var item: Item
  /// The words.
  public var title: LocalizedStringResource?

  /// Makes it.
  public init(
    _ item: Item, title: LocalizedStringResource? = nil, subtitle: LocalizedStringResource? = nil,
    image: DisplayRepresentation.Image? = nil
  ) {
    self.item = item
    self.title = title
  }
}

/// An object that offers the values of a parameter.
///
/// Source: AppIntents.
public protocol DynamicOptionsProvider: Sendable {
  /// The type of the list.
  associatedtype Result: ResultsCollection
  /// The type of the default.
  associatedtype DefaultValue = Result.Item

  /// Returns the values.
  func results() async throws -> Result
  /// Returns the value that holds where none is chosen.
  func defaultResult() async -> DefaultValue?
}

extension DynamicOptionsProvider {
  /// No default.
  public func defaultResult() async -> DefaultValue? { nil }
}

/// An object that finds the entities of an app.
///
/// Source: AppIntents.
public protocol EntityQuery: DynamicOptionsProvider, PersistentlyIdentifiable
where DefaultValue == Entity {
  /// The type of the entities.
  associatedtype Entity: AppEntity
  /// The type of the list.
  associatedtype Result = [Entity]

  /// Makes it.
  init()
  /// Returns the entities with these identifiers, in their order, without those that are gone.
  func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
  /// Returns the entities that the person may choose.
  func suggestedEntities() async throws -> Result
}

extension EntityQuery {
  /// The entities that the person may choose.
  public func results() async throws -> Result { try await suggestedEntities() }
}

extension EntityQuery where Result == [Entity] {
  /// No entities.
  public func suggestedEntities() async throws -> [Entity] { [] }
}

/// An object that finds entities by words.
public protocol EntityStringQuery: EntityQuery {
  /// The type of the list.
  associatedtype StringResult: ResultsCollection = [Entity]
  /// Returns the entities that match `string`.
  func entities(matching string: String) async throws -> StringResult
}

/// An object that knows all entities.
public protocol EnumerableEntityQuery: EntityQuery {
  /// Returns all entities.
  func allEntities() async throws -> [Entity]
}

extension EnumerableEntityQuery where Result == [Entity] {
  /// All entities.
  public func suggestedEntities() async throws -> [Entity] { try await allEntities() }
}

/// An object that finds the only entity of its type.
public protocol UniqueAppEntityQuery: EntityQuery {
  /// Returns the entity.
  func uniqueEntity() async throws -> Entity
}

/// Finds entities by a person's words.
enum EntitySearch {
  static func entity<Query: EntityQuery>(
    called words: String, in query: Query
  ) async throws -> Query.Entity? {
    if let query = query as? any EntityStringQuery,
      let found = try await firstMatch(of: words, in: query) as? Query.Entity
    {
      return found
    }
    let all = try await query.results().items as? [Query.Entity] ?? []
    return all.first { entity in
      ([entity.displayRepresentation.title] + entity.displayRepresentation.synonyms).contains {
        String(localized: $0).caseInsensitiveCompare(words) == .orderedSame
      }
    }
  }

  private static func firstMatch<Query: EntityStringQuery>(
    of words: String, in query: Query
  ) async throws -> Any? {
    try await query.entities(matching: words).items.first
  }
}
