import JSON

/// The intent that a widget is configured with: its name and the values of its parameters.
///
/// On iOS this class comes from the Intents framework, and code generated from an intent definition
/// subclasses it. Here it carries the name and the values that the daemon sends, which is all that
/// `WidgetInfo` needs. It is immutable, so threads may share it.
public final class INIntent: NSObject, Sendable {
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
  public let name: String
  /// The parameters by name, such as `["city": .string("Beijing")]`.
  public let parameters: [String: Value]

  package init(name: String, parameters: [String: Value]) {
    self.name = name
    self.parameters = parameters
  }

  /// Returns the parameter `name` if it is text, else `nil`.
  public func string(_ name: String) -> String? {
    guard case .string(let value)? = parameters[name] else { return nil }
    return value
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? INIntent else { return false }
    return name == other.name && parameters == other.parameters
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(parameters)
    return hasher.finalize()
  }

  public override var description: String { "\(name)(\(parameters))" }
}

extension INIntent {
  /// Reads an `intent` of the wire; `nil` if it has no name.
  convenience init?(_ json: JSONValue) {
    guard let name = json["name"]?.stringValue else { return nil }
    let members = json["parameters"]?.objectValue?.members ?? []
    self.init(
      name: name,
      parameters: Dictionary(members.map { ($0.key, Value($0.value)) }) { _, last in last })
  }
}

extension INIntent.Value {
  init(_ json: JSONValue) {
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
