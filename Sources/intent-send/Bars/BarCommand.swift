import ArgumentParser
import BarLines
import Glibc
import JSON

extension BarFormat: ExpressibleByArgument {}

/// Shows widgets on a bar that people have: a line in the bar's own format for each change.
struct Bar: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bar",
    abstract: "Show widgets on Waybar, i3bar, swaybar, polybar, lemonbar, tmux, genmon or conky.",
    discussion: """
      intent-send bar waybar weather --setup     the lines to paste
      intent-send bar i3bar --stack 3            a status_command: the three on top
      intent-send bar polybar weather --format '{title} {percentage}%' --max 30
      intent-send bar text weather               text alone, in any terminal

      Each change is one line, written at once; the same line is never repeated. Content that is \
      not current is dimmed and has the class 'stale'; two seconds after the daemon went, \
      everything is. Text of widgets is escaped: no bar finds a command in it.

      --format has {line}, {title}, {subtitle}, {text}, {short}, {percentage}, {symbol}, {name} \
      and {id}; {line} is the short text, else the text, else the title, as without --format; \
      i3bar then gets the text and the short text, and shows the latter where room is short.
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: "Show this many widgets from the top of the stack.") var stack: Int?
  @Option(help: "The text, such as '{title} {percentage}%'.") var format: String?
  @Option(help: "The longest text of a widget, in characters.") var max: Int?
  @Option(
    help: "The bar's name for clicks; without it the first widget's id, or 'stack'.")
  var name: String?
  @Option(help: "The text between two widgets.") var separator: String?
  @Flag(help: "Take the colours for light surroundings.") var light = false
  @Option(
    name: .customLong("on"),
    help: ArgumentHelp(
      "A command for a button of i3bar: right='foot -e top'; may be repeated.",
      valueName: "button=command"))
  var on: [String] = []
  @Option(help: "A program for menus, such as 'rofi -dmenu'; for i3bar.") var menu: String?
  @Flag(help: "Print one line and end.") var once = false
  @Option(
    help: "Keep the last line in this file instead of printing lines.", completion: .file())
  var file: String?
  @Option(help: "With --file: run this command after each change.") var then: String?
  @Flag(help: "Print the lines to paste into the bar's configuration.") var setup = false
  @Argument(help: "The bar's format.") var bar: BarFormat
  @Argument(help: "The widgets, in their order.", completion: .custom(completeWidgets))
  var widgets: [String] = []

  mutating func validate() throws {
    guard stack == nil || widgets.isEmpty else {
      throw ValidationError("name widgets or --stack, not both")
    }
    guard stack.map({ (1...BarLimits.widgetCountMax).contains($0) }) ?? true,
      widgets.count <= BarLimits.widgetCountMax
    else { throw ValidationError("a bar shows 1 to \(BarLimits.widgetCountMax) widgets") }
    guard max.map({ $0 > 0 }) ?? true else { throw ValidationError("--max is at least 1") }
    guard then == nil || file != nil else { throw ValidationError("--then needs --file") }
  }

  mutating func run() throws {
    let name = try Self.name(name ?? widgets.first ?? "stack")
    var wishes = BarWishes()
    wishes.isDark = !light
    if let max { wishes.lengthMax = max }
    if let format {
      do throws(BarTemplate.Mistake) {
        wishes.template = try BarTemplate(parsing: format)
      } catch {
        throw Failure(status: .usage, message: error.message)
      }
    }
    for assignment in on { _ = try ClickOptions.command(assignment) }
    if setup { return Output.print(BarSetup(bar, name, arguments: setupArguments(name)).text) }
    var line = BarLine(bar, name: name)
    if let separator { line.separator = separator }
    let shown = widgets.isEmpty ? BarWidgets(stack: stack ?? 1) : BarWidgets(ids: widgets)
    var session = BarSession(
      line, wishes, shown, to: sink(name), socketPath: common.socketPath,
      clickOptions: on.flatMap { ["--on", $0] } + (menu.map { ["--menu", $0] } ?? []))
    try session.run(isOnce: once)
  }

  private func sink(_ name: BarName) -> BarSink {
    if let file { return .file(path: file, then: then) }
    return bar == .tmux && !once ? .tmux(name) : .standardOutput
  }

  static func name(_ text: String) throws(Failure) -> BarName {
    if let name = BarName(text) { return name }
    throw Failure(
      status: .usage, message: "'\(text)' cannot be the name of a bar",
      hints: [
        "choose one of letters, digits, '.', '-' and '_', at most \(BarLimits.nameBytesMax): --name NAME"
      ])
  }

  /// The arguments of this call, without `--setup`, for the lines that are pasted.
  private func setupArguments(_ name: BarName) -> [String] {
    var words = widgets
    if let stack { words += ["--stack", "\(stack)"] }
    if widgets.first != name.text, self.name != nil { words += ["--name", name.text] }
    if let format { words += ["--format", format] }
    if let max { words += ["--max", "\(max)"] }
    if let separator { words += ["--separator", separator] }
    if light { words.append("--light") }
    for assignment in on { words += ["--on", assignment] }
    if let menu { words += ["--menu", menu] }
    return words
  }
}
