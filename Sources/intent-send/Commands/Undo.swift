import ArgumentParser
import Glibc
import IntentProtocol
import JSON
import PlainText

/// Undoes the latest removal or dismissal.
struct Undo: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the last 'remove' or 'dismiss' of the past ten minutes.",
    discussion: """
      intent-send undo        a widget is back as it was, with what it showed
      intent-send undo        again: the one before

      'remove a b c' is one step. What 'forget' took is gone for good.
      """)

  @OptionGroup var common: CommonOptions

  func run(_ daemon: inout Daemon) throws(Failure) {
    let result = try daemon.ask(.widgetRestore)
    daemon.show(result) { $0.restored(result) }
  }
}

extension Renderer {
  /// Renders `widget.restore`: each widget, and the id that it has now if that is another one.
  func restored(_ result: JSONValue) -> String {
    let renamed = result["renamed"]?.objectValue?.members ?? []
    let verb = result["undone"] == "dismissed" ? "no longer sent away" : "placed again"
    return (result["widgets"]?.arrayValue ?? []).map { id in
      let former = renamed.first { $0.value == id }
        .map { ": another widget is called '\(printable($0.key))' now" }
      return "\(verb)  \(word(id))\(former ?? "")\n"
    }.joined()
  }
}

/// Tells a person at a terminal how to take back what was just done.
func adviseUndo(_ daemon: borrowing Daemon) {
  guard !daemon.printsJSON, isatty(STDERR_FILENO) == 1 else { return }
  Output.complain("  to take it back: intent-send undo\n")
}
