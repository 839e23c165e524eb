import ArgumentParser
import BlockingClient
import Glibc
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
    let result = try daemon.ask(.widgetList, kind.map { ["kind": .string($0)] } ?? [:])
    daemon.show(result) { $0.widgets(result, isVerbose: isVerbose) }
  }
}

struct Gallery: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "List the kinds of widgets there are to add.",
    discussion: "intent-send gallery")

  @OptionGroup var common: CommonOptions

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(.galleryList)
    var folders: [String] = []
    if !daemon.printsJSON, daemon.renderer.list("kinds", in: result).isEmpty {
      let status = try daemon.ask(.daemonStatus)
      folders = (status["folders"]?.arrayValue ?? []).compactMap(\.stringValue)
    }
    daemon.show(result) { $0.gallery(result, folders: folders) }
  }
}

struct Add: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Place a widget.",
    discussion: """
      intent-send add org.intentd.example.system
      intent-send add org.intentd.example.weather      asks for the city
      intent-send add org.intentd.example.weather --set city=Rome --id home

      Elsewhere than at a terminal, the question and the values there are go to standard error, \
      with the line that answers it; the status is 4.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var waiting: WaitOptions
  @OptionGroup var parameters: ParameterOptions
  @Option(
    help: "The family; without it the kind's first.", completion: .list(familyNames),
    transform: canonicalFamily)
  var family: String?
  @Option(help: "The widget's id; without it one is made from the kind.") var id: String?
  @Argument(help: "The kind; see 'intent-send gallery'.", completion: .custom(completeKinds))
  var kind: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    var params: JSONObject = ["kind": .string(kind), "ask": true]
    if let family { params["family"] = .string(family) }
    if let id { params["id"] = .string(id) }
    let values = try parameters.parameters(
      ofKind: { (_: inout Daemon) throws(Failure) in kind }, &daemon)
    params["parameters"] = values.map(JSONValue.object)
    let first = try daemon.ask(.widgetAdd, params, milliseconds: waiting.timeout.milliseconds)
    let result = try answered(
      first, waiting, &daemon,
      instead: {
        parameters.line("add", kind, others: [("--family", family), ("--id", id)], asking: $0)
      })
    try finish(result, "added", waiting, &daemon)
  }
}

struct Configure: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "configure",
    abstract: "Change what a widget shows, its family, or how often it is reloaded.",
    discussion: """
      intent-send configure home --set city=Shanghai
      intent-send configure home --reload perDay=24-48 --reload activeHours=7-23
      intent-send configure home --reload default    as its kind says again

      Rules of --reload: perDay (24, or 40-70 by views), minimumInterval (5m), learning (3d), \
      unchangedIsFree (true), activeHours (learned, always, or 7-23). Those not named are the \
      kind's.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var waiting: WaitOptions
  @OptionGroup var parameters: ParameterOptions
  @Option(
    help: "The new family.", completion: .list(familyNames), transform: canonicalFamily)
  var family: String?
  @Option(help: "A reload rule of its own, name=value; 'default' for none. Repeatable.")
  var reload: [String] = []
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    var params: JSONObject = ["id": .string(id)]
    if !reload.isEmpty { params["reload"] = .object(try rules()) }
    let values = try parameters.parameters(ofKind: kind, &daemon)
    params["parameters"] = values.map(JSONValue.object)
    if let family { params["family"] = .string(family) }
    guard params.members.count > 1 else {
      throw Failure(
        status: .usage, message: "nothing to change of '\(id)'",
        hints: ["say what: intent-send configure \(id) --set name=value, or --family FAMILY"])
    }
    if values != nil { params["ask"] = true }
    let first = try daemon.ask(
      .widgetConfigure, params, milliseconds: waiting.timeout.milliseconds)
    let result = try answered(
      first, waiting, &daemon,
      instead: {
        parameters.line("configure", id, others: [("--family", family)], asking: $0)
      })
    try finish(result, "changed", waiting, &daemon)
  }

  /// Returns assignments such as `perDay=24` as members of the request; the daemon checks the
  /// names.
  private func rules() throws(Failure) -> JSONObject {
    var rules: JSONObject = [:]
    for rule in reload where rule != "default" {
      let parts = rule.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw Failure(
          status: .usage, message: "'\(rule)' is no reload rule",
          hints: ["write name=value, such as --reload perDay=24"])
      }
      let value = String(parts[1])
      rules[String(parts[0])] =
        switch value {
        case "true": true
        case "false": false
        default: .string(value)
        }
    }
    return rules
  }

  private func kind(_ daemon: inout Daemon) throws(Failure) -> String? {
    let widgets = try daemon.ask(.widgetList)["widgets"]?.arrayValue ?? []
    return widgets.first { $0["id"]?.stringValue == id }?["kind"]?.stringValue
  }
}

