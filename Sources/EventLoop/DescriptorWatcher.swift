// swift-format-ignore-file: NeverForceUnwrap
// libuv passes non-null pointers to callbacks; pointers that may be null are tested.

import CLibUV
import Glibc

/// A descriptor that is closed with this value, unless `take` moved it out.
struct OwnedDescriptor: ~Copyable {
  let number: Int32

  init(_ number: Int32) {
    precondition(number >= 0, "a failed call gives no descriptor")
    self.number = number
  }

  consuming func take() -> Int32 {
    let number = self.number
    discard self
    return number
  }

  deinit { _ = Glibc.close(number) }
}

/// Calls back each time a descriptor is readable (or, if asked for, writable), until `close()`.
@safe
package final class DescriptorWatcher: LoopHandle {
  private let descriptor: Int32
  private let isOwner: Bool
  /// The events that are asked for; 0: none.
  private var events: UInt32 = 0
  private var onReadable: (() -> Void)?
  /// Called once when this watcher is closed, by its owner or by the loop.
  var onClosing: (() -> Void)?
  private var poll: UnsafeMutablePointer<uv_poll_t> {
    unsafe memory.assumingMemoryBound(to: uv_poll_t.self)
  }

  /// Watches a descriptor.
  ///
  /// If `isOwner`, it is closed with this watcher; else `onReadable` must keep it open.
  package init(
    loop: Loop, descriptor: Int32, isOwner: Bool = true, _ onReadable: @escaping () -> Void
  ) throws(LoopError) {
    precondition(descriptor >= 0, "a failed call gives no descriptor")
    self.descriptor = descriptor
    self.isOwner = isOwner
    self.onReadable = onReadable
    unsafe super.init(loop: loop, byteCount: MemoryLayout<uv_poll_t>.size)
    let status = unsafe uv_poll_init(loop.pointer, poll, descriptor)
    guard status == 0 else {
      closeDescriptor()
      throw LoopError(operation: "watch", context: "descriptor \(descriptor)", errno: -status)
    }
    adopt()
    resume()
  }

  /// Stops calling back until `resume()`; the descriptor stays open.
  func pause() {
    guard !isClosing else { return }
    events = 0
    _ = unsafe uv_poll_stop(poll)
  }

  /// Calls back from now on when the descriptor is readable, writable, or either, as asked for.
  package func resume(forReading: Bool = true, forWriting: Bool = false) {
    guard !isClosing else { return }
    guard forReading || forWriting else { return pause() }
    let wanted = (forReading ? UV_READABLE.rawValue : 0) | (forWriting ? UV_WRITABLE.rawValue : 0)
    // Each start of a poll is two system calls, also one for the same events.
    guard wanted != events else { return }
    events = wanted
    // This call fails only for a closing handle.
    _ = unsafe uv_poll_start(poll, Int32(bitPattern: events)) { raw, _, _ in
      // Ignore the status: reading a broken descriptor gives the same error.
      let watcher = unsafe Unmanaged<DescriptorWatcher>.fromOpaque(raw!.pointee.data)
        .takeUnretainedValue()
      watcher.onReadable?()
    }
  }

  override func willClose() {
    let onClosing = self.onClosing
    self.onClosing = nil
    onClosing?()
  }

  override func didClose() {
    closeDescriptor()
    // Drop the closure only now: it may keep the descriptor open.
    onReadable = nil
  }

  private func closeDescriptor() {
    if isOwner { _ = Glibc.close(descriptor) }
  }
}
