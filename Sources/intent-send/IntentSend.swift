import ArgumentParser
import Glibc
import IntentProtocol
import ProgramStart

/// The program: `intent-send "show weather for Beijing"`, or one of the subcommands.
///
/// `Invocation` decides whether the arguments are a sentence; swift-argument-parser does the rest.
@main
struct IntentSend: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "intent-send",
    abstract: "Send an intent, and look after widgets.",
    discussion: """
      intent-send "show weather for Beijing"     the answer to a sentence
      intent-send open weather://city/Beijing    the same by URL
      intent-send                                the stack; 'watch' shows it live
      intent-send gallery                        the widgets there are to add
      intent-send stack --explain                what is on top, and why
      intent-send follow weather                 a JSON line for every change

      What begins with no command is a sentence: intent-send weather Paris. Quote one that begins \
      with a command's name. At a terminal it asks for what a sentence leaves out, and whether a \
      slip was one.

      Exit status: 0 done, 1 failed, 3 no match, 4 a question to answer first, 64 usage, \
      69 no daemon, 75 deferred.
      """,
    version: "intent-send 0.1.0",
    subcommands: [
      Show.self, Watch.self, Send.self, Choose.self, Open.self, Recognize.self, Intents.self,
      Widgets.self, Gallery.self, Add.self, Configure.self, Remove.self, Undo.self,
      Expand.self, Collapse.self, Reload.self, Signal.self, Push.self, Tap.self, Timeline.self,
      Budget.self, Image.self,
      Stack.self, Why.self, Dismiss.self, Follow.self, Bar.self, Click.self, Menu.self, Web.self,
      New.self,
      Try.self, Lint.self,
      Simulate.self, Import.self, Install.self, Uninstall.self, Permissions.self,
      Status.self, History.self, Forget.self, Private.self, ReloadConfig.self, Call.self,
    ])

  /// The names of the subcommands; such a name is never read as a one-word sentence.
  static var commandNames: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  static func main() {
    StandardDescriptors.fill()
    ProgramSignals.unblock()
    // `Output` handles a pipe that nobody reads: it ends the program with status 0.
    signal(SIGPIPE, SIG_IGN)
    let arguments = ProgramArguments.read(by: "intent-send")
    Glibc.exit(status(of: arguments).rawValue)
  }

  /// Runs the command or the sentence that `arguments` are; reports its failure, if any.
  private static func status(of arguments: [String]) -> ProgramStatus {
    if let text = SentenceCompletions.answer(to: arguments) {
      Output.print(text)
      return .done
    }
    switch Invocation(arguments, commands: commandNames) {
    case .usage(let failure): return report(failure)
    case .command(let arguments): return run(arguments)
    case .doubt(let sentence, let command, let failure):
      return Send.isUnderstood(sentence) ? run(sentence) : correct(failure, command, others: [])
    }
  }

  /// Runs a command; offers a person at a terminal the correction of a slip.
  ///
  /// `others` are the arguments that were corrected before, which are not offered again.
  private static func run(
    _ arguments: [String], others: Set<[String]> = []
  ) -> ProgramStatus {
    do {
      if let plain = PlainCommand(arguments) {
        try plain.run()
      } else if let bar = PlainBar(arguments) {
        try bar.run()
      } else {
        var command = try parseAsRoot(arguments)
        try command.run()
      }
      return .done
    } catch let failure as Failure {
      if failure.code == .unknownWidget, arguments.count == 2, arguments[0] == "show" {
        // No widget has this name, so the words may be a sentence: "show weather".
        let sentence = ["send", "--"] + arguments
        if Send.isUnderstood(sentence) { return run(sentence) }
      }
      return correct(failure, arguments, others: others)
    } catch {
      // swift-argument-parser throws help, the version and completion scripts as errors too.
      if exitCode(for: error) == .success { Glibc.exit(exitStatus(reporting: error)) }
      if arguments.count > 1, arguments.allSatisfy({ !$0.hasPrefix("-") }) {
        // Its first word may be a command by chance: "show weather for Beijing".
        let sentence = ["send", "--"] + arguments
        if Send.isUnderstood(sentence) { return run(sentence) }
        if Prompt.isPossible, let failure = Send.slip(in: sentence) {
          let one = ["send", "--", arguments.joined(separator: " ")]
          return correct(failure, one, others: others)
        }
      }
      return correct(
        Failure(parserMessage: message(for: error), arguments: arguments), arguments,
        others: others)
    }
  }

  /// Reports a failure; if it is a slip, asks a person at the terminal first, and runs what was
  /// meant.
  private static func correct(
    _ failure: Failure, _ arguments: [String], others: Set<[String]>
  ) -> ProgramStatus {
    guard Prompt.isPossible, failure.json == nil, !arguments.contains("--json"),
      let slip = failure.slip?.placed(in: arguments, by: failure.message)
    else { return report(failure) }
    let better = slip.corrected(arguments)
    guard better != arguments, !others.contains(better) else { return report(failure) }
    var first = failure
    first.hints = []
    first.message = failure.messageWithoutSuggestions
    Output.complain(first.text)
    let question = "did you mean: intent-send \(shellLine(shown(better)))"
    guard Prompt.confirms(question, standard: true) else {
      Output.complain(failure.hints.map { "  \($0)\n" }.joined())
      return failure.status
    }
    return run(better, others: others.union([arguments]))
  }

  /// Returns arguments as a person types them: a sentence needs no `send`.
  private static func shown(_ arguments: [String]) -> [String] {
    guard arguments.first == "send" else { return arguments }
    return arguments.dropFirst().filter { $0 != "--" }
  }

  private static func report(_ failure: Failure) -> ProgramStatus {
    if let value = failure.json { Output.print(value) }
    Output.complain(failure.text)
    return failure.status
  }
}
