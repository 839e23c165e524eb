import ArgumentParser
import IntentProtocol
import JSON

/// Shows a widget with all its content; without a widget, the stack at a glance.
///
/// `intent-send` without arguments is this command.
struct Show: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a widget with all its content, or the stack at a glance.",
    discussion: """
      intent-send show weather     title, text, items with the numbers to tap, dates
      intent-send show weather --expanded  with more of it
      intent-send show             the stack, as 'intent-send' alone shows it

      A widget that 'intent-send expand' expanded on this terminal is shown so.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var shown: TerminalModeOptions
  @Argument(help: "The widget; without it the stack.", completion: .custom(completeWidgets))
  var id: String?

  mutating func run() throws {
    try Self.run(
      id, as: shown.mode, socketPath: common.socketPath, printsJSON: common.json)
  }

  func run(_ daemon: inout Daemon) throws(Failure) {
    try Self.print(id, as: shown.mode, &daemon)
  }

  /// Connects and shows; without a widget and without a daemon, names the way to the commands.
  static func run(
    _ id: String?, as shown: TerminalMode = .chosen, socketPath: String, printsJSON: Bool
  ) throws(Failure) {
    do throws(Failure) {
      var daemon = try Daemon(socketPath: socketPath, printsJSON: printsJSON)
      try Self.print(id, as: shown, &daemon)
    } catch {
      var failure = error
      if id == nil, failure.status == .noDaemon {
        failure.hints.append("all commands: intent-send --help")
      }
      throw failure
    }
  }

  private static func print(
    _ id: String?, as shown: TerminalMode, _ daemon: inout Daemon
  ) throws(Failure) {
    guard let id else { return try printStack(&daemon) }
    var params: JSONObject = ["id": .string(id)]
    shown.add(to: &params)
    let timeline = try daemon.ask(.widgetTimeline, params)
    // Asks for the widgets of one kind only, since a listed widget counts as seen.
    params = ["kind": timeline["kind"] ?? ""]
    shown.add(to: &params)
    let widgets = try daemon.ask(.widgetList, params)
    let found = (widgets["widgets"]?.arrayValue ?? []).first { $0["id"]?.stringValue == id }
    guard let widget = found else {
      throw Failure(
        status: .failed, message: "the widget '\(id)' was removed a moment ago",
        hints: ["all widgets: intent-send widgets"])
    }
    daemon.show(widget) { $0.shown(widget, timeline: timeline, as: shown) }
  }

  private static func printStack(_ daemon: inout Daemon) throws(Failure) {
    let stack = try daemon.ask(.stackOrder)
    guard !daemon.printsJSON, daemon.renderer.list("widgets", in: stack).isEmpty else {
      return daemon.show(stack) { $0.glance(stack) }
    }
    let gallery = try daemon.ask(.galleryList, personsLanguages)
    daemon.show(stack) { $0.welcome(gallery: gallery) }
  }
}
