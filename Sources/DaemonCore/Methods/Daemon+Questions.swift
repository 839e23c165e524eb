import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping

/// Asks the sender of an intent for what it lacks: a choice of several values, a value, or a yes.
///
/// The sender answers with a second `intent.send` that has the token. Questions live in memory for
/// `Limits.pendingQuestionInterval`: an intent that nobody completed was never acknowledged.
extension Daemon {
  /// Answers the request with a question, and keeps the intent until the token comes back.
  ///
  /// `known` are options that providers gave already, `asked` the parameters that were asked about,
  /// and `goal` is what happens to the intent when it is complete.
  mutating func ask(
    _ need: IntentNeed, _ origin: Origin, known: [String: [ResolutionChoice]] = [:],
    asked: Set<String> = [], goal: IntentCompletion.Goal = .perform, _ address: ReplyAddress,
    at now: Now
  ) {
    let need = offeringPlacedValues(need)
    var origin = origin
    // A yes to a sentence is none to what it says: that may be asked about then.
    if need.reason == .confirmation, need.sentences.isEmpty { bind(need.intent, &origin) }
    let token = questions.ask(
      need, origin, options: known, asked: asked, goal: goal, processID: options.processID,
      at: now.monotonic)
    var view = need.view
    view["token"] = .string(token)
    view["program"] = origin.consent?.program.map { .string($0.kind) }
    var result: JSONObject = ["needs": .object(view)]
    if let language = origin.language { result["language"] = .string(language) }
    result["understood"] = origin.understood.map { .object($0) }
    outbox.answer(address, result)
  }

  /// Takes the answer to a question, `{resume: token, choice}`, and goes on with its intent.
  ///
  /// The choice is a number in the list (from 1), a title, or the value. With `ask: true` one that
  /// is a slip of a value is refused with that value, so that a person can say which one it is.
  mutating func resume(
    _ token: String, _ params: Params, activationToken: String?, wait: Bool,
    _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    guard let pending = questions.question(token, at: now.monotonic) else {
      throw Params.refusal(
        "resume", "nothing waits for an answer under \(quoted(token)); send the intent again",
        expected: "a token of the last five minutes")
    }
    let given = try params.value("choice")
    guard pending.need.sentences.isEmpty else {
      try resumeSentence(
        pending, given, activationToken: activationToken, wait: wait, address, at: now,
        into: &effects)
      return
    }
    var values = pending.need.parameters
    var isConfirmed = false
    if let parameter = pending.need.parameter {
      if try params.bool("ask", default: false), let answer = given.stringValue {
        try checkSlip(answer, to: pending.need, parameter)
      }
      values[parameter] = try chosen(given, of: pending.need)
    } else {
      guard let isWanted = Self.isYes(given) else {
        throw Params.refusal("choice", "'choice' is neither yes nor no", expected: "true or false")
      }
      guard isWanted else {
        questions.forget(token)
        outbox.answer(address, ["cancelled": true, "intent": .string(pending.need.intent)])
        return
      }
      isConfirmed = true
    }
    var origin = pending.origin
    // The compositor gives a token for each act, and takes each once.
    origin.activationToken = activationToken
    do throws(RPCError) {
      try complete(
        IntentCompletion(
          intent: pending.need.intent, parameters: values, isConfirmed: isConfirmed,
          options: pending.options, asked: pending.asked, goal: pending.goal,
          origin: origin, wait: wait, address: address), at: now, into: &effects)
    } catch {
      // The question stays, so that the sender can give another answer; but where the program is
      // not the one of the question, every answer would be refused.
      if error.code == WireErrorCode.unclearPerformer.rawValue { questions.forget(token) }
      throw error
    }
    questions.forget(token)
  }

  /// Refuses an answer that is probably a slip of a known value; the refusal names that value.
  private func checkSlip(
    _ answer: String, to need: IntentNeed, _ parameter: String
  ) throws(RPCError) {
    let meant = configuration.catalog.meantValue(
      by: answer, among: need.choices.map(\.title), for: parameter, of: need.intent)
    guard let meant else { return }
    throw RPCError(
      .invalidParameter,
      "\(quotedValue(answer)) is none of the known values; did you mean \(quotedValue(meant))?",
      details: ["suggestions": [.string(meant)], "meant": .string(meant)])
  }

  /// Returns the value that an answer stands for: a value or a title of the choices, a place among
  /// them counted from 1, or itself where any value is taken.
  private func chosen(_ given: JSONValue, of need: IntentNeed) throws(RPCError) -> JSONValue {
    if let choice = need.choices.first(where: { $0.value == given }) { return choice.value }
    if let text = given.stringValue {
      let same = need.choices.filter { $0.title.lowercased() == text.lowercased() }
      if let choice = same.first { return choice.value }
    }
    if !need.choices.isEmpty,
      let place = given.intValue ?? given.stringValue.flatMap({ Int64($0) }),
      (1...Int64(need.choices.count)).contains(place)
    {
      return need.choices[Int(place) - 1].value
    }
    guard need.reason == .value else {
      let titles = need.choices.map(\.title)
      throw RPCError(
        .invalidParameter,
        "'\(given.stringValue ?? given.serialized)' is none of the choices: "
          + titles.joined(separator: ", "),
        details: ["suggestions": .array(titles.map { .string($0) })])
    }
    return given
  }

  /// Reads the answer to a confirmation; `nil`: it is neither yes nor no.
  static func isYes(_ value: JSONValue) -> Bool? {
    switch value {
    case .bool(let flag): flag
    case .string(let text):
      switch text.lowercased() {
      case "yes", "y", "true", "1": true
      case "no", "n", "false", "0": false
      default: nil
      }
    case .int(1): true
    case .int(0): false
    case .null, .int, .double, .array, .object: nil
    }
  }
}

extension IntentNeed {
  /// The question as the protocol shows it in `needs`, without its token.
  var view: JSONObject {
    var view: JSONObject = [
      "reason": .string(reason.rawValue), "prompt": .string(prompt),
      "intent": .object(Intent(name: intent, parameters: parameters).view),
    ]
    if let parameter { view["parameter"] = .string(parameter) }
    if let type { view["type"] = .string(type.rawValue) }
    if !choices.isEmpty {
      view["choices"] = .array(
        choices.map { ["title": .string($0.title), "value": $0.value] })
    }
    if !told.isEmpty {
      view["values"] = .array(told.map { .string($0) })
      view["valueCount"] = .int(Int64(toldOf))
    }
    if takesOthers { view["otherValues"] = true }
    return view
  }
}
