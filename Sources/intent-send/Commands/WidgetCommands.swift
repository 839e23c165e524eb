import ArgumentParser
import IntentProtocol
import JSON
import PlainText

struct Widgets: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "widgets",
    abstract: "List the widgets, and what each shows.",
    discussion: """
      intent-send widgets               id, content, age; those in trouble first
      intent-send widgets -v            their kinds, families and configurations, too
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: "Only of this kind.", completion: .custom(completeKinds)) var kind: String?
  @Flag(name: .shortAndLong, help: "The kind, the family and the configuration of each.")
  var verbose = false

  func run(_ daemon: inout Daemon) throws(Failure) {
    try Self.print(kind: kind, isVerbose: verbose, &daemon)
  }

  static func print(
    kind: String?, isVerbose: Bool, _ daemon: inout Daemon
  ) throws(Failure) {
    var params = personsLanguages
    if let kind { params["kind"] = .string(kind) }
    let result = try daemon.ask(.widgetList, params)
    daemon.show(result) { $0.widgets(result, isVerbose: isVerbose) }
  }
}

struct Signal: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "signal",
    abstract: "Run the widgets that wait for a signal, and print what came of it.",
    discussion: """
      intent-send signal 8                      as pkill -RTMIN+8 does for a bar

      A widget waits for the signal that its manifest names: provider.signal.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var waiting: WaitOptions
  @Argument(help: "The number of the signal, from 1 to 30.") var number: Int

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(
      .widgetSignal, ["signal": .int(Int64(number)), "wait": .bool(waiting.wait)],
      milliseconds: waiting.timeout.milliseconds)
    let receipts = daemon.renderer.list("receipts", in: result)
    if receipts.isEmpty, !daemon.printsJSON {
      throw Failure(
        status: .failed, message: "no placed widget waits for signal \(number)",
        hints: ["name it in a manifest: provider: {…, signal: \(number)}"])
    }
    daemon.show(result) { $0.receipts(receipts) }
    let status = exitStatus(ofReceipts: receipts)
    if status != .done { throw Failure(status: status, message: "") }
  }
}

struct Reload: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Ask providers for new timelines, and print what came of it.",
    discussion: """
      intent-send reload weather                one widget, or every widget of a kind
      intent-send reload --all
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var waiting: WaitOptions
  @Flag(help: "Every widget.") var all = false
  @Argument(
    help: "A widget's id, or a kind.",
    completion: .custom { words, index, prefix in
      completeWidgets(words, index, prefix) + completeKinds(words, index, prefix)
    })
  var target: String?

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result: JSONValue
    switch (target, all) {
    case (nil, true): result = try ask(.widgetReloadAll, [:], &daemon)
    case (let target?, false): result = try reload(target, &daemon)
    case (nil, false), (.some, true):
      throw Failure(
        status: .usage, message: "say what to reload",
        hints: [
          "one widget or kind: intent-send reload ID", "everything: intent-send reload --all",
        ])
    }
    let receipts = daemon.renderer.list("receipts", in: result)
    daemon.show(result) { $0.receipts(receipts) }
    let status = exitStatus(ofReceipts: receipts)
    if status != .done { throw Failure(status: status, message: "") }
  }

  /// Reloads the widget with that id, else all widgets of that kind.
  ///
  /// If there is neither, throws the refusal that suggests a similar name.
  private func reload(_ target: String, _ daemon: inout Daemon) throws(Failure) -> JSONValue {
    do throws(Failure) {
      return try ask(.widgetReload, ["id": .string(target)], &daemon)
    } catch {
      guard error.code == .unknownWidget else { throw error }
      do throws(Failure) {
        return try ask(.widgetReload, ["kind": .string(target)], &daemon)
      } catch let second {
        guard second.code == .unknownKind else { throw second }
        throw Failure(neither: target, error, second)
      }
    }
  }

  private func ask(
    _ method: Method, _ params: JSONObject, _ daemon: inout Daemon
  ) throws(Failure) -> JSONValue {
    var params = params
    params["wait"] = .bool(waiting.wait)
    return try daemon.ask(method, params, milliseconds: waiting.timeout.milliseconds)
  }
}

struct Push: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Hand a timeline to a widget, without any provider.",
    discussion: """
      intent-send push weather timeline.json
      ./forecast | intent-send push weather -

      A picture, {"image": {"file": "sun.png", "alt": "sunny"}}, is read from a file; a relative \
      name begins at the folder of the timeline's file.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String
  @Argument(help: "The timeline as JSON; - reads standard input.", completion: .file())
  var file = "-"

  func run(_ daemon: inout Daemon) throws(Failure) {
    let folder = file.lastIndex(of: "/").map { file[..<$0] } ?? "."
    let timeline = try PushedPictures.filled(
      try readJSON(file), folder: folder.isEmpty ? "/" : String(folder))
    let result = try daemon.ask(.widgetPush, ["id": .string(id), "timeline": timeline])
    daemon.show(result) { renderer in
      let count = timeline["entries"]?.arrayValue?.count ?? 0
      let state = result["receipt"].map(renderer.receiptState) ?? "done"
      return "pushed  \(printable(id))  \(count) \(count == 1 ? "entry" : "entries")  \(state)\n"
    }
    for warning in result["warnings"]?.arrayValue ?? [] where !daemon.printsJSON {
      Output.complain("intent-send: \(daemon.renderer.word(warning))\n")
    }
  }
}

