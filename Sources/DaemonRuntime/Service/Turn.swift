import DaemonCore
import EventLoop
import Glibc
import IntentProtocol
import Store
import Timekeeping
import WidgetCenter

/// One turn of the loop: everything that happened goes through the core, then its effects are carried out.
///
/// The order is part of the contract:
/// 1. the clocks are read once, and whether one of them jumped is the first event;
/// 2. the inbox is handled, event by event, then `turnEnded`;
/// 3. the effects are carried out in order: writes become one transaction, replies are collected;
/// 4. each connection gets one write.
extension Service {
  /// Events handled in one turn at most, so that a flood cannot keep the loop from its clock and its children.
  private static let eventCountMax = 4_096

  /// Returns whether work remains.
  func turn() -> Bool {
    guard !inbox.isEmpty else {
      // The end of a connection is no event, and may be all that happened.
      closeFinished()
      return false
    }
    let now = loop.readNow()
    defer {
      let took = loop.readNow().monotonic.nanoseconds - now.monotonic.nanoseconds
      daemon.measuredTurn(nanoseconds: UInt64(max(0, took)))
    }
    if clockJump.notice(now, boot: loop.readBootTime()), !inbox.contains(.clockChanged) {
      readZone()
      inbox.insert(.clockChanged, at: 0)
    }
    var events = inbox
    inbox.removeAll(keepingCapacity: true)
    if events.count > Self.eventCountMax {
      inbox.append(contentsOf: events[Self.eventCountMax...])
      events.removeLast(events.count - Self.eventCountMax)
    }
    effects.removeAll(keepingCapacity: true)
    for event in events { daemon.handle(event, at: now, into: &effects) }
    daemon.handle(.turnEnded, at: now, into: &effects)
    var index = 0
    while index < effects.count {
      interpret(effects[index])
      index += 1
    }
    flush()
    closeFinished()
    return !inbox.isEmpty
  }

  private func interpret(_ effect: Effect) {
    switch effect {
    case .send(let id, let bytes):
      guard let connection = connections[id] else { return }
      if connection.outgoing.isEmpty {
        connection.outgoing = bytes
        unflushed.append(id)
      } else {
        connection.outgoing.append(contentsOf: bytes)
      }
    case .close(let id, _):
      flush()
      connections[id]?.stream.shutdownAfterWrites()
    case .store(let request): store?.submit(request)
    case .runProvider(let run): launcher?.run(run)
    case .cancelProvider(let token): launcher?.cancel(token)
    case .launch(let token, let request): inbox.append(.launched(token, launch(request)))
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
      readZone()
      if isReady { notifySystemd("RELOADING=1") }
      let loader = ConfigurationLoader(
        intentFolders: options.allIntentFolders, widgetFolders: options.allWidgetFolders,
        settingsFiles: options.settingsFiles)
      inbox.append(.configuration(loader.load()))
      if isReady { notifySystemd("READY=1") }
    case .ready:
      becomeReady()
      notifySystemd("READY=1\nSTATUS=listening on \(options.socket.path)")
      write(LogLine(.notice, "daemon.ready", ["socket": options.socket.path]))
    case .log(let line):
      write(line)
      if line.event == "store.unavailable" {
        failure = line.fields.first { $0.key == "reason" }?.value ?? "the store cannot be opened"
      }
    case .stop:
      flush()
      notifySystemd("STOPPING=1")
      loop.stop()
    }
  }

  /// Writes a line unless its cause had its share.
  func write(_ line: LogLine) {
    if let line = logLimiter.pass(line, at: loop.readNow().monotonic) { log.write(line) }
  }

  /// One write a connection; a client that does not read is not read from either.
  private func flush() {
    for id in unflushed {
      guard let connection = connections[id] else { continue }
      connection.stream.write(connection.outgoing)
      // Not emptied in place: the effect still holds these bytes, and emptying would copy the storage.
      connection.outgoing = []
      if !connection.isBackedUp, connection.stream.queuedBytes > WireLimits.queuedBytesMax {
        connection.isBackedUp = true
        connection.stream.stopReading()
        inbox.append(.backedUp(id))
      }
    }
    unflushed.removeAll(keepingCapacity: true)
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

  private func launch(_ request: LaunchRequest) -> LaunchOutcome {
    let found: Result<DesktopEntry, LaunchRefusal> =
      switch request.target {
      case .application(let id): finder.find(application: id)
      case .handler(let scheme): finder.handler(scheme: scheme)
      }
    let prepared = found.flatMap { entry in
      finder.prepare(entry: entry, url: request.url).map { (entry: entry, launch: $0) }
    }
    switch prepared {
    case .failure(let refusal):
      return .failed(reason: refusal.code.rawValue, message: refusal.message)
    case .success(let ready):
      let spec = ChildSpec(
        program: ready.launch.program, arguments: ready.launch.arguments,
        environment: ready.launch.environment, workingDirectory: ready.launch.workingDirectory,
        isDetached: true)
      do throws(LoopError) {
        let child = try ChildProcess.start(
          loop: loop, spec: spec, onStdout: { _ in }, onStderr: { _ in }, onExit: { _ in })
        return .started(application: ready.entry.id, processID: child.pid)
      } catch {
        return .failed(reason: "not-started", message: error.message)
      }
    }
  }
}
