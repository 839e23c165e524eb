import FoundationAdditions

/// Writes messages to standard error, which is the author's: the daemon shows its last lines with a
/// failure.
///
/// Messages for debugging and of information are only written with `INTENTD_LOG=debug` in the
/// environment. Source: os.
public struct Logger: Sendable {
  private let category: String
  private let isOn: Bool

  /// Makes a logger that names no part.
  public init() { self.init(subsystem: "", category: "") }
  /// Makes a logger of a part of the program.
  public init(subsystem: String, category: String) {
    self.category = category
    isOn = true
  }
  /// Makes a logger of an older log.
  public init(_ logObj: OSLog) {
    category = logObj.category
    isOn = logObj.isEnabled
  }

  /// Writes a message.
  public func log(_ message: OSLogMessage) { write(.default, message) }
  /// Writes a message of a level.
  public func log(level: OSLogType, _ message: OSLogMessage) { write(level, message) }
  /// Writes a message for debugging.
  public func trace(_ message: OSLogMessage) { write(.debug, message) }
  /// Writes a message for debugging.
  public func debug(_ message: OSLogMessage) { write(.debug, message) }
  /// Writes a message of information.
  public func info(_ message: OSLogMessage) { write(.info, message) }
  /// Writes a message.
  public func notice(_ message: OSLogMessage) { write(.default, message) }
  /// Writes a message of a possible mistake.
  public func warning(_ message: OSLogMessage) { write(.error, message) }
  /// Writes a message of a mistake.
  public func error(_ message: OSLogMessage) { write(.error, message) }
  /// Writes a message of a bad mistake.
  public func critical(_ message: OSLogMessage) { write(.fault, message) }
  /// Writes a message of a bad mistake.
  public func fault(_ message: OSLogMessage) { write(.fault, message) }

  private func write(_ level: OSLogType, _ message: OSLogMessage) {
    guard isOn, level >= LogOutput.least else { return }
    LogOutput.write(category.isEmpty ? message.text : "\(category): \(message.text)")
  }
}

/// The level of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  /// The place in the order of levels.
  public let rawValue: UInt8
  /// Makes a level.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The usual level.
  public static let `default` = OSLogType(rawValue: 0)
  /// Information.
  public static let info = OSLogType(rawValue: 1)
  /// For debugging.
  public static let debug = OSLogType(rawValue: 2)
  /// A mistake.
  public static let error = OSLogType(rawValue: 16)
  /// A bad mistake.
  public static let fault = OSLogType(rawValue: 17)

  /// The place by weight: the raw values are not in this order.
  private var weight: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .default: 2
    default: 3
    }
  }

  static func >= (left: OSLogType, right: OSLogType) -> Bool { left.weight >= right.weight }
}

/// A log as it was before `Logger`.
public final class OSLog: Sendable {
  /// The usual log.
  public static let `default` = OSLog(subsystem: "", category: "")
  /// A log that nobody reads.
  public static let disabled = OSLog(isEnabled: false)

  let category: String
  let isEnabled: Bool

  /// Makes a log of a part of the program.
  public init(subsystem: String, category: String) {
    self.category = category
    isEnabled = true
  }

  private init(isEnabled: Bool) {
    category = ""
    self.isEnabled = isEnabled
  }
}

/// Writes a message with values; a `%{public}@` is a `%@`.
public func os_log(
  _ message: StaticString, log: OSLog = .default, type: OSLogType = .default,
  _ arguments: any CVarArg...
) {
  var format = message.description
  for marker in ["{public}", "{private}", "{sensitive}"] {
    format = format.replacing("%\(marker)", with: "%")
  }
  let text = arguments.isEmpty ? format : String(format: format, arguments: arguments)
  Logger(log).log(level: type, OSLogMessage(stringLiteral: text))
}

/// Writes a message.
public func os_log(
  _ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage
) {
  Logger(log).log(level: type, message)
}

/// The place of the messages.
private enum LogOutput {
  static let least: OSLogType =
    ProcessInfo.processInfo.environment["INTENTD_LOG"] == "debug" ? .debug : .default

  static func write(_ line: String) {
    // A message is one line: a line break would look like the next one.
    let text = line.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}
