import DaemonCore
import EventLoop
import Glibc
import IntentProtocol
import Store
import Timekeeping
import WidgetCenter

/// One turn of the loop: everything that happened goes through the core, then its effects are
/// carried out.
///
/// The order is part of the contract:
/// 1. the clocks are read once, and whether one of them jumped is the first event;
/// 2. the inbox is handled, event by event, then `turnEnded`; events beyond
///    `RuntimeLimits.turnEventCountMax` wait for the next turn;
/// 3. the effects are carried out in order: writes become one transaction, replies are collected;
/// 4. each connection gets one write.
extension Service {
  /// Returns whether work remains.
  func turn() -> Bool {
    guard !inbox.isEmpty else {
      // The end of a connection is no event, and may be all that happened.
      closeFinished()
      return false
    }
    assert(gathered.isEmpty, "bytes of the last turn were not written")
    machineBus?.lookAtBattery()
    let now = loop.readNow()
    defer {
      let took = loop.readNow().monotonic.nanoseconds - now.monotonic.nanoseconds
      daemon.measuredTurn(nanoseconds: UInt64(max(0, took)))
    }
    if clockJump.notice(now, boot: loop.readBootTime()), !inbox.contains(.clockChanged) {
      readZone()
      inbox.insert(.clockChanged, at: 0)
    }
    // Two buffers take turns, so that neither is allocated anew.
    assert(turnEvents.isEmpty && effects.isEmpty)
    swap(&inbox, &turnEvents)
    let rest = Self.handle(&turnEvents, by: &daemon, at: now, into: &effects)
    carryOut(&effects)
    // Behind the news about the bytes that wait, so that the core knows what these may ask for.
    inbox.append(contentsOf: rest)
    closeFinished()
    return !inbox.isEmpty
  }

  /// Static, with its parts handed in: the daemon is then accessed once a turn and not once an
  /// event.
  ///
  /// - Returns: the events that wait for the next turn, since there are many or they send much.
  private static func handle(
    _ events: inout [Event], by daemon: inout Daemon, at now: Now, into effects: inout [Effect]
  ) -> [Event] {
    var sentBytes = 0
    var rest: [Event] = []
    for index in events.indices {
      guard sentBytes <= RuntimeLimits.turnBytesMax, index < RuntimeLimits.turnEventCountMax else {
        rest = Array(events[index...])
        break
      }
      let known = effects.count
      // Taken out: its bytes are freed before the next event needs as many.
      var event = Event.turnEnded
      swap(&event, &events[index])
      daemon.handle(event, at: now, into: &effects)
      for place in known..<effects.count {
        if case .send(_, let bytes) = effects[place] { sentBytes += bytes.count }
      }
    }
    events.removeAll(keepingCapacity: true)
    daemon.handle(.turnEnded, at: now, into: &effects)
    return rest
  }

  private func carryOut(_ effects: inout [Effect]) {
    // A local variable, since each access to a property of a class is checked.
    var writes: [GatheredWrite] = []
    swap(&writes, &gathered)
    for index in effects.indices {
      // Taken out: its bytes move on to the connection and are not shared.
      var effect = Effect.ready
      swap(&effect, &effects[index])
      interpret(effect, gathering: &writes)
    }
    effects.removeAll(keepingCapacity: true)
    flush(&writes)
    swap(&writes, &gathered)
  }

