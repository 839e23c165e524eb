// swift-format-ignore-file: NeverForceUnwrap
// libuv passes non-null pointers to callbacks; pointers that may be null are tested.

import CLibUV
import CPosix
import Glibc

/// One end of a Unix stream socket or a pipe.
///
/// Writing costs one system call while the peer keeps up: the bytes go straight to the kernel.
/// Bytes that the kernel does not take are copied into a queue of two buffers: libuv writes the one
/// and the other collects. The queue has no limit here: the owner looks at `queuedBytes`, stops
/// reading and refuses requests.
///
/// A failure of writing is reported by `onEnd` and never inside `write`, so that a caller need not
/// handle it in the middle of its work.
@safe
package final class PipeStream: LoopHandle {
  /// The user and the process on the other side when it connected; `nil` for pipes.
  ///
  /// The process may have ended since, and its number may belong to another.
  package private(set) var peer: (uid: UInt32, pid: Int32)?
  /// Called when the queue becomes empty after bytes had to wait in it.
  package var onDrained: (() -> Void)?
  /// Called once when the stream is closed, for any reason.
  ///
  /// It is the only closure that runs after `close()`.
  package var onClosed: (() -> Void)?

  private var onBytes: ((UnsafeRawBufferPointer) -> Void)?
  /// Called at the end of the stream.
  ///
  /// `startReading` sets it; a stream that only writes may set it alone.
  var onEnd: ((LoopError?) -> Void)?
  private var isReading = false
  /// The iteration of the loop in which the stream last had a small read; 0: none.
  private var lastSmallRead: UInt64 = 0
  private var hasEnded = false
  /// Whether writing has failed; later writes are dropped.
  private var isBroken = false
  private var closesAfterWrites = false

  private var request: UnsafeMutablePointer<uv_write_t>?
  private var isWriting = false
  private var inFlight = OutBuffer()
  private var waiting = OutBuffer()

  final var stream: UnsafeMutablePointer<uv_stream_t> {
    unsafe memory.assumingMemoryBound(to: uv_stream_t.self)
  }

  /// Makes a stream that is not connected yet.
  init(loop: Loop) {
    unsafe super.init(loop: loop, byteCount: MemoryLayout<uv_pipe_t>.size)
    // uv_pipe_init cannot fail.
    _ = unsafe uv_pipe_init(loop.pointer, memory.assumingMemoryBound(to: uv_pipe_t.self), 0)
    adopt()
  }

  /// Makes a stream that owns `descriptor`, a socket or one end of a pipe.
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
    // Without credentials `peer` stays nil, and a check of the user refuses nil.
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

  /// Starts reading.
  ///
  /// Calls `onBytes` with at least one byte each time bytes arrive; they are valid during the call
  /// only. Calls `onEnd` once: with `nil` when the peer has sent its last byte (it may still read),
  /// else with the reason why the stream broke. After `onEnd` no bytes follow; the owner still
  /// calls `close()`.
  package func startReading(
    onBytes: @escaping (UnsafeRawBufferPointer) -> Void, onEnd: @escaping (LoopError?) -> Void
  ) {
    guard !isClosing else { return }
    precondition(unsafe self.onBytes == nil, "a stream has one reader")
    unsafe self.onBytes = unsafe onBytes
    self.onEnd = onEnd
    resumeReading()
  }

  /// Stops reading: bytes stay in the kernel's buffer, and the peer blocks once it is full.
  package func stopReading() {
    assert(loop.isCurrentThread)
    guard isReading, !isClosing else { return }
    isReading = false
    _ = unsafe uv_read_stop(stream)
  }

  /// Undoes `stopReading()`.
  package func resumeReading() {
    assert(loop.isCurrentThread)
    guard !isReading, !hasEnded, !isClosing, unsafe onBytes != nil else { return }
    isReading = true
    let status = unsafe uv_read_start(
      stream,
      { raw, _, buffer in
        // libuv fills the buffer and calls back before it asks again, so one buffer serves all
        // streams.
        unsafe buffer!.pointee.base = raw!.pointee.loop.pointee.data
          .assumingMemoryBound(to: CChar.self)
        let stream = unsafe Unmanaged<PipeStream>.fromOpaque(raw!.pointee.data)
          .takeUnretainedValue()
        unsafe buffer!.pointee.len = stream.loop.readSize(after: &stream.lastSmallRead)
      },
      { raw, count, buffer in
        let stream = unsafe Unmanaged<PipeStream>.fromOpaque(raw!.pointee.data)
          .takeUnretainedValue()
        if count > 0 {
          stream.loop.noteRead(count)
          unsafe stream.onBytes?(
            UnsafeRawBufferPointer(start: buffer!.pointee.base, count: count))
        } else if count < 0, count != Int(UV_ENOBUFS.rawValue) {
          stream.readEnded(Int32(count))
        }
        // A count of 0 means that no bytes were there after all; UV_ENOBUFS that the stream waits for
        // the next iteration, in which libuv asks again.
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

  /// The number of bytes that were written and that the kernel has not taken yet.
  package var queuedBytes: Int {
    isWriting ? unsafe uv_stream_get_write_queue_size(stream) + waiting.count : 0
  }

  /// Writes all of `bytes`, now or as soon as the peer takes them.
  ///
  /// Does nothing on a closed or broken stream, or after `shutdownAfterWrites()`.
  package func write(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe write($0) }
  }

  /// Writes borrowed bytes: those that cannot leave at once are copied.
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
    assert(written < bytes.count, "libuv wrote more than it was given")
    // Ignore an error: uv_write gets it again and reports it from the loop.
    unsafe inFlight.append(UnsafeRawBufferPointer(rebasing: bytes[max(0, written)...]))
    submit()
  }

  /// Hands `inFlight` to libuv.
  private func submit() {
    assert(!isWriting, "libuv still writes these bytes")
    assert(inFlight.count > 0, "there is nothing to write")
    let request = unsafe self.request ?? .allocate(capacity: 1)
    unsafe self.request = unsafe request
    var buffer = unsafe uv_buf_t(base: inFlight.base, len: inFlight.count)
    isWriting = true
    let status = unsafe uv_write(request, stream, &buffer, 1) { request, status in
      // libuv calls this before the stream's close callback, even if the close cancels the write.
      let data = unsafe request!.pointee.handle.pointee.data
      unsafe Unmanaged<PipeStream>.fromOpaque(data!).takeUnretainedValue().wrote(status)
    }
    if status < 0 {
      isWriting = false
      writeFailed(status)
    }
  }

  private func wrote(_ status: Int32) {
    assert(isWriting, "no write was under way")
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

  /// Stops reading, and closes the stream as soon as all written bytes have left.
  ///
  /// A peer that never reads keeps the stream open: set a deadline, and then call `close()`.
  package func shutdownAfterWrites() {
    assert(loop.isCurrentThread)
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
  /// The largest buffer that is kept between uses, in bytes; a busy stream then allocates nothing.
  private static let keptBytesMax = 16 * 1024

  private(set) var base: UnsafeMutablePointer<CChar>?
  private(set) var count = 0
  private var capacity = 0

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    if capacity - count < bytes.count {
      // By a half, so that it does not take twice of what waits.
      capacity = max(4096, count + bytes.count, capacity + capacity / 2)
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
