// swift-format-ignore-file: NeverForceUnwrap
// libuv passes non-null pointers to callbacks; pointers that may be null are tested.

import CLibUV

/// The base class of objects on a loop: it owns the memory and the life of one libuv handle (see
/// `Loop`).
@safe
package class LoopHandle {
  package final let loop: Loop
  /// The memory of the C handle, whose type the subclass decides.
  final let memory: UnsafeMutableRawPointer
  private final var life = Life.new

  private enum Life {
    /// libuv does not own the handle yet.
    case new
    case open
    /// `close()` was called, and libuv has not released the handle yet.
    case closing
    case closed
  }

  /// Whether `close()` was called.
  package final var isClosing: Bool { life == .closing || life == .closed }

  init(loop: Loop, byteCount: Int) {
    precondition(!loop.isClosed, "the loop is closed")
    assert(loop.isCurrentThread)
    self.loop = loop
    unsafe memory = .allocate(byteCount: byteCount, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  deinit {
    precondition(life == .new || life == .closed, "a handle was freed while libuv owned it")
    unsafe memory.deallocate()
  }

  final var handle: UnsafeMutablePointer<uv_handle_t> {
    unsafe memory.assumingMemoryBound(to: uv_handle_t.self)
  }

  /// Returns the object behind a C handle of this module.
  static func of(_ handle: UnsafeMutablePointer<uv_handle_t>) -> LoopHandle {
    unsafe Unmanaged<LoopHandle>.fromOpaque(handle.pointee.data).takeUnretainedValue()
  }

  /// Retains this object until libuv releases the handle.
  ///
  /// Call it exactly when the handle's init has succeeded.
  final func adopt() {
    assert(life == .new, "libuv owns a handle once")
    life = .open
    // The close callback releases the object.
    unsafe handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  /// Closes the handle and drops the object's closures at once.
  ///
  /// Can be called again.
  package final func close() {
    guard life == .open else { return }
    assert(loop.isCurrentThread)
    life = .closing
    willClose()
    unsafe uv_close(handle) { raw in
      let object = unsafe Unmanaged<LoopHandle>.fromOpaque(raw!.pointee.data).takeRetainedValue()
      object.life = .closed
      object.didClose()
    }
  }

  /// Called at the start of `close()`.
  ///
  /// Subclasses drop their closures and stop the handle here.
  func willClose() {}

  /// Called when libuv has released the handle.
  ///
  /// For subclasses.
  func didClose() {}
}
