import Glibc
import IntentProtocol
import JSON
import PlainText

/// The question whether a widget that is about to be placed may have what it asks for.
enum PermissionQuestion {
  /// Asks about a kind that runs in a box, if it was not granted all that it asks for, or if its
  /// files changed since then; without a box, about the group of another app.
  ///
  /// A person at the terminal is asked, `isAnswered` is a yes, and elsewhere a message names the
  /// command. The widget is placed in any case: without a grant it runs with nothing.
  static func ask(
    _ kind: String, isAnswered: Bool, printsJSON: Bool, _ daemon: inout Daemon
  ) throws(Failure) {
    let kinds = try daemon.ask(.galleryList)["kinds"]?.arrayValue ?? []
    let permissions = kinds.first { $0["kind"]?.stringValue == kind }?["permissions"]
    guard let permissions else { return }
    let isBoxed = permissions["isBoxed"]?.boolValue == true
    guard isBoxed || permissions["asked"]?["group"] != permissions["granted"]?["group"] else {
      return
    }
    guard isAnswered || (Prompt.isPossible && !printsJSON) else {
      guard permissions["asked"] != permissions["granted"] else { return }
      Output.complain(
        "\(printable(kind)) \(isBoxed ? "runs in a box, and " : "")was not granted all that it asks"
          + " for\n"
          + "  look at it, and grant it: intent-send permissions \(printable(kind)) --grant\n")
      return
    }
    let status = try DaemonProgram.runAndWait(output: STDERR_FILENO) {
      [$0, "--permissions", "--of=\(kind)", "--grant", "asked", "--if-needed"]
        + (isAnswered ? ["--yes"] : [])
    }
    if status == 0 { _ = try daemon.ask(.daemonReloadConfiguration) }
  }
}
