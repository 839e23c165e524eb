import CMicroHTTP
package import EventLoop
import Glibc
import Timekeeping
import WebPages

/// A server of HTTP on the loop: libmicrohttpd without a thread, its epoll descriptor in one poll.
///
/// A closure gets each request; it may answer at once or later, and then the connection is suspended
/// meanwhile. The only importer of libmicrohttpd.
@safe
package final class WebServer {
  /// Whether `close()` was called.
  package private(set) var isClosing = false
  /// The number of connections now.
  package var connectionCount: Int { connections.count }

  private let loop: Loop
  private let handle: (WebExchange) -> Void
  private var daemon: OpaquePointer?
  private var watcher: DescriptorWatcher?
  private let patienceMilliseconds: Int64
  private let timer: LoopTimer
  /// Closes connections whose request does not come.
  private let patience: LoopTimer
  /// The moment by which each connection must have sent a request; `nil`: it has one.
  ///
  /// By address.
  private var connections: [UInt: Instant?] = [:]
  private var suspended: [ObjectIdentifier: WebExchange] = [:]
  private var isPumping = false

  /// Serves on a listening socket, which belongs to the server from now on.
  ///
  /// `patienceMilliseconds` is the time that a client has for a request, and `silenceSeconds` that
  /// for which a connection may take and send nothing. `connectionsOfAddressMax` limits those of one
  /// address; 0: it does not.
  package init(
    loop: Loop, listening descriptor: Int32,
    patienceMilliseconds: Int64 = WebLimits.headMilliseconds,
    silenceSeconds: UInt32 = WebLimits.silenceSecondsMax, connectionsOfAddressMax: Int = 0,
    handle: @escaping (WebExchange) -> Void
  ) throws(WebServerError) {
    self.loop = loop
    self.patienceMilliseconds = patienceMilliseconds
    self.handle = handle
    timer = LoopTimer(loop: loop)
    patience = LoopTimer(loop: loop)
    // libmicrohttpd accepts until the kernel has no more.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let daemon = unsafe cmicrohttp_start(
      descriptor,
      { context, connection, path, method, _, bytes, count, place in
        guard let context = unsafe context, let connection = unsafe connection,
          let count = unsafe count, let place = unsafe place
        else { return cmicrohttp_no }
        let server = unsafe Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
        guard let known = unsafe place.pointee else {
          let exchange = unsafe server.begin(connection, path, method)
          // `completed` releases it.
          unsafe place.pointee = Unmanaged.passRetained(exchange).toOpaque()
          return exchange.isRefused ? exchange.advance(server.handle) : cmicrohttp_yes
        }
        let exchange = unsafe Unmanaged<WebExchange>.fromOpaque(known).takeUnretainedValue()
        guard unsafe count.pointee == 0 else {
          unsafe exchange.take(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
          unsafe count.pointee = 0
          return cmicrohttp_yes
        }
        server.connections.updateValue(nil, forKey: UInt(bitPattern: connection))
        return exchange.advance(server.handle)
      }, context,
      { context, connection, place, _ in
        guard let context = unsafe context, let connection = unsafe connection,
          let known = unsafe place?.pointee
        else { return }
        unsafe place?.pointee = nil
        unsafe Unmanaged<WebExchange>.fromOpaque(known).takeRetainedValue().end()
        let server = unsafe Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
        unsafe server.expect(connection)
      },
      { context, connection, _, event in
        guard let context = unsafe context, let connection = unsafe connection else { return }
        let server = unsafe Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
        if event == cmicrohttp_started {
          server.connections.updateValue(nil, forKey: UInt(bitPattern: connection))
          unsafe server.expect(connection)
        } else {
          server.connections.removeValue(forKey: UInt(bitPattern: connection))
        }
      },
      UInt32(WebLimits.connectionCountMax), UInt32(connectionsOfAddressMax),
      WebLimits.headBytesMax, silenceSeconds)
    guard let daemon = unsafe daemon else {
      let code = errno
      isClosing = true
      timer.close()
      patience.close()
      _ = Glibc.close(descriptor)
      throw WebServerError(operation: "serve on", context: "descriptor \(descriptor)", errno: code)
    }
    unsafe self.daemon = unsafe daemon
    do throws(LoopError) {
      watcher = try DescriptorWatcher(
        loop: loop, descriptor: unsafe cmicrohttp_epoll(daemon), isOwner: false
      ) { [weak self] in self?.pump() }
    } catch {
      close()
      throw WebServerError(operation: "serve on", context: error.context, errno: error.errno)
    }
    pump()
  }

  deinit { precondition(isClosing, "a server was dropped without close()") }

  /// Ends all connections and closes the socket.
  package func close() {
    guard !isClosing, let daemon = unsafe daemon else { return }
    isClosing = true
    watcher?.close()
    timer.close()
    patience.close()
    // libmicrohttpd does not stop while a connection is suspended.
    for exchange in suspended.values { exchange.resume() }
    unsafe MHD_stop_daemon(daemon)
    unsafe self.daemon = nil
  }

  // MARK: For exchanges

  func noteSuspended(_ exchange: WebExchange, _ isSuspended: Bool) {
    suspended[ObjectIdentifier(exchange)] = isSuspended ? exchange : nil
  }

  /// Runs the server soon, and not inside the caller: it may be inside the server itself.
  func pumpSoon() {
    guard !isPumping, !isClosing else { return }
    // A moment that has passed: the timer's next whole millisecond would be a delay.
    timer.arm(at: Instant(nanoseconds: 0)) { [weak self] in self?.pump() }
  }

  // MARK: The server's turn

  private func pump() {
    guard !isPumping, !isClosing, let daemon = unsafe daemon else { return }
    isPumping = true
    defer { isPumping = false }
    var milliseconds: UInt64 = 0
    var isSettled = false
    // A few rounds now, and the rest after the others on the loop had their turn.
    for _ in 0..<8 {
      _ = unsafe MHD_run(daemon)
      guard unsafe MHD_get_timeout(daemon, &milliseconds) == cmicrohttp_yes else {
        // At the limit of connections it listens no more, and takes that up again only in the run
        // after the one that ended some.
        guard isSettled else {
          isSettled = true
          continue
        }
        timer.disarm()
        return
      }
      if milliseconds > 0 { break }
    }
    let due = loop.readNow().monotonic.advanced(
      byMilliseconds: Int64(clamping: milliseconds))
    timer.arm(at: due) { [weak self] in self?.pump() }
  }

  // MARK: Requests

  /// Makes the exchange of a request from its head; of one that cannot be read it is refused.
  private func begin(
    _ connection: OpaquePointer, _ path: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?
  ) -> WebExchange {
    var request = WebRequest("", "")
    do throws(WebRefusal) {
      guard let path = unsafe path.flatMap({ unsafe String(validatingCString: $0) }),
        let method = unsafe method.flatMap({ unsafe String(validatingCString: $0) })
      else { throw WebRefusal(400, "The address has bytes that are no text.") }
      request.method = method
      request.path = path
      request.head = unsafe try fields(connection, cmicrohttp_head, countRefusal: 431)
      request.query = unsafe try fields(connection, cmicrohttp_query, countRefusal: 400)
      if let refusal = request.framingRefusal { throw refusal }
    } catch {
      return unsafe WebExchange(
        request, refusal: WebAnswer(error), connection: connection, server: self)
    }
    return unsafe WebExchange(request, connection: connection, server: self)
  }

  /// Returns the fields of one kind; throws for too many, and for one that is no UTF-8.
  private func fields(
    _ connection: OpaquePointer, _ kind: MHD_ValueKind, countRefusal: Int
  ) throws(WebRefusal) -> [WebRequest.Field] {
    var found = FoundFields()
    unsafe withUnsafeMutablePointer(to: &found) { place in
      _ = unsafe MHD_get_connection_values(
        connection, kind,
        { context, _, name, value in
          guard let context = unsafe context else { return cmicrohttp_no }
          return unsafe context.assumingMemoryBound(to: FoundFields.self).pointee.add(name, value)
        }, place)
    }
    guard !found.areTooMany else {
      throw WebRefusal(
        countRefusal, "The request has more than \(WebLimits.fieldCountMax) fields of one kind.")
    }
    guard found.areText else { throw WebRefusal(400, "The request has bytes that are no text.") }
    return found.fields
  }

  // MARK: Patience

  /// Notes that a connection has to send a request by and by.
  private func expect(_ connection: OpaquePointer) {
    guard !isClosing, connections.index(forKey: UInt(bitPattern: connection)) != nil else { return }
    let moment = loop.readNow().monotonic.advanced(
      byMilliseconds: patienceMilliseconds)
    connections.updateValue(moment, forKey: UInt(bitPattern: connection))
    if !patience.isArmed { patience.arm(at: moment) { [weak self] in self?.endSlow() } }
  }

  /// Ends the connections that took too long for a request.
  private func endSlow() {
    let now = loop.readNow().monotonic
    var next: Instant?
    for (address, moment) in connections {
      guard let moment else { continue }
      guard moment <= now else {
        next = min(next ?? moment, moment)
        continue
      }
      guard let connection = unsafe OpaquePointer(bitPattern: address) else { continue }
      // libmicrohttpd sees the end, and closes it.
      _ = unsafe shutdown(cmicrohttp_descriptor(connection), Int32(SHUT_RDWR))
    }
    if let next { patience.arm(at: next) { [weak self] in self?.endSlow() } }
    pumpSoon()
  }
}

private struct FoundFields {
  var fields: [WebRequest.Field] = []
  var areTooMany = false
  var areText = true

  mutating func add(
    _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
  ) -> MHD_Result {
    guard fields.count < WebLimits.fieldCountMax else {
      areTooMany = true
      return cmicrohttp_no
    }
    // A name may have no value.
    guard let name = unsafe name.flatMap({ unsafe String(validatingCString: $0) }),
      let value = unsafe value.map({ unsafe String(validatingCString: $0) }) ?? ""
    else {
      areText = false
      return cmicrohttp_no
    }
    fields.append(WebRequest.Field(name, value))
    return cmicrohttp_yes
  }
}
