public import FoundationAdditions
package import JSON

/// An intent of SiriKit: its name and the values of its parameters.
///
/// The class of an intent is generated from a definition file and inherits from this one. An intent
/// without such a class, as the daemon tells it to an app, is of this class itself.
///
/// Source: Intents.
open class INIntent: NSObject, NSCopying, _NamedIntent {
  /// The value of a parameter.
  public enum Value: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case list([Value])
    /// Named parts, such as those of a place.
    case fields([String: Value])
    case none
  }

  /// The intent's name, such as `ShowWeather`.
  public private(set) final var _name: String
  /// The values that were given, before a generated class took them.
  private var given: [String: Value]
  /// A name of this one intent.
  open var identifier: String?
  /// A sentence on what it does.
  open var intentDescription: String?
  /// Words by which the person may start it.
  open var suggestedInvocationPhrase: String?

  /// Makes an intent without values.
  public required override init() {
    _name = Self._intentName
    given = [:]
    super.init()
  }

  package init(name: String, parameters: [String: Value]) {
    _name = name
    given = parameters
    super.init()
  }

  /// Returns an intent with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init()
    copy._name = _name
    for (name, value) in _parameters { copy.take(name, value) }
    return copy
  }

  /// Whether the other one has the same name and values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? INIntent else { return false }
    return _name == other._name && _parameters == other._parameters
  }

  /// A number of the name and the values.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(_name)
    hasher.combine(_parameters)
    return hasher.finalize()
  }

  /// The name and the values.
  open override var description: String { "\(_name)(\(_parameters))" }

  // MARK: For generated classes

  /// The name in the definition file; of a class `ShowWeatherIntent` it is `ShowWeather`.
  open class var _intentName: String {
    let name = String(describing: self)
    return name.hasSuffix("Intent") && name != "Intent" ? String(name.dropLast(6)) : name
  }

  /// The definition file as it is, for the intents folder of the daemon; `nil`: there is none.
  open class var _definition: String? { nil }

  /// The values of the generated class's properties, by parameter; `nil`: there is no such class.
  open var _values: [String: Value]? { nil }

  /// The parameters by name: those of the generated class, else the values that were given.
  public final var _parameters: [String: Value] { _values ?? given }

  /// Takes the value of a parameter; `false`: there is no such parameter, or the value is none of its
  /// type.
  ///
  /// A generated class stores the value in its property.
  open func _set(_ value: Value, for parameter: String) -> Bool { true }

  /// Asks `handler`, which conforms to the generated protocol, for the options of a parameter;
  /// `false`: the handler offers none.
  open func _provideOptions(
    for parameter: String, search: String?, from handler: Any,
    completion: @escaping @Sendable (Result<[INObject], any Error>) -> Void
  ) -> Bool { false }

  /// Returns the default of `handler`, which conforms to the generated protocol, for a parameter.
  open func _defaultValue(for parameter: String, from handler: Any) -> Value? { nil }

  /// Whether `handler` conforms to the generated protocol, and so can do this intent.
  open func _isHandled(by handler: Any) -> Bool { false }

  /// Lets `handler`, which conforms to the generated protocol, confirm and then handle this intent;
  /// `false`: it does not conform, and nothing was done.
  open func _perform(
    by handler: Any, completion: @escaping @Sendable (_Answer) -> Void
  ) -> Bool { false }

  /// Keeps a value, and gives it to the generated class; `false`: that has no use for it.
  @discardableResult
  package final func take(_ parameter: String, _ value: Value) -> Bool {
    guard _set(value, for: parameter) else { return false }
    given[parameter] = value
    return true
  }
}

/// The name and the values of an intent, under names that a generated class may use for parameters.
///
/// A class cannot have a property `name` where its parent has one of another type, and many an intent
/// has a parameter `name`. So the parent has these in an extension for itself alone.
public protocol _NamedIntent: AnyObject {
  /// The intent's name.
  var _name: String { get }
  /// The parameters by name.
  var _parameters: [String: INIntent.Value] { get }
}

extension _NamedIntent where Self == INIntent {
  /// The intent's name, such as `ShowWeather`.
  public var name: String { _name }
  /// The parameters by name, such as `["city": .string("Beijing")]`.
  public var parameters: [String: INIntent.Value] { _parameters }
  /// Returns the parameter `name` if it is text, else `nil`.
  public func string(_ name: String) -> String? {
    guard case .string(let value)? = _parameters[name] else { return nil }
    return value
  }
}

extension INIntent {
  /// Reads an `intent` of the wire; `nil` if it has no name.
  package convenience init?(_ json: JSONValue) {
    guard let name = json["name"]?.stringValue else { return nil }
    let members = json["parameters"]?.objectValue?.members ?? []
    self.init(
      name: name,
      parameters: Dictionary(members.map { ($0.key, Value($0.value)) }) { _, last in last })
  }

  /// Reads an `intent` of the wire into the class that was generated for it, if there is one.
  package static func typed(_ json: JSONValue) -> INIntent? {
    guard let plain = INIntent(json) else { return nil }
    guard let type = generatedClasses[plain._name] else { return plain }
    let intent = type.init()
    for (name, value) in plain._parameters { intent.take(name, value) }
    return intent
  }

  /// The classes of this program that were generated from definition files, by the names of their
  /// intents.
  package static let generatedClasses: [String: INIntent.Type] = Dictionary(
    ImageTypes.inheriting(from: INIntent.self).map { ($0._intentName, $0) }
  ) { first, _ in first }
}

extension INIntent.Value {
  /// The form of the wire.
  package var json: JSONValue {
    switch self {
    case .none: .null
    case .boolean(let value): .bool(value)
    case .integer(let value): .int(value)
    case .number(let value): .double(value)
    case .string(let value): .string(value)
    case .list(let values): .array(values.map(\.json))
    case .fields(let fields):
      .object(
        JSONObject(
          fields.sorted { $0.key < $1.key }.map {
            JSONObject.Member(key: $0.key, value: $0.value.json)
          }))
    }
  }

  package init(_ json: JSONValue) {
    switch json {
    case .null: self = .none
    case .bool(let value): self = .boolean(value)
    case .int(let value): self = .integer(value)
    case .double(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .array(let values): self = .list(values.map(Self.init))
    case .object(let object):
      self = .fields(
        Dictionary(object.members.map { ($0.key, Self($0.value)) }) { _, last in last })
    }
  }
}
