import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// An intent on its way to being performed: its values, and who waits for the answer.
struct IntentCompletion: Sendable {
  var intent: String
  var parameters: [String: JSONValue]
  var isConfirmed = false
  /// What providers said of dynamic parameters; an empty list for those that said nothing.
  var options: [String: [ResolutionChoice]] = [:]
  /// Parameters whose options were asked for.
  var asked: Set<String> = []
  var origin: Daemon.Origin
  var wait: Bool
  var address: ReplyAddress
}

/// A provider that is asked for the options of a parameter.
struct PendingOptions: Sendable {
  var completion: IntentCompletion
  var parameter: String
  var kind: String
}

/// Dynamic parameters: their values come from the provider of a kind that the intent configures,
/// asked when a text was said for one or when it is missing.
///
/// A provider that fails, or knows nothing of options, costs nobody the intent: it goes on with what
/// was said.
extension Daemon {
  /// Asks providers as far as need be, then performs the intent, asks its sender, or refuses it.
  mutating func complete(
    _ completion: IntentCompletion, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    var completion = completion
    while let question = catalog.openOptions(
      of: completion.intent, parameters: completion.parameters, asked: completion.asked)
    {
      completion.asked.insert(question.parameter)
      guard let name = kindsByIntent[completion.intent]?.first, let kind = engine.kinds[name]
      else { continue }
      try checkMayWait(completion.address)
      var output = EngineOutput()
      let intent = Intent(name: completion.intent, parameters: completion.parameters)
      guard
        let token = engine.askOptions(
          of: question.parameter, kind: kind, intent: .object(intent.view),
          search: question.search, at: now, into: &output)
      else { continue }
      try reserveWaiting(completion.address)
      pendingOptions[token] = PendingOptions(
        completion: completion, parameter: question.parameter, kind: name)
      take(output, at: now, into: &effects)
      return
    }
    switch catalog.resolution(
      name: completion.intent, parameters: completion.parameters,
      isConfirmed: completion.isConfirmed, options: completion.options)
    {
    case .ready(let intent):
      try perform(
        intent, completion.origin, wait: completion.wait, completion.address, at: now,
        into: &effects)
    case .needs(let need):
      ask(
        need, completion.origin, known: completion.options, asked: completion.asked,
        completion.address, at: now)
    case .failed(let error): throw RPCError(error)
    }
  }

  /// `true` when the run was one for options, whatever became of it.
  mutating func takeOptions(
    _ token: RunToken, _ outcome: ProviderOutcome, at now: Now, into effects: inout [Effect]
  ) -> Bool {
    guard let pending = pendingOptions.removeValue(forKey: token) else { return false }
    let timedOut = engine.optionsEnded(token)
    releaseWaiting(pending.completion.address)
    var completion = pending.completion
    switch Self.read(outcome, timedOut: timedOut) {
    case .success(let options): completion.options[pending.parameter] = options
    case .failure(let problem):
      let fields: JSONObject = [
        "kind": .string(pending.kind), "intent": .string(completion.intent),
        "parameter": .string(pending.parameter), "reason": .string(problem.message),
      ]
      journal.append("options.failed", at: now.wall, fields: fields)
      effects.append(
        .log(
          LogLine(
            .warning, "options.failed",
            ["kind": pending.kind, "parameter": pending.parameter, "reason": problem.message])))
    }
    do throws(RPCError) {
      try complete(completion, at: now, into: &effects)
    } catch {
      refuse(completion.address, error)
    }
    return true
  }

  /// Nobody waits for these any more: the daemon stops.
  mutating func dropOptions(_ stopping: RPCError) {
    for pending in pendingOptions.sorted(by: { $0.key < $1.key }).map(\.value) {
      releaseWaiting(pending.completion.address)
      refuse(pending.completion.address, stopping)
    }
    pendingOptions = [:]
  }

  private struct OptionsProblem: Error { var message: String }

  /// `{"options": [TEXT | {"value": …, "title": TEXT} | {"identifier": TEXT, "display": TEXT}]}`.
  private static func read(
    _ outcome: ProviderOutcome, timedOut: Bool
  ) -> Result<[ResolutionChoice], OptionsProblem> {
    func wrong(_ message: String) -> Result<[ResolutionChoice], OptionsProblem> {
      .failure(OptionsProblem(message: message))
    }
    let answer: JSONValue
    switch outcome {
    case .failed(let failure):
      return wrong(timedOut ? "it did not answer in time" : failure.message)
    case .answered(let bytes):
      do throws(JSONError) {
        answer = try JSONValue(parsing: bytes)
      } catch {
        return wrong("its answer is not JSON: \(error.message)")
      }
    }
    guard let elements = answer["options"]?.arrayValue else {
      return wrong("its answer has no list 'options'")
    }
    guard elements.count <= Limits.optionCountMax else {
      return wrong("it has \(elements.count) options; at most \(Limits.optionCountMax) are taken")
    }
    var options: [ResolutionChoice] = []
    for (index, element) in elements.enumerated() {
      let title =
        element.stringValue ?? element["title"]?.stringValue ?? element["display"]?.stringValue
        ?? element["identifier"]?.stringValue ?? element["value"]?.stringValue
      guard let title, !title.isEmpty, title.utf8.count <= Limits.optionTitleBytesMax else {
        return wrong(
          "option \(index + 1) has no title of at most \(Limits.optionTitleBytesMax) bytes")
      }
      options.append(ResolutionChoice(value: element["value"] ?? element, title: title))
    }
    return .success(options)
  }
}
