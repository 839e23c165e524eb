package import ArgumentParser
import PlainText

extension ParsableCommand {
  /// Runs the command that `arguments` name, reports its failure, and returns the exit status.
  ///
  /// It replaces the parser's own `main`, which prints its messages as they are: they quote
  /// arguments, which a script may have from anywhere.
  package static func exitStatus(running arguments: [String]) -> Int32 {
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
      return 0
    } catch {
      return exitStatus(reporting: error)
    }
  }

  /// Prints the message of an error that the parser or a command threw, and returns the exit
  /// status.
  ///
  /// The parser throws help, the version and completion scripts too: they go to standard output,
  /// and the status is 0.
  package static func exitStatus(reporting error: any Error) -> Int32 {
    let code = exitCode(for: error)
    let message = fullMessage(for: error)
    if !message.isEmpty {
      let isData = code == .success
      // Best effort: there is no other place for the message.
      _ = StandardDescriptors.write(TerminalText(message + "\n"), to: isData ? .data : .messages)
    }
    return code.rawValue
  }
}
