import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// The page while a program behind it is killed: what it shows, and what a click does.
@Suite(.serialized, .enabled(if: Browser.isInstalled, "skipped: no chromium"))
struct WebKillTests {
  private func has(_ name: String, _ id: String) -> String {
    "document.querySelector('[data-id=\(id)]')?.classList.contains('\(name)')"
  }

  private func picture(_ id: String) -> String {
    "document.querySelector('[data-id=\(id)] .view')?.textContent.includes('Beijing')"
  }

  private let isLost = "document.body.classList.contains('lost')"

  /// Places the kind of a program as `id`.
  private func place(
    _ program: String, _ kind: String, as id: String, _ web: WebSandbox, _ options: String...
  ) throws {
    let made = try web.sandbox.run(
      program, ["manifest", "--into", web.sandbox.root + "/config/intentd"] + options)
    try #require(made.ending == .exited(0), "\(made.errors)")
    try web.client.call("daemon.reloadConfiguration")
    try web.client.call(
      "widget.add", ["kind": .string(kind), "id": .string(id), "wait": true])
  }

  /// The process of a provider.
  private func process(of program: String, _ web: WebSandbox) throws -> Int32 {
    try #require(
      Processes.naming(web.sandbox.root).first {
        Processes.command(of: $0).hasPrefix(program + " ")
      })
  }

  private func history(_ web: WebSandbox) throws -> [JSONValue] {
    try web.client.call("daemon.history", ["limit": 500])["entries"]?.arrayValue ?? []
  }

  @Test
  func `a view whose program is killed stays, says since when it is not current, and comes back`()
    throws
  {
    try withWeb { web in
      try place(Programs.views, "forecast", as: "small", web)
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      try eventually("the picture is there") {
        try browser.value(picture("small"), in: tab) == true
      }
      #expect(try browser.value(has("stale", "small"), in: tab) == false)

      // It is killed at work: a stopped process answers nothing.
      let provider = try process(of: Programs.views, web)
      kill(provider, SIGSTOP)
      try web.client.call("widget.reload", ["id": "small"])
      kill(provider, SIGKILL)
      try eventually("it is marked") { try browser.value(has("stale", "small"), in: tab) == true }
      #expect(try browser.value(picture("small"), in: tab) == true, "the last good view stays")
      let note = "document.querySelector('[data-id=small] .note')?.textContent"
      #expect(
        try browser.value(note, in: tab).stringValue?.hasPrefix("not current, since ") == true)
      #expect(try browser.value(has("stale", "weather"), in: tab) == false, "and no other widget")

      try web.client.call("widget.reload", ["id": "small", "wait": true])
      try eventually("it is current") { try browser.value(has("stale", "small"), in: tab) == false }
      #expect(try browser.value(picture("small"), in: tab) == true)
    }
  }

  @Test func `views stay while the daemon is gone, and are there at once when it is back`() throws {
    try withWeb { web in
      try place(Programs.views, "forecast", as: "small", web)
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      try eventually("the picture is there") {
        try browser.value(picture("small"), in: tab) == true
      }

      web.daemon.signal(SIGKILL)
      try web.daemon.waitUntilEnded()
      try eventually("nothing looks current") { try browser.value(isLost, in: tab) == true }
      #expect(try browser.value(picture("small"), in: tab) == true, "the last good view stays")

      // The program is gone by then: what is shown was on disk.
      let manifest = "config/intentd/widgets/ViewProgram/ViewProgram.yaml"
      try web.sandbox.write(
        manifest,
        contents(of: "\(web.sandbox.root)/\(manifest)")
          .replacingOccurrences(of: Programs.views, with: "/no/such/program"))
      let next = try web.sandbox.startDaemon()
      try eventually("it is back") { try browser.value(isLost, in: tab) == false }
      #expect(try browser.value(picture("small"), in: tab) == true)
      let again = try browser.open(try web.address())
      try eventually("a page that is opened now has it, too") {
        try browser.value(picture("small"), in: again) == true
      }
      try web.sandbox.stop(next)
    }
  }

  @Test func `a click whose connection broke is done once, and its words arrive`() throws {
    try withWeb { web in
      try place(
        Programs.widgets, "counter", as: "counter", web, "--name", "Bells", "--group",
        "group.org.example.bells")
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      let button = "document.querySelector('[data-id=counter] [data-key=\"item 0\"]')"
      try eventually("the button is there") { try browser.value("!!\(button)", in: tab) == true }
      let provider = try process(of: Programs.widgets, web)
      kill(provider, SIGSTOP)
      try browser.value("\(button).click()", in: tab)
      try eventually("its code is under way") {
        try history(web).contains { $0["event"] == "tap" && $0["widget"] == "counter" }
      }
      web.program.signal(SIGKILL)
      try web.program.waitUntilEnded()
      _ = try web.sandbox.start(Programs.web, ["--port", web.port])
      kill(provider, SIGCONT)
      let words = "document.getElementById('status').textContent"
      try eventually("the words arrive") { try browser.value(words, in: tab) == "It is 1." }
      let performed = try history(web).filter { $0["event"] == "intent.performed" }
      #expect(performed.count == 1, "once: \(performed)")
      try eventually("the widget counts once") {
        try web.client.widget("counter")["entry"]?["content"]?["title"] == "Count 1"
      }
      let shown = "document.querySelector('[data-id=counter]').textContent.includes('Count 1')"
      try eventually("the page shows it") { try browser.value(shown, in: tab) == true }
      #expect(try browser.value(words, in: tab) == "It is 1.", "an update leaves the words")
    }
  }

  @Test func `a click whose answer broke off is sent once more, and is done once`() throws {
    try withWeb { web in
      try place(
        Programs.widgets, "counter", as: "counter", web, "--name", "Bells", "--group",
        "group.org.example.bells")
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      let button = "document.querySelector('[data-id=counter] [data-key=\"item 0\"]')"
      try eventually("the button is there") { try browser.value("!!\(button)", in: tab) == true }
      // The server's first answer is cut within its body.
      let cut = """
        window.taps = 0;
        const whole = window.fetch;
        window.fetch = async (path, options) => {
          const answer = await whole(path, options);
          window.taps += 1;
          if (window.taps > 1) return answer;
          const start = (await answer.text()).slice(0, 3);
          return new Response(new ReadableStream({ start(stream) {
            stream.enqueue(new TextEncoder().encode(start));
            stream.error(new TypeError("network error"));
          } }), { status: answer.status });
        };
        """
      try browser.value("(() => { \(cut) })()", in: tab)
      try browser.value("\(button).click()", in: tab)
      let words = "document.getElementById('status').textContent"
      try eventually("the words arrive") { try browser.value(words, in: tab) == "It is 1." }
      #expect(try browser.value("window.taps", in: tab) == 2)
      let performed = try history(web).filter { $0["event"] == "intent.performed" }
      #expect(performed.count == 1, "once: \(performed)")
    }
  }
}
