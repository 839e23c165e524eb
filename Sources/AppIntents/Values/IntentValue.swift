package import FoundationAdditions
package import JSON

/// A type that a parameter of an intent may have.
public protocol _IntentValue {
  /// The type without `Optional`.
  associatedtype UnwrappedType: _IntentValue = Self
  /// The type, for a manifest.
  static var _intentType: _IntentType { get }
  /// Reads a value that the daemon sends; `nil`: it is none of this type.
  static func _intentValue(reading argument: _IntentArgument) async throws -> Self?
  /// Reads a value that needs no query; `nil`: it is none of this type, or needs one.
  static func _plainIntentValue(reading argument: _IntentArgument) -> Self?
  /// The value as the daemon knows it.
  var _intentArgument: _IntentArgument { get }
  /// The value when neither the person nor the code gives one; `nil`: there is none.
  static func _intentDefault() async -> Self?
}

extension _IntentValue {
  /// Reads a value that needs no query.
  public static func _intentValue(reading argument: _IntentArgument) async throws -> Self? {
    _plainIntentValue(reading: argument)
  }
  /// Every value needs a query.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> Self? { nil }
  /// No value.
  public static func _intentDefault() async -> Self? { nil }
}

/// A value of the wire.
public struct _IntentArgument: Hashable, Sendable {
  package var json: JSONValue
  package init(_ json: JSONValue) { self.json = json }
}

/// The type of a parameter as a manifest has it.
public struct _IntentType: Hashable, Sendable {
  package var shape: Shape
  package init(_ shape: Shape) { self.shape = shape }

  /// Whether it takes several values.
  package var isList: Bool { if case .list = shape { true } else { false } }

  /// The types of `intent.yaml`, with what they need.
  package indirect enum Shape: Hashable, Sendable {
    case string, integer, decimal, boolean, date, duration, url
    /// A file, a person, a place: a value that no sentence names.
    case other
    case enumeration(name: String, cases: [Choice])
    case entity(name: String)
    case list(Shape)
  }

  /// A case of an enumeration.
  package struct Choice: Hashable, Sendable {
    package var name: String
    package var title: LocalizedStringResource
    package var synonyms: [LocalizedStringResource]

    package init(
      name: String, title: LocalizedStringResource, synonyms: [LocalizedStringResource] = []
    ) {
      self.name = name
      self.title = title
      self.synonyms = synonyms
    }
  }
}

extension Optional: _IntentValue where Wrapped: _IntentValue {
  /// The type without `Optional`.
  public typealias UnwrappedType = Wrapped.UnwrappedType
  /// The type of the value.
  public static var _intentType: _IntentType { Wrapped._intentType }

  /// Reads a value; `null` is none.
  public static func _intentValue(reading argument: _IntentArgument) async throws -> Self? {
    if argument.json.isNull { return .some(nil) }
    return try await Wrapped._intentValue(reading: argument).map { .some($0) }
  }

  /// Reads a value that needs no query; `null` is none.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> Self? {
    if argument.json.isNull { return .some(nil) }
    return Wrapped._plainIntentValue(reading: argument).map { .some($0) }
  }

  /// The value, or `null`.
  public var _intentArgument: _IntentArgument { self?._intentArgument ?? _IntentArgument(.null) }
  /// No value.
  public static func _intentDefault() async -> Self? {
    await Wrapped._intentDefault().map { .some($0) } ?? .some(nil)
  }
}

extension Array: _IntentValue where Element: _IntentValue {
  /// A list of these.
  public static var _intentType: _IntentType { _IntentType(.list(Element._intentType.shape)) }

  /// Reads a list; an element that is none of the type is left out.
  public static func _intentValue(reading argument: _IntentArgument) async throws -> Self? {
    let values = argument.json.arrayValue ?? [argument.json]
    var read: Self = []
    for value in values {
      if let element = try await Element._intentValue(reading: _IntentArgument(value)) {
        read.append(element)
      }
    }
    return read
  }

  /// Reads a list of values that need no query.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> Self? {
    let values = argument.json.arrayValue ?? [argument.json]
    return values.compactMap { Element._plainIntentValue(reading: _IntentArgument($0)) }
  }

  /// The elements.
  public var _intentArgument: _IntentArgument {
    _IntentArgument(.array(map(\._intentArgument.json)))
  }
  /// An empty list.
  public static func _intentDefault() async -> Self? { [] }
}
