import ArgumentParser
import BlockingClient
import Glibc
import IntentProtocol
import JSON
import JSONRPC
import PlainText
import Timekeeping

/// Shows the stack live in the terminal.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the stack live in the terminal, with keys to act on it.",
    discussion: """
      intent-send watch

      Up and down move, enter shows all of a widget, t taps it, 0 to 9 tap an item, d dismisses, r \
      reloads, ? lists every key, q quits. Dates tick; a daemon that restarts is waited for. \
      Scripts and pipes take 'intent-send follow --stack'.
      """)

  @OptionGroup var common: CommonOptions

  mutating func run() throws {
    let lack = common.json ? "watch draws on a terminal and prints no JSON" : Terminal.lack
    if let lack {
      throw Failure(
        status: .usage, message: lack,
        hints: ["a line of JSON for every change: intent-send follow --stack"])
    }
    var session = WatchSession(socketPath: common.socketPath)
    try session.run()
  }
}

/// One run of `intent-send watch`: waits for keys, messages, signals and the time, and draws.
private struct WatchSession {
  private let socketPath: String
  private var renderer = Renderer.current
  private var model = WatchModel()
  private var frame = WatchFrame()
  private var canvas = TerminalCanvas()
  private var keys = WatchKeyReader()
  private var connection: WatchConnection?
  private var size = Terminal.size
  /// Milliseconds until the next attempt to connect.
  private var retryMilliseconds = Self.retryMillisecondsMin

  private static let retryMillisecondsMin: Int64 = 100
  private static let retryMillisecondsMax: Int64 = 5_000
  /// The longest wait between two drawings: the clock of the header shows minutes.
  private static let waitMillisecondsMax: Int64 = 60_000

  init(socketPath: String) { self.socketPath = socketPath }

  mutating func run() throws(Failure) {
    // A daemon that is not there at the start is an error, as for every command; one that goes
    // later is waited for.
    do throws(ClientError) {
      connection = try WatchConnection(connectingTo: socketPath)
    } catch {
      throw Failure(error)
    }
    guard let signals = Terminal.begin() else {
      throw Failure(status: .failed, message: "no descriptor is left: \(systemMessage(errno))")
    }
    defer { Terminal.leave() }
    // From here on a signal tells of each other size.
    size = Terminal.size
    do throws(ClientError) {
      while true {
        renderer = .current
        model.advance(to: renderer.now)
        draw(unlessSignal: signals)
        let ready = wait(signals)
        if ready.signals { for signal in Self.pendingSignals(signals) { handle(signal) } }
        if ready.keys, try !readKeys() { return }
        if !ready.keys, keys.isWaiting, let key = keys.end(), try !press(key) { return }
        try talk(isReadable: ready.socket)
      }
    } catch {
      throw Failure(error)
    }
  }

  // MARK: Drawing

  /// Draws what changed; all of it the next time, if a signal comes first.
  private mutating func draw(unlessSignal signals: Int32) {
    renderer.columns = size.columns
    let lines = frame.lines(model, renderer, rows: size.rows)
    let text = canvas.draw(lines, columns: size.columns)
    if !Terminal.draw(text, unlessSignal: signals) { canvas.invalidate() }
  }

  // MARK: Waiting

