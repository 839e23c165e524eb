import ArgumentParser
import IntentProtocol
import JSON
import PlainText

struct Add: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Place a widget.",
    discussion: """
      intent-send add org.intentd.example.system       or the end of its id: system
      intent-send add org.intentd.example.weather      asks for the city
      intent-send add org.intentd.example.weather --set city=Rome --id home

      A kind that runs in a box and asks for permissions shows them, and asks once. \
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
  @Flag(help: "Grant the permissions that the kind asks for.") var yes = false
  @Argument(
    help: "The kind, or the end of its id; see 'intent-send gallery'.",
    completion: .custom(completeKinds))
  var kind: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    // A mistake in what was typed asks the daemon nothing.
    _ = try parameters.parameters()
    let kind = try daemon.kind(meantBy: kind)
    var params: JSONObject = ["kind": .string(kind), "ask": true]
    if let family { params["family"] = .string(family) }
    if let id { params["id"] = .string(id) }
    let values = try parameters.parameters(
      ofKind: { (_: inout Daemon) throws(Failure) in kind }, &daemon)
    params["parameters"] = values.map(JSONValue.object)
    params["languages"] = personsLanguages["languages"]
    try PermissionQuestion.ask(kind, isAnswered: yes, printsJSON: common.json, &daemon)
    let first = try daemon.ask(.widgetAdd, params, milliseconds: waiting.timeout.milliseconds)
    let result = try answered(
      first, wait: waiting.wait, milliseconds: waiting.timeout.milliseconds, &daemon,
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
    if values != nil {
      params["ask"] = true
      params["languages"] = personsLanguages["languages"]
    }
    let first = try daemon.ask(
      .widgetConfigure, params, milliseconds: waiting.timeout.milliseconds)
    let result = try answered(
      first, wait: waiting.wait, milliseconds: waiting.timeout.milliseconds, &daemon,
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
    guard ids.count <= WireLimits.removedWidgetCountMax else {
      throw Failure(
        status: .usage,
        message: "\(ids.count) widgets are named; \(WireLimits.removedWidgetCountMax) is the most"
          + " for one removal, which takes all of them or none",
        hints: [
          "take them away in parts, each of which 'intent-send undo' brings back:",
          "xargs -n \(WireLimits.removedWidgetCountMax) intent-send remove < FILE-WITH-THE-IDS",
        ])
    }
    let named: JSONObject =
      ids.count == 1
      ? ["id": .string(ids[0])] : ["ids": .array(ids.map(JSONValue.string))]
    let result = try daemon.ask(.widgetRemove, named)
    daemon.show(result) { _ in ids.map { "removed  \(printable($0))\n" }.joined() }
    adviseUndo(daemon)
  }
}
