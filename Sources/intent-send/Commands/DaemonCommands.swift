import ArgumentParser
import Glibc
import IntentProtocol
import JSON

struct Status: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print how the daemon is, or a widget: what is unusual first.",
    discussion: """
      intent-send status                the daemon, what is wrong, what to do next
      intent-send status weather        a widget: last run, error, next reload
      intent-send status --all          everything that the daemon says about itself
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Everything, not only what is unusual.") var all = false
  @Argument(
    help: "A widget; without it the daemon.", completion: .custom(completeWidgets))
  var id: String?

  func run(_ daemon: inout Daemon) throws(Failure) {
    try Self.print(id, showsAll: all, &daemon)
  }

  static func print(_ id: String?, showsAll: Bool, _ daemon: inout Daemon) throws(Failure) {
    guard let id else {
      let result = try daemon.ask(.daemonStatus)
      let isService = result["pid"]?.intValue.map(DaemonService.runs) ?? true
      return daemon.show(result) {
        $0.status(result, showsAll: showsAll, isService: isService)
      }
    }
    let budget = try daemon.ask(.widgetBudget, ["id": .string(id)])
    guard !daemon.printsJSON, budget["error"] != nil else {
      return daemon.show(budget) { $0.status(of: id, budget: budget, kind: nil) }
    }
    // The kind of a failing widget, for the command that repeats the failure. `widget.list` would
    // tell every kind, but count as looking at the widgets.
    let failing = try daemon.ask(.daemonStatus)["failing"]?.arrayValue ?? []
    let kind = failing.first { $0["id"]?.stringValue == id }?["kind"]?.stringValue
    daemon.show(budget) { $0.status(of: id, budget: budget, kind: kind) }
  }
}

struct History: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Print what happened and why, newest first.",
    discussion: """
      intent-send history
      intent-send history weather --limit 10
      intent-send history -v            with every detail
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: "The same as ID.", completion: .custom(completeWidgets)) var widget: String?
  @Option(help: "At most this many, up to 1000.") var limit: Int?
  @Flag(name: .shortAndLong, help: "Every detail of each event.") var verbose = false
  @Argument(help: "Only of this widget.", completion: .custom(completeWidgets)) var id: String?

  func run(_ daemon: inout Daemon) throws(Failure) {
    var params = JSONObject()
    let widget = id ?? widget
    if let widget { params["widget"] = .string(widget) }
    if let limit { params["limit"] = .int(Int64(limit)) }
    let result = try daemon.ask(.daemonHistory, params)
    daemon.show(result) { $0.history(result, widget: widget, isVerbose: verbose) }
  }
}

struct ReloadConfig: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload-config",
    abstract: "Read manifests and intents again, and print their mistakes.",
    discussion: "intent-send reload-config")

  @OptionGroup var common: CommonOptions

  func run(_ daemon: inout Daemon) throws(Failure) {
    // Reloading waits for the disk and not for providers.
    let result = try daemon.ask(.daemonReloadConfiguration, milliseconds: 30_000)
    daemon.show(result) { $0.fields(result) }
    let issues = result["issues"]?.arrayValue ?? []
    if issues.contains(where: { $0["severity"] != "warning" }) {
      throw Failure(status: .failed, message: "")
    }
  }
}

/// Calls any method by its name.
struct Call: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "call",
    abstract: "Call a method of the protocol, and print its result as JSON.",
    discussion: """
      intent-send call daemon.ping
      intent-send call widget.receipt '{"id":"r7","wait":true}'
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: "How long to wait: seconds, or a number with s, m or h.")
  var timeout = Seconds(milliseconds: 35_000)
  @Argument(
    help: "The method, as widget.list.", completion: .list(Method.allCases.map(\.rawValue)))
  var method: String
  @Argument(help: "The parameters, an object or array; - reads standard input.") var params: String?

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(
      named: method, try parameters(), milliseconds: timeout.milliseconds)
    Output.print(result)
  }

  private func parameters() throws(Failure) -> JSONValue? {
    guard let params else { return nil }
    let value: JSONValue
    if params == "-" {
      value = try readJSON(params)
    } else {
      do throws(JSONError) {
        value = try JSONValue(parsing: params)
      } catch {
        throw Failure(
          status: .usage, message: "the parameters are not JSON: \(error.message)",
          hints: ["write them as: intent-send call \(method) '{\"name\":\"value\"}'"])
      }
    }
    guard value.objectValue != nil || value.arrayValue != nil else {
      throw Failure(
        status: .usage,
        message: "the parameters are \(value.typeName), the protocol takes an object or an array",
        hints: ["write them as: intent-send call \(method) '{\"name\":\"value\"}'"])
    }
    return value
  }
}
