package import ArgumentParser
import PlainText

extension ParsableCommand {
  /// Runs the command that `arguments` are, and returns the exit status.
  ///
  /// In the place of the parser's own `main`, which prints its messages as they are: they quote
  /// arguments, which a script may have from anywhere.
  package static func status(of arguments: [String]) -> Int32 {
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
      return 0
    } catch {
      return end(with: error)
    }
  }

  /// Prints what an error of the parser or of a command says, which may be help, the version or a
  /// completion script; returns the exit status.
  package static func end(with error: any Error) -> Int32 {
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
