@_exported public import Observation

/// An object that tells when it changes.
///
/// A widget is evaluated once for each entry, so nobody listens: there is no publisher.
public protocol ObservableObject: AnyObject {}

/// A property that tells when it changes.
@propertyWrapper
public struct Published<Value> {
  /// The value.
  public var wrappedValue: Value

  /// Keeps `wrappedValue`.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Keeps `initialValue`.
  public init(initialValue: Value) { wrappedValue = initialValue }
}

/// An object that the view owns.
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
  private let make: () -> ObjectType
  private let state = State<ObjectType?>(wrappedValue: nil)

  /// Makes the object when it is first read.
  public init(wrappedValue make: @autoclosure @escaping () -> ObjectType) { self.make = make }

  /// The object.
  public var wrappedValue: ObjectType {
    if let object = state.wrappedValue { return object }
    let object = make()
    state.wrappedValue = object
    return object
  }

  /// Bindings to the properties of the object.
  public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    ObservedObject<ObjectType>.Wrapper(object: wrappedValue)
  }
}

/// An object that another place owns.
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
  /// Bindings to the properties of an object.
  @dynamicMemberLookup
  public struct Wrapper {
    let object: ObjectType

    /// A binding to a property.
    public subscript<Subject>(
      dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
    ) -> Binding<Subject> {
      Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
    }
  }

  /// The object.
  public var wrappedValue: ObjectType

  /// Keeps `wrappedValue`.
  public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }

  /// Keeps `initialValue`.
  public init(initialValue: ObjectType) { wrappedValue = initialValue }

  /// Bindings to the properties of the object.
  public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
}

/// An object of the environment.
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty {
  /// Reads the object of this type.
  public init() {}

  /// The object.
  public var wrappedValue: ObjectType {
    guard let object = EnvironmentValues.current[object: ObjectType.self] as? ObjectType else {
      preconditionFailure("no object of \(ObjectType.self) is in the environment")
    }
    return object
  }

  /// Bindings to the properties of the object.
  public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    ObservedObject<ObjectType>.Wrapper(object: wrappedValue)
  }
}

/// Bindings to the properties of an observable object.
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
  /// The object.
  public var wrappedValue: Value

  /// Keeps `wrappedValue`.
  public init(wrappedValue: Value) where Value: AnyObject { self.wrappedValue = wrappedValue }

  /// Keeps `wrappedValue`.
  public init(_ wrappedValue: Value) where Value: AnyObject { self.wrappedValue = wrappedValue }

  /// The wrapper itself.
  public var projectedValue: Bindable<Value> { self }

  /// A binding to a property.
  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> where Value: AnyObject {
    let object = wrappedValue
    return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
  }
}
