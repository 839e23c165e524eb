import BlockingClient
import Glibc
import IntentProtocol
import JSON
import JSONRPC
import PlainText

/// The exit status.
///
/// `--help` and the manual document it.
enum ProgramStatus: Int32, Hashable, Sendable {
  case done = 0
  case failed = 1
  /// No sentence template, or no route, matches.
  case noMatch = 3
  /// The intent needs the answer to a question first.
  case needsAnswer = 4
  case usage = 64
  case noDaemon = 69
  /// At least one reload was deferred.
  case deferred = 75
}

/// The reason why a command failed, in words for a person.
struct Failure: Error, Hashable {
  var status: ProgramStatus
  /// The event and the thing it happened to.
  ///
  /// Empty if the output said it already.
  var message: String
  /// The steps that may help, one line each.
  var hints: [String] = []
  /// The value that `--json` prints on standard output.
  var json: JSONValue?
  /// The daemon's error code; `nil` if the daemon did not refuse.
  var code: WireErrorCode?
  /// The similar names that the daemon suggests.
  var suggestions: [String] = []
  /// The parameter of the request that the daemon refused.
  var refusedParameter: String?
  /// A better argument for one of those that were given, where there is no doubt about it.
  var slip: Slip?

  /// The message up to the names that it suggests.
  var messageWithoutSuggestions: String {
    message.firstRange(of: "; did you mean").map { String(message[..<$0.lowerBound]) } ?? message
  }

  /// The text for standard error: `intent-send: message` and the hints, indented, below it.
  ///
  /// Empty if there is no message. Names and values in it steer no terminal, whoever wrote them.
  var text: String {
    guard !message.isEmpty else { return "" }
    return (["intent-send: \(message)"] + hints.map { "  \($0)" }).flatMap(printableLines)
      .joined(separator: "\n") + "\n"
  }
}

// MARK: - Usage

extension Failure {
  static let emptySentence = Failure(status: .usage, message: "the sentence is empty")

  /// The failure of a word that is neither a command nor a sentence, but like the commands `near`.
  static func unknownCommand(_ word: String, near: [String]) -> Failure {
    Failure(
      status: .usage,
      message: "unknown command '\(word)'\(didYouMean(near))",
      hints: ["all commands: intent-send --help", "what can be said: intent-send intents"],
      slip: clearlyNearest(to: word, among: near).map { Slip(said: word, meant: $0) })
  }

  /// Makes a failure from an error of swift-argument-parser; `arguments` begin with the subcommand.
  init(parserMessage: String, arguments: [String]) {
    if let slip = Slip.parameter(in: arguments, parserMessage), let said = slip.said {
      self.init(
        status: .usage, message: "unknown option '\(said)'",
        hints: [
          "a parameter is set so: intent-send \(shellLine(slip.corrected(arguments)))",
          "how it is used: intent-send \(arguments[0]) --help",
        ], slip: slip)
      return
    }
    let first = parserMessage.prefix(1).lowercased()
    let command = arguments.first.map { $0.hasPrefix("-") ? "" : "\($0) " } ?? ""
    self.init(
      status: .usage, message: first + parserMessage.dropFirst(),
      hints: ["how it is used: intent-send \(command)--help"])
  }
}

// MARK: - The daemon

extension Failure {
  init(_ error: ClientError) {
    switch error {
    case .noDaemon(let path):
      self.init(
        status: .noDaemon, message: "no daemon is listening on \(path)",
        hints: [
          "start it with: systemctl --user start intentd.socket",
          "or by hand, in a terminal: intentd",
        ])
    case .cannotConnect(let path, let code):
      self.init(
        status: .noDaemon, message: "cannot connect to \(path): \(systemMessage(code))",
        hints: [
          code == EACCES
            ? "the socket belongs to another user; look at $INTENTD_SOCKET and $XDG_RUNTIME_DIR"
            : "its log says why: journalctl --user -u intentd -n 20"
        ])
    case .pathTooLong(let path, let bytesMax):
      self.init(
        status: .noDaemon,
        message: "the socket's path has \(path.utf8.count) bytes, \(bytesMax) is the most: \(path)",
        hints: ["set $INTENTD_SOCKET to a shorter path, for the daemon too"])
    case .notTrusted(let path, let doubt):
      self.init(status: .noDaemon, message: doubt.message(path), hints: [doubt.remedy])
    case .connectionLost(let path):
      self.init(
        status: .noDaemon, message: "the daemon on \(path) closed the connection without an answer",
        hints: ["its log says why: journalctl --user -u intentd -n 20"])
    case .sendTimedOut:
      self.init(
        status: .failed, message: "the daemon takes no more bytes",
        hints: ["its log may say why: journalctl --user -u intentd -n 20"])
    case .answerTimedOut(let method):
      self.init(
        status: .failed, message: "no answer to \(method) in time; it may still take effect",
        hints: [
          "wait longer with --timeout SECONDS, or see what became of it: intent-send history"
        ])
    case .requestTooLarge(let bytes, let bytesMax):
      self.init(
        status: .failed,
        message: "the request has \(bytes) bytes, the daemon reads at most \(bytesMax)",
        hints: ["send less at once"])
    case .protocolViolation(let message):
      self.init(
        status: .failed, message: "the answer cannot be read: \(message)",
        hints: [
          "is it intentd that listens there? compare: intent-send --version, intentd --version"
        ]
      )
    case .refused(let error):
      self.init(refusal: error)
    }
  }

