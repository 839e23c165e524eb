import DaemonCore
import Glibc
package import Logging

/// Writes log lines: `key=value`, one event a line, to standard error.
///
/// Under systemd an event goes to the journal, with each key as a field and the line as the
/// message. If the journal's socket cannot be reached, lines have a priority prefix.
///
/// Values with spaces, quotes or control characters are quoted, so that a line is always one line.
package struct ServiceLogHandler: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel: Logger.Level
  private let isJournal: Bool
  private let journal: JournalSocket?

  package init(level: Logger.Level, isJournal: Bool, journal: JournalSocket? = nil) {
    logLevel = level
    self.isJournal = isJournal
    self.journal = journal
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let pairs = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
    let fields = pairs.map { " \($0.0)=\(Self.quoted($0.1))" }
    let message = "event=\(event.message)\(fields.joined())"
    let priority = Self.priority(event.level)
    if let journal {
      let entry =
        [("MESSAGE", message), ("PRIORITY", String(priority)), ("SYSLOG_IDENTIFIER", "intentd")]
        + [("INTENTD_EVENT", "\(event.message)")]
        + pairs.map { (JournalSocket.fieldName($0.0), $0.1) }
      if journal.send(entry) { return }
    }
    let line = "\(isJournal ? "<\(priority)>" : "\(event.level) ")\(message)\n"
    // Best effort: a log that cannot be written cannot be reported either.
    _ = line.utf8.withContiguousStorageIfAvailable {
      write(STDERR_FILENO, $0.baseAddress, $0.count)
    }
  }

  private static func priority(_ level: Logger.Level) -> Int {
    switch level {
    case .critical: 2
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug, .trace: 7
    }
  }

  private static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { $0 > 32 && $0 != 34 && $0 != 61 && $0 != 92 && $0 != 127 }
    guard !isPlain else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      default:
        if scalar.value < 32 || scalar.value == 127 {
          quoted += "\\x\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
        } else {
          quoted.unicodeScalars.append(scalar)
        }
      }
    }
    return quoted + "\""
  }
}

extension Logger {
  /// Writes a core's log line.
  func write(_ line: LogLine) {
    let level: Logger.Level =
      switch line.level {
      case .error: .error
      case .warning: .warning
      case .notice: .notice
      case .debug: .debug
      }
    var metadata: Logger.Metadata = [:]
    for field in line.fields { metadata[field.key] = .string(field.value) }
    log(level: level, "\(line.event)", metadata: metadata)
  }
}
