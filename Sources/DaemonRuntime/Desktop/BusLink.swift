import BusMessages
import DaemonCore
import EventLoop
import Glibc
import Timekeeping
import UserBus

/// A connection to a bus that is made again when it is lost: after a while, less and less often, and
/// as soon as the socket of the bus appears.
///
/// A bus that hangs is given up after `RuntimeLimits.busConnectWaitMax`. Nothing here waits.
final class BusLink {
  /// Is called with each new connection, which answers; it may ask and listen, and `giveUp`.
  var onUp: (UserBus) -> Void = { _ in }
  /// Is called when there is no connection any more, or still none.
  var onDown: (DesktopService.State) -> Void = { _ in }

  private(set) var bus: UserBus?
  private let loop: Loop
  private let address: String
  private let isSession: Bool
  private let timer: LoopTimer
  private var arrivals: FolderWatcher?
  private var failureCount = 0
  /// Failures in a row before the connection that there is.
  private var earlierFailureCount = 0

  init(loop: Loop, address: String, isSession: Bool) {
    self.loop = loop
    self.address = address
    self.isSession = isSession
    timer = LoopTimer(loop: loop)
  }

  func start() {
    watchArrivals()
    connect()
  }

  func close() {
    arrivals?.close()
    arrivals = nil
    bus?.close()
    bus = nil
    timer.close()
  }

  private var name: String { isSession ? "session bus" : "system bus" }

  /// The socket of the bus; `nil`: its address says no path, or more than one.
  private var socketPath: String? {
    let prefix = "unix:path="
    // Escapes and alternatives are libsystemd's to read; such a bus is tried by time alone.
    guard address.hasPrefix(prefix), !address.contains(where: { "%;".contains($0) }) else {
      return nil
    }
    return String(address.dropFirst(prefix.count).prefix { $0 != "," })
  }

  private func watchArrivals() {
    guard let socketPath, let slash = socketPath.lastIndex(of: "/"), slash > socketPath.startIndex
    else { return }
    let file = String(socketPath[socketPath.index(after: slash)...])
    do throws(LoopError) {
      let watcher = try FolderWatcher(loop: loop) { [unowned self] changes in
        guard bus == nil, changes.contains(where: { $0.event == .entry(file, isFolder: false) })
        else { return }
        failureCount = 0
        // The socket is there a moment before somebody listens.
        retry(after: RuntimeLimits.busRetryInterval)
      }
      arrivals = watcher
      if try watcher.watch(String(socketPath[..<slash]), for: .arrivals) == nil {
        watcher.close()
        arrivals = nil
      }
    } catch {
      // It is tried again by time alone.
    }
  }

  private func connect() {
    guard bus == nil else { return }
    // libsystemd, which is loaded to connect, takes a megabyte.
    if let socketPath, access(socketPath, F_OK) != 0 {
      onDown(.absent(reason: "there is no \(name) at \(socketPath)"))
      return retryLater(isAbsent: true)
    }
    let bus: UserBus
    do throws(UserBusError) {
      bus = try UserBus(loop: loop, address: address, isSession: isSession, userID: getuid())
    } catch {
      return lost(error.message)
    }
    self.bus = bus
    bus.onLost = { [unowned self] reason in
      self.bus = nil
      lost(reason)
    }
    var request = BusRequest.ofBus("GetId")
    request.timeout = RuntimeLimits.busConnectWaitMax
    do throws(UserBusError) {
      try bus.call(request) { [unowned self, unowned bus] answer in
        guard case .answered = answer else { return lost("the \(name) does not answer") }
        (earlierFailureCount, failureCount) = (failureCount, 0)
        onUp(bus)
      }
    } catch {
      // A bus that ended during the call has said so already.
      if self.bus === bus { lost(error.message) }
    }
  }

  /// Ends a connection that is of no use to whom it was made for; it counts as one more failure.
  func giveUp(_ reason: String) {
    guard bus != nil else { return }
    failureCount = earlierFailureCount
    lost(reason)
  }

  private func lost(_ reason: String) {
    let old = bus
    bus = nil
    old?.close()
    onDown(.failing(reason: reason))
    retryLater(isAbsent: false)
  }

  private func retryLater(isAbsent: Bool) {
    // Where the socket is awaited, a bus that is not there is not looked for.
    if arrivals != nil, isAbsent || failureCount >= RuntimeLimits.busRetryCountMax {
      return timer.disarm()
    }
    failureCount += 1
    retry(after: RuntimeLimits.busRetryInterval << Int64(min(failureCount - 1, 8)))
  }

  private func retry(after milliseconds: Int64) {
    let moment = loop.readNow().monotonic.advanced(byMilliseconds: milliseconds)
    timer.arm(at: moment) { [unowned self] in connect() }
  }
}
