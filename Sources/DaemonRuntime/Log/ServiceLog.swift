import DaemonCore
package import Logging
import PlainText
import ProgramStart

/// Writes log lines: `key=value`, one event a line, to standard error.
///
/// Under systemd an event goes to the journal, with each key as a field and the line as the
/// message. If the journal's socket cannot be reached, lines have a priority prefix.
///
/// Values with spaces, quotes or characters that are not printed as they are stand in quotes, with
/// visible escapes (`escaped`): a line is always one line, it steers no terminal, and it shows what
/// a name from a manifest hides. The journal's fields have the same escapes, but
/// for line breaks.
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
        + pairs.map { (JournalSocket.fieldName($0.0), Self.lines($0.1)) }
      if journal.send(entry) { return }
    }
    StandardDescriptors.complainAtOnce(
      TerminalText("\(isJournal ? "<\(priority)>" : "\(event.level) ")\(message)\n"))
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

  /// Returns the value of a field of the journal, which may have several lines.
  private static func lines(_ text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { escaped(String($0)) }.joined(separator: "\n")
  }

  private static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.utf8.allSatisfy { $0 > 32 && $0 != 34 && $0 != 61 && $0 != 92 }
    let shown = escaped(text)
    // Equal by bytes: other spellings of a character would count as the same text.
    guard !isPlain || !shown.utf8.elementsEqual(text.utf8) else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return escaped(quoted) + "\""
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
