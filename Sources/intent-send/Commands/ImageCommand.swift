import ArgumentParser
import Glibc
import IntentProtocol
import JSON
import ProgramStart

/// Writes a picture that the content of a widget names.
struct Image: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "image",
    abstract: "Write a picture that a widget shows to standard output.",
    discussion: """
      intent-send image sha256-9f86d0… > cpu.png

      The content of a plugin names its pictures by their hash. With --json the answer has type, \
      size and the bytes in Base64.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The hash that the content names.") var hash: String

  func run(_ daemon: inout Daemon) throws(Failure) {
    guard daemon.printsJSON || isatty(STDOUT_FILENO) == 0 else {
      throw Failure(
        status: .usage, message: "a picture is no text for a terminal",
        hints: ["write it to a file: intent-send image HASH > picture"])
    }
    let result = try daemon.ask(.imageGet, ["hash": .string(hash)])
    if daemon.printsJSON { return Output.print(result) }
    guard let data = result["data"]?.stringValue, let bytes = Base64.decode(data[...].utf8) else {
      throw Failure(
        status: .failed, message: "the daemon's answer has no bytes of a picture",
        hints: ["the answer: intent-send image HASH --json"])
    }
    if let code = StandardDescriptors.write(file: bytes) { Output.end(unwritable: code) }
  }
}
