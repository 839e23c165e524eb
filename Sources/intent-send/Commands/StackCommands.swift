import ArgumentParser
import IntentProtocol
import JSON
import Timekeeping

struct Stack: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "stack",
    abstract: "List the widgets, most relevant first.",
    discussion: """
      intent-send stack --explain
      intent-send stack --ids --limit 1
      intent-send stack --at 2026-11-21T18:30:00Z
      intent-send stack --replay
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Say why, in numbers that add up.") var explain = false
  @Option(help: "At another moment: a date (2026-11-20T21:00:00Z), or a span from now such as 2h.")
  var at: String?
  @Option(help: "Only so many.") var limit: Int?
  @Flag(help: "Only the widgets' ids, a line each: for scripts.") var ids = false
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
    if let at { parameters["at"] = .string(try date(at, sign: 1, now: daemon.renderer.now)) }
    if ids { parameters["ids"] = true }
    let result = try daemon.ask(explain ? .stackExplain : .stackOrder, parameters)
    daemon.show(result) {
      ids ? $0.stackIDs(result) : explain ? $0.explainedStack(result) : $0.stack(result)
    }
  }
}

struct Why: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say why a widget stands where it does in the stack.",
    discussion: """
      intent-send why weather
      intent-send why weather --at 2h
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String
  @Option(help: "At another moment: a date (2026-11-20T21:00:00Z), or a span from now such as 2h.")
  var at: String?

  func run(_ daemon: inout Daemon) throws(Failure) {
    var parameters: JSONObject = ["id": .string(id)]
    if let at { parameters["at"] = .string(try date(at, sign: 1, now: daemon.renderer.now)) }
    let result = try daemon.ask(.stackExplain, parameters)
    daemon.show(result) { $0.explainedStack(result, isNumbered: false) }
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
    daemon.show(result) { _ in "sent \(id) away\n" }
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
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "on or off.") var state: Switch

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(.donationSetPrivate, ["on": .bool(state == .on)])
    daemon.show(result) { _ in
      state == .on
        ? "private mode is on: nothing you do is kept or learned from\n" : "private mode is off\n"
    }
  }
}

/// A date as it is written, or one that is a span away from now.
///
/// `sign`: 1 for a span into the future, −1 for one into the past.
func date(_ text: String, sign: Int64, now: WallTime) throws(Failure) -> String {
  if WallTime(rfc3339: text) != nil { return text }
  guard let span = Seconds(argument: text) else {
    throw Failure(
      status: .usage, message: "'\(text)' is neither a date nor a span",
      hints: ["write it as 2026-11-20T21:00:00Z, or as 30m, 2h, 7d"])
  }
  return now.advanced(byMilliseconds: sign * span.milliseconds).rfc3339
}
