import ArgumentParser
import Glibc
import ProgramStart

/// Scores this build against corpora: files of expected answers that are not part of the project.
@main
struct Conformance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance",
    abstract: "Score this build against files of expected answers.",
    discussion: """
      conformance sentences ~/corpus/sentences
      conformance urls url_profile.jsonl
      conformance ranking ~/corpus/ranking/dev
      conformance plugins ~/corpus/plugins

      Prints a line for each file, and last: N passed, N failed. Exit code 1: something failed.
      """,
    subcommands: [
      CompletionCommand.self, PluginsCommand.self, RankingCommand.self, RobustCommand.self,
      SentencesCommand.self, SpeedCommand.self, URLsCommand.self,
    ])

  static func main() { Glibc.exit(exitStatus(running: ProgramArguments.read(by: "conformance"))) }
}
