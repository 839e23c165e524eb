/// A value that a view keeps.
///
/// A widget is evaluated once for each entry, so the value is the initial one; a change lasts until
/// the evaluation ends. Source: SwiftUI.
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private let box: Box

  /// Keeps `wrappedValue`.
  public init(wrappedValue: Value) { box = Box(wrappedValue) }

  /// Keeps `initialValue`.
  public init(initialValue: Value) { box = Box(initialValue) }

  /// The value.
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> {
    let box = box
    return Binding(get: { box.value }, set: { box.value = $0 })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  /// Keeps `nil`.
  public init() { self.init(wrappedValue: nil) }
}

/// A value that another place keeps.
///
/// Source: SwiftUI.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value>: DynamicProperty {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// Reads and writes by two closures.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// Takes a binding as it is.
  public init(projectedValue: Binding<Value>) { self = projectedValue }

  /// A value that never changes.
  public static func constant(_ value: Value) -> Binding<Value> {
    Binding(get: { value }, set: { _ in })
  }

  /// The value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The binding itself.
  public var projectedValue: Binding<Value> { self }

  /// A binding to a part of the value.
  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    Binding<Subject>(
      get: { wrappedValue[keyPath: keyPath] },
      set: { wrappedValue[keyPath: keyPath] = $0 })
  }
}

extension Binding {
  /// A binding to an optional of the value.
  public init<V>(_ base: Binding<V>) where Value == V? {
    self.init(get: { base.wrappedValue }, set: { if let value = $0 { base.wrappedValue = value } })
  }

  /// A binding to the value of an optional; `nil` without one.
  public init?(_ base: Binding<Value?>) {
    guard let first = base.wrappedValue else { return nil }
    self.init(get: { base.wrappedValue ?? first }, set: { base.wrappedValue = $0 })
  }
}

/// A property that only a gesture changes; here it keeps its first value.
@propertyWrapper
public struct GestureState<Value>: DynamicProperty {
  /// The value.
  public let wrappedValue: Value

  /// Keeps `wrappedValue`.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// The state itself.
  public var projectedValue: GestureState<Value> { self }
}

/// A property that tells where the focus is; a widget has none.
@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty {
  private let state: State<Value>

  /// Nothing has the focus.
  public init() where Value == Bool { state = State(wrappedValue: false) }

  /// Nothing has the focus.
  public init<T: Hashable>() where Value == T? { state = State(wrappedValue: nil) }

  /// Where the focus is.
  public var wrappedValue: Value {
    get { state.wrappedValue }
    nonmutating set { state.wrappedValue = newValue }
  }

  /// A binding to it.
  public var projectedValue: Binding<Value> { state.projectedValue }
}

/// Names of views for animations, which are not made here.
@propertyWrapper
public struct Namespace: DynamicProperty {
  /// A name.
  public struct ID: Hashable, Sendable {}

  /// Makes a name.
  public init() {}

  /// The name.
  public var wrappedValue: ID { ID() }
}

/// A length that grows with the text.
@propertyWrapper
public struct ScaledMetric<Value: BinaryFloatingPoint>: DynamicProperty {
  private let base: Value

  /// Keeps the length for the usual size of text.
  public init(wrappedValue: Value) { base = wrappedValue }

  /// Keeps the length for the usual size of text.
  public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle) { base = wrappedValue }

  /// The length for the size of text of the environment.
  public var wrappedValue: Value {
    base * Value(EnvironmentValues.current.dynamicTypeSize.scale)
  }
}
