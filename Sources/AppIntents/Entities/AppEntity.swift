public import FoundationAdditions
import JSON

/// A thing of the app that a parameter takes.
///
/// Source: AppIntents.
public protocol AppEntity: AppValue, Identifiable, PersistentlyIdentifiable, OptionsOffering
where ID: EntityIdentifierConvertible {
  /// The query that finds entities.
  associatedtype DefaultQuery: EntityQuery where DefaultQuery.Entity == Self
  /// The query that finds entities.
  static var defaultQuery: DefaultQuery { get }
}

/// A value that has words for people.
public protocol AppValue: _IntentValue, TypeDisplayRepresentable, InstanceDisplayRepresentable,
  Sendable
{}

/// A value that has words and a picture for people.
public protocol InstanceDisplayRepresentable: CustomLocalizedStringResourceConvertible {
  /// The words and the picture.
  var displayRepresentation: DisplayRepresentation { get }
}

extension InstanceDisplayRepresentable {
  /// The first line.
  public var localizedStringResource: LocalizedStringResource { displayRepresentation.title }
}

/// An entity that only lives within an answer.
public protocol TransientAppEntity: AppValue, PersistentlyIdentifiable {
  /// Makes an empty one.
  init()
}

extension TransientAppEntity {
  /// A value that no sentence names.
  public static var _intentType: _IntentType { _IntentType(.other) }
  /// Reads none.
  public static func _intentValue(reading argument: _IntentArgument) async throws -> Self? { nil }
  /// The words.
  public var _intentArgument: _IntentArgument {
    _IntentArgument(.string(String(localized: displayRepresentation.title)))
  }
}

/// An identifier that can be a text.
public protocol EntityIdentifierConvertible: Sendable {
  /// The text.
  var entityIdentifierString: String { get }
  /// Returns the identifier of a text.
  static func entityIdentifier(for entityIdentifierString: String) -> Self?
}

extension String: EntityIdentifierConvertible {
  /// The text itself.
  public var entityIdentifierString: String { self }
  /// The text itself.
  public static func entityIdentifier(for entityIdentifierString: String) -> String? {
    entityIdentifierString
  }
}

extension Int: EntityIdentifierConvertible {
  /// Its digits.
  public var entityIdentifierString: String { description }
  /// Reads digits.
  public static func entityIdentifier(for entityIdentifierString: String) -> Int? {
    Int(entityIdentifierString)
  }
}

extension UUID: EntityIdentifierConvertible {
  /// Its usual form.
  public var entityIdentifierString: String { uuidString }
  /// Reads its usual form.
  public static func entityIdentifier(for entityIdentifierString: String) -> UUID? {
    UUID(uuidString: entityIdentifierString)
  }
}

extension URL: EntityIdentifierConvertible {
  /// The URL.
  public var entityIdentifierString: String { absoluteString }
  /// Reads a URL.
  public static func entityIdentifier(for entityIdentifierString: String) -> URL? {
    URL(string: entityIdentifierString)
  }
}

extension AppEntity {
  /// The property wrapper of a property that the person sees.
  public typealias Property<Value> = EntityProperty<Value>

  /// An object that its query finds.
  public static var _intentType: _IntentType { _IntentType(.entity(name: persistentIdentifier)) }

  /// Finds the entity by its identifier; words without one by the query's own search.
  ///
  /// An identifier that the query does not know any more is no value, as on iOS.
  public static func _intentValue(reading argument: _IntentArgument) async throws -> Self? {
    let written = argument.json["identifier"] ?? argument.json
    // An identifier that is a number may be written as one.
    let text = written.stringValue ?? written.intValue?.description
    guard let text, !text.isEmpty else { return nil }
    if let id = ID.entityIdentifier(for: text),
      let found = try await defaultQuery.entities(for: [id]).first
    {
      return found
    }
    // What a person said is a name, not an identifier.
    let words = argument.json["display"]?.stringValue ?? text
    return try await EntitySearch.entity(called: words, in: defaultQuery)
  }

  /// The identifier, and the words for people.
  public var _intentArgument: _IntentArgument {
    _IntentArgument([
      "identifier": .string(id.entityIdentifierString),
      "display": .string(String(localized: displayRepresentation.title)),
    ])
  }

  /// The query's own default.
  public static func _intentDefault() async -> Self? { await defaultQuery.defaultResult() }
  /// The query's entities.
  public static var _optionsSource: _OptionsSource {
    _OptionsSource(OptionsSource(query: defaultQuery))
  }
}

/// A type whose values a person chooses from a list of the app.
public protocol OptionsOffering {
  /// The list.
  static var _optionsSource: _OptionsSource { get }
}

/// A list of values of the app.
public struct _OptionsSource: Sendable {
  package let source: OptionsSource
  package init(_ source: OptionsSource) { self.source = source }
}

extension OptionsOffering {
  package static var optionsSource: OptionsSource { _optionsSource.source }
}

extension Array: OptionsOffering where Element: OptionsOffering {
  /// The list of the elements.
  public static var _optionsSource: _OptionsSource { Element._optionsSource }
}

/// A property of an entity that the person sees: `@Property(title: "Name") var name: String`.
///
/// An author's entity goes between threads with it, and it is set on one thread at a time, as a
/// property of a class is.
@propertyWrapper
public final class EntityProperty<Value>: @unchecked Sendable {
  /// The name for people.
  public let title: LocalizedStringResource
  private var stored: Value?

  /// Makes a property without a value.
  public init() { title = "" }
  /// Makes a property without a value.
  public init(title: LocalizedStringResource) { self.title = title }
  /// Makes a property.
  public init(wrappedValue: Value, title: LocalizedStringResource = "") {
    stored = wrappedValue
    self.title = title
  }

  /// The value.
  public var wrappedValue: Value {
    get {
      guard let stored else { fatalError("a property of an entity was read before it was set") }
      return stored
    }
    set { stored = newValue }
  }

  /// The property itself.
  public var projectedValue: EntityProperty<Value> { self }
}
