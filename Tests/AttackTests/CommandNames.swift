import ArgumentParser

@testable import intent_send

/// The commands of `intent-send` as a person types them, such as `new widget`, from the
/// declaration that the parser reads.
let commandNames: Set<String> = Set(names(of: IntentSend.self, below: []))

private func names(of command: any ParsableCommand.Type, below parents: [String]) -> [String] {
  let subcommands = command.configuration.subcommands
  guard !subcommands.isEmpty else { return [parents.joined(separator: " ")] }
  return subcommands.flatMap {
    names(of: $0, below: parents + [$0.configuration.commandName ?? "?"])
  }
}
