import BlockingClient
import Dispatch
import Glibc
import IntentProtocol
import JSON
import JSONRPC
import Synchronization

/// The app's only connection to the daemon.
///
/// The calling thread writes the request itself, under a lock. When the call returns, the kernel
/// has the bytes, so a program may ask for a reload and exit. Each connection has one thread that
/// reads: it passes answers to their waiting requests and taps to the app. No lock is held while
/// code of the app runs.
///
/// The first request opens the connection. If the daemon goes away, the next request connects
/// again; a registered app waits for taps, so for it the link reconnects by itself.
final class DaemonLink: Sendable {
  typealias Completion = @Sendable (Result<JSONValue, WidgetCenterError>) -> Void

  /// The arguments of `register`, kept so that each new connection can repeat them.
  struct Registration: Sendable {
    var app: String
    var isForeground: Bool
    /// The app's closure for each `app.open`, called with its parameters.
    var onOpen: @Sendable (JSONValue) -> Void
  }

  private struct State: ~Copyable {
    var socket: UnixSocket?
    /// The number of the connection, by which the late end of an earlier one is told apart.
    var generation = 0
    var lastID: Int64 = 0
    var waiting: [Int64: Completion] = [:]
    var registration: Registration?
    /// Whether the current outage was reported on standard error already.
    var hasComplained = false
    var isReconnecting = false
    /// The folders of the app's groups by name; `nil`: no registration was answered yet.
    var groups: [String: String]?
    /// Everybody who waits for them.
    var waitingForGroups: [DispatchSemaphore] = []
  }

  /// The app's widgets as the daemon told them.
  let changes = WidgetChanges()

  private let socketPath: @Sendable () -> String
  private let complain: @Sendable (String) -> Void
  private let state = Mutex(State())
  /// The queue on which completions run and time-outs are counted.
  private let queue = DispatchQueue(label: "WidgetKit")

  /// The longest time to connect and to write a request, in milliseconds.
  ///
  /// Both are local: a daemon that takes longer is stuck, and must not block the app.
  private static let sendMilliseconds: Int64 = 1_000

  init(
    socketPath: @escaping @Sendable () -> String, complain: @escaping @Sendable (String) -> Void
  ) {
    self.socketPath = socketPath
    self.complain = complain
  }

  /// Sends `method` and calls `completion` exactly once, on WidgetKit's queue.
  func send(
    _ method: Method, _ params: JSONObject = [:], timeout: TimeInterval,
    completion: @escaping Completion
  ) {
    let (result, orphans) = state.withLock { state -> (Result<Int64, ClientError>, [Completion]) in
      let wasConnected = state.socket != nil
      do throws(ClientError) {
        return (.success(try write(method, params, completion, &state)), [])
      } catch .connectionLost where wasConnected {
        // The daemon went away and the reading thread has not noticed it yet. Try a new connection.
        let orphans = forgetConnection(&state)
        do throws(ClientError) {
          return (.success(try write(method, params, completion, &state)), orphans)
        } catch {
          return (.failure(error), orphans)
        }
      } catch {
        // A part of the line may have been written, so this connection is of no more use.
        if case .sendTimedOut = error { state.socket?.shutDown() }
        return (.failure(error), [])
      }
    }
    fail(orphans, .daemonUnavailable(path: socketPath()))
    switch result {
    case .failure(let error): queue.async { completion(.failure(WidgetCenterError(error))) }
    case .success(let id):
      queue.asyncAfter(deadline: .now() + timeout) { [self] in
        take(id)?(.failure(.timedOut))
      }
    }
  }

  /// Writes a request and keeps its completion until the answer comes.
  private func write(
    _ method: Method, _ params: JSONObject, _ completion: @escaping Completion,
    _ state: inout State
  ) throws(ClientError) -> Int64 {
    let socket = try connected(&state)
    state.lastID += 1
    let id = state.lastID
    let line = try requestLine(id: id, method: method.rawValue, params: .object(params))
    try socket.send(line, before: .after(milliseconds: Self.sendMilliseconds))
    state.waiting[id] = completion
    return id
  }

