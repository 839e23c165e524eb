// swift-format-ignore-file: NeverForceUnwrap
// libuv passes non-null pointers to callbacks; pointers that may be null are tested.

import CLibUV

/// Calls back on the loop when the process gets a signal.
@safe
package final class SignalSource: LoopHandle {
  private var onSignal: (() -> Void)?
  private var source: UnsafeMutablePointer<uv_signal_t> {
    unsafe memory.assumingMemoryBound(to: uv_signal_t.self)
  }

  /// Starts watching `signal`; throws if it cannot be caught.
  package init(loop: Loop, signal: Int32, _ onSignal: @escaping () -> Void) throws(LoopError) {
    self.onSignal = onSignal
    unsafe super.init(loop: loop, byteCount: MemoryLayout<uv_signal_t>.size)
    try check(unsafe uv_signal_init(loop.pointer, source), "watch for", "signal \(signal)")
    adopt()
    let status = unsafe uv_signal_start(
      source,
      { raw, _ in
        let source = unsafe Unmanaged<SignalSource>.fromOpaque(raw!.pointee.data)
          .takeUnretainedValue()
        source.onSignal?()
      }, signal)
    guard status == 0 else {
      close()
      throw LoopError(operation: "watch for", context: "signal \(signal)", errno: -status)
    }
  }

  override func willClose() { onSignal = nil }
}
