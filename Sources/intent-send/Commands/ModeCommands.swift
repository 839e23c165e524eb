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
      at once; without any, the provider is asked, free of budget. 'show', 'tap' and 'menu' follow \
      the choice for the surface 'terminal', which is that of all terminals.
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

/// The mode in which a command of a terminal reads or taps a widget.
///
/// Without a flag it is that which the person chose for terminals by `expand` and `collapse`: the
/// items have the numbers that those commands printed.
enum TerminalMode {
  case chosen, compact, expanded

  /// The name of terminals as a surface.
  static let surfaceName = "terminal"

  /// Adds what is meant to the parameters of a request.
  func add(to params: inout JSONObject) {
    switch self {
    case .chosen: params["name"] = .string(Self.surfaceName)
    case .compact: params["mode"] = "compact"
    case .expanded: params["mode"] = "expanded"
    }
  }

  /// The flag that means it, with a blank before it; empty for the choice.
  var flag: String {
    switch self {
    case .chosen: ""
    case .compact: " --compact"
    case .expanded: " --expanded"
    }
  }
}

/// The flags for another mode than that which the person chose for terminals.
struct TerminalModeOptions: ParsableArguments {
  @Flag(help: "Its compact mode, also where 'intent-send expand' expanded it.") var compact = false
  @Flag(help: "Its expanded mode, also where it is compact here.") var expanded = false

  func validate() throws {
    guard compact, expanded else { return }
    throw ValidationError("--compact and --expanded exclude each other; take one of them")
  }

  var mode: TerminalMode { expanded ? .expanded : compact ? .compact : .chosen }
}

/// The surface on which a widget gets another mode.
struct SurfaceOption: ParsableArguments {
  @Option(
    name: .customLong("surface"),
    help: ArgumentHelp(
      "Only the surface of this name; without it all that show the widget, and this terminal.",
      valueName: "name"))
  var name: String?

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
    // The numbers of the items are those of the surface that is named.
    let shown: TerminalMode =
      name == nil || name == TerminalMode.surfaceName
      ? .chosen : mode == "expanded" ? .expanded : .compact
    daemon.show(result) { $0.modeSet(result, as: shown) }
    guard let receipt = result["receipt"] else { return }
    let status = exitStatus(ofReceipts: [receipt])
    if status != .done { throw Failure(status: status, message: "") }
  }

  /// Returns the parameters by which this terminal is a surface.
  ///
  /// A terminal scrolls, so it has the room of a Today page, however many rows it has.
  private static func terminal(showing id: String) -> JSONObject {
    ["widgets": [.string(id)], "name": .string(TerminalMode.surfaceName), "entryPoint": "today"]
  }
}
