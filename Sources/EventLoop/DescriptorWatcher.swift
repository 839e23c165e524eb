// swift-format-ignore-file: NeverForceUnwrap
// What libuv hands to a callback is never null; where it may be, it is asked.

import CLibUV
import Glibc

/// A descriptor that is closed when its owner goes, unless somebody takes it.
struct OwnedDescriptor: ~Copyable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  consuming func take() -> Int32 {
    let number = self.number
    discard self
    return number
  }

  deinit { _ = Glibc.close(number) }
}

/// Calls back whenever a descriptor is readable, until closed.
@safe
final class DescriptorWatcher: LoopHandle {
  private let descriptor: Int32
  private let isOwner: Bool
  private var onReadable: (() -> Void)?
  /// Called once, when somebody closes this (the loop, perhaps).
  var onClosing: (() -> Void)?
  private var poll: UnsafeMutablePointer<uv_poll_t> {
    unsafe memory.assumingMemoryBound(to: uv_poll_t.self)
  }

  /// With `isOwner` the descriptor closes with this; else `onReadable` must keep it open.
  init(
    loop: Loop, descriptor: Int32, isOwner: Bool = true, _ onReadable: @escaping () -> Void
  ) throws(LoopError) {
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
    _ = unsafe uv_poll_stop(poll)
  }

  func resume() {
    guard !isClosing else { return }
    // Fails only for a handle that is closing.
    _ = unsafe uv_poll_start(poll, Int32(bitPattern: UV_READABLE.rawValue)) { raw, _, _ in
      // A status other than 0 (a descriptor that broke) is found again by whoever reads it.
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
    // Not before: it may be what keeps the descriptor open.
    onReadable = nil
  }

  private func closeDescriptor() {
    if isOwner { _ = Glibc.close(descriptor) }
  }
}
