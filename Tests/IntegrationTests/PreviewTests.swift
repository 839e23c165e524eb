import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Tests previews with the real programs: a provider that answers, one that hangs, a script of
/// another bar, and the trial of an author.
struct PreviewTests {
  private static let quick = #"""
    read -r request
    case $request in
    *'"request":"snapshot"'*'"isPreview":true'*'"locale":"zh_CN"'*)
      echo '{"content":{"title":"斯普林菲尔德","text":"20°"}}' ;;
    *) echo 'asked for something else' >&2; exit 1 ;;
    esac
    """#

  @Test func `kinds that nobody placed show how they look`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("me.quick", script: Self.quick)
      try sandbox.widget("me.stuck", script: "sleep 600")
      try sandbox.write("config/intentd/plugins/cpu.1h.sh", "#!/bin/sh\necho 42 %\n", mode: 0o755)
      let daemon = try sandbox.startDaemon()
      let begin = Date()
      let outcome = try sandbox.send("gallery", "--previews", "--language", "zh_CN")
      #expect(Date().timeIntervalSince(begin) < 20)
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("│ 斯普林菲尔德"), "\(outcome.output)")
      #expect(outcome.output.contains("│ ░░░░░░"), "\(outcome.output)")
      #expect(outcome.output.contains("within 2s"), "\(outcome.output)")
      let client = try sandbox.connect()
      #expect(try client.call("widget.list")["widgets"] == [])
      // The second look runs nothing: what is kept is there at once, over a restart as well.
      try sandbox.stop(daemon)
      let next = try sandbox.startDaemon()
      let again = try sandbox.connect()
      let kinds = try again.call(
        "gallery.list", ["kind": "me.quick", "previews": true, "language": "zh_CN"])["kinds"]
      #expect(kinds?.arrayValue?.first?["preview"]?["isPlaceholder"] == false)
      try sandbox.stop(next)
    }
  }

  @Test func `a kind is named by the end of its id where only one ends so`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("me.quick", script: Self.quick)
      try sandbox.widget("me.disk", script: Self.quick)
      try sandbox.widget("you.disk", script: Self.quick)
      let daemon = try sandbox.startDaemon()
      let shown = try sandbox.send("gallery", "--previews", "Quick", "--language", "zh_CN")
      #expect(shown.status == 0, "\(shown.errors)")
      #expect(shown.output.contains("│ 斯普林菲尔德"), "\(shown.output)")
      let added = try sandbox.send("add", "quick", "--id", "q")
      #expect((added.output + added.errors).contains("me.quick"), "\(added)")
      let client = try sandbox.connect()
      let widgets = try client.call("widget.list")["widgets"]?.arrayValue ?? []
      #expect(widgets.map { $0["kind"] } == ["me.quick"])
      for command in [["gallery", "disk"], ["add", "disk"]] {
        let either = try sandbox.run(Programs.client, command)
        #expect(either.status == 64)
        #expect(either.errors.contains("'disk' may be 'me.disk' and 'you.disk'"), "\(either)")
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a trial shows the preview of a provider, and its mistakes`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "me.sample", script: #"echo '{"content":{"title":"Account 4711","titel":"x"}}'"#)
      let manifest = sandbox.widgets + "/me.sample.yaml"
      let outcome = try sandbox.run(
        Programs.client, ["try", manifest, "--request", "snapshot"])
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("Account 4711"), "\(outcome.output)")
      #expect(outcome.output.contains("did you mean 'title'"), "\(outcome.output)")
      let shape = try sandbox.run(
        Programs.client, ["try", manifest, "--request", "placeholder", "--json"])
      let entry = try JSONValue(parsing: shape.output)["timeline"]?["entries"]?.arrayValue?.first
      #expect(entry?["content"] == ["title": "░░░░░░░░░░░░"])
    }
  }
}
