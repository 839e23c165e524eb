import ArgumentParser
import Glibc
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
      intent-send "show weather for Beijing"     recognise a sentence, print the answer
      intent-send open weather://city/Beijing    the same by URL
      intent-send stack --explain                what is on top, and why
      intent-send reload --all                   ask every provider again
      intent-send follow weather                 a JSON line for every change

      An argument with a space in it is a sentence. A sentence of one word goes as
      'intent-send send WORD'. Exit status: 0 done, 1 failed, 3 no match,
      4 a question to answer first, 64 usage, 69 no daemon, 75 deferred.
      """,
    version: "intent-send 0.1.0",
    subcommands: [
      Send.self, Choose.self, Open.self, Recognize.self, Intents.self,
      Widgets.self, Gallery.self, Add.self, Configure.self, Remove.self,
      Reload.self, Push.self, Tap.self, Timeline.self, Budget.self,
      Stack.self, Why.self, Dismiss.self, Follow.self, New.self, Try.self, Lint.self,
      Simulate.self,
      Status.self, History.self, Forget.self, Private.self, ReloadConfig.self, Call.self,
    ])

  /// The names of the subcommands; such a name is never read as a one-word sentence.
  static var commandNames: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  static func main() {
    // `Output` handles a pipe that nobody reads: it ends the program with status 0.
    signal(SIGPIPE, SIG_IGN)
    let arguments = ProgramArguments.read(by: "intent-send")
    Glibc.exit(status(of: arguments).rawValue)
  }

  /// Runs the command that `arguments` ask for; reports its failure, if any.
  private static func status(of arguments: [String]) -> ProgramStatus {
    switch Invocation(arguments, commands: commandNames) {
    case .usage(let failure): return report(failure)
    case .command(let arguments):
      do {
        var command = try parseAsRoot(arguments)
        try command.run()
        return .done
      } catch let failure as Failure {
        return report(failure)
      } catch {
        // swift-argument-parser throws help, the version and completion scripts as errors too.
        if exitCode(for: error) == .success { exit(withError: error) }
        return report(Failure(parserMessage: message(for: error), arguments: arguments))
      }
    }
  }

  private static func report(_ failure: Failure) -> ProgramStatus {
    if let value = failure.json { Output.print(value) }
    Output.complain(failure.text)
    return failure.status
  }
}
