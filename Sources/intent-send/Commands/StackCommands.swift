import ArgumentParser
import IntentProtocol
import JSON
import PlainText
import Timekeeping

/// The help of `--at`, which takes past moments too.
private let momentHelp =
  "At another moment: 18:30 (the next, local time), 8am, tomorrow, 'monday 9:00', 2026-11-23, 'in 2h', '2h ago', -2h."

private func moment(_ text: String, _ renderer: Renderer) throws(Failure) -> String {
  try date(text, .coming, now: renderer.now, zoneOffset: renderer.zoneOffset)
}

struct Stack: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "stack",
    abstract: "List the widgets, most relevant first.",
    discussion: """
      intent-send stack --explain                 why each widget is where it is
      intent-send stack --explain -v              every part of each score
      intent-send stack --ids --limit 1
      intent-send stack --at 18:30                today, or else tomorrow
      intent-send stack --at 'tomorrow 8am'
      intent-send stack --at 2026-11-23T08:00     local time; with Z it is UTC
      intent-send stack --at -2h                  or '2h ago'
      intent-send stack --replay
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Say why, in numbers that add up.") var explain = false
  @Option(parsing: .unconditional, help: ArgumentHelp(momentHelp)) var at: String?
  @Option(help: "Only so many.") var limit: Int?
  @Flag(help: "Only the widgets' ids, a line each: for scripts.") var ids = false
  @Flag(name: .shortAndLong, help: "Kinds and scores; with --explain every part of a score.")
  var verbose = false
  @Flag(help: "How well the order would have foreseen what you did.") var replay = false

  func validate() throws {
    if replay, explain || at != nil || ids {
      throw ValidationError(
        "--replay goes through the past by itself; leave out --explain, --ids and --at")
    }
    if ids, explain {
      throw ValidationError("--ids leaves out what --explain says; give one of them")
    }
  }

  func run(_ daemon: inout Daemon) throws(Failure) {
    var parameters = JSONObject()
    if let limit { parameters["limit"] = .int(Int64(limit)) }
    if replay {
      let result = try daemon.ask(.stackReplay, parameters)
      return daemon.show(result) { $0.stackReplay(result) }
    }
    if let at { parameters["at"] = .string(try moment(at, daemon.renderer)) }
    if ids {
      parameters["ids"] = true
      let result = try daemon.ask(.stackOrder, parameters)
      return daemon.show(result) { $0.stackIDs(result) }
    }
    guard explain else { return try Self.print(parameters, isVerbose: verbose, &daemon) }
    let result = try daemon.ask(.stackExplain, parameters)
    daemon.show(result) { $0.explainedStack(result, isVerbose: verbose) }
  }

  static func print(
    _ parameters: JSONObject, isVerbose: Bool, _ daemon: inout Daemon
  ) throws(Failure) {
    let result = try daemon.ask(.stackOrder, parameters)
    daemon.show(result) { $0.stack(result, isVerbose: isVerbose) }
  }
}

struct Why: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say why a widget stands where it does in the stack.",
    discussion: """
      intent-send why weather
      intent-send why weather --at 2h
      intent-send why weather -v        every part of its score, with the reason
      """)

  @OptionGroup var common: CommonOptions
  @Flag(name: .shortAndLong, help: "Every part of the score, with its reason.") var verbose = false
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String
  @Option(parsing: .unconditional, help: ArgumentHelp(momentHelp)) var at: String?

  func run(_ daemon: inout Daemon) throws(Failure) {
    var parameters: JSONObject = ["id": .string(id)]
    if let at { parameters["at"] = .string(try moment(at, daemon.renderer)) }
    let result = try daemon.ask(.stackExplain, parameters)
    daemon.show(result) {
      $0.explainedStack(result, isNumbered: false, isVerbose: verbose)
    }
  }
}

struct Dismiss: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss",
    abstract: "Send a widget away: it stays down for four hours; a suggestion goes.",
    discussion: "intent-send dismiss weather")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(.stackDismiss, ["id": .string(id)])
    daemon.show(result) { _ in "sent \(printable(id)) away\n" }
    adviseUndo(daemon)
  }
}

struct Private: DaemonCommand {
  enum Switch: String, CaseIterable, ExpressibleByArgument { case on, off }

  static let configuration = CommandConfiguration(
    commandName: "private",
    abstract:
      "Turn private mode on or off: while it is on, nothing you do is kept or learned from.",
    discussion: """
      intent-send private on
      intent-send private off
      intent-send private          whether it is on
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "on or off; without it, how it is.") var state: Switch?

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result: JSONValue
    if let state {
      result = try daemon.ask(.donationSetPrivate, ["on": .bool(state == .on)])
    } else {
      result = ["private": try daemon.ask(.daemonStatus)["private"] ?? false]
    }
    daemon.show(result) { _ in
      result["private"] == true
        ? "private mode is on: nothing you do is kept or learned from\n" : "private mode is off\n"
    }
  }
}
