import Glibc
import PlainText

/// A terminal that this program draws on: raw input, a screen of its own, no cursor.
///
/// Whatever ends the program, the terminal is as before: `leave` runs at the end of the command and
/// at `exit`, and handlers of deadly signals restore it before the signal takes its course. Only
/// SIGKILL cannot be caught; `reset` helps then.
enum Terminal {
  /// Takes back `TerminalControl.takeScreen`; constant bytes, for a handler of a signal.
  fileprivate static let leaveSequence: StaticString =
    "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Signals that the command handles between two turns of its loop.
  private static let handledSignals = [
    SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT,
  ]
  /// Signals that end the program where it stands, after a defect in it.
  private static let deadlySignals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// Says why standard input and output are no terminal that can be drawn on; `nil` if they are.
  static var lack: String? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      return "watch needs a terminal for its input and its output"
    }
    guard let kind = environment("TERM") else {
      return "watch needs to know the kind of the terminal, and TERM is not set"
    }
    return kind == "dumb" ? "watch cannot draw on this terminal: TERM is 'dumb'" : nil
  }

  /// The size of the terminal: 24 rows of 80 columns if it does not say.
  static var size: (rows: Int, columns: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Makes a pipe from which the numbers of signals can be read, one byte each, and begins to draw.
  ///
  /// Returns the descriptor of the pipe; `nil` if there is none left.
  static func begin() -> Int32? {
    tcgetattr(STDIN_FILENO, settingsBefore)
    atexit { Terminal.leave() }
    guard let signals = SignalPipe.begin(handledSignals) else { return nil }
    for signal in deadlySignals { SignalPipe.setAction(signal) { dieOf($0) } }
    enter()
    return signals
  }

  /// Takes the terminal over.
  static func enter() {
    var raw = settingsBefore.pointee
    cfmakeraw(&raw)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    isEntered = true
    Output.write(TerminalText(.takeScreen))
  }

  /// Writes to the terminal; gives up, and returns false, when a signal waits in the pipe `signals`.
  ///
  /// A terminal that reads nothing, such as that of a connection that hangs, holds up no signal.
  static func draw(_ text: TerminalText, unlessSignal signals: Int32) -> Bool {
    var text = text.text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        var entries = [
          pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
          pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        ]
        poll(&entries, 2, -1)
        if entries[1].revents != 0 { return false }
        let count = writeAtOnce(rest.baseAddress, rest.count)
        if count > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno != EAGAIN, errno != EINTR {
          Output.end(unwritable: errno)
        }
      }
      return true
    }
  }

  /// Gives the terminal back, as it was.
  static func leave() { restoreTerminal() }

  /// Stops this program as Ctrl-Z stops any other, and takes the terminal over again afterwards.
  static func suspend() {
    leave()
    SignalPipe.setAction(SIGTSTP, nil)
    raise(SIGTSTP)
    // The shell continued it.
    SignalPipe.handle(SIGTSTP)
    enter()
  }

  /// Ends the program by `signal`, as if it had not been handled.
  static func end(by signal: Int32) -> Never {
    leave()
    SignalPipe.setAction(signal, nil)
    raise(signal)
    exit(128 + signal)
  }
}

// The state that handlers of signals read. This program has one thread, which writes it before it
// installs the handlers; later it changes `isEntered` only.

/// The settings of the terminal before `Terminal.begin`; one thread, as said above.
///
/// On the heap: of a global of this type the compiler (Swift 6.3) leaves out the padding, so that
/// `tcgetattr` would write behind it.
nonisolated(unsafe) private let settingsBefore: UnsafeMutablePointer<termios> = {
  let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  settings.initialize(to: termios())
  return settings
}()
/// Whether the terminal is drawn on; one thread, as said above.
nonisolated(unsafe) private var isEntered = false

/// Restores the terminal, and lets a deadly signal take its course.
private func dieOf(_ signal: Int32) {
  restoreTerminal()
  Glibc.signal(signal, SIG_DFL)
  raise(signal)
}

/// Gives the terminal back; calls only functions that a handler may call, and none that waits.
private func restoreTerminal() {
  guard isEntered else { return }
  isEntered = false
  let sequence = Terminal.leaveSequence
  let count = sequence.utf8CodeUnitCount
  if writeAtOnce(sequence.utf8Start, count) != count {
    // The terminal reads nothing: drop what it has not read, to have room.
    tcflush(STDOUT_FILENO, TCOFLUSH)
    _ = writeAtOnce(sequence.utf8Start, count)
  }
  tcsetattr(STDIN_FILENO, TCSANOW, settingsBefore)
}

/// Writes what standard output takes without waiting; returns as `write` does.
private func writeAtOnce(_ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  // Only for this call: other programs have the same open terminal.
  let flags = fcntl(STDOUT_FILENO, F_GETFL)
  _ = fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK)
  let written = write(STDOUT_FILENO, bytes, count)
  let code = errno
  _ = fcntl(STDOUT_FILENO, F_SETFL, flags)
  errno = code
  return written
}

/// Draws lines on the terminal; writes only those that changed.
struct TerminalCanvas {
  private var drawn: [String] = []

  /// Forgets what is drawn: the next `draw` writes every line.
  mutating func invalidate() { drawn = [] }

  /// Returns the text that turns what is drawn into `lines`, from the first row on.
  ///
  /// `columns` is the width of the terminal. The rest of a shorter line is erased; after a full line
  /// the cursor still stands on its last column, and erasing would take that away.
  mutating func draw(_ lines: [String], columns: Int) -> TerminalText {
    let isNew = drawn.count != lines.count
    var text = isNew ? TerminalText(.clearScreen) : TerminalText("")
    for (row, line) in lines.enumerated() where isNew || drawn[row] != line {
      text += TerminalText(.row(row + 1))
      text += TerminalText(line, hasColours: true)
      text += TerminalText(.endRendition)
      if displayWidth(line) < columns { text += TerminalText(.eraseRestOfRow) }
    }
    drawn = lines
    return text
  }
}
