import ArgumentParser
import BarLines
import Glibc
import IntentProtocol
import JSON
import PlainText

/// Shows the items of a widget in a menu program; the item that is chosen is tapped.
struct Menu: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "menu",
    abstract: "Show the items of a widget in rofi, dmenu or another menu; tap the chosen one.",
    discussion: """
      intent-send menu agenda
      intent-send menu agenda --with 'rofi -dmenu -p agenda'

      The program gets a line for each item and prints the chosen one. Without --with it is \
      $INTENTD_MENU, or the first of rofi, wofi, fuzzel, bemenu and dmenu that is installed. \
      A script that wants to run when its menu opens has two seconds for it. A widget that \
      'intent-send expand' expanded on this terminal has the items of that mode.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var shown: TerminalModeOptions
  @Option(name: .customLong("with"), help: "The menu program, as a line of the shell.")
  var program: String?
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    guard try WidgetMenu(id, as: shown.mode, program: program).open(&daemon) else {
      throw Failure(
        status: .failed, message: "'\(id)' has no items",
        hints: ["its text and its link: intent-send show \(shellLine([id]))"])
    }
  }
}

/// The menu of a widget's items.
struct WidgetMenu {
  private let id: String
  private let shown: TerminalMode
  private let program: String?

  /// Bytes of a line that a menu program prints; longer ones are no row.
  private static let choiceBytesMax = 4_096

  /// `shown`: the mode whose items it has; bars show widgets compact.
  init(_ id: String, as shown: TerminalMode = .compact, program: String?) {
    self.id = id
    self.shown = shown
    self.program = program
  }

  /// Shows the menu and taps the item that is chosen; returns whether the widget has items.
  func open(_ daemon: inout Daemon) throws(Failure) -> Bool {
    var request: JSONObject = ["id": .string(id)]
    shown.add(to: &request)
    let answer = try daemon.ask(.widgetOpenMenu, request)
    guard let widget = answer["widget"] else { return false }
    if let trouble = trouble(answer["run"]?.stringValue, widget) {
      Output.complain("intent-send: \(trouble); the menu has the last items\n")
    }
    let menu = BarMenu(widget, at: daemon.renderer.now)
    guard !menu.rows.isEmpty else { return false }
    let command = try menuProgram()
    let rows = menu.rows.map { $0.line + "\n" }.joined()
    let printed = ChildProgram.output(
      of: ["/bin/sh", "-c", command], input: rows, bytesMax: Self.choiceBytesMax)
    // A menu that the person closes ends with a failure and prints nothing.
    guard let printed, let choice = String(validating: printed, as: UTF8.self), !choice.isEmpty
    else { return true }
    guard let row = menu.row(chosen: choice), row.isEnabled else {
      throw Failure(
        status: .failed, message: "'\(choice)' is no item of '\(id)' that can be tapped",
        hints: ["choose one of the rows"])
    }
    var params: JSONObject = [
      "id": .string(id), "item": .array(row.path.map { .int(Int64($0)) }),
    ]
    params["revision"] = widget["revision"]
    params["activationToken"] = activationToken()
    daemon.isPatient = true
    try finish(try daemon.ask(.widgetTap, params), &daemon)
    return true
  }

  /// Prints the result of a tap, after the person chose the answers to its questions in the menu
  /// program.
  ///
  /// A menu that is closed leaves the question open. One without choices, such as for a text, is the
  /// failure, with the command that answers it.
  func finish(_ tapped: JSONValue, _ daemon: inout Daemon) throws(Failure) {
    var result = tapped
    while let need = result["needs"], let token = need["token"]?.stringValue {
      let titles = (need["choices"]?.arrayValue ?? []).map { $0["title"]?.stringValue ?? "" }
      let answers = need["reason"] == "confirmation" ? ["yes", "no"] : titles.map { printable($0) }
      guard !answers.isEmpty else {
        throw Failure(
          status: .needsAnswer, message: question(need, daemon.renderer),
          hints: ["answer: intent-send choose \(printable(token)) CHOICE"],
          json: daemon.printed(result))
      }
      Output.complain(question(need, daemon.renderer) + "\n")
      let rows = answers.map { $0 + "\n" }.joined()
      let printed = ChildProgram.output(
        of: ["/bin/sh", "-c", try menuProgram()], input: rows, bytesMax: Self.choiceBytesMax)
      guard let printed, let line = String(validating: printed, as: UTF8.self),
        let place = answers.firstIndex(
          of: line.last?.isNewline == true ? String(line.dropLast()) : line)
      else { return }
      let choice: JSONValue =
        need["reason"] == "confirmation" ? .string(answers[place]) : .int(Int64(place + 1))
      result = try daemon.ask(
        .intentSend,
        ["resume": .string(token), "choice": choice, "source": "intent-send"])
    }
    if let failure = Failure(notPerformed: result, daemon) { throw failure }
    complain(ofPerformed: result, daemon)
    daemon.show(result) { result["cancelled"] == true ? "not done\n" : $0.tapped(result) }
  }

  /// The reason for which the items are not of now; `nil`: they are.
  private func trouble(_ run: String?, _ widget: JSONValue) -> String? {
    switch run {
    case "late": return "the script of '\(printable(id))' does not answer yet"
    case "failed":
      let reason = widget["error"]?.stringValue.map { ": \(printable($0))" } ?? ""
      return "the script of '\(printable(id))' failed\(reason)"
    default: return nil
    }
  }

  private func menuProgram() throws(Failure) -> String {
    if let program { return program }
    if let program = environment("INTENTD_MENU"), !program.isEmpty { return program }
    let known = [
      ("rofi", "rofi -dmenu -i"), ("wofi", "wofi --dmenu"), ("fuzzel", "fuzzel --dmenu"),
      ("bemenu", "bemenu"), ("dmenu", "dmenu -i -l 12"),
    ]
    let folders = (environment("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    for (name, command) in known
    where folders.contains(where: { access("\($0)/\(name)", X_OK) == 0 }) {
      return command
    }
    throw Failure(
      status: .failed, message: "there is no menu program",
      hints: ["install rofi or dmenu, or name another one: INTENTD_MENU='PROGRAM'"])
  }
}