struct Tap: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "tap",
    abstract:
      "Do what a tap on a widget does: open its URL in its app, show more, send an intent, run a command.",
    discussion: """
      intent-send tap weather
      intent-send tap agenda --item 0           its first item
      intent-send tap agenda --item 1,0         the first item below its second one
      intent-send tap volume --button 4         the wheel, turned up
      intent-send tap agenda --item 5 --expanded  an item that the expanded mode has

      The items are those that 'intent-send show' has: of a widget that 'intent-send expand' \
      expanded on this terminal, those of the expanded mode.
      """)

  @OptionGroup var common: CommonOptions
  @Option(
    help: ArgumentHelp(
      "Tap this item of the entry; 0 is the first, and 1,0 the first one below the second.",
      valueName: "path"))
  var item: String?
  @Option(
    help: "1 left, 2 middle, 3 right, 4 to 7 the wheel up, down, left and right, 8 back, 9 forward."
  )
  var button: Int?
  @Option(
    name: .customLong("modifier"),
    help: "A key that is held: shift, control, alt or super; once for each.")
  var modifiers: [String] = []
  @Option(help: "Do nothing unless the widget still shows this revision, of either mode.")
  var revision: Int64?
  @Option(
    help:
      "How long to wait for code that the tap runs: seconds, or a number with s, m or h. Without it, as long as the daemon lets that code run."
  )
  var timeout: Seconds?
  @OptionGroup var shown: TerminalModeOptions
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    var params: JSONObject = ["id": .string(id)]
    if let item { params["item"] = try Self.path(item) }
    if let button { params["button"] = .int(Int64(button)) }
    if !modifiers.isEmpty { params["modifiers"] = .array(modifiers.map { .string($0) }) }
    if let revision { params["revision"] = .int(revision) }
    shown.mode.add(to: &params)
    params["activationToken"] = activationToken()
    daemon.isPatient = true
    let result = try daemon.ask(.widgetTap, params, milliseconds: timeout?.milliseconds)
    try finish(result, &daemon)
  }

  /// Prints the result, after a person at a terminal answered the questions of an item's intent.
  private func finish(_ tapped: JSONValue, _ daemon: inout Daemon) throws(Failure) {
    let result = try answered(
      tapped, wait: true, milliseconds: timeout?.milliseconds, &daemon)
    if let failure = Failure(notPerformed: result, daemon) { throw failure }
    complain(ofPerformed: result, daemon)
    daemon.show(result) { result["cancelled"] == true ? "not done\n" : $0.tapped(result) }
  }

  /// Returns the item that `text` names, such as `1,0`.
  private static func path(_ text: String) throws(Failure) -> JSONValue {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int64($0) }
    let path = numbers.compactMap { $0 }
    guard path.count == numbers.count else {
      throw Failure(
        status: .usage, message: "'\(text)' is no item",
        hints: ["count from 0, with commas between the levels: --item 1,0"])
    }
    return path.count == 1 ? .int(path[0]) : .array(path.map { .int($0) })
  }
}

struct Timeline: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Print a widget's timeline; * marks what it shows.",
    discussion: "intent-send timeline weather")

  @OptionGroup var common: CommonOptions
  @Flag(help: "That of its expanded mode.") var expanded = false
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(.widgetTimeline, widget(id, isExpanded: expanded))
    daemon.show(result) { $0.timeline(result) }
  }
}

struct Budget: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "budget",
    abstract: "Print what a widget may still spend on reloads.",
    discussion: "intent-send budget weather")

  @OptionGroup var common: CommonOptions
  @Flag(help: "That of its expanded mode.") var expanded = false
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(.widgetBudget, widget(id, isExpanded: expanded))
    daemon.show(result) { $0.budget(result) }
  }
}

/// The parameters that name a widget, and its expanded mode where that is meant.
private func widget(_ id: String, isExpanded: Bool) -> JSONObject {
  var params: JSONObject = ["id": .string(id)]
  if isExpanded { params["mode"] = "expanded" }
  return params
}