  /// Waits until a key, a message or a signal comes, or something has to be drawn anew.
  private func wait(_ signals: Int32) -> (keys: Bool, socket: Bool, signals: Bool) {
    var entries = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: connection?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
    ]
    poll(&entries, 3, Int32(clamping: waitMilliseconds()))
    return (entries[0].revents != 0, entries[1].revents != 0, entries[2].revents != 0)
  }

  private func waitMilliseconds() -> Int64 {
    if keys.isWaiting { return WatchKeyReader.escapeMilliseconds }
    var wait = Self.waitMillisecondsMax - renderer.now.milliseconds % Self.waitMillisecondsMax
    if connection == nil { wait = min(wait, retryMilliseconds) }
    let shown = model.order.lazy.compactMap { model.widgets[$0] }
    let moments = [
      LiveDates.nextChange(in: shown, after: renderer.now), model.message?.until,
      model.questions.lazy.compactMap(\.expires).min(),
    ]
    for moment in moments {
      if let moment { wait = min(wait, moment.milliseconds(since: renderer.now)) }
    }
    return max(1, wait)
  }

  // MARK: Signals

  private static func pendingSignals(_ descriptor: Int32) -> [Int32] {
    var numbers = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &numbers, numbers.count)
    return numbers.prefix(max(0, count)).map { Int32($0) }
  }

  private mutating func handle(_ signal: Int32) {
    switch signal {
    case SIGWINCH, SIGCONT:
      size = Terminal.size
      canvas.invalidate()
    case SIGTSTP: suspend()
    default: Terminal.end(by: signal)
    }
  }

  private mutating func suspend() {
    // Nobody sees the widgets meanwhile, so none has to be kept fresh.
    tellVisibility(false)
    Terminal.suspend()
    size = Terminal.size
    canvas.invalidate()
    tellVisibility(true)
  }

  private mutating func tellVisibility(_ isVisible: Bool) {
    do throws(ClientError) {
      try connection?.setVisible(isVisible)
    } catch {
      lose()
    }
  }

  // MARK: Keys

  /// Reads keys and acts on them; false if the person quits or the terminal is gone.
  private mutating func readKeys() throws(ClientError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
    for key in keys.feed(bytes.prefix(count)) where try !press(key) { return false }
    return true
  }

  private mutating func press(_ key: WatchKey) throws(ClientError) -> Bool {
    if !model.showsHelp, key == .pageDown || key == .pageUp,
      frame.pageInside(forward: key == .pageDown)
    {
      return true
    }
    let action = model.press(key, page: WatchFrame.page(size.rows), at: renderer.now)
    switch action {
    case .none: break
    case .quit: return false
    case .suspend: suspend()
    case .redraw: canvas.invalidate()
    case .tap, .dismiss, .reload, .reloadAll, .undo, .answer:
      guard let action else { break }
      do throws(ClientError) {
        try connection?.send(action)
      } catch {
        try check(error)
      }
    }
    return true
  }

  // MARK: The daemon

  private mutating func talk(isReadable: Bool) throws(ClientError) {
    do throws(ClientError) {
      if connection == nil {
        connection = try WatchConnection(connectingTo: socketPath)
        retryMilliseconds = Self.retryMillisecondsMin
      } else if isReadable {
        while let message = try connection?.next() { take(message) }
      }
    } catch {
      try check(error)
    }
  }

  /// Waits for the next daemon if the error may end with it; throws the error otherwise.
  private mutating func check(_ error: ClientError) throws(ClientError) {
    guard error.mayPass else { throw error }
    lose()
  }

  private mutating func lose() {
    if connection == nil {
      retryMilliseconds = min(retryMilliseconds * 2, Self.retryMillisecondsMax)
    }
    connection = nil
    model.lost(at: renderer.now)
  }

  private mutating func take(_ message: WatchConnection.Incoming) {
    let now = renderer.now
    switch message {
    case .attached(let answer): model.attached(answer, at: now)
    case .updated(let update): model.updated(update)
    case .status(let answer): model.status(answer)
    case .question(let params): model.asked(params)
    case .receipt(let receipt): tellReceipt(receipt)
    case .done(let action, .success(let result)): tell(action, result)
    case .done(_, .failure(let error)):
      model.tell(Failure(refusal: error).message, isWarning: true, at: now)
    }
  }

  private mutating func tell(_ action: WatchModel.Action, _ result: JSONValue) {
    let now = renderer.now
    switch action {
    case .tap:
      let state = result["performed"]?["state"]
      model.tell(
        String(renderer.tapped(result).dropLast()), isWarning: state != nil && state != "done",
        at: now)
    case .dismiss(let id): model.tell("sent \(id) away; u takes it back", at: now)
    case .reload(let id): model.tell("reloading \(id)", at: now)
    case .reloadAll: model.tell("reloading every widget", at: now)
    case .undo: model.tell(String(renderer.restored(result).dropLast()), at: now)
    case .answer(_, let isYes): model.tell(isYes ? "done" : "not done", at: now)
    case .quit, .suspend, .redraw: break
    }
  }

  private mutating func tellReceipt(_ receipt: JSONValue) {
    guard let state = outcome(ofReceipt: receipt), state != "accepted" else { return }
    let widget = receipt["widget"].map(renderer.word) ?? ""
    model.tell(
      "\(widget): \(renderer.receiptState(receipt))",
      isWarning: ["deferred", "dropped"].contains(state), at: renderer.now)
  }
}

extension ClientError {
  /// Whether the error may end with the next daemon, so that it is worth trying again.
  var mayPass: Bool {
    switch self {
    case .noDaemon, .cannotConnect, .connectionLost, .sendTimedOut, .answerTimedOut: true
    case .refused(let error): error.code == WireErrorCode.stopping.rawValue
    case .pathTooLong, .notTrusted, .requestTooLarge, .protocolViolation: false
    }
  }
}
