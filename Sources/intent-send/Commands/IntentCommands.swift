import ArgumentParser
import IntentProtocol
import JSON
import Timekeeping

/// Sends a sentence: the command behind `intent-send "show weather"`.
struct Send: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Send a sentence, and print the answer.",
    discussion: """
      intent-send "show weather for Beijing"
      intent-send send weather                 a sentence of one word
      intent-send --no-wait "show weather"     do not wait for the answer
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var waiting: WaitOptions

  @Option(
    help: "The language of the sentence, as en or zh-CN; may be repeated, first choice first.")
  var language: [String] = []

  @OptionGroup var surroundings: ContextOptions

  @Argument(help: ArgumentHelp("The sentence, as one argument.", valueName: "sentence"))
  var words: [String]

  func run(_ daemon: inout Daemon) throws(Failure) {
    let sentence = try Self.sentence(words)
    var params: JSONObject = [
      "text": .string(sentence), "languages": languages(language, for: sentence),
      "wait": .bool(waiting.wait), "source": "intent-send",
    ]
    params["context"] = try surroundings.value()
    let result = try daemon.ask(
      .intentSend, params, milliseconds: waiting.timeout.milliseconds)
    try settle(result, waiting, &daemon)
  }

  static func sentence(_ words: [String]) throws(Failure) -> String {
    guard words.count == 1, let sentence = words.first else { throw .severalWords(words) }
    guard sentence.contains(where: { !$0.isWhitespace }) else { throw .emptySentence }
    return sentence
  }
}

/// Returns `chosen` if it is not empty, else the languages of the environment.
private func languages(_ chosen: [String], for sentence: String) -> JSONValue {
  let order = chosen.isEmpty ? languageOrder(for: sentence, environment: environment) : chosen
  return .array(order.map(JSONValue.string))
}

/// Prints the result of an intent; reports on standard error why the entry is not fresh.
func report(_ result: JSONValue, to daemon: borrowing Daemon) throws(Failure) {
  daemon.show(result) { $0.sent(result) }
  let (status, complaint) = judgement(ofSent: result, daemon.renderer)
  if !complaint.isEmpty, !daemon.printsJSON { Output.complain(complaint) }
  if status != .done { throw Failure(status: status, message: "") }
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
  return (status, lines.joined())
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
      intent-send recognize "show weather for Beijing" --explain   every candidate, and why

      Of several candidates the one with fewest free texts is taken, then the one that has most of
      the sentence literally, then the one whose free texts are shortest, then the first name.
      """)

  @OptionGroup var common: CommonOptions

  @Option(help: "The language of the sentence; may be repeated, first choice first.")
  var language: [String] = []

  @OptionGroup var surroundings: ContextOptions

  @Flag(help: "Show every candidate with its template, slots and rank, and where the intent goes.")
  var explain = false

  @Argument(help: ArgumentHelp("The sentence, as one argument.", valueName: "sentence"))
  var words: [String]

  func run(_ daemon: inout Daemon) throws(Failure) {
    let sentence = try Send.sentence(words)
    var params: JSONObject = [
      "text": .string(sentence), "languages": languages(language, for: sentence),
    ]
    params["context"] = try surroundings.value()
    if explain { params["spans"] = true }
    let result = try daemon.ask(.intentRecognize, params)
    if result["matched"] == false {
      let suggestions = (result["suggestions"]?.arrayValue ?? []).compactMap(suggestionText)
      let missed = result["misunderstood"]?["message"].map { ": \(daemon.renderer.word($0))" }
      throw Failure(
        status: .noMatch,
        message: "no sentence template matches '\(sentence)'\(missed ?? didYouMean(suggestions))",
        hints: ["what can be said: intent-send intents"],
        json: daemon.printsJSON ? result : nil)
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
    let result = try daemon.ask(.intentList)
    daemon.show(result) { $0.intents(result) }
  }
}

/// Removes donations, so that the stack no longer learns from them.
struct Forget: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forget what was done, so that nothing is learned from it.",
    discussion: """
      intent-send forget --since 2h
      intent-send forget --intent ShowWeather
      intent-send forget --kind org.intentd.example.weather
      intent-send forget --all
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: "Only this intent.", completion: .custom(completeIntents)) var intent: String?
  @Option(help: "Only what was done with widgets of this kind.") var kind: String?
  @Option(
    parsing: .unconditional,
    help:
      "Only since then: 18:30 (the last, local time), 2026-11-23, 2026-11-20T21:00:00Z, or a span such as 30m, 2h, 7d."
  )
  var since: String?
  @Flag(help: "Everything.") var all = false

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(
      .donationForget,
      try parameters(now: daemon.renderer.now, zoneOffset: daemon.renderer.zoneOffset))
    daemon.show(result) {
      let entries = result["forgotten"].map($0.word) ?? "0"
      let donations = result["donations"].map($0.word) ?? "0"
      return "forgot \(entries) \(entries == "1" ? "entry" : "entries") of the history and "
        + "\(donations) \(donations == "1" ? "donation" : "donations")\n"
    }
  }

  func parameters(
    now: WallTime, zoneOffset: (WallTime) -> Int = { _ in 0 }
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
        .string(try date(since, sign: -1, now: now, zoneOffset: zoneOffset))
    }
    if all { parameters["all"] = true }
    return parameters
  }
}
