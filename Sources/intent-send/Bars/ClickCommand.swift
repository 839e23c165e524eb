import ArgumentParser
import BarLines
import Glibc
import IntentProtocol
import JSON
import PlainText

/// The options that say what a click does.
struct ClickOptions: ParsableArguments {
  @Option(
    name: .customLong("on"),
    help: ArgumentHelp(
      "A command for a button in the place of what it does: right='foot -e top'; may be repeated.",
      valueName: "button=command"))
  var on: [String] = []
  @Option(help: "The program for menus, such as 'rofi -dmenu'.") var menu: String?

  /// Reads `button=command`.
  static func command(_ assignment: String) throws(Failure) -> (button: Int, command: String) {
    let parts = assignment.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let button = BarButton.number(String(parts[0])) else {
      throw Failure(
        status: .usage, message: "'\(assignment)' names no button and command",
        hints: [
          "write it as: --on right='foot -e top'",
          "the buttons: \(BarButton.all.joined(separator: ", "))",
        ])
    }
    return (button, String(parts[1]))
  }
}

/// Does what a click on a bar means.
struct Click: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "click",
    abstract: "Do what a click on a bar means: tap, reload, or open the menu.",
    discussion: """
      intent-send click weather right            a click on the bar 'weather'
      intent-send click weather left --shown weather@17
      intent-send bar lemonbar weather | lemonbar -p | intent-send click weather -

      The bar's configuration runs this: 'intent-send bar waybar weather --setup' has the lines. \
      The widget's own action for the button goes first. Without one, left taps, middle reloads and \
      right opens the menu of the items. The wheel turns the stack of a bar that shows one. A widget that shows something else by now gets no tap.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var options: ClickOptions
  @Option(
    help: ArgumentHelp(
      "The widget and the revision that were on screen, as the bar was given them.",
      valueName: "widget@revision"))
  var shown: String?
  @Option(
    name: .customLong("modifier"),
    help: "A key that is held: shift, control, alt or super; once for each.")
  var modifiers: [String] = []
  @Option(help: "Where it was, as an object of JSON.") var position: String?
  @Argument(help: "The bar's name.") var bar: String
  @Argument(
    help: "The button, by its name or number; '-' reads the lines that lemonbar writes.",
    completion: .list(BarButton.all))
  var button: String

  mutating func run() throws {
    guard button == "-" else {
      guard let number = BarButton.number(button) else {
        throw Failure(
          status: .usage, message: "'\(button)' is no button",
          hints: ["the buttons: \(BarButton.all.joined(separator: ", ")), or 1 to 9"])
      }
      var click = BarClick(try widget(), button: number, modifiers: modifiers)
      if let position { click.position = try Self.position(position) }
      return try perform(click)
    }
    var lines = ClickLines()
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      for line in lines.lines(adding: bytes[..<count]) {
        guard let click = LemonbarClicks.click(line: line) else { continue }
        do throws(Failure) {
          try perform(click)
        } catch {
          // The bar goes on; the person sees the reason where the bar's messages go.
          Output.complain(error.text)
        }
      }
    }
  }

  private static func position(_ text: String) throws(Failure) -> JSONObject {
    var problem = "it is no object"
    do throws(JSONError) {
      if let object = try JSONValue(parsing: text).objectValue { return object }
    } catch {
      problem = error.message
    }
    throw Failure(
      status: .usage, message: "'\(text)' is no position: \(problem)",
      hints: ["write it as: --position '{\"x\":10,\"y\":20}'"])
  }

  /// Returns the widget that was on screen.
  private func widget() throws(Failure) -> ShownWidget {
    if let shown {
      if let widget = ShownWidget(word: shown) { return widget }
      throw Failure(
        status: .usage, message: "'\(shown)' is no widget with its revision",
        hints: ["leave --shown out: the bar's note says what was on screen"])
    }
    let now = monotonicMilliseconds()
    if let widget = noted(bar, 0, now) { return widget }
    // A range of tmux names the second widget of a bar `bar.1`.
    if let dot = bar.lastIndex(of: "."), let index = Int(bar[bar.index(after: dot)...]),
      let widget = noted(String(bar[..<dot]), index, now)
    {
      return widget
    }
    throw Failure(
      status: .failed, message: "no bar called '\(bar)' has shown a widget",
      hints: ["begin one: intent-send bar waybar \(shellLine([bar]))"])
  }

  private func noted(_ name: String, _ index: Int, _ now: Int64) -> ShownWidget? {
    let record = BarName(name).map { BarRecord($0, socketPath: common.socketPath) }
    guard let shown = record?.shown(at: now), shown.indices.contains(index) else { return nil }
    return shown[index]
  }

  // MARK: What it does

  private func perform(_ click: BarClick) throws(Failure) {
    for assignment in options.on {
      let (button, command) = try ClickOptions.command(assignment)
      if button == click.button { return ChildProgram.start(["/bin/sh", "-c", command]) }
    }
    var daemon = try Daemon(common)
    if try turns(click, &daemon) { return }
    do throws(Failure) {
      var params = click.parameters
      params["activationToken"] = activationToken()
      daemon.isPatient = true
      let result = try daemon.ask(.widgetTap, params)
      try WidgetMenu(click.widget.id, program: options.menu).finish(result, &daemon)
    } catch {
      guard error.code == .nothingToOpen, try performUsual(click, &daemon) else { throw error }
    }
  }

  /// Turns the stack of the bar, if the click is of the wheel and the bar shows a stack; returns
  /// whether it did.
  private func turns(_ click: BarClick, _ daemon: inout Daemon) throws(Failure) -> Bool {
    guard click.button == 4 || click.button == 5 else { return false }
    do throws(Failure) {
      let result = try daemon.ask(
        .surfaceRotate, ["name": .string(bar), "by": click.button == 5 ? 1 : -1])
      if common.json { Output.print(result) }
      return true
    } catch {
      guard error.refusedParameter == "name" else { throw error }
      return false
    }
  }

  /// Does what a button means on every widget that has nothing of its own for it; returns whether
  /// there is something.
  private func performUsual(_ click: BarClick, _ daemon: inout Daemon) throws(Failure) -> Bool {
    switch click.button {
    case 2:
      let result = try daemon.ask(.widgetReload, ["id": .string(click.widget.id)])
      if common.json { Output.print(result) }
      return true
    case 1, 3:
      return try WidgetMenu(click.widget.id, program: options.menu).open(&daemon)
    default: return false
    }
  }
}
