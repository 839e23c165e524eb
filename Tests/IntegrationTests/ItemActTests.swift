import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests results of providers, and taps that set values or send intents, with the real programs.
struct ItemActTests {
  /// A provider that shows as many rows as its values say, and how often it ran.
  private static let list = #"""
    read -r request
    rows=$(printf '%s' "$request" | sed -n 's/.*"values":{"rows":\([0-9]*\)}.*/\1/p')
    cat <<END
    {"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"rows ${rows:-3}","items":[
      {"text":"Show more","set":{"rows":6}},{"text":"Show less","set":{"rows":null}},
      {"text":"Weather in Oslo","intent":{"name":"ShowWeather","parameters":{"city":"Beijing"}}},
      {"text":"Weather","intent":{"name":"ShowWeather"}}]}}],"policy":"never"}
    END
    """#

  private func title(_ sandbox: Sandbox, _ id: String) throws -> String? {
    try sandbox.connect().widget(id)["entry"]?["content"]?["title"]?.stringValue
  }

  @Test func `show more is kept over a kill, and opens nothing`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      try sandbox.widget("list", script: Self.list)
      let daemon = try sandbox.startDaemon()
      _ = try sandbox.send("add", "list")
      #expect(try title(sandbox, "list") == "rows 3")
      let more = try sandbox.send("tap", "list", "--item", "0")
      #expect(more.status == 0, "\(more.errors)")
      #expect(more.output == "set rows=6; asked its provider again\n")
      try eventually("six rows are shown") { try title(sandbox, "list") == "rows 6" }
      daemon.signal(SIGKILL)
      _ = try daemon.waitUntilEnded()

      let next = try sandbox.startDaemon()
      #expect(try sandbox.connect().widget("list")["values"] == ["rows": 6])
      let reloaded = try sandbox.send("reload", "list")
      #expect(reloaded.status == 0, "\(reloaded.errors)")
      #expect(try title(sandbox, "list") == "rows 6")
      let less = try sandbox.send("tap", "list", "--item", "1")
      #expect(less.output == "no values are set any more; asked its provider again\n")
      try eventually("three rows are shown") { try title(sandbox, "list") == "rows 3" }
      let history = try sandbox.send("history")
      #expect(history.output.contains("you tapped item 0, which set rows=6"), "\(history.output)")
      try sandbox.stop(next)
    }
  }

  @Test func `an item sends an intent, and asks what it lacks`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      try sandbox.widget("list", script: Self.list)
      try sandbox.widget(
        "weather",
        script: """
          cat >/dev/null
          echo '{"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"3°"}}],"policy":"never"}'
          """, settings: "intent: ShowWeather")
      let daemon = try sandbox.startDaemon()
      _ = try sandbox.send("add", "list")
      let sent = try sandbox.send("tap", "list", "--item", "2")
      #expect(sent.status == 0, "\(sent.errors)")
      #expect(sent.output.hasPrefix("sent ShowWeather"), "\(sent.output)")
      try eventually("the intent is shown") {
        try sandbox.connect().call("widget.list")["widgets"]?.arrayValue?
          .contains { $0["suggestion"] == true && $0["entry"] != nil } == true
      }
      let asked = try sandbox.send("tap", "list", "--item", "3")
      #expect(asked.status != 0)
      #expect(asked.errors.contains("answer: intent-send choose "), "\(asked.errors)")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a provider says that nothing is new, or why it failed`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "feed",
        script: #"""
          cat >/dev/null
          case $(cat "$INTENTD_CACHE/turn" 2>/dev/null) in
          '') echo '{"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"one"}}],"policy":"never"}'
              echo 1 > "$INTENTD_CACHE/turn" ;;
          1) echo '{"result":"noData"}'; echo 2 > "$INTENTD_CACHE/turn" ;;
          *) echo '{"result":"failed","reason":"the feed wants a key"}' ;;
          esac
          """#)
      let daemon = try sandbox.startDaemon()
      _ = try sandbox.send("add", "feed")
      let none = try sandbox.send("reload", "feed")
      #expect(none.status == 0, "\(none.errors)")
      #expect(none.output.contains("done, nothing new"), "\(none.output)")
      #expect(try title(sandbox, "feed") == "one")
      let failed = try sandbox.send("reload", "feed")
      #expect(failed.status != 0)
      let said = failed.output + failed.errors
      #expect(said.contains("the feed wants a key"), "\(said)")
      let shown = try sandbox.connect().widget("feed")
      #expect(shown["stale"] == true)
      #expect(shown["error"] == "the provider failed: the feed wants a key")
      let tried = try sandbox.run(Programs.client, ["try", "feed", "--json"])
      #expect(
        try JSONValue(parsing: tried.output)["problem"]
          == "the provider failed: the feed wants a key")
      try sandbox.stop(daemon)
    }
  }
}
