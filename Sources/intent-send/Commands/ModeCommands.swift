import ArgumentParser
import IntentProtocol
import JSON
import PlainText

struct Expand: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "expand",
    abstract: "Show a widget with more of its content, and print that.",
    discussion: """
      intent-send expand agenda                 wherever there is room, and here
      intent-send expand agenda --surface page  on the surface of this name only

      The choice is kept for each surface by its name. Content that was made for this mode is shown \
      at once; without any, the provider is asked, free of budget.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var waiting: WaitOptions
  @OptionGroup var place: SurfaceOption
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    try place.set("expanded", of: id, waiting, &daemon)
  }
}

struct Collapse: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "collapse",
    abstract: "Show a widget that was expanded with the least of its content again.",
    discussion: """
      intent-send collapse agenda                 wherever it is expanded
      intent-send collapse agenda --surface page  on the surface of this name only
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var waiting: WaitOptions
  @OptionGroup var place: SurfaceOption
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    try place.set("compact", of: id, waiting, &daemon)
  }
}

/// The surface on which a widget gets another mode.
struct SurfaceOption: ParsableArguments {
  @Option(
    name: .customLong("surface"),
    help: ArgumentHelp(
      "Only the surface of this name; without it all that show the widget, and this terminal.",
      valueName: "name"))
  var name: String?

  /// The name of terminals as a surface.
  private static let terminalName = "terminal"

  /// Sets the mode, waits for the content that is made for it, and prints that.
  func set(
    _ mode: String, of id: String, _ waiting: WaitOptions, _ daemon: inout Daemon
  ) throws(Failure) {
    var params: JSONObject = ["id": .string(id), "mode": .string(mode)]
    params["wait"] = .bool(waiting.wait)
    if let name {
      params["name"] = .string(name)
    } else {
      _ = try daemon.ask(.surfaceAttach, Self.terminal(showing: id))
    }
    let result = try daemon.ask(
      .widgetSetMode, params, milliseconds: waiting.timeout.milliseconds)
    daemon.show(result) { $0.modeSet(result) }
    guard let receipt = result["receipt"] else { return }
    let status = exitStatus(ofReceipts: [receipt])
    if status != .done { throw Failure(status: status, message: "") }
  }

  /// Returns the parameters by which this terminal is a surface.
  ///
  /// A terminal scrolls, so it has the room of a Today page, however many rows it has.
  private static func terminal(showing id: String) -> JSONObject {
    ["widgets": [.string(id)], "name": .string(terminalName), "entryPoint": "today"]
  }
}
