import BarLines
import BlockingClient
import Glibc
import IntentProtocol
import JSON
import Timekeeping

/// The life of a bar's program: it attaches, writes a line for each change, and outlives the daemon.
///
/// It sleeps until the daemon says something, the bar does, or the line reads differently by itself.
/// Two seconds after the daemon went, the line says that nothing is current any more; a daemon that
/// only restarts is back before that.
struct BarSession {
  private let socketPath: String
  private let name: BarName
  private let format: BarFormat
  private let sink: BarSink
  private var record: BarRecord?
  /// The options that a click's own program gets.
  private let clickOptions: [String]
  private var widgets: BarWidgets
  private var output: BarOutput
  private var clicks = ClickLines()
  private var isReadingClicks: Bool
  private var signals: Int32?
  private var isVisible = true
  /// The moment at which the daemon counts as gone, in milliseconds of the monotonic clock; `nil`
  /// while it is there, or counts as gone already.
  private var lossDeadline: Int64?
  /// The reason why a line could not be written; the program ends with it.
  private var failure: Failure?

  /// Milliseconds after the end of a connection for which its content passes for current.
  private static let graceMilliseconds: Int64 = 2_000
  /// The first wait between two attempts to connect, in milliseconds: a daemon restarts quickly.
  private static let retryMillisecondsMin: Int64 = 100
  private static let retryMillisecondsMax: Int64 = 5_000
  /// The longest wait for a moment at which the line reads differently, in milliseconds: after a
  /// jump of the clock the line is right again by then.
  private static let tickMillisecondsMax: Int64 = 600_000

  init(
    _ line: BarLine, _ wishes: BarWishes, _ widgets: BarWidgets, to sink: BarSink,
    socketPath: String, clickOptions: [String]
  ) {
    self.socketPath = socketPath
    self.widgets = widgets
    self.sink = sink
    self.clickOptions = clickOptions
    name = line.name
    format = line.format
    output = BarOutput(line, wishes)
    record = line.format.hasBareClicks ? BarRecord(line.name, socketPath: socketPath) : nil
    isReadingClicks = line.format.readsClicks
  }

  /// Runs until nobody reads the lines; with `isOnce` until the first line.
  mutating func run(isOnce: Bool) throws(Failure) {
    if format == .i3bar, !isOnce {
      signals = BarSignals.begin()
      let header = I3barProtocol.header(
        stopSignal: BarSignals.hidden, continueSignal: BarSignals.shown)
      // Without the end of its line, which the sink adds.
      try sink.write(String(header.dropLast()))
    }
    var retryMilliseconds = Self.retryMillisecondsMin
    var hasAttached = false
    var hasComplained = false
    while true {
      do throws(ClientError) {
        var client = try DaemonClient(connectingTo: socketPath)
        var params = widgets.parameters
        params["name"] = .string(name.text)
        params["visible"] = .bool(isVisible)
        params["session"] = ownSession()
        let answer = try client.request(
          .surfaceAttach, .object(params), timeoutMilliseconds: Daemon.answerMilliseconds)
        let isFirst = !hasAttached
        hasAttached = true
        retryMilliseconds = Self.retryMillisecondsMin
        hasComplained = false
        lossDeadline = nil
        widgets.attached(answer)
        show()
        if isFirst { SpareMemory.release() }
        if !isOnce { try follow(&client) }
      } catch {
        // A name that is wrong at the start is a slip; later the widget may come back.
        guard hasAttached || error.mayPass && !isOnce else {
          var failure = Failure(error)
          // A bar shows whatever stands on standard output.
          failure.json = nil
          if isOnce, error.mayPass { try complain(failure) }
          throw failure
        }
        if !hasComplained {
          let reason =
            error.mayPass ? "no daemon on \(socketPath)" : Failure(error).messageWithoutSuggestions
          if !Self.complaintsAreLines {
            Output.complain("intent-send: \(reason); waiting for it\n")
          }
          hasComplained = true
        }
        if hasAttached, lossDeadline == nil, retryMilliseconds == Self.retryMillisecondsMin {
          lossDeadline = monotonicMilliseconds() + Self.graceMilliseconds
        }
      }
      if let failure { throw failure }
      if isOnce { return }
      try waitWithoutDaemon(milliseconds: retryMilliseconds)
      retryMilliseconds = min(retryMilliseconds * 2, Self.retryMillisecondsMax)
    }
  }