  private func interpret(_ effect: consuming Effect, gathering writes: inout [GatheredWrite]) {
    switch consume effect {
    case .send(let id, let bytes):
      guard let connection = connections[id] else {
        if id == sessionBus?.connection { sessionBus?.heard(bytes) }
        return
      }
      if let place = connection.gatheredPlace {
        writes[place].bytes.append(contentsOf: bytes)
      } else {
        connection.gatheredPlace = writes.count
        writes.append(GatheredWrite(connection: connection, bytes: bytes))
      }
    case .close(let id, let reason):
      write(
        LogLine(.debug, "connection.closed", ["connection": String(id.number), "reason": reason]))
      flush(&writes)
      if id == sessionBus?.connection { sessionBus?.closedByCore() }
      connections[id]?.stream.shutdownAfterWrites()
    case .pauseReading(let id):
      guard let connection = connections[id] else {
        if id == sessionBus?.connection { sessionBus?.pause(true) }
        return
      }
      connection.isPaused = true
      connection.stream.stopReading()
    case .resumeReading(let id):
      guard let connection = connections[id] else {
        if id == sessionBus?.connection { sessionBus?.pause(false) }
        return
      }
      connection.isPaused = false
      if !connection.isBackedUp { connection.stream.resumeReading() }
    case .drop(let id, let reason):
      write(
        LogLine(.debug, "connection.closed", ["connection": String(id.number), "reason": reason]))
      flush(&writes)
      if id == sessionBus?.connection { sessionBus?.closedByCore() }
      connections[id]?.stream.close()
    case .store(let request): store?.submit(request)
    case .runProvider(let run): launcher?.run(run)
    case .cancelProvider(let token): launcher?.cancel(token)
    case .tellStream(let token, let line): launcher?.tell(token, line)
    case .launch(let token, let request):
      if case .command(let command) = request.target {
        commands?.run(token, command, activationToken: request.activationToken)
      } else {
        applications?.launch(token, request)
      }
    case .fetch(let request): fetches?.start(request)
    case .cancelFetch(let token): fetches?.cancel(token)
    case .useSession(let session): launcher?.use(session)
    case .makeGroup(let name): makeGroup(name)
    case .notify(let notice): notifications?.show(notice)
    case .sleepMayCome: machineBus?.letSleep()
    case .wakeUp(let moment):
      if let moment {
        wakeTimer.arm(at: moment) { [unowned self] in
          readZone()
          inbox.append(.wakeUp)
        }
      } else {
        wakeTimer.disarm()
      }
    case .loadConfiguration:
      // Reads the files on the loop, and clients wait meanwhile.
      readZone()
      if isReady { notifySystemd("RELOADING=1") }
      // Watched first, then read: a change that comes between the two is reported.
      if let watcher = configurationWatcher {
        watcher.refresh()
        inbox.append(.watching(isOn: watcher.isWatching, issues: watcher.issues))
      }
      inbox.append(.configuration(configurationLoader.load()))
      if isReady { notifySystemd("READY=1") }
    case .ready:
      becomeReady()
      notifySystemd("READY=1\nSTATUS=listening on \(options.socket.path)")
      write(LogLine(.notice, "daemon.ready", ["socket": options.socket.path]))
    case .log(let line): write(line)
    case .stop(let reason):
      if case .storeUnavailable(let problem) = reason {
        failure = ServiceError(problem.message, isUnavailable: problem.code == .busy)
      }
      flush(&writes)
      notifySystemd("STOPPING=1")
      loop.stop()
    }
  }

  /// Makes the folder that an app shares with its widgets; the app sees itself when there is none.
  private func makeGroup(_ name: String) {
    do throws(FileFailure) {
      try launcher?.makeGroup(name)
    } catch {
      write(LogLine(.error, "group.unusable", ["group": name, "reason": error.message]))
    }
  }

  /// Writes a line to the log, unless its cause has had its lines of this minute.
  func write(_ line: LogLine) {
    if let line = logLimiter.pass(line, at: loop.readNow().monotonic) { log.write(line) }
  }

  /// One write a connection; a client that does not read is not read from either.
  private func flush(_ writes: inout [GatheredWrite]) {
    for index in writes.indices {
      let connection = writes[index].connection
      connection.gatheredPlace = nil
      connection.stream.write(writes[index].bytes)
      let queuedBytes = connection.stream.queuedBytes
      guard queuedBytes > 0 else { continue }
      connection.hasQueued = true
      inbox.append(.queued(connection.id, bytes: queuedBytes))
      if !connection.isBackedUp, queuedBytes > WireLimits.queuedBytesMax {
        connection.isBackedUp = true
        connection.stream.stopReading()
        inbox.append(.backedUp(connection.id))
      }
    }
    writes.removeAll(keepingCapacity: true)
  }

  /// Closes connections whose peer is done and to whom nothing is owed any more.
  private func closeFinished() {
    // With events left over, a request of theirs may be among them.
    guard !halfClosed.isEmpty, inbox.isEmpty else { return }
    halfClosed.removeAll { id in
      guard let connection = connections[id] else { return true }
      guard !daemon.owes(id) else { return false }
      connection.stream.shutdownAfterWrites()
      return true
    }
  }
}