  /// Sends `method` without waiting for the answer; reports a failure once on standard error.
  func post(_ method: Method, _ params: JSONObject = [:]) {
    send(method, params, timeout: 30) { [self] result in
      guard case .failure(let error) = result else { return }
      complainOnce("WidgetKit: \(method.rawValue): \(error.errorDescription ?? "failed")\n")
    }
  }

  /// Registers the app on this connection and on each later one.
  func register(_ registration: Registration) {
    let (isConnected, isOther) = state.withLock { state in
      let before = state.registration
      state.registration = registration
      return (state.socket != nil, before.map { $0.app != registration.app } ?? false)
    }
    if isOther {
      changes.forget()
      state.withLock { $0.groups = nil }
    }
    if isConnected {
      send(.appRegister, Self.parameters(of: registration), timeout: 30) { [self] result in
        registered(result)
      }
    } else {
      // `connected` registers the app. If there is no daemon, wait for one in the background.
      let error = state.withLock { state -> ClientError? in
        do throws(ClientError) {
          _ = try connected(&state)
          return nil
        } catch {
          return error
        }
      }
      if let error {
        complainOnce("WidgetKit: \(WidgetCenterError(error).errorDescription ?? "failed")\n")
        reconnectInBackground()
      }
    }
  }

  /// Tells the daemon whether the app is in the foreground, now and on later connections.
  func setForeground(_ isForeground: Bool) {
    let wasRegistered = state.withLock { state in
      state.registration?.isForeground = isForeground
      return state.registration != nil
    }
    guard wasRegistered else { return }
    post(.appState, ["state": isForeground ? "foreground" : "background"])
  }

  // MARK: What a registration brings

  /// Takes the answer to a registration.
  ///
  /// Runs on `queue`, as what is told of changes does: so the answer comes before them.
  private func registered(_ result: Result<JSONValue, WidgetCenterError>) {
    switch result {
    case .success(let answer):
      var groups: [String: String] = [:]
      for member in answer["groups"]?.objectValue?.members ?? [] {
        groups[member.key] = member.value.stringValue
      }
      wakeForGroups(groups)
      changes.registered(answer)
    case .failure(let error):
      wakeForGroups(nil)
      complainOnce("WidgetKit: app.register: \(error.errorDescription ?? "failed")\n")
    }
  }

  private func wakeForGroups(_ groups: [String: String]?) {
    let waiting = state.withLock { state in
      if let groups { state.groups = groups }
      defer { state.waitingForGroups = [] }
      return state.waitingForGroups
    }
    for semaphore in waiting { semaphore.signal() }
  }

  /// Returns the folders of the app's groups by name; waits for the answer to its registration.
  func groups(within timeout: TimeInterval) -> [String: String] {
    let semaphore = DispatchSemaphore(value: 0)
    let isThere = state.withLock { state in
      guard state.groups == nil, state.registration != nil, state.socket != nil else { return true }
      state.waitingForGroups.append(semaphore)
      return false
    }
    if !isThere { _ = semaphore.wait(timeout: .now() + timeout) }
    return state.withLock { $0.groups ?? [:] }
  }

  // MARK: The connection

  /// Returns the socket; first connects it and registers the app on it if need be.
  private func connected(_ state: inout State) throws(ClientError) -> UnixSocket {
    if let socket = state.socket { return socket }
    let deadline = MonotonicDeadline.after(milliseconds: Self.sendMilliseconds)
    let socket = try UnixSocket(connectingTo: socketPath(), before: deadline)
    if let registration = state.registration {
      state.lastID += 1
      let line = try requestLine(
        id: state.lastID, method: Method.appRegister.rawValue,
        params: .object(Self.parameters(of: registration)))
      try socket.send(line, before: deadline)
      state.waiting[state.lastID] = { [self] result in registered(result) }
    }
    state.generation += 1
    state.socket = socket
    state.hasComplained = false
    let generation = state.generation
    let thread = Thread { [self] in read(socket, generation: generation) }
    thread.name = "WidgetKit"
    thread.start()
    return socket
  }

