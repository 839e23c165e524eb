import FoundationAdditions
import Synchronization

/// An object of the app that intents use: `@Dependency var store: Store`.
///
/// Its key never changes, so all threads may read it.
@propertyWrapper
public final class AppDependency<Value>: @unchecked Sendable {
  private let key: AnyHashable?

  /// Finds the object of its type.
  public init(default makeDefault: (@Sendable () -> Value)? = nil) { key = nil }
  /// Finds the object of a key.
  public init(key: AnyHashable) { self.key = key }

  /// The object; the app must have added it before.
  public var wrappedValue: Value {
    guard let value = AppDependencyManager.shared.value(Value.self, key) else {
      fatalError("no dependency \(Value.self) was added to AppDependencyManager.shared")
    }
    return value
  }
}

extension AppIntent {
  /// The property wrapper of an object of the app.
  public typealias Dependency = AppDependency
}
extension DynamicOptionsProvider {
  /// The property wrapper of an object of the app.
  public typealias Dependency = AppDependency
}

/// The objects of the app that intents use.
public final class AppDependencyManager: Sendable {
  /// The only one.
  public static let shared = AppDependencyManager()

  // Both are values that a lock guards.
  private struct Key: Hashable, @unchecked Sendable {
    var type: ObjectIdentifier
    var name: AnyHashable?
  }
  private struct Maker: @unchecked Sendable { var make: () -> Any }

  private let makers = Mutex<[Key: Maker]>([:])

  /// Adds an object, which is made when it is first needed.
  public func add<Value>(
    key: AnyHashable? = nil, dependency makeValue: @autoclosure @escaping @Sendable () -> Value
  ) {
    add(key: key, make: makeValue)
  }
  /// Adds an object, which is made when it is first needed.
  public func add<Value>(
    key: AnyHashable? = nil, dependency makeValue: @escaping @Sendable () -> Value
  ) {
    add(key: key, make: makeValue)
  }

  private func add<Value>(key: AnyHashable?, make: @escaping @Sendable () -> Value) {
    let entry = Key(type: ObjectIdentifier(Value.self), name: key)
    let made = Made(make)
    makers.withLock { $0[entry] = Maker { made.value } }
  }

  func value<Value>(_ type: Value.Type, _ key: AnyHashable?) -> Value? {
    let entry = Key(type: ObjectIdentifier(type), name: key)
    return makers.withLock { $0[entry] }?.make() as? Value
  }
}

/// Makes a value at its first use, under a lock.
private final class Made<Value>: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private let make: @Sendable () -> Value
  private var made: Value?

  init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  var value: Value {
    lock.lock()
    defer { lock.unlock() }
    if let made { return made }
    let value = make()
    made = value
    return value
  }
}

/// The intent whose options are asked for: `@IntentParameterDependency<Show>(\.$line) var show`.
///
/// It stores nothing, so all threads may read it.
@propertyWrapper
public struct IntentParameterDependency<Intent: AppIntent>: @unchecked Sendable {
  /// Names the parameters that the options depend on.
  public init<each Value: _IntentValue>(
    _ parameters: repeat KeyPath<Intent, IntentParameter<each Value>>
  ) {}

  /// The intent with the values so far; `nil` outside of a request for options.
  public var wrappedValue: Intent? { CurrentIntent.value as? Intent }
}

/// The intent whose options are asked for.
package enum CurrentIntent {
  @TaskLocal package static var value: (any AppIntent)?
}