  /// Makes a failure from a refusal of the daemon, with hints that depend on its code.
  init(refusal error: RPCError) {
    var value: [UInt8] = []
    error.write(into: &value)
    var message = printable(error.message)
    let suggestions = (error.data?["suggestions"]?.arrayValue ?? []).compactMap(suggestionText)
    if !message.contains("did you mean"), !message.contains("; for example: ") {
      message += didYouMean(suggestions)
    }

    let code = WireErrorCode(rawValue: error.code)
    var hints: [String] = []
    if let families = error.data?["families"]?.arrayValue {
      hints.append(
        "it comes in: \(families.compactMap(\.stringValue).map(printable).joined(separator: ", "))")
    }
    if let hint = Self.hint(for: code, data: error.data) { hints.append(hint) }
    self.init(
      status: code == .noMatch || code == .noRoute ? .noMatch : .failed, message: message,
      hints: hints,
      json: [
        "error": [
          "code": .int(Int64(error.code)), "message": .string(error.message),
          "data": error.data ?? .null,
        ]
      ], code: code, suggestions: suggestions,
      refusedParameter: error.data?["parameter"]?.stringValue)
    if let meant = error.data?["meant"]?.stringValue { slip = Slip(meant: meant) }
    if code == .unknownWidget || code == .unknownKind { slip = Slip(meantAmong: suggestions) }
  }

  /// Makes the failure of a `target` that is neither a widget nor a kind, with the suggestions of
  /// both refusals.
  init(neither target: String, _ widget: Failure, _ kind: Failure) {
    self = widget
    let names = widget.suggestions + kind.suggestions.filter { !widget.suggestions.contains($0) }
    message = "no widget and no kind is called '\(target)'\(didYouMean(names))"
    hints += kind.hints
    slip = Slip(meantAmong: names)
  }

  private static func hint(for code: WireErrorCode?, data: JSONValue?) -> String? {
    switch code {
    case .noMatch: "what can be said: intent-send intents"
    case .noRoute: "which URLs have a route: intent-send intents"
    case .unknownIntent, .invalidParameter: "all intents and their parameters: intent-send intents"
    case .unknownWidget: "all widgets: intent-send widgets"
    case .unsupportedMode: "kinds that can be expanded: intent-send gallery"
    case .unknownKind, .unsupportedFamily:
      data?["folders"]?.arrayValue?.first?.stringValue.map(noKindsHint)
        ?? "all kinds: intent-send gallery"
    case .widgetExists: "choose another with --id, or change it: intent-send configure ID --set …"
    case .nothingToUndo: "what happened, and when: intent-send history"
    case .storeUnavailable: "nothing was done; look at the disk, then try again"
    case .widgetDamaged: "choose another with --id, or give it up: intent-send remove ID"
    case .foreignWidget: "the person configures it: intent-send configure ID --set …"
    case .unknownImage: "the pictures of now: intent-send call widget.list"
    case .keyReused: "use a new key for each request"
    case .alreadyDone: "what happened, and when: intent-send history"
    case .stopping: "try again in a moment"
    case .callbackDenied: "say which app asks with --app ID, its desktop id"
    case .linkRefused: "send it yourself: intent-send \"…\""
    case .configurationInvalid: "what is wrong with it: intent-send status"
    case .invalidTimeline:
      data?["path"]?.stringValue.map { "the mistake is at: \(printable($0))" }
    case .launchFailed:
      data?["reason"]?.stringValue.map { "reason: \(printable($0))" }
    case .frameTooLarge, .queueFull, .tooManyConnections, .tooManyWaiting, .tooMuchMemory,
      .lineUnfinished, .invalidURL,
      .schemeDenied, .unknownList, .limitReached, .unknownReceipt, .nothingToOpen, .entryChanged,
      .unsupportedVerb, .unknownSurface, .unclearPerformer, .sessionLocked,
      .none:
      nil
    }
  }
}

/// Returns the text of a suggestion, which is a string or an object with more members.
func suggestionText(_ value: JSONValue) -> String? {
  let text =
    value.stringValue ?? value["text"]?.stringValue ?? value["example"]?.stringValue
    ?? value["name"]?.stringValue ?? value["id"]?.stringValue
  return text.map(printable)
}

/// Returns the hint for a daemon without any kind; `folder` is the one it reads manifests from,
/// which has the folder of scripts beside it.
func noKindsHint(folder: String) -> String {
  let beside = folder.lastIndex(of: "/").map { folder[..<$0] } ?? ""
  return "there are no kinds yet: put a script of a bar, such as cpu.5s.sh, into"
    + " \(printable("\(beside)/plugins")), a manifest and its program into \(printable(folder)),"
    + " or take in the modules of your bar: intent-send import ~/.config/waybar/config;"
    + " a first one to change: intent-send new widget NAME;"
    + " the package intentd-examples has others"
}

func systemMessage(_ code: Int32) -> String {
  guard let text = strerror(code) else { return "error \(code)" }
  return String(cString: text)
}
