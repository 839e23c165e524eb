import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests a widget of iOS with a button and a toggle, from its manifest to what their code did, with
/// the real programs.
struct PerformTests {
  /// Writes the program's manifest and intents, as its author does.
  private func offer(in sandbox: Sandbox) throws {
    let written = try sandbox.run(
      Programs.widgets,
      [
        "manifest", "--into", "\(sandbox.root)/config/intentd", "--name", "Bells", "--app",
        "org.example.Bells", "--group", "group.org.example.bells",
      ])
    try #require(written.status == 0, "\(written.errors)")
  }

  private func counter(_ sandbox: Sandbox) throws -> JSONValue? {
    try sandbox.connect().widget("counter")["entry"]?["content"]
  }

  private func title(_ sandbox: Sandbox) throws -> String? {
    try counter(sandbox)?["title"]?.stringValue
  }

  private func performed(_ sandbox: Sandbox) throws -> [JSONValue] {
    try sandbox.connect().call("daemon.history", ["limit": 500])["entries"]?.arrayValue?
      .filter { $0["event"] == "intent.performed" } ?? []
  }

  @Test func `a button of a widget for iOS runs its code once, and the widget shows it`() throws {
    try withSandbox { sandbox in
      try offer(in: sandbox)
      let tried = try sandbox.send("try", "counter")
      #expect(tried.status == 0, "\(tried.errors)")
      #expect(!(tried.output + tried.errors).contains("is not a key"), "\(tried.errors)")
      #expect(tried.output.contains("  0 Add: this program performs AddOne\n"), "\(tried.output)")
      let daemon = try sandbox.startDaemon()
      let placed = try sandbox.send("add", "counter")
      #expect(placed.status == 0, "\(placed.errors)")
      #expect(try sandbox.send("reload", "counter").status == 0)
      #expect(try title(sandbox) == "Count 0")
      #expect(
        try sandbox.connect().call("daemon.status")["issues"] == [], "the manifest is understood")

      let add = try sandbox.send("tap", "counter", "--item", "0")
      #expect(add.status == 0, "\(add.errors)")
      #expect(add.output == "It is 1.\n")
      try eventually("the widget counts") { try title(sandbox) == "Count 1" }
      #expect(try performed(sandbox).count == 1, "and once only")

      let said = try sandbox.send("ring the bell with bells", "--no-wait")
      #expect(said.status == 4, "it asks how often: \(said.errors)")

      let light = try sandbox.send("tap", "counter", "--item", "1")
      #expect(light.status == 0, "\(light.errors)")
      #expect(light.output == "did Switch(value: true)\n", "\(light.output)")
      try eventually("the light is on") {
        try counter(sandbox)?["items"]?.arrayValue?.dropFirst().first?["checked"] == true
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a thrown error is told in its words, and a crash in its own`() throws {
    try withSandbox { sandbox in
      try offer(in: sandbox)
      let daemon = try sandbox.startDaemon()
      _ = try sandbox.send("add", "counter")
      for count in 1...3 {
        let add = try sandbox.send("call", "intent.send", #"{"intent":"AddOne","wait":true}"#)
        let answer = try JSONValue(parsing: add.output)
        #expect(answer["performed"]?["value"] == .int(Int64(count)), "\(add.output)")
        #expect(answer["entry"]?["content"]?["title"] == .string("Count \(count)"))
      }
      let refused = try sandbox.send("tap", "counter", "--item", "0")
      #expect(refused.status == 1)
      #expect(refused.errors == "intent-send: AddOne: three are enough\n")

      let fallen = try sandbox.send("tap", "counter", "--item", "2")
      #expect(fallen.status == 1)
      #expect(
        fallen.errors.hasPrefix("intent-send: nobody knows whether Fall was done, since"),
        "\(fallen.errors)")
      #expect(fallen.errors.contains("Fatal error: the floor is wet"), "\(fallen.errors)")
      #expect(fallen.errors.contains("it is not done again by itself"), "\(fallen.errors)")
      try eventually("another process shows what the first one did") {
        try title(sandbox) == "Count 13"
      }
      #expect(try performed(sandbox).count { $0["intent"] == "Fall" } == 1)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a tap waits for its code, or for the time that it is given`() throws {
    try withSandbox { sandbox in
      try offer(in: sandbox)
      let daemon = try sandbox.startDaemon()
      _ = try sandbox.send("add", "counter")
      let program = try #require(
        Processes.naming(sandbox.root).first {
          Processes.command(of: $0).hasPrefix(Programs.widgets)
        })
      kill(program, SIGSTOP)
      let late = try sandbox.send("tap", "counter", "--item", "0", "--timeout", "0.2")
      kill(program, SIGCONT)
      #expect(late.status == 1)
      #expect(late.errors.contains("wait longer with --timeout SECONDS"), "\(late.errors)")
      try eventually("it was done all the same") { try title(sandbox) == "Count 1" }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a daemon that is killed meanwhile performs nothing again, and says so`() throws {
    try withSandbox { sandbox in
      try offer(in: sandbox)
      let daemon = try sandbox.startDaemon()
      _ = try sandbox.send("add", "counter")
      let waiting = try sandbox.start(
        Programs.client, ["call", "intent.send", #"{"intent":"Ponder","idempotencyKey":"once"}"#])
      try eventually("its code began") {
        let folder = "\(sandbox.root)/data/intentd/groups/group.org.example.bells"
        return FileManager.default.fileExists(
          atPath: "\(folder)/Library/Preferences/group.org.example.bells.plist")
      }
      daemon.signal(SIGKILL)
      _ = try daemon.waitUntilEnded()
      try waiting.waitUntilEnded()

      let next = try sandbox.startDaemon()
      let told = try performed(sandbox)
      #expect(told.count == 1)
      #expect(told.first?["state"] == "unknown")
      let again = try sandbox.send(
        "call", "intent.send", #"{"intent":"Ponder","idempotencyKey":"once"}"#)
      let answer = try JSONValue(parsing: again.output)
      #expect(answer["performed"]?["state"] == "unknown", "\(again.output)\(again.errors)")
      #expect(try sandbox.send("reload", "counter").status == 0)
      #expect(try title(sandbox) == "Count 100", "and it ran once")
      try sandbox.stop(next)
    }
  }

  @Test func `the daemon asks for a value that an intent needs, and knows those of its query`()
    throws
  {
    try withSandbox { sandbox in
      try offer(in: sandbox)
      let daemon = try sandbox.startDaemon()
      let asked = try sandbox.send("call", "intent.send", #"{"intent":"Greet","wait":true}"#)
      let needs = try JSONValue(parsing: asked.output)["needs"]
      #expect(needs?["parameter"] == "person", "\(asked.output)\(asked.errors)")
      let told = try sandbox.send(
        "call", "intent.send", #"{"intent":"Greet","parameters":{"person":"Ada"},"wait":true}"#)
      #expect(
        try JSONValue(parsing: told.output)["performed"]?["dialog"] == "Hello, Ada!",
        "\(told.output)\(told.errors)")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a yes reaches the code that asks for one, and a new manifest keeps the question`()
    throws
  {
    try withSandbox { sandbox in
      try offer(in: sandbox)
      let document = "config/intentd/intents/ClearBeds/intent.yaml"
      try sandbox.write(
        document, contents(of: "\(sandbox.root)/\(document)") + "confirm: true\n")
      try offer(in: sandbox)
      let daemon = try sandbox.startDaemon()
      let asked = try sandbox.send("call", "intent.send", #"{"intent":"ClearBeds"}"#)
      let token = try JSONValue(parsing: asked.output)["needs"]?["token"]?.stringValue
      let done = try sandbox.send(
        "call", "intent.send", #"{"resume":"\#(token ?? "none")","choice":true}"#)
      #expect(
        try JSONValue(parsing: done.output)["performed"]?["dialog"] == "They are empty.",
        "\(asked.output)\(done.output)\(done.errors)")
      let wrong = try sandbox.send(
        "call", "intent.send", #"{"intent":"MoveBed","parameters":{"bed":"Nope"}}"#)
      #expect(
        try JSONValue(parsing: wrong.output)["performed"]?["message"]
          == "no bed is called 'Nope'; there are North, South", "\(wrong.output)\(wrong.errors)")
      try sandbox.stop(daemon)
    }
  }

  @Test func `a week of it can be simulated, and an unknown kind is refused with what there is`()
    throws
  {
    try withSandbox { sandbox in
      try offer(in: sandbox)
      let week = try sandbox.send("simulate", "counter", "--for", "7d")
      #expect(week.status == 0, "\(week.errors)")
      #expect(!(week.output + week.errors).contains("is not a key"), "\(week.errors)")

      let path = "config/intentd/widgets/WidgetProgram/WidgetProgram.yaml"
      let manifest = contents(of: "\(sandbox.root)/\(path)")
      try sandbox.write(
        path, manifest.replacingOccurrences(of: "kind: counter", with: "kind: cuonter"))
      let daemon = try sandbox.startDaemon()
      let wrong = try sandbox.send("add", "cuonter")
      #expect(
        (wrong.output + wrong.errors).contains(
          "this program has no kind 'cuonter'; did you mean 'counter'?"),
        "\(wrong.output)\(wrong.errors)")
      try sandbox.stop(daemon)
    }
  }
}
