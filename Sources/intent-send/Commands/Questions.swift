import ArgumentParser
import Glibc
import IntentProtocol
import JSON

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
    let result = try answer(token, choice, waiting, &daemon)
    try settle(result, waiting, &daemon)
  }
}

private func answer(
  _ token: String, _ choice: String, _ waiting: WaitOptions, _ daemon: inout Daemon
) throws(Failure) -> JSONValue {
  try daemon.ask(
    .intentSend,
    [
      "resume": .string(token), "choice": .string(choice), "wait": .bool(waiting.wait),
      "source": "intent-send",
    ], milliseconds: waiting.timeout.milliseconds)
}

/// Prints the result of an intent.
///
/// If the intent asks a question, a person at a terminal answers it here; else the question is
/// printed together with the command that answers it.
func settle(_ first: JSONValue, _ waiting: WaitOptions, _ daemon: inout Daemon) throws(Failure) {
  var result = first
  while let need = result["needs"], let token = need["token"]?.stringValue {
    guard !daemon.printsJSON, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw Failure(
        status: .needsAnswer, message: question(need, daemon.renderer),
        hints: ["answer: intent-send choose \(token) CHOICE"],
        json: daemon.printsJSON ? result : nil)
    }
    Output.complain(question(need, daemon.renderer) + "\n> ")
    guard let line = readLine(), line.contains(where: { !$0.isWhitespace }) else {
      throw Failure(
        status: .needsAnswer, message: "nothing was chosen",
        hints: ["later, within five minutes: intent-send choose \(token) CHOICE"])
    }
    result = try answer(token, line, waiting, &daemon)
  }
  if result["cancelled"] == true {
    daemon.show(result) { _ in "not done\n" }
    return
  }
  try report(result, to: daemon)
}

/// Returns the prompt and the numbered choices.
func question(_ need: JSONValue, _ renderer: Renderer) -> String {
  var lines = [need["prompt"].map(renderer.word) ?? "what do you mean?"]
  for (index, choice) in (need["choices"]?.arrayValue ?? []).enumerated() {
    lines.append("  \(index + 1)  \(choice["title"].map(renderer.word) ?? renderer.word(choice))")
  }
  if need["reason"] == "confirmation" { lines.append("  yes or no") }
  return lines.joined(separator: "\n")
}
