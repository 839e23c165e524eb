// swift-format-ignore-file: NeverForceUnwrap
// What libuv hands to a callback is never null; where it may be, it is asked.

import CLibUV
import CPosix
import Glibc

/// One end of a Unix stream socket or a pipe.
///
/// Writing costs one system call when the peer keeps up: the bytes go straight to the kernel. What
/// it does not take is copied and queued, in two buffers at most: the one libuv is writing and the
/// one that collects meanwhile. Nothing here limits the queue: look at `queuedBytes`, stop reading,
/// refuse.
///
/// Failures of writing surface as `onEnd`, never inside `write`, so that a caller in the middle of
/// something is not surprised.
@safe
package final class PipeStream: LoopHandle {
  /// Who connected, as the kernel saw them at that moment; `nil` for pipes.
  ///
  /// A pid can be recycled.
  package private(set) var peer: (uid: UInt32, pid: Int32)?
  /// Called when the queue becomes empty after bytes had to wait.
  package var onDrained: (() -> Void)?
  /// Called once when the stream is closed, for whatever reason: the one closure that runs after
  /// `close()`.
  package var onClosed: (() -> Void)?

  private var onBytes: ((UnsafeRawBufferPointer) -> Void)?
  /// Set by `startReading`, or alone for a stream that only writes.
  var onEnd: ((LoopError?) -> Void)?
  private var isReading = false
  private var hasEnded = false
  /// Writing has failed: what is written from then on goes nowhere.
  private var isBroken = false
  private var closesAfterWrites = false

  private var request: UnsafeMutablePointer<uv_write_t>?
  private var isWriting = false
  private var inFlight = OutBuffer()
  private var waiting = OutBuffer()

  final var stream: UnsafeMutablePointer<uv_stream_t> {
    unsafe memory.assumingMemoryBound(to: uv_stream_t.self)
  }

  /// Not connected to anything yet.
  init(loop: Loop) {
    unsafe super.init(loop: loop, byteCount: MemoryLayout<uv_pipe_t>.size)
    // Cannot fail.
    _ = unsafe uv_pipe_init(loop.pointer, memory.assumingMemoryBound(to: uv_pipe_t.self), 0)
    adopt()
  }

  /// Owns `descriptor`: a socket, or our end of a pipe.
  package convenience init(loop: Loop, descriptor: Int32) throws(LoopError) {
    self.init(loop: loop)
    let status = unsafe uv_pipe_open(
      memory.assumingMemoryBound(to: uv_pipe_t.self), descriptor)
    guard status == 0 else {
      _ = Glibc.close(descriptor)
      close()
      throw LoopError(operation: "use", context: "descriptor \(descriptor)", errno: -status)
    }
  }

  func readPeer() {
    var descriptor: Int32 = -1
    var uid: UInt32 = 0
    var pid: Int32 = 0
    // Without credentials `peer` stays nil, which no check for a user lets pass.
    guard unsafe uv_fileno(handle, &descriptor) == 0 else { return }
    guard unsafe cposix_peer(descriptor, &uid, &pid) == 0 else { return }
    peer = (uid, pid)
  }

  deinit {
    unsafe request?.deallocate()
    inFlight.free()
    waiting.free()
  }

  // MARK: Reading

  /// Calls `onBytes` with whatever arrives (at least one byte; valid during the call only), and
  /// `onEnd` once: with `nil` when the peer has sent its last byte (it may still read), else with
  /// the reason the stream broke.
  ///
  /// After `onEnd` there are no more bytes; `close()` is still up to
  /// the owner.
  package func startReading(
    onBytes: @escaping (UnsafeRawBufferPointer) -> Void, onEnd: @escaping (LoopError?) -> Void
  ) {
    guard !isClosing else { return }
    unsafe self.onBytes = unsafe onBytes
    self.onEnd = onEnd
    resumeReading()
  }

  /// Leaves what arrives to the kernel's buffer, and so in the end with the peer.
  package func stopReading() {
    guard isReading, !isClosing else { return }
    isReading = false
    _ = unsafe uv_read_stop(stream)
  }

  /// Undoes `stopReading()`.
  package func resumeReading() {
    guard !isReading, !hasEnded, !isClosing, unsafe onBytes != nil else { return }
    isReading = true
    let status = unsafe uv_read_start(
      stream,
      { raw, _, buffer in
        // libuv fills it and calls back before it asks again, so one buffer serves every stream.
        unsafe buffer!.pointee.base = raw!.pointee.loop.pointee.data
          .assumingMemoryBound(to: CChar.self)
        unsafe buffer!.pointee.len = Loop.readBytesMax
      },
      { raw, count, buffer in
        let stream = unsafe Unmanaged<PipeStream>.fromOpaque(raw!.pointee.data)
          .takeUnretainedValue()
        if count > 0 {
          unsafe stream.onBytes?(
            UnsafeRawBufferPointer(start: buffer!.pointee.base, count: count))
        } else if count < 0 {
          stream.readEnded(Int32(count))
        }
        // 0: nothing was there after all.
      })
    precondition(status == 0, "libuv refused to read from an open stream")
  }

  private func readEnded(_ status: Int32) {
    // libuv has stopped reading by itself.
    isReading = false
    if status == UV_EOF.rawValue { return end(nil) }
    end(LoopError(operation: "read from", context: label, errno: -status))
  }

  private func end(_ error: LoopError?) {
    guard !hasEnded else { return }
    hasEnded = true
    onEnd?(error)
  }

  private var label: String { peer.map { "process \($0.pid)" } ?? "a pipe" }

  // MARK: Writing

  /// Bytes written and not yet handed to the kernel.
  package var queuedBytes: Int {
    isWriting ? unsafe uv_stream_get_write_queue_size(stream) + waiting.count : 0
  }

  /// Writes all of `bytes`, now or as soon as the peer takes them.
  ///
  /// Nothing happens on a closed or broken stream, nor after `shutdownAfterWrites()`.
  package func write(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe write($0) }
  }

  /// The same for bytes that are only borrowed: what cannot leave at once is copied.
  package func write(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0, !isClosing, !isBroken, !closesAfterWrites else { return }
    assert(loop.isCurrentThread)
    if isWriting {
      unsafe waiting.append(bytes)
      return
    }
    var buffer = unsafe uv_buf_t(
      base: UnsafeMutablePointer(mutating: bytes.baseAddress!.assumingMemoryBound(to: CChar.self)),
      len: bytes.count)
    let written = Int(unsafe uv_try_write(stream, &buffer, 1))
    if written == bytes.count { return }
    // An error is left to uv_write, which meets it again and reports it from the loop.
    unsafe inFlight.append(UnsafeRawBufferPointer(rebasing: bytes[max(0, written)...]))
    submit()
  }

  /// Hands `inFlight` to libuv.
  private func submit() {
    let request = unsafe self.request ?? .allocate(capacity: 1)
    unsafe self.request = unsafe request
    var buffer = unsafe uv_buf_t(base: inFlight.base, len: inFlight.count)
    isWriting = true
    let status = unsafe uv_write(request, stream, &buffer, 1) { request, status in
      // libuv calls this before the stream's close callback, also when the close cancels it.
      let data = unsafe request!.pointee.handle.pointee.data
      unsafe Unmanaged<PipeStream>.fromOpaque(data!).takeUnretainedValue().wrote(status)
    }
    if status < 0 {
      isWriting = false
      writeFailed(status)
    }
  }

  private func wrote(_ status: Int32) {
    isWriting = false
    guard !isClosing else { return }
    guard status == 0 else { return writeFailed(status) }
    inFlight.removeAll()
    if waiting.count > 0 {
      swap(&inFlight, &waiting)
      submit()
    } else if closesAfterWrites {
      close()
    } else {
      onDrained?()
    }
  }

  private func writeFailed(_ status: Int32) {
    isBroken = true
    inFlight.free()
    waiting.free()
    if closesAfterWrites { return close() }
    stopReading()
    end(LoopError(operation: "write to", context: label, errno: -status))
  }

  /// Closes as soon as everything written has left; at once if it has.
  ///
  /// Nothing more is read.
  ///
  /// A peer that never reads keeps the stream open: give it a deadline, then `close()`.
  package func shutdownAfterWrites() {
    guard !isClosing, !closesAfterWrites else { return }
    guard isWriting else { return close() }
    closesAfterWrites = true
    stopReading()
    hasEnded = true
  }

  override func willClose() {
    unsafe onBytes = nil
    onEnd = nil
    onDrained = nil
  }

  override func didClose() {
    let onClosed = self.onClosed
    self.onClosed = nil
    onClosed?()
  }
}

/// Bytes at an address that does not move while libuv writes them.
@safe
private struct OutBuffer {
  /// Kept between uses up to this size; a busy stream then allocates nothing.
  private static let keptBytesMax = 64 * 1024

  private(set) var base: UnsafeMutablePointer<CChar>?
  private(set) var count = 0
  private var capacity = 0

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    if capacity - count < bytes.count {
      capacity = max(4096, (count + bytes.count).nextPowerOf2)
      let grown = unsafe realloc(base, capacity)
      precondition(unsafe grown != nil, "out of memory")
      unsafe base = unsafe grown!.assumingMemoryBound(to: CChar.self)
    }
    unsafe memcpy(base! + count, source, bytes.count)
    count += bytes.count
  }

  mutating func removeAll() {
    count = 0
    if capacity > OutBuffer.keptBytesMax { free() }
  }

  mutating func free() {
    unsafe Glibc.free(base)
    unsafe base = nil
    count = 0
    capacity = 0
  }
}

extension Int {
  /// The smallest power of two that is at least `self`; for positive numbers.
  fileprivate var nextPowerOf2: Int { 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
