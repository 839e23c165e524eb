import ArgumentParser
import Glibc
import IntentProtocol
import JSON
import PlainText
import Timekeeping

/// Sends a sentence: the command behind `intent-send "show weather"`.
struct Send: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Send a sentence, and print the answer.",
    discussion: """
      intent-send "show weather for Beijing"
      intent-send weather                   asks which city, or takes your widget's
      intent-send send stack                a sentence that is a command's name
      intent-send --no-wait "show weather"  do not wait for the answer
      intent-send --strict "show wether"    correct no slips

      What the sentence leaves out is taken from the one placed widget that shows the intent. \
      If there are several or none, a person at a terminal is asked; elsewhere the question and \
      the values there are go to standard error, and the status is 4.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var waiting: WaitOptions

  @Option(
    help: "The language of the sentence, as en or zh-CN; may be repeated, first choice first.")
  var language: [String] = []

  @OptionGroup var surroundings: ContextOptions

  @Flag(help: "Take the sentence only as it is written: correct no slips.") var strict = false

  @Argument(help: ArgumentHelp("The sentence.", valueName: "sentence"))
  var words: [String]

  func run(_ daemon: inout Daemon) throws(Failure) {
    var params = try said()
    if strict { params["strict"] = true }
    params["wait"] = .bool(waiting.wait)
    params["source"] = "intent-send"
    params["activationToken"] = activationToken()
    let result = try daemon.ask(
      .intentSend, params, milliseconds: waiting.timeout.milliseconds)
    try settle(result, waiting, &daemon)
  }

  /// Returns the parameters that say what was said.
  private func said() throws(Failure) -> JSONObject {
    let sentence = try Self.sentence(words)
    var params: JSONObject = [
      "text": .string(sentence), "languages": languages(language, for: sentence),
    ]
    params["context"] = try surroundings.value()
    return params
  }

  static func sentence(_ words: [String]) throws(Failure) -> String {
    let sentence = words.joined(separator: " ")
    guard sentence.contains(where: { !$0.isWhitespace }) else { throw .emptySentence }
    return sentence
  }

  /// Returns whether an intent understands the sentence of these arguments, which begin with
  /// `send`; `false` if that cannot be found out.
  static func isUnderstood(_ arguments: [String]) -> Bool {
    do {
      let command = try parse(Array(arguments.dropFirst()))
      var daemon = try Daemon(command.common)
      return try daemon.ask(.intentRecognize, command.said())["matched"] == true
    } catch {
      // Without an answer the arguments count as the mistake that they are anyway.
      return false
    }
  }

  /// Returns the refusal of a sentence that is not understood, if one clear reading is near it.
  static func slip(in arguments: [String]) -> Failure? {
    do throws(Failure) {
      let command: Send
      do { command = try parse(Array(arguments.dropFirst())) } catch { return nil }
      var daemon = try Daemon(command.common)
      // What may be a command with a slip in it is never done as a sentence with one.
      var params = try command.said()
      params["strict"] = true
      _ = try daemon.ask(.intentSend, params)
      return nil
    } catch {
      return error.slip == nil ? nil : error
    }
  }
}

/// Returns `chosen` if it is not empty, else the languages of the environment.
private func languages(_ chosen: [String], for sentence: String) -> JSONValue {
  let order = chosen.isEmpty ? languageOrder(for: sentence, environment: environment) : chosen
  return .array(order.map(JSONValue.string))
}

/// Prints the result of an intent; reports on standard error why the entry is not fresh, or why
/// there is none.
func report(_ result: JSONValue, to daemon: inout Daemon) throws(Failure) {
  if let failure = Failure(notPerformed: result, daemon) { throw failure }
  if let failure = try unshown(result, &daemon) { throw failure }
  complain(ofPerformed: result, daemon)
  daemon.show(result) { $0.sent(result) }
  let (status, complaint) = judgement(ofSent: result, daemon.renderer)
  if !complaint.isEmpty, !daemon.printsJSON { Output.complain(complaint) }
  if status != .done { throw Failure(status: status, message: "") }
  adviseToKeep(result, daemon)
}

/// Says on standard error as what a sentence was read that nothing matches as it was written.
func tellUnderstood(_ result: JSONValue, _ daemon: borrowing Daemon) {
  guard !daemon.printsJSON, let sentence = result["understood"]?["sentence"] else { return }
  Output.complain("Understood as: \(daemon.renderer.word(sentence))\n")
}

/// Says on standard error what of an intent's answer could not be done or shown.
func complain(ofPerformed result: JSONValue, _ daemon: borrowing Daemon) {
  guard !daemon.printsJSON else { return }
  for warning in daemon.renderer.performedWarnings(result) {
    Output.complain("intent-send: \(warning)\n")
  }
}

/// Returns the failure of an intent that no kind of widget shows; `nil` if one does, or if the
/// intent is not for widgets.
private func unshown(
  _ result: JSONValue, _ daemon: inout Daemon
) throws(Failure) -> Failure? {
  guard result["widgets"] == [], result["performed"] == nil, let intent = result["intent"],
    let name = intent["name"]?.stringValue
  else { return nil }
  let known = try daemon.ask(.intentList)["intents"]?.arrayValue ?? []
  if known.contains(where: { $0["name"] == intent["name"] && $0["widgets"] == false }) {
    return nil
  }
  let status = try daemon.ask(.daemonStatus)
  let folder = status["folders"]?.arrayValue?.first?.stringValue
  return Failure(
    status: .failed, message: "\(daemon.renderer.intent(intent)): no kind of widget shows it",
    hints: [
      "put one into \(folder.map(printable) ?? "the folder of widgets"); its manifest has"
        + " 'intent: \(printable(name))'",
      "then: \(addLine(kind: "KIND", intent))",
    ], json: daemon.printed(result))
}

/// Tells a person at a terminal how to keep the widget that is shown as a suggestion.
private func adviseToKeep(_ result: JSONValue, _ daemon: borrowing Daemon) {
  let widgets = result["widgets"]?.arrayValue ?? []
  guard !daemon.printsJSON, isatty(STDERR_FILENO) == 1, widgets.count == 1,
    widgets[0]["suggestion"] == true, let kind = widgets[0]["kind"]?.stringValue,
    let intent = result["intent"]
  else { return }
  Output.complain("  to keep it: \(addLine(kind: kind, intent))\n")
}

/// Returns the command that places a widget of `kind` for an intent.
func addLine(kind: String, _ intent: JSONValue) -> String { kindLine("add", kind: kind, intent) }

/// Returns a command about `kind` that sets the parameters of an intent.
func kindLine(_ command: String, kind: String, _ intent: JSONValue?) -> String {
  let parameters = intent?["parameters"]?.objectValue?.members ?? []
  let assignments = parameters.flatMap { member -> [String] in
    let text = member.value.stringValue.map { "\(member.key)=\($0)" }
    return ["--set", text ?? "\(member.key):=\(member.value.serialized)"]
  }
  return printable("intent-send \(shellLine([command, kind] + assignments))")
}

/// Returns the exit status of a sent intent, and the text to print beside the entry.
///
/// One widget with a fresh answer makes the status `done`; else one deferred reload makes it
/// `deferred`.
func judgement(
  ofSent result: JSONValue, _ renderer: Renderer
) -> (status: ProgramStatus, complaint: String) {
  let receipts = result["receipts"]?.arrayValue ?? []
  let states = receipts.compactMap(outcome(ofReceipt:))
  let isAnswered = states.isEmpty || states.contains("done") || states.contains("coalesced")
  let status: ProgramStatus =
    isAnswered ? .done : states.contains("deferred") ? .deferred : .failed
  // Without an entry the answer prints the receipts itself.
  guard result["entry"]?["content"] != nil else { return (status, "") }
  let late = receipts.filter { ["deferred", "dropped"].contains(outcome(ofReceipt: $0)) }
  let lines = late.map { receipt in
    let widget = receipt["widget"].map(renderer.word) ?? ""
    return "intent-send: \(widget): \(Renderer.plain(renderer).receiptState(receipt))\n"
  }
  let again = late.lazy.compactMap { tryLine(ofReceipt: $0, result["intent"]) }.first
  return (status, lines.joined() + (again.map { "  try it: \($0)\n" } ?? ""))
}

extension Renderer {
  /// Returns `renderer` without colour, for standard error.
  static func plain(_ renderer: Renderer) -> Renderer {
    var plain = renderer
    plain.style = .plain
    return plain
  }
}

/// Shows the meaning of a sentence without acting on it.
struct Recognize: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "recognize",
    abstract: "Say what a sentence means, without doing it.",
    discussion: """
      intent-send recognize "show weather for Beijing"
      intent-send recognize "weather Beijing" --explain     every candidate

      Of several candidates the one with fewest free texts is taken, then the one that has most of \
      the sentence literally, then the one whose free texts are shortest, then the first name.
      """)

  @OptionGroup var common: CommonOptions

  @Option(help: "The language of the sentence; may be repeated, first choice first.")
  var language: [String] = []

  @OptionGroup var surroundings: ContextOptions

  @Flag(help: "Show every candidate with its template, slots and rank, and where the intent goes.")
  var explain = false

  @Flag(help: "Take the sentence only as it is written: correct no slips.") var strict = false

  @Argument(help: ArgumentHelp("The sentence.", valueName: "sentence"))
  var words: [String]

  func run(_ daemon: inout Daemon) throws(Failure) {
    let sentence = try Send.sentence(words)
    var params: JSONObject = [
      "text": .string(sentence), "languages": languages(language, for: sentence),
    ]
    params["context"] = try surroundings.value()
    if explain { params["spans"] = true }
    if strict { params["strict"] = true }
    let result = try daemon.ask(.intentRecognize, params)
    if result["matched"] == false {
      if let near = result["near"], near["decision"] != "none" || explain,
        near["readings"]?.arrayValue?.isEmpty == false
      {
        guard near["decision"] == "none" else {
          daemon.show(result) { $0.near(near, isExplained: explain) }
          return
        }
        if !daemon.printsJSON { daemon.show(result) { $0.near(near, isExplained: true) } }
      }
      let suggestions = (result["suggestions"]?.arrayValue ?? []).compactMap(suggestionText)
      // A sentence that could be read nearly, and was not, is far from all of them.
      let known = strict ? didYouMean(suggestions) : forExample(suggestions)
      let missed = result["misunderstood"]?["message"].map { ": \(daemon.renderer.word($0))" }
      throw Failure(
        status: .noMatch,
        message: "no sentence template matches '\(sentence)'\(missed ?? known)",
        hints: ["what can be said: intent-send intents"],
        json: daemon.printed(result))
    }
    daemon.show(result) { explain ? $0.explained(result) : $0.recognized(result) }
  }
}

/// Lists the intents with their sentences and routes.
struct Intents: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "intents",
    abstract: "List the intents: what can be said, and which URLs open them.",
    discussion: "intent-send intents")

  @OptionGroup var common: CommonOptions

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(.intentList, personsLanguages)
    daemon.show(result) { $0.intents(result) }
  }
}

/// Removes donations, so that the stack no longer learns from them.
struct Forget: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forget what was done, so that nothing is learned from it.",
    discussion: """
      intent-send forget --since 2h                   the last two hours
      intent-send forget --since yesterday
      intent-send forget --intent ShowWeather
      intent-send forget --kind org.intentd.example.weather
      intent-send forget --all                        asks first; --yes does not

      There is no undo: nothing of it is left in any file.
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: "Only this intent.", completion: .custom(completeIntents)) var intent: String?
  @Option(help: "Only what was done with widgets of this kind.") var kind: String?
  @Option(
    parsing: .unconditional,
    help:
      "Only since then: 'yesterday', 'monday 8am', 18:30 (the last, local time), 2026-11-23, or a span such as 30m, 2h, 7d."
  )
  var since: String?
  @Flag(help: "Everything.") var all = false
  @Flag(name: .shortAndLong, help: "Do not ask before everything is forgotten.") var yes = false

  func run(_ daemon: inout Daemon) throws(Failure) {
    let parameters = try parameters(
      now: daemon.renderer.now, zoneOffset: daemon.renderer.zoneOffset)
    // Everything that was learned in months goes: a person says so twice.
    if all, intent == nil, kind == nil, since == nil, !yes { try confirm() }
    let result = try daemon.ask(.donationForget, parameters)
    daemon.show(result) {
      let entries = result["forgotten"].map($0.word) ?? "0"
      let donations = result["donations"].map($0.word) ?? "0"
      return "forgot \(entries) \(entries == "1" ? "entry" : "entries") of the history and "
        + "\(donations) \(donations == "1" ? "donation" : "donations")\n"
    }
  }

  private func confirm() throws(Failure) {
    guard Prompt.isPossible, !common.json else {
      throw Failure(
        status: .usage, message: "'--all' forgets everything you did, and it cannot be undone",
        hints: ["if you mean it: intent-send forget --all --yes"])
    }
    let question = "forget everything you did? It cannot be undone."
    guard Prompt.confirms(question, standard: false) else {
      throw Failure(status: .failed, message: "nothing was forgotten")
    }
  }

  func parameters(
    now: WallTime, zoneOffset: @escaping (WallTime) -> Int = { _ in 0 }
  ) throws(Failure) -> JSONObject {
    guard all || intent != nil || since != nil || kind != nil else {
      throw Failure(
        status: .usage, message: "nothing was named to forget",
        hints: ["name it with --intent NAME, --kind KIND, --since SPAN, or --all"])
    }
    var parameters = JSONObject()
    if let intent { parameters["intent"] = .string(intent) }
    if let kind { parameters["kind"] = .string(kind) }
    if let since {
      parameters["since"] =
        .string(try date(since, .past, now: now, zoneOffset: zoneOffset))
    }
    if all { parameters["all"] = true }
    return parameters
  }
}