/// Prints a placed or changed widget; waits for its first reload if `--wait` asks for that.
func finish(
  _ answer: JSONValue, _ verb: String, _ waiting: WaitOptions, _ daemon: inout Daemon
) throws(Failure) {
  var result = answer
  let receipt = result["receipt"]
  if waiting.wait, let id = (receipt?["id"] ?? receipt)?.stringValue,
    receipt?["state"]?.stringValue != "done"
  {
    let ended = try daemon.ask(
      .widgetReceipt, ["id": .string(id), "wait": true],
      milliseconds: waiting.timeout.milliseconds)
    if case .object(var object) = result {
      object["receipt"] = ended["receipt"] ?? ended
      result = .object(object)
    }
  }
  daemon.show(result) { renderer in
    var text = "\(verb)  \(renderer.placed(result["widget"] ?? result))"
    if let receipt = result["receipt"], receipt["state"] != nil, receipt["state"] != "done" {
      text += renderer.paragraph(
        "its first content: \(renderer.receiptState(receipt))", hanging: 2,
        tone: renderer.tone(ofReceipt: receipt))
      text += renderer.repeating([receipt], of: (result["widget"] ?? result)["intent"])
    }
    return text
  }
  let status = exitStatus(ofReceipts: result["receipt"].map { [$0] } ?? [])
  if status != .done { throw Failure(status: status, message: "") }
}

struct Remove: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Take widgets away.",
    discussion: """
      intent-send remove home
      intent-send remove home clock-2       all of them, or none if one is not there
      intent-send undo                      they are back, for ten minutes
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The widgets.", completion: .custom(completeWidgets)) var ids: [String]

  func run(_ daemon: inout Daemon) throws(Failure) {
    let named: JSONObject =
      ids.count == 1
      ? ["id": .string(ids[0])] : ["ids": .array(ids.map(JSONValue.string))]
    let result = try daemon.ask(.widgetRemove, named)
    daemon.show(result) { _ in ids.map { "removed  \(printable($0))\n" }.joined() }
    adviseUndo(daemon)
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
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String
  @Argument(help: "The timeline as JSON; - reads standard input.", completion: .file())
  var file = "-"

  func run(_ daemon: inout Daemon) throws(Failure) {
    let timeline = try readJSON(file)
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

/// Reads a JSON document from a file, or from standard input if the name is `-`.
func readJSON(_ name: String) throws(Failure) -> JSONValue {
  let source = name == "-" ? "standard input" : "'\(name)'"
  let bytes: [UInt8]
  switch readFile(name) {
  case .success(let read): bytes = read
  case .failure(.system(let code)):
    throw Failure(
      status: .failed, message: "cannot read \(source): \(systemMessage(code))",
      hints: ["name a file, or - for standard input"])
  case .failure(.tooLarge):
    throw Failure(
      status: .failed,
      message: "\(source) is longer than the daemon reads, \(WireLimits.frameBytesMax) bytes",
      hints: ["send less at once"])
  }
  do throws(JSONError) {
    return try JSONValue(parsing: bytes)
  } catch {
    let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
    throw Failure(
      status: .failed, message: "\(source) is not JSON, line \(line): \(error.message)",
      hints: ["check it with: jq . \(name == "-" ? "" : name)"])
  }
}

private enum ReadFailure: Error {
  case system(Int32)
  case tooLarge
}

private func readFile(_ name: String) -> Result<[UInt8], ReadFailure> {
  let descriptor = name == "-" ? STDIN_FILENO : Glibc.open(name, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return .failure(.system(errno)) }
  defer { if name != "-" { close(descriptor) } }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  while bytes.count <= WireLimits.frameBytesMax {
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      bytes += buffer[..<count]
    } else if count == 0 {
      return .success(bytes)
    } else if errno != EINTR {
      return .failure(.system(errno))
    }
  }
  return .failure(.tooLarge)
}

struct Tap: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "tap",
    abstract: "Do what a tap on a widget does: open its URL in its app.",
    discussion: """
      intent-send tap weather
      intent-send tap agenda --item 0           its first item
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: "Tap this item of the entry; 0 is the first.") var item: Int?
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    var params: JSONObject = ["id": .string(id)]
    if let item { params["item"] = .int(Int64(item)) }
    params["activationToken"] = activationToken()
    let result = try daemon.ask(.widgetTap, params)
    daemon.show(result) { $0.tapped(result) }
  }
}

struct Timeline: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Print a widget's timeline; * marks what it shows.",
    discussion: "intent-send timeline weather")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(.widgetTimeline, ["id": .string(id)])
    daemon.show(result) { $0.timeline(result) }
  }
}

struct Budget: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "budget",
    abstract: "Print what a widget may still spend on reloads.",
    discussion: "intent-send budget weather")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The widget.", completion: .custom(completeWidgets)) var id: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(.widgetBudget, ["id": .string(id)])
    daemon.show(result) { $0.budget(result) }
  }
}
