/// A key of the environment.
///
/// Source: SwiftUI.
public protocol EnvironmentKey {
  /// The type of its value.
  associatedtype Value
  /// The value where nobody set another.
  static var defaultValue: Value { get }
}

/// The values that a view inherits from its surroundings.
///
/// Source: SwiftUI.
public struct EnvironmentValues: CustomStringConvertible {
  /// Values that were set, by their keys.
  private var values: [ObjectIdentifier: Any] = [:]

  /// The environment of the body that is evaluated now.
  ///
  /// A body runs synchronously on the main thread, and nothing else evaluates views meanwhile, so
  /// one variable serves; `@Environment` reads it without being told its view.
  nonisolated(unsafe) package static var current = EnvironmentValues()
  /// Whether a body asked for the colour scheme since this was reset.
  nonisolated(unsafe) static var colorSchemeWasRead = false

  /// Makes the environment of the defaults.
  public init() {}

  /// The value of `key`.
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// An object of the environment, by its type.
  subscript(object type: any Any.Type) -> AnyObject? {
    get { values[ObjectIdentifier(type)].map { $0 as AnyObject } }
    set { values[ObjectIdentifier(type)] = newValue }
  }

  /// The number of values that were set.
  public var description: String { "EnvironmentValues(\(values.count) set)" }
}

/// Reads a value of the environment.
///
/// Source: SwiftUI.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let read: () -> Value

  /// Reads the value at `keyPath`.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
    read = { EnvironmentValues.current[keyPath: keyPath] }
  }

  /// Reads the object of this type.
  public init(_ objectType: Value.Type) where Value: AnyObject {
    read = {
      guard let object = EnvironmentValues.current[object: objectType] as? Value else {
        preconditionFailure("no object of \(objectType) is in the environment")
      }
      return object
    }
  }

  /// Reads the object of the type inside of the optional.
  public init<T: AnyObject>(_ objectType: T.Type) where Value == T? {
    read = { EnvironmentValues.current[object: objectType] as? T }
  }

  /// The value.
  public var wrappedValue: Value { read() }
}

// The closure holds a key path alone; it is called on the main thread.
extension Environment: @unchecked Sendable where Value: Sendable {}

/// A stored property that SwiftUI keeps for a view.
///
/// Source: SwiftUI.
public protocol DynamicProperty {
  /// Called before the body; nothing needs it here.
  mutating func update()
}

extension DynamicProperty {
  /// Does nothing.
  public mutating func update() {}
}

/// Puts a value into the environment of a view.
struct EnvironmentView<Content> {
  let content: Content
  let change: (inout EnvironmentValues) -> Void
}

extension EnvironmentView: View, TreeView where Content: View {
  typealias Body = Never
  func append(to evaluation: inout Evaluation) {
    let content = content
    evaluation.with(change) { $0.add(content) }
  }
}

extension View {
  /// Sets a value of the environment.
  public nonisolated func environment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
  ) -> some View {
    EnvironmentView(content: self) { $0[keyPath: keyPath] = value }
  }

  /// Puts an object into the environment, by its type.
  public nonisolated func environment<T: AnyObject>(_ object: T?) -> some View {
    EnvironmentView(content: self) { $0[object: T.self] = object }
  }

  /// Puts an object into the environment, by its type.
  public nonisolated func environmentObject<T: ObservableObject>(_ object: T) -> some View {
    EnvironmentView(content: self) { $0[object: T.self] = object }
  }

  /// Changes a value of the environment.
  public nonisolated func transformEnvironment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
  ) -> some View {
    EnvironmentView(content: self) { transform(&$0[keyPath: keyPath]) }
  }
}
