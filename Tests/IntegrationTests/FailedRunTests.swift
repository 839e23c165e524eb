import DaemonTestSupport
import Glibc
import JSON
import Testing

/// A run that fails while a person waits for it: what the script wrote, and how to repeat the run.
struct FailedRunTests {
  private static let wrote = "cannot reach api.example: Connection refused"

  private func withDaemon(_ body: (Sandbox, WireClient) throws -> Void) throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      try sandbox.widget(
        "weather", script: "echo 'trying' >&2\necho '\(Self.wrote)' >&2\nexit 9",
        settings: "intent: ShowWeather")
      let daemon = try sandbox.startDaemon()
      try body(sandbox, try sandbox.connect())
      try sandbox.stop(daemon)
    }
  }

  /// Runs intent-send with a terminal of 200 columns for its output.
  private func sendAtTerminal(
    _ sandbox: Sandbox, _ arguments: String...
  ) throws -> (ending: Ending, output: String, errors: String) {
    let terminal = try Terminal()
    let program = try sandbox.start(
      Programs.client, arguments,
      environment: ["TERM": "xterm", "COLUMNS": "200", "NO_COLOR": "1"],
      terminal: terminal.program)
    let ending = try program.waitUntilEnded()
    return (ending, terminal.output(), program.errors)
  }

  @Test func `send, add and reload show what the script wrote and the command to try`() throws {
    try withDaemon { sandbox, _ in
      let sent = try sendAtTerminal(sandbox, "show the weather in New York")
      #expect(sent.ending == .exited(1))
      #expect(
        sent.output == """
          ShowWeather(city: "New York")
            suggestion:weather  dropped: the provider ended with exit code 9: \(Self.wrote), \
          a suggestion
          try it: intent-send try weather --set "city=New York"

          """)

      let added = try sendAtTerminal(
        sandbox, "add", "weather", "--set", "city=Beijing", "--id", "w", "--wait")
      #expect(added.ending == .exited(1))
      #expect(added.output.contains("exit code 9: \(Self.wrote)\n"), "\(added)")
      #expect(
        added.output.hasSuffix("try it: intent-send try weather --set city=Beijing\n"), "\(added)")

      let reloaded = try sendAtTerminal(sandbox, "reload", "w", "--wait")
      #expect(reloaded.ending == .exited(1))
      #expect(reloaded.output.contains("exit code 9: \(Self.wrote)\n"), "\(reloaded)")
      #expect(reloaded.output.hasSuffix("try it: intent-send try weather\n"), "\(reloaded)")
    }
  }

  @Test func `the command repeats the run`() throws {
    try withDaemon { sandbox, _ in
      let sent = try sendAtTerminal(sandbox, "show the weather in New York")
      let command = try #require(sent.output.split(separator: "try it: intent-send ").last)
      let again = try sandbox.shell("'\(Programs.client)' \(command)")
      #expect(again.status == 1)
      #expect(again.output.contains(Self.wrote), "\(again)")
      #expect(again.output.contains("New York"), "\(again)")
    }
  }

  @Test func `an old entry is shown with the reason and the command on standard error`() throws {
    try withDaemon { sandbox, client in
      try client.place("weather", id: "w", parameters: ["city": "Beijing"])
      try client.call(
        "widget.push",
        [
          "id": "w",
          "timeline": [
            "entries": [["date": "2020-01-01T00:00:00Z", "content": ["title": "old"]]],
            "policy": "never",
          ],
        ])
      let sent = try sandbox.send("show the weather in Beijing")
      #expect(sent.status == 1)
      #expect(sent.output.hasPrefix("old\n"), "\(sent)")
      #expect(
        sent.errors == """
          intent-send: w: dropped: the provider ended with exit code 9: \(Self.wrote)
            try it: intent-send try weather --set city=Beijing

          """)
    }
  }

  @Test func `in a pipe the reason is there, and no advice`() throws {
    try withDaemon { sandbox, _ in
      let sent = try sandbox.send("show the weather in Beijing")
      #expect(sent.status == 1)
      #expect(sent.output.contains(Self.wrote), "\(sent)")
      #expect(!sent.output.contains("try it"), "\(sent)")
    }
  }
}