  /// Follows the daemon until the connection ends, or a line cannot be written.
  private mutating func follow(_ client: inout DaemonClient) throws(ClientError) {
    while failure == nil {
      if !client.hasNotification {
        let wasVisible = isVisible
        wait(milliseconds: nil, for: client.socket.descriptor)
        if isVisible != wasVisible {
          _ = try client.request(
            .surfaceVisibility, ["visible": .bool(isVisible)],
            timeoutMilliseconds: Daemon.answerMilliseconds)
        }
      }
      var hasNews = false
      // Everything that is there is one line.
      while let notification = try client.notification(before: .after(milliseconds: 0)) {
        guard notification.method == DaemonNotification.surfaceUpdate.rawValue else { continue }
        widgets.updated(notification.params)
        hasNews = true
      }
      if hasNews { show() } else { emit() }
    }
  }

  private mutating func waitWithoutDaemon(milliseconds: Int64) throws(Failure) {
    let end = monotonicMilliseconds() + milliseconds
    while true {
      let now = monotonicMilliseconds()
      if let deadline = lossDeadline, deadline <= now {
        lossDeadline = nil
        output.lose()
      }
      emit()
      if let failure { throw failure }
      guard now < end else { return }
      wait(milliseconds: min(end, lossDeadline ?? end) - now, for: nil)
    }
  }

  // MARK: Lines

  /// Takes the widgets into the line.
  private mutating func show() {
    output.show(widgets.inPlace)
    emit()
  }

  /// Writes the line, if it is another one.
  private mutating func emit() {
    guard isVisible else { return }
    let line = output.next(at: Renderer.current.now)
    do throws(Failure) {
      // First the note, so that a click on the new line never finds the old one alone.
      try record?.note(output.shown, now: monotonicMilliseconds())
      if let line { try sink.write(line) }
    } catch {
      failure = error
    }
  }

  // MARK: Complaints

  /// Whether what is said on standard error stands among the lines, as where polybar reads both
  /// through one pipe: it would take the place of the widgets.
  private static var complaintsAreLines: Bool {
    var output = stat()
    var errors = stat()
    guard fstat(STDOUT_FILENO, &output) == 0, fstat(STDERR_FILENO, &errors) == 0 else {
      return false
    }
    return output.st_dev == errors.st_dev && output.st_ino == errors.st_ino
      && isatty(STDOUT_FILENO) == 0
  }

  /// Gives genmon a line that says what is wrong.
  ///
  /// Without one it shows standard error as it is, over several lines of a panel.
  private func complain(_ failure: Failure) throws(Failure) {
    guard format == .genmon else { return }
    try sink.write(output.notice("no daemon", [failure.message] + failure.hints))
  }

  // MARK: Waiting

  /// Waits until the daemon or the bar says something, the line reads differently by itself, or the
  /// time is over; exits if nobody reads standard output.
  private mutating func wait(milliseconds: Int64?, for socket: Int32?) {
    let now = Renderer.current.now
    var limit = milliseconds
    if isVisible, let change = output.nextChange(after: now) {
      let untilChange = min(max(1, change.milliseconds(since: now)), Self.tickMillisecondsMax)
      limit = min(limit ?? untilChange, untilChange)
    }
    var entries = [
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      pollfd(fd: socket ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isReadingClicks ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    poll(&entries, nfds_t(entries.count), limit.map { Int32(clamping: $0) } ?? -1)
    ChildProgram.reap()
    if entries[0].revents != 0 { exit(ProgramStatus.done.rawValue) }
    if entries[2].revents != 0 { readClicks() }
    if entries[3].revents != 0 { readSignals() }
  }

  private mutating func readSignals() {
    var numbers = [UInt8](repeating: 0, count: 64)
    let count = read(signals ?? -1, &numbers, numbers.count)
    guard count > 0 else { return }
    isVisible = Int32(numbers[count - 1]) == BarSignals.shown
  }

  /// Starts the program of each click that the bar wrote.
  private mutating func readClicks() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      isReadingClicks = count < 0 && (errno == EINTR || errno == EAGAIN)
      return
    }
    for line in clicks.lines(adding: bytes[..<count]) {
      guard let click = I3barClicks.click(line: line) else { continue }
      ChildProgram.start(
        ["/proc/self/exe", "click", name.text, "\(click.button)"]
          + ["--shown", click.widget.word, "--socket", socketPath]
          + click.modifiers.flatMap { ["--modifier", $0] }
          + (click.position.members.isEmpty
            ? [] : ["--position", JSONValue.object(click.position).serialized])
          + clickOptions)
    }
  }
}

/// Puts lines together that arrive in pieces; a line that is too long for a click is left out.
struct ClickLines {
  private var rest: [UInt8] = []
  private var isSkipping = false

  /// Returns the lines that end in these bytes, without their ends.
  mutating func lines(adding bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if !isSkipping { lines.append(rest) }
        rest = []
        isSkipping = false
      } else if rest.count < BarLimits.clickBytesMax {
        rest.append(byte)
      } else {
        isSkipping = true
      }
    }
    return lines
  }
}
