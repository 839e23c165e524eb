import DesktopEntries

/// Fuzzes desktop entries with hostile URLs: any URL is one part of one argument, with any entry.
///
/// The first line is the URL, the rest a `.desktop` file. The command for the URL must be the
/// command for a harmless URL with that one replaced.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  let end = input.firstIndex(of: 10) ?? input.endIndex
  let url = text(Array(input[..<end]))
  let file = Array(input[end...].dropFirst())

  let scheme = LaunchableURL.scheme(of: url)
  let refusal = LaunchableURL.refusal(for: url)
  if refusal == nil {
    guard let scheme else { preconditionFailure("a URL without a scheme may be opened") }
    precondition(!LaunchableURL.deniedSchemes.contains(scheme), "a denied scheme")
    precondition(url.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character")
    precondition(url.utf8.count <= LaunchableURL.bytesMax)
  }
  _ = MimeAssociations.parse(file, path: "/list", types: ["x-scheme-handler/weather", "a/b"])
  _ = MimeAssociations.cached(file, path: "/cache", type: "x-scheme-handler/weather")
  _ = DesktopEntry.localeNames(locale: url, language: text(file))

  let parsed = within(500, "parsing") {
    DesktopEntry.parse(file, id: "a.desktop", path: "/a.desktop", locales: ["de_AT", "de"])
  }
  guard case .success(let entry) = parsed else { return 0 }
  check(entry.command(url: nil), of: entry)
  let opened = entry.command(url: url)
  check(opened, of: entry)

  let harmless = "x-fuzz:unlikely"
  guard !text(file).contains(harmless) else { return 0 }
  switch entry.command(url: harmless) {
  case .failure(let why):
    // The URL must not decide whether the entry can be used; the URL's own refusal comes first.
    precondition(opened == .failure(why) || refusal != nil, "another URL, another entry")
  case .success(let model):
    precondition(!model.arguments[0].contains(harmless), "the URL names the program")
    let places = model.arguments.reduce(0) { $0 + pieces(of: $1, around: harmless).count - 1 }
    precondition(places > 0, "the application never sees the URL")
    switch opened {
    case .failure: precondition(refusal != nil, "a good URL and a good entry, and no command")
    case .success(let command):
      precondition(refusal == nil, "a URL that may not be opened is opened")
      precondition(command.workingDirectory == model.workingDirectory)
      precondition(command.environment == model.environment, "the URL is in the environment")
      let expected = model.arguments.map { argument in
        pieces(of: argument, around: harmless).joined(separator: Array(url.utf8)).map(\.self)
      }
      precondition(
        command.arguments.map { Array($0.utf8) } == expected, "the URL is more than a piece")
    }
  }
  return 0
}

private func check(_ command: Result<LaunchCommand, LaunchRefusal>, of entry: DesktopEntry) {
  switch command {
  case .failure(let refusal):
    precondition(!refusal.message.isEmpty)
  case .success(let command):
    guard let program = command.arguments.first else { preconditionFailure("no program") }
    precondition(entry.program == .success(program))
    precondition(program.hasPrefix("/") || !program.contains("/"), "a relative path")
    precondition(!entry.isHidden, "a removed application is opened")
    precondition(command.workingDirectory?.hasPrefix("/") ?? true)
    let texts =
      command.arguments + command.environment.flatMap { [$0.name, $0.value] }
      + [command.workingDirectory ?? ""]
    precondition(!texts.contains { $0.utf8.contains(0) }, "a NUL that execve would cut at")
  }
}

private func pieces(of argument: String, around word: String) -> [[UInt8]] {
  let argument = Array(argument.utf8)
  let word = Array(word.utf8)
  var pieces: [[UInt8]] = []
  var piece: [UInt8] = []
  var index = 0
  while index < argument.count {
    if argument[index...].starts(with: word) {
      pieces.append(piece)
      piece = []
      index += word.count
    } else {
      piece.append(argument[index])
      index += 1
    }
  }
  return pieces + [piece]
}
