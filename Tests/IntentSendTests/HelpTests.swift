import ArgumentParser
import Testing

@testable import intent_send

/// The output of `--help`, on a terminal of 80 columns and in the manual pages.
struct HelpTests {
  /// The program and every command below it.
  private static let commands = below(IntentSend.self)

  private static func below(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap(below)
  }

  /// The paragraphs of a command's discussion: lines, and whether they are examples to type.
  private static func paragraphs(
    of command: any ParsableCommand.Type
  ) -> [(lines: [String], areExamples: Bool)] {
    command.configuration.discussion.split(separator: "\n\n").map { paragraph in
      let lines = paragraph.split(separator: "\n").map(String.init)
      // As packaging/manual.py tells them from prose.
      return (lines, lines[0].hasPrefix("intent-send"))
    }
  }

  @Test func `every example stands on a line of its own at 80 columns`() {
    for command in Self.commands {
      let help = IntentSend.helpMessage(for: command, columns: 80)
        .split(separator: "\n").map(String.init)
      for paragraph in Self.paragraphs(of: command) where paragraph.areExamples {
        for example in paragraph.lines {
          #expect(help.contains(example), "\(command): '\(example)' is broken in its help")
        }
      }
    }
  }

  @Test func `prose is broken by the width of the terminal alone`() {
    for command in Self.commands {
      for paragraph in Self.paragraphs(of: command) where !paragraph.areExamples {
        #expect(
          paragraph.lines.count == 1,
          "\(command): end the lines of '\(paragraph.lines[0])' with a backslash")
      }
    }
  }
}
