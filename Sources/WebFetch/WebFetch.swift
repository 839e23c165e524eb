import CCurl
import Downloads
package import EventLoop
import Glibc
import Timekeeping

/// An error of libcurl before any transfer.
package struct WebFetchError: Error, Hashable, Sendable {
  package var message: String
}

/// Transfers of libcurl on the loop: its multi interface, whose sockets and one timer libuv watches.
///
/// Each transfer is one request: redirects are not followed here, because each hop is a decision
/// (`Download`). Nothing is taken from the surroundings but proxies, where they are allowed: no
/// `.netrc`, no cookies, no `.curlrc`, no other scheme than http and https. The only importer of
/// libcurl.
@safe
package final class WebFetch {
  /// The settings of all transfers; connections are shared among them.
  package struct Settings: Sendable {
    package var userAgent: String
    /// A file of certificates that are trusted in place of the system's; `nil`: the system's.
    package var certificates: String?
    /// Whether addresses of this machine and of private networks are refused, and no proxy is used:
    /// behind one the address would be the proxy's.
    ///
    /// Such transfers need a `WebFetch` of their own: a connection that is open already has no
    /// address to be judged.
    package var isPublicOnly: Bool

    package init(userAgent: String, certificates: String? = nil, isPublicOnly: Bool) {
      self.userAgent = userAgent
      self.certificates = certificates
      self.isPublicOnly = isPublicOnly
    }
  }

  let settings: Settings
  /// The networks of this machine, whose public addresses are refused with the private ones; none
  /// where nothing is refused.
  private let localNetworks: LocalNetworks
  private let loop: Loop
  private let timer: LoopTimer
  private var multi: UnsafeMutableRawPointer?
  // At most `DownloadLimits.activeCountMax` of each, so that a list is quicker than a table.
  private var watchers: [(socket: curl_socket_t, watcher: DescriptorWatcher)] = []
  private var transfers: [WebTransfer] = []
  /// Whether libcurl is at work; its handles must not be removed inside its callbacks.
  private var isInside = false

  package init(loop: Loop, settings: Settings) throws(WebFetchError) {
    self.loop = loop
    self.settings = settings
    localNetworks = settings.isPublicOnly ? try Interfaces.networks() : LocalNetworks([])
    timer = LoopTimer(loop: loop)
    guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
      let multi = unsafe curl_multi_init()
    else {
      timer.close()
      throw WebFetchError(message: "libcurl cannot start")
    }
    unsafe self.multi = unsafe multi
    let code = unsafe ccurl_set_loop(
      multi, Unmanaged.passUnretained(self).toOpaque(),
      { _, socket, events, context, _ in
        guard let context = unsafe context else { return 0 }
        unsafe Unmanaged<WebFetch>.fromOpaque(context).takeUnretainedValue()
          .watch(socket, events)
        return 0
      },
      { _, milliseconds, context in
        guard let context = unsafe context else { return 0 }
        unsafe Unmanaged<WebFetch>.fromOpaque(context).takeUnretainedValue()
          .wake(afterMilliseconds: milliseconds)
        return 0
      })
    guard code == CURLM_OK else {
      close()
      throw WebFetchError(message: unsafe String(cString: curl_multi_strerror(code)))
    }
  }

  deinit { precondition(unsafe multi == nil, "a WebFetch was dropped without close()") }

  /// Ends all transfers without a word to their owners, and closes all connections.
  package func close() {
    guard let multi = unsafe multi else { return }
    precondition(!isInside, "a transfer's closures must not close the WebFetch")
    for transfer in transfers { release(transfer) }
    transfers = []
    unsafe curl_multi_cleanup(multi)
    unsafe self.multi = nil
    for (_, watcher) in watchers { watcher.close() }
    watchers = []
    timer.close()
  }

  /// Starts a transfer; its closures are called in later iterations of the loop.
  package func start(_ transfer: WebTransfer) {
    guard let multi = unsafe multi else { return }
    precondition(!isInside, "a transfer's head and body must not start another one")
    do throws(WebFetchError) {
      let handle = unsafe try transfer.prepare(settings, localNetworks)
      transfers.append(transfer)
      isInside = true
      let code = unsafe curl_multi_add_handle(multi, handle)
      isInside = false
      guard code == CURLM_OK else {
        throw WebFetchError(message: unsafe String(cString: curl_multi_strerror(code)))
      }
    } catch {
      finish(transfer, code: CURLE_FAILED_INIT, message: error.message)
    }
  }

  /// Ends a transfer, whose closures are not called any more.
  package func cancel(_ transfer: WebTransfer) {
    guard let index = transfers.firstIndex(where: { $0 === transfer }) else { return }
    transfers.remove(at: index)
    release(transfer)
  }

  // MARK: - The loop

  private func watch(_ socket: curl_socket_t, _ events: Int32) {
    let index = watchers.firstIndex { $0.socket == socket }
    guard events != CURL_POLL_REMOVE else {
      if let index { watchers.remove(at: index).watcher.close() }
      return
    }
    let forReading = events & CURL_POLL_IN != 0
    let forWriting = events & CURL_POLL_OUT != 0
    if let index {
      return watchers[index].watcher.resume(forReading: forReading, forWriting: forWriting)
    }
    do throws(LoopError) {
      let watcher = try DescriptorWatcher(loop: loop, descriptor: socket, isOwner: false) {
        [weak self] in self?.act(socket)
      }
      watcher.resume(forReading: forReading, forWriting: forWriting)
      watchers.append((socket, watcher))
    } catch {
      // The transfer hears nothing more, and ends when its time is over.
    }
  }

  private func wake(afterMilliseconds milliseconds: Int) {
    guard milliseconds >= 0 else { return timer.disarm() }
    // Never from here: libcurl must not be entered from its own callback. A moment that has passed is
    // the next iteration; the timer's next whole millisecond would be a delay.
    let moment =
      milliseconds == 0
      ? Instant(nanoseconds: 0)
      : loop.readNow().monotonic.advanced(byMilliseconds: Int64(milliseconds))
    timer.arm(at: moment) { [weak self] in self?.act(ccurl_no_socket) }
  }

  private func act(_ socket: curl_socket_t) {
    guard let multi = unsafe multi else { return }
    var running: Int32 = 0
    isInside = true
    // Without events libcurl looks at the socket itself.
    _ = unsafe curl_multi_socket_action(multi, socket, 0, &running)
    isInside = false
    gatherEnded()
  }

  private func gatherEnded() {
    var code = CURLE_OK
    while let multi = unsafe multi, let handle = unsafe ccurl_next_ended(multi, &code) {
      guard let context = unsafe ccurl_context(handle) else { continue }
      let transfer = unsafe Unmanaged<WebTransfer>.fromOpaque(context).takeUnretainedValue()
      finish(transfer, code: code, message: nil)
    }
  }

  private func finish(_ transfer: WebTransfer, code: CURLcode, message: String?) {
    transfers.removeAll { $0 === transfer }
    let end = transfer.end(code: code, message: message)
    release(transfer)
    transfer.onEnd(end)
  }

  private func release(_ transfer: WebTransfer) {
    guard let handle = unsafe transfer.takeHandle() else { return }
    // Neither fails for a handle of this multi handle; one that was not added is only freed.
    if let multi = unsafe multi { _ = unsafe curl_multi_remove_handle(multi, handle) }
    unsafe curl_easy_cleanup(handle)
    transfer.freeLines()
  }
}
