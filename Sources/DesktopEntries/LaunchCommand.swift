/// A command to run: its final arguments, which no shell reads.
package struct LaunchCommand: Hashable, Sendable {
  package struct Variable: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  /// The arguments; the first is the program as the entry writes it.
  package var arguments: [String]
  /// The absolute path of the folder to start in; `nil` leaves it to the launcher.
  ///
  /// The launcher checks that the folder exists.
  package var workingDirectory: String?
  /// The variables to add to the environment.
  package var environment: [Variable]
}

extension DesktopEntry {
  /// Returns the command that opens `url` in this application, or, if `url` is `nil`, the command
  /// that starts the application.
  ///
  /// A URL inside quotes is expanded unchanged, as a part of that one argument. The URL is refused
  /// if an interpreter would read it as a program, or if the application would start without it.
  ///
  /// Entries with `DBusActivatable` are run by their `Exec` too, which they have for launchers
  /// without D-Bus; one without `Exec` is refused.
  package func command(url: String?) -> Result<LaunchCommand, LaunchRefusal> {
    if let url, let refusal = LaunchableURL.refusal(for: url) { return .failure(refusal) }
    return commandLine.flatMap { line in
      line.arguments().flatMap { words in
        let refusal =
          InterpretedCode.refusal(program: line.program, arguments: words)
          ?? misplacedCode(words) ?? missingTarget(words, url: url) ?? relativeDirectory
        if let refusal { return .failure(refusal) }
        return .success(
          LaunchCommand(
            arguments: [line.program] + words.flatMap { expanded($0, url: url) },
            workingDirectory: workingDirectory,
            environment: [.init(name: "GIO_LAUNCHED_DESKTOP_FILE", value: path)]))
      }
    }.mapError { LaunchRefusal($0.code, "\(path): \($0.message)") }
  }

  /// The program of `Exec`: a name to find on `PATH`, or an absolute path.
  package var program: Result<String, LaunchRefusal> {
    commandLine.map(\.program).mapError { LaunchRefusal($0.code, "\(path): \($0.message)") }
  }

  private var commandLine: Result<ExecLine, LaunchRefusal> {
    guard !isHidden else {
      return .failure(LaunchRefusal(.noHandler, "the application is marked as removed (Hidden)"))
    }
    guard let exec else {
      return .failure(
        LaunchRefusal(
          .noHandler, "Exec is missing" + (isDBusActivatable ? "; D-Bus start is not used" : "")))
    }
    return ExecLine.parse(exec)
  }

  private func misplacedCode(_ words: [ExecLine.Word]) -> LaunchRefusal? {
    let targets = words.flatMap(\.codes).filter(\.isTarget)
    guard targets.count <= 1 else {
      return LaunchRefusal(
        .multipleURLCodes, "Exec has \(targets.count) of %u %U %f %F; it may have one")
    }
    // The icon stands for two arguments, so it cannot be a part of a word.
    let hasIconInside = words.contains { $0.codes.contains(.icon) && $0.pieces.count > 1 }
    return hasIconInside
      ? LaunchRefusal(.badFieldCode, "Exec has %i inside an argument; it must stand alone") : nil
  }

  private func missingTarget(_ words: [ExecLine.Word], url: String?) -> LaunchRefusal? {
    guard url != nil, !words.contains(where: { $0.codes.contains(where: \.takesURL) }) else {
      return nil
    }
    return LaunchRefusal(
      .handlerTakesNoURL, "Exec has no %u or %U, so the application would never see the URL")
  }

  private var relativeDirectory: LaunchRefusal? {
    guard let directory = workingDirectory, !directory.hasPrefix("/") else { return nil }
    return LaunchRefusal(.badPath, "Path '\(directory)' must be absolute")
  }

  /// Returns the arguments of a word: one, none for a word of codes that expand to nothing, or two
  /// for the icon.
  private func expanded(_ word: ExecLine.Word, url: String?) -> [String] {
    if word.pieces == [.code(.icon)] { return icon.map { ["--icon", $0] } ?? [] }
    var argument = ""
    for piece in word.pieces {
      switch piece {
      case .text(let text): argument += text
      case .nothing: break
      case .code(let code): argument += value(of: code, url: url) ?? ""
      }
    }
    return argument.isEmpty && word.hasCode ? [] : [argument]
  }

  private func value(of code: ExecLine.FieldCode, url: String?) -> String? {
    switch code {
    case .url, .urls: url
    // A URL is never passed as a local file.
    case .file, .files: nil
    case .icon: icon
    case .name: name
    case .location: path
    }
  }
}
