import Synchronization

/// A lock with the state that it guards.
///
/// The state is reached through the mutex alone. One thread must not take the lock twice: it waits
/// for ever then. Source: os.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  private final class Storage {
    let mutex = Mutex(())
    var state: State

    init(_ state: State) { self.state = state }
  }

  private let storage: Storage

  /// Makes a lock of a state that others may have, too.
  public init(uncheckedState initialState: State) { storage = Storage(initialState) }

  /// Runs code with the state, alone.
  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
    try storage.mutex.withLock { _ in try body(&storage.state) }
  }

  /// Runs code with the state, alone.
  public func withLock<R: Sendable>(
    _ body: @Sendable (inout State) throws -> R
  ) rethrows -> R {
    try withLockUnchecked(body)
  }

  /// Runs code with the state if nobody else has it; `nil`: somebody has.
  public func withLockIfAvailable<R: Sendable>(
    _ body: @Sendable (inout State) throws -> R
  ) rethrows -> R? {
    try storage.mutex.withLockIfAvailable { _ in try body(&storage.state) }
  }
}

extension OSAllocatedUnfairLock where State: Sendable {
  /// Makes a lock of a state.
  public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
  /// Makes a lock that guards nothing itself.
  public init() { self.init(uncheckedState: ()) }

  /// Runs code alone.
  public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
    try withLockUnchecked { _ in try body() }
  }
}
