import CMicroHTTP
import Glibc
package import WebPages

/// A request and its answer, which may come later.
///
/// libmicrohttpd owns the connection; this object is retained from the head of the request to the
/// callback that says that it is over.
@safe
package final class WebExchange {
  package let request: WebRequest
  /// The body, at most `WebLimits.bodyBytesMax` bytes.
  package private(set) var body: [UInt8] = []
  /// Called once when the connection is done with this request, or gone.
  package var onEnd: (() -> Void)?

  private let connection: OpaquePointer
  private weak var server: WebServer?
  private var phase = Phase.reading
  private var isTooLarge = false
  private var isSuspended = false
  /// Returns what is to be sent next on a stream; empty: nothing now.
  private var pull: (() -> [UInt8])?
  private var unsent: [UInt8] = []
  private var hasEnded = false

  private enum Phase {
    case reading
    /// The handler has the request.
    case handling
    case answered(WebAnswer)
    case streaming(WebAnswer)
    case queued
  }

  /// Whether the request is answered without being handed over, before its body is read.
  let isRefused: Bool

  /// `refusal` is the answer to a request that cannot be read; `nil`: it can.
  init(
    _ request: WebRequest, refusal: WebAnswer? = nil, connection: OpaquePointer, server: WebServer
  ) {
    self.request = request
    unsafe self.connection = unsafe connection
    self.server = server
    isRefused = refusal != nil
    guard var refusal else { return }
    // Whatever follows on the connection may be a part of this request.
    refusal.head.append(WebRequest.Field("Connection", "close"))
    phase = .answered(refusal)
  }

  /// Answers the request; a second answer is dropped, since one came from a deadline.
  package func answer(_ answer: WebAnswer) {
    guard case .handling = phase, !hasEnded else { return }
    phase = .answered(answer)
    resume()
  }

  /// Answers with a stream that stays open: `pull` returns the bytes that are there, and `wake` says
  /// that there are more.
  package func stream(_ head: WebAnswer, pull: @escaping () -> [UInt8]) {
    guard case .handling = phase, !hasEnded else { return }
    self.pull = pull
    phase = .streaming(head)
    resume()
  }

  /// Says that the stream has bytes.
  package func wake() {
    guard !hasEnded else { return }
    resume()
  }

  /// Lets libmicrohttpd go on with the connection.
  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    server?.noteSuspended(self, false)
    unsafe MHD_resume_connection(connection)
    server?.pumpSoon()
  }

  private func suspend() {
    isSuspended = true
    server?.noteSuspended(self, true)
    unsafe MHD_suspend_connection(connection)
  }

  func end() {
    hasEnded = true
    pull = nil
    isSuspended = false
    server?.noteSuspended(self, false)
    let onEnd = self.onEnd
    self.onEnd = nil
    onEnd?()
  }

  func take(_ bytes: UnsafeRawBufferPointer) {
    guard body.count + bytes.count <= WebLimits.bodyBytesMax else {
      isTooLarge = true
      body = []
      return
    }
    if !isTooLarge { unsafe body += bytes }
  }

  /// Goes on: hands the request over, waits, or sends the answer.
  func advance(_ handle: (WebExchange) -> Void) -> MHD_Result {
    if case .reading = phase {
      phase = .handling
      if isTooLarge {
        phase = .answered(WebAnswer(413, text: "The body of the request is too large."))
      } else {
        handle(self)
      }
    }
    switch phase {
    case .reading, .queued: return cmicrohttp_no
    case .handling:
      suspend()
      return cmicrohttp_yes
    case .answered(let answer):
      phase = .queued
      return unsafe queue(answer, response(answer.body))
    case .streaming(let head):
      phase = .queued
      return unsafe queue(head, streamResponse())
    }
  }

  private func response(_ body: [UInt8]) -> OpaquePointer? {
    unsafe body.withUnsafeBytes { bytes in
      // The bytes are copied, and not changed.
      unsafe MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), cmicrohttp_copied)
    }
  }

  private func streamResponse() -> OpaquePointer? {
    unsafe MHD_create_response_from_callback(
      // `MHD_SIZE_UNKNOWN`, a macro with a cast.
      UInt64.max, 16_384,
      { context, _, buffer, room in
        guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
        let exchange = unsafe Unmanaged<WebExchange>.fromOpaque(context).takeUnretainedValue()
        return unsafe exchange.fill(UnsafeMutableRawBufferPointer(start: buffer, count: room))
      }, Unmanaged.passRetained(self).toOpaque(),
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<WebExchange>.fromOpaque(context).release()
      })
  }

  /// Copies what there is to send; -1 ends the stream.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    if unsent.isEmpty { unsent = pull?() ?? [] }
    guard !hasEnded, server?.isClosing == false else { return -1 }
    guard !unsent.isEmpty else {
      suspend()
      return 0
    }
    let count = min(unsent.count, buffer.count)
    unsafe buffer.copyBytes(from: unsent[..<count])
    unsent.removeFirst(count)
    return count
  }

  private func queue(_ answer: WebAnswer, _ response: OpaquePointer?) -> MHD_Result {
    guard let response = unsafe response else { return cmicrohttp_no }
    for field in answer.head + WebAnswer.guarding {
      // Best effort: without memory for a field the connection ends at the next step.
      _ = unsafe MHD_add_response_header(response, field.name, field.value)
    }
    let status = unsafe MHD_queue_response(connection, UInt32(answer.status), response)
    unsafe MHD_destroy_response(response)
    return status
  }
}
