public import Foundation

/// A value of the user defaults.
///
/// Source: SwiftUI.
@propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
  private let read: () -> Value
  private let write: (Value) -> Void

  private init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
    self.read = read
    self.write = write
  }

  /// A value that user defaults hold as it is.
  private init(plain value: Value, _ key: String, _ store: UserDefaults?) {
    self.init(
      read: { (store ?? .standard).object(forKey: key) as? Value ?? value },
      write: { (store ?? .standard).set($0, forKey: key) })
  }

  /// The value.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> { Binding(get: read, set: write) }
}

extension AppStorage {
  /// A truth value.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {
    self.init(plain: wrappedValue, key, store)
  }

  /// A whole number.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Int {
    self.init(plain: wrappedValue, key, store)
  }

  /// A number.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
  where Value == Double {
    self.init(plain: wrappedValue, key, store)
  }

  /// A text.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
  where Value == String {
    self.init(plain: wrappedValue, key, store)
  }

  /// A URL.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == URL {
    self.init(
      read: { (store ?? .standard).url(forKey: key) ?? wrappedValue },
      write: { (store ?? .standard).set($0, forKey: key) })
  }

  /// Bytes.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Data {
    self.init(plain: wrappedValue, key, store)
  }

  /// A date.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Date {
    self.init(plain: wrappedValue, key, store)
  }

  /// A value that is stored as a whole number.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
  where Value: RawRepresentable, Value.RawValue == Int {
    self.init(
      read: {
        ((store ?? .standard).object(forKey: key) as? Int).flatMap(Value.init(rawValue:))
          ?? wrappedValue
      },
      write: { (store ?? .standard).set($0.rawValue, forKey: key) })
  }

  /// A value that is stored as a text.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
  where Value: RawRepresentable, Value.RawValue == String {
    self.init(
      read: {
        (store ?? .standard).string(forKey: key).flatMap(Value.init(rawValue:)) ?? wrappedValue
      },
      write: { (store ?? .standard).set($0.rawValue, forKey: key) })
  }
}

extension AppStorage where Value: ExpressibleByNilLiteral {
  private init<Wrapped>(optional key: String, _ store: UserDefaults?) where Value == Wrapped? {
    self.init(
      read: { (store ?? .standard).object(forKey: key) as? Wrapped },
      write: { value in
        if let value {
          (store ?? .standard).set(value, forKey: key)
        } else {
          (store ?? .standard).removeObject(forKey: key)
        }
      })
  }

  /// A truth value, or none.
  public init(_ key: String, store: UserDefaults? = nil) where Value == Bool? {
    self.init(optional: key, store)
  }

  /// A whole number, or none.
  public init(_ key: String, store: UserDefaults? = nil) where Value == Int? {
    self.init(optional: key, store)
  }

  /// A number, or none.
  public init(_ key: String, store: UserDefaults? = nil) where Value == Double? {
    self.init(optional: key, store)
  }

  /// A text, or none.
  public init(_ key: String, store: UserDefaults? = nil) where Value == String? {
    self.init(optional: key, store)
  }

  /// Bytes, or none.
  public init(_ key: String, store: UserDefaults? = nil) where Value == Data? {
    self.init(optional: key, store)
  }

  /// A date, or none.
  public init(_ key: String, store: UserDefaults? = nil) where Value == Date? {
    self.init(optional: key, store)
  }
}

/// A value that is kept for a scene; here it is the initial one.
@propertyWrapper
public struct SceneStorage<Value>: DynamicProperty {
  private let state: State<Value>

  /// Keeps `wrappedValue`.
  public init(wrappedValue: Value, _ key: String) { state = State(wrappedValue: wrappedValue) }

  /// The value.
  public var wrappedValue: Value {
    get { state.wrappedValue }
    nonmutating set { state.wrappedValue = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> { state.projectedValue }
}
