import ArgumentParser
import IntentProtocol
import JSON
import PlainText

/// Answers the question of an intent that needs a choice.
struct Choose: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "choose",
    abstract: "Answer what an intent asked: which value, or whether to do it.",
    discussion: """
      intent-send choose 4711-1 2               the second of the choices
      intent-send choose 4711-1 "Paris, Texas"  the one of that name
      intent-send choose 4711-1 yes             do it

      The token is in what 'intent-send "…"' printed; it is good for five minutes.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var waiting: WaitOptions

  @Argument(help: "The token of the question.") var token: String
  @Argument(help: "A number from the list, a name, or the value.") var choice: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try answer(
      token, choice, wait: waiting.wait, milliseconds: waiting.timeout.milliseconds, &daemon)
    try settle(result, waiting, &daemon)
  }
}

/// Answers the question `token`.
///
/// With `asksBack` the daemon refuses a slip, and the failure has what was meant.
private func answer(
  _ token: String, _ choice: String, asksBack: Bool = false, wait: Bool, milliseconds: Int64?,
  _ daemon: inout Daemon
) throws(Failure) -> JSONValue {
  var params: JSONObject = [
    "resume": .string(token), "choice": .string(choice), "wait": .bool(wait),
    "source": "intent-send",
  ]
  if asksBack { params["ask"] = true }
  params["activationToken"] = activationToken()
  return try daemon.ask(.intentSend, params, milliseconds: milliseconds)
}

/// Prints the result of an intent, after a person at a terminal answered its questions.
///
/// A question may have been about the values of a widget; then the result is the widget.
func settle(_ first: JSONValue, _ waiting: WaitOptions, _ daemon: inout Daemon) throws(Failure) {
  // Before a question that the sentence leads to: it is about the one that was understood.
  tellUnderstood(first, daemon)
  let result = try answered(
    first, wait: waiting.wait, milliseconds: waiting.timeout.milliseconds, &daemon)
  if result["cancelled"] == true {
    daemon.show(result) { _ in "not done\n" }
  } else if result["widget"] != nil {
    try finish(result, "placed", waiting, &daemon)
  } else {
    try report(result, to: &daemon)
  }
}

/// Returns the result without open questions.
///
/// A person at a terminal answers them here. Elsewhere the question is the failure, together with
/// its choices and the command that answers it; `instead` returns another command that gives the
/// value at once, if there is one. With `wait` the intent's reloads are waited for; `milliseconds`
/// is the person's `--timeout`.
func answered(
  _ first: JSONValue, wait: Bool, milliseconds: Int64?, _ daemon: inout Daemon,
  instead: (JSONValue) -> String? = { _ in nil }
) throws(Failure) -> JSONValue {
  var result = first
  while let need = result["needs"], let token = need["token"]?.stringValue {
    guard !daemon.printsJSON, Prompt.isPossible else {
      let other = instead(need).map { "or at once: \($0)" }
      throw Failure(
        status: .needsAnswer, message: question(need, daemon.renderer),
        hints: [answerLine(to: need, token)] + [other].compactMap { $0 },
        json: daemon.printed(result))
    }
    Output.complain(question(need, daemon.renderer) + "\n")
    result = try ask(token, need, wait: wait, milliseconds: milliseconds, &daemon)
  }
  return result
}

/// Reads answers to the question `token` until the daemon takes one.
private func ask(
  _ token: String, _ need: JSONValue, wait: Bool, milliseconds: Int64?, _ daemon: inout Daemon
) throws(Failure) -> JSONValue {
  while true {
    guard let line = Prompt.line("> "), line.contains(where: { !$0.isWhitespace }) else {
      throw .nothingChosen(token)
    }
    do throws(Failure) {
      return try take(
        typed(line, for: need, daemon.renderer), token, wait: wait, milliseconds: milliseconds,
        &daemon)
    } catch {
      // The question stays open after an answer that is none of the choices.
      guard error.code == .invalidParameter || error.refusedParameter == "choice" else {
        throw error
      }
      Output.complain("\(error.message)\n")
    }
  }
}

/// Returns an answer as the protocol has it: a date may be said, as "tomorrow".
private func typed(_ line: String, for need: JSONValue, _ renderer: Renderer) -> String {
  guard need["type"] == "date" else { return line }
  return ParameterOptions.moment(.string(line), renderer)?.stringValue ?? line
}

/// Gives an answer to the question `token`; asks first whether a slip of a value was one.
private func take(
  _ line: String, _ token: String, wait: Bool, milliseconds: Int64?, _ daemon: inout Daemon
) throws(Failure) -> JSONValue {
  do throws(Failure) {
    return try answer(
      token, line, asksBack: true, wait: wait, milliseconds: milliseconds, &daemon)
  } catch {
    guard let meant = error.slip?.meant.first else { throw error }
    let question = "did you mean \(printable(quotedValue(meant)))?"
    guard let isMeant = Prompt.answer(question, standard: true) else {
      throw .nothingChosen(token)
    }
    return try answer(
      token, isMeant ? meant : line, wait: wait, milliseconds: milliseconds, &daemon)
  }
}

extension Failure {
  /// The failure of a person who did not answer the question `token`.
  fileprivate static func nothingChosen(_ token: String) -> Failure {
    Failure(
      status: .needsAnswer, message: "nothing was chosen",
      hints: ["later, within five minutes: intent-send choose \(token) CHOICE"])
  }
}

/// Returns the command that answers the question `token`.
func answerLine(to need: JSONValue, _ token: String) -> String {
  "answer: intent-send choose \(token) \(need["reason"] == "confirmation" ? "yes" : "CHOICE")"
}

/// Returns the prompt, the numbered choices, and which other values there are.
func question(_ need: JSONValue, _ renderer: Renderer) -> String {
  var lines = [need["prompt"].map(renderer.word) ?? "what do you mean?"]
  let isConfirmation = need["reason"] == "confirmation"
  // The prompt has the one sentence that a confirmation may be about.
  let choices = isConfirmation ? [] : need["choices"]?.arrayValue ?? []
  for (index, choice) in choices.enumerated() {
    lines.append("  \(index + 1)  \(choice["title"].map(renderer.word) ?? renderer.word(choice))")
  }
  if let values = renderer.values(of: need) {
    lines.append("  \(choices.isEmpty ? "" : "or ")\(values)")
  }
  if isConfirmation { lines.append("  yes or no") }
  return lines.joined(separator: "\n")
}

extension Renderer {
  /// Renders the values that a parameter takes from a list:
  /// `any city; known: Beijing, Shanghai, … (168)`.
  ///
  /// `nil` if it takes none from a list.
  func values(of parameter: JSONValue) -> String? {
    let isOpen = parameter["otherValues"] == true
    let values = (parameter["values"]?.arrayValue ?? []).map(word)
    guard !values.isEmpty else { return isOpen ? "any other" : nil }
    let count = parameter["valueCount"]?.intValue ?? Int64(values.count)
    let rest = count > Int64(values.count) ? ", … (\(count))" : ""
    let any = ["any", parameter["title"].map(word)?.lowercased()].compactMap { $0 }
    return (isOpen ? "\(any.joined(separator: " ")); known: " : "one of: ")
      + values.joined(separator: ", ") + rest
  }
}
