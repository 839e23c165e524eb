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
  private final var isAdopted = false
  private final var isClosed = false
  /// Whether `close()` was called.
  package private(set) final var isClosing = false

  init(loop: Loop, byteCount: Int) {
    precondition(!loop.isClosed, "the loop is closed")
    assert(loop.isCurrentThread)
    self.loop = loop
    unsafe memory = .allocate(byteCount: byteCount, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  deinit {
    precondition(!isAdopted || isClosed, "a handle was freed while libuv owned it")
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
    assert(!isAdopted)
    isAdopted = true
    // The close callback releases the object.
    unsafe handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  /// Closes the handle and drops the object's closures at once.
  ///
  /// Can be called again.
  package final func close() {
    guard isAdopted, !isClosing else { return }
    assert(loop.isCurrentThread)
    isClosing = true
    willClose()
    unsafe uv_close(handle) { raw in
      let object = unsafe Unmanaged<LoopHandle>.fromOpaque(raw!.pointee.data).takeRetainedValue()
      object.isClosed = true
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
