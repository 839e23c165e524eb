import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// An intent that is being completed: its values so far, and the request that waits for the answer.
struct IntentCompletion: Sendable {
  /// What is done with the intent once it is complete.
  enum Goal: Hashable, Sendable {
    /// It is carried out.
    case perform
    /// A widget is placed that shows it.
    case place(kind: String, family: WidgetFamily?, id: String?)
    /// The widget `id` shows it from then on.
    case configure(id: String, family: WidgetFamily?)
  }

  var intent: String
  var parameters: [String: JSONValue]
  var isConfirmed = false
  /// The options that providers gave, by parameter; a provider that failed gave none.
  var options: [String: [ResolutionChoice]] = [:]
  /// The parameters whose options were asked for, with or without an answer.
  var asked: Set<String> = []
  var goal = Goal.perform
  var origin: Daemon.Origin
  var wait: Bool
  var address: ReplyAddress
}

/// Handles dynamic parameters, whose values come from the provider of a kind that the intent
/// configures.
///
/// The provider is asked when a parameter has a text for its value, or has to have a value and has
/// none.
///
/// If a provider fails or knows no options, the intent continues with the person's text.
extension Daemon {
  /// Fills in what placed widgets tell, asks providers for the options that are needed, one provider
  /// at a time; then does with the intent what `goal` says, asks its sender, or refuses it.
  mutating func complete(
    _ completion: IntentCompletion, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    var completion = completion
    if let need = try foreignNeed(of: completion) {
      ask(
        need, completion.origin, known: completion.options, asked: completion.asked,
        goal: completion.goal, completion.address, at: now)
      return
    }
    fillFromPlacedWidgets(&completion)
    while let question = configuration.catalog.openOptions(
      of: completion.intent, parameters: completion.parameters, asked: completion.asked)
    {
      completion.asked.insert(question.parameter)
      guard let name = configuration.kinds(of: completion.intent).first,
        let kind = engine.kinds[name]
      else { continue }
      try outbox.checkMayWait(completion.address)
      var output = EngineOutput()
      let intent = Intent(name: completion.intent, parameters: completion.parameters)
      guard
        let token = engine.askOptions(
          of: question.parameter, kind: kind, intent: .object(intent.view),
          search: question.search, at: now, into: &output)
      else { continue }
      try outbox.reserveWaiting(completion.address)
      questions.awaitOptions(
        token, PendingOptions(completion: completion, parameter: question.parameter, kind: name))
      apply(output, at: now, into: &effects)
      return
    }
    switch configuration.catalog.resolution(
      name: completion.intent, parameters: completion.parameters,
      isConfirmed: completion.isConfirmed, options: completion.options,
      in: completion.origin.languagesOfQuestions)
    {
    case .ready(let intent): try finish(completion, with: intent, at: now, into: &effects)
    case .needs(let need):
      ask(
        need, completion.origin, known: completion.options, asked: completion.asked,
        goal: completion.goal, completion.address, at: now)
    case .failed(let error): throw RPCError(error)
    }
  }

  private mutating func finish(
    _ completion: IntentCompletion, with intent: Intent, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    switch completion.goal {
    case .perform:
      try perform(
        intent, completion.origin, wait: completion.wait, completion.address, at: now,
        into: &effects)
    case .place(let kind, let family, let id):
      try place(
        kind, family: family, WidgetConfiguration(intent), id: id, wait: completion.wait,
        completion.address, at: now, into: &effects)
    case .configure(let id, let family):
      try configure(
        id, family: family, WidgetConfiguration(intent), wait: completion.wait,
        completion.address, at: now, into: &effects)
    }
  }

  /// Takes the outcome of a run for options and goes on with its intent; `false`: the run was none.
  mutating func takeOptions(
    _ token: RunToken, _ outcome: ProviderOutcome, at now: Now, into effects: inout [Effect]
  ) -> Bool {
    guard let pending = questions.endOptions(token) else { return false }
    let timedOut = engine.optionsEnded(token)
    outbox.releaseWaiting(pending.completion.address)
    // A stop ended the run; what is asked for now would begin another one.
    guard phase == .running else {
      outbox.refuse(pending.completion.address, Self.isStopping)
      return true
    }
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
      try promiseChange()
      try complete(completion, at: now, into: &effects)
    } catch {
      outbox.refuse(completion.address, error)
    }
    return true
  }

  /// Reads the options of a provider's run.
  private static func read(
    _ outcome: ProviderOutcome, timedOut: Bool
  ) -> Result<[ResolutionChoice], ProviderOptions.Problem> {
    switch outcome {
    case .failed(let failure):
      let message = timedOut ? "it did not answer in time" : failure.message
      return .failure(ProviderOptions.Problem(message: message))
    case .printed:
      return .failure(ProviderOptions.Problem(message: "a plugin offers no options"))
    case .answered(let bytes, _):
      do throws(JSONError) {
        return ProviderOptions.read(try JSONValue(parsing: bytes))
      } catch {
        return .failure(
          ProviderOptions.Problem(message: "its answer is not JSON: \(error.message)"))
      }
    }
  }
}
