// swift-format-ignore-file: NeverForceUnwrap
// What libuv hands to a callback is never null; where it may be, it is asked.

import CLibUV

/// What all objects on a loop share: the memory of one libuv handle, and its life (see `Loop`).
@safe
package class LoopHandle {
  package final let loop: Loop
  /// The C handle.
  ///
  /// Subclasses give it its type.
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

  /// The object behind a C handle of this module.
  static func of(_ handle: UnsafeMutablePointer<uv_handle_t>) -> LoopHandle {
    unsafe Unmanaged<LoopHandle>.fromOpaque(handle.pointee.data).takeUnretainedValue()
  }

  /// libuv owns the handle from here on.
  ///
  /// To be called when its init has succeeded, and only then.
  final func adopt() {
    assert(!isAdopted)
    isAdopted = true
    // Balanced in the close callback.
    unsafe handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  /// Gives the handle back.
  ///
  /// Can be called again; drops the object's closures at once.
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

  /// Drops closures and stops what can be stopped.
  ///
  /// For subclasses.
  func willClose() {}

  /// libuv has let go of the handle.
  ///
  /// For subclasses.
  func didClose() {}
}