  private static func parameters(of registration: Registration) -> JSONObject {
    ["app": .string(registration.app), "foreground": .bool(registration.isForeground)]
  }

  /// Reads messages in a thread of its own until the connection ends.
  private func read(_ socket: UnixSocket, generation: Int) {
    var reader = MessageReader(socket)
    var end = ClientError.connectionLost(path: socket.path)
    do throws(ClientError) {
      while let message = try reader.next(before: .never) {
        switch message {
        case .result(.integer(let id), let value): deliver(.success(value), to: id)
        case .refusal(.integer(let id), let error):
          deliver(.failure(WidgetCenterError(.refused(error))), to: id)
        case .refusal(_, let error):
          complainOnce("WidgetKit: \(error.message)\n")
        case .result: continue
        case .notification(DaemonNotification.appOpen.rawValue, let params):
          let onOpen = state.withLock { $0.registration?.onOpen }
          onOpen?(params)
        case .notification(DaemonNotification.appWidgetsChanged.rawValue, let params):
          queue.async { [self] in changes.changed(params) }
        case .notification: continue
        }
      }
    } catch {
      end = error
    }
    socket.shutDown()
    ended(generation: generation, WidgetCenterError(end))
  }

  private func ended(generation: Int, _ error: WidgetCenterError) {
    let (orphans, isRegistered) = state.withLock { state -> ([Completion], Bool) in
      guard state.generation == generation else { return ([], false) }
      return (forgetConnection(&state), state.registration != nil)
    }
    fail(orphans, error)
    if isRegistered { reconnectInBackground() }
  }

  /// Drops the connection and returns the completions that wait on it.
  ///
  /// The caller runs them after it released the lock.
  private func forgetConnection(_ state: inout State) -> [Completion] {
    state.socket = nil
    defer { state.waiting = [:] }
    return state.waiting.sorted { $0.key < $1.key }.map(\.value)
  }

  private func fail(_ completions: [Completion], _ error: WidgetCenterError) {
    for completion in completions { queue.async { completion(.failure(error)) } }
  }

  /// Tries to connect until a daemon answers.
  ///
  /// Starts with ten attempts a second, because a daemon restarts quickly, and slows down to one
  /// every 30 seconds.
  private func reconnectInBackground() {
    let isFirst = state.withLock { state in
      defer { state.isReconnecting = true }
      return !state.isReconnecting
    }
    guard isFirst else { return }
    let thread = Thread { [self] in
      var pause: TimeInterval = 0.1
      while true {
        Thread.sleep(forTimeInterval: pause)
        pause = min(pause * 2, 30)
        let isConnected = state.withLock { state in
          do throws(ClientError) {
            _ = try connected(&state)
            state.isReconnecting = false
            return true
          } catch {
            // There is still no daemon; the outage was reported when it began.
            return false
          }
        }
        if isConnected { return }
      }
    }
    thread.name = "WidgetKit.reconnect"
    thread.start()
  }

  // MARK: Answers

  private func deliver(_ result: Result<JSONValue, WidgetCenterError>, to id: Int64) {
    guard let completion = take(id) else { return }
    queue.async { completion(result) }
  }

  private func take(_ id: Int64) -> Completion? {
    state.withLock { $0.waiting.removeValue(forKey: id) }
  }

  /// Writes one line for the author to standard error.
  func tell(_ line: String) { complain(line) }

  private func complainOnce(_ line: String) {
    let isFirst = state.withLock { state in
      defer { state.hasComplained = true }
      return !state.hasComplained
    }
    if isFirst { complain(line) }
  }
}
