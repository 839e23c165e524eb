import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// A page opens links: thousands of them, to intents that do not want them, or with values that are
/// no plain text.
@Suite struct LinkTests {
  /// Runs `body` with a daemon that has a weather widget, whose provider notes its requests, and
  /// with the programs that open web pages and letters, which note their arguments.
  private func withWeather(_ body: (Sandbox, WireClient) throws -> Void) throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      try sandbox.write(
        "config/intentd/intents/Unlock/intent.yaml",
        """
        name: Unlock
        title: Unlock
        description: Opens a door.
        widgets: false
        links: ask
        parameters: [{name: door, required: true}]
        """)
      try sandbox.write(
        "config/intentd/intents/Pay/intent.yaml",
        """
        name: Pay
        title: Pay
        description: Pays a bill.
        widgets: false
        links: never
        """)
      for (kind, intent) in [("weather", "ShowWeather"), ("note", "TakeNote")] {
        try sandbox.widget(
          kind, script: "cat >> \"$HOME/requests\"\n\(Sandbox.answer(title: "3°"))",
          settings: "intent: \(intent)")
      }
      try sandbox.widget("page", script: Sandbox.answer(title: "a page"))
      try sandbox.write(
        "bin/open", "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \"$HOME/opened\"\n", mode: 0o755)
      try sandbox.write(
        "data/applications/org.example.Opener.desktop",
        """
        [Desktop Entry]
        Type=Application
        Name=Opener
        Exec=\(sandbox.root)/bin/open %u
        MimeType=x-scheme-handler/http;x-scheme-handler/mailto;
        """)
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.place("weather", id: "weather", parameters: ["city": "Beijing"])
      try body(sandbox, client)
      try sandbox.stop(daemon)
    }
  }

  private func requests(_ sandbox: Sandbox) -> [Substring] {
    contents(of: sandbox.root + "/home/requests").split(separator: "\n")
  }

  @Test func `thousands of links cost a budget, teach nothing, and leave the history alone`() throws
  {
    try withWeather { sandbox, client in
      try client.call("intent.send", ["text": "show weather for Beijing", "wait": true])
      let before = try client.call("daemon.status")
      let sequence = try #require(before["journal"]?.intValue)
      for number in 0..<3_000 {
        let url =
          number % 2 == 0
          ? "intentd://intent/ShowWeather?city=Beijing" : "intentd://intent/TakeNote?note=\(number)"
        let id = try client.ask("url.open", ["url": .string(url)])
        _ = try? client.answer(to: id)
      }
      try eventually("all runs have ended") { (try? client.call("daemon.status")["running"]) == 0 }
      let after = try client.call("daemon.status")
      // Ten suggested notes, and the reloads of the placed widget that its budget allows at once: far
      // below the 40 of a day.
      #expect(requests(sandbox).count <= 40, "\(requests(sandbox).count) runs")
      #expect(after["donations"] == before["donations"])
      // Thirty entries about links, and a few for each reload that they asked for.
      #expect((after["journal"]?.intValue ?? .max) - sequence <= 150)
      // Some were followed, at the pace of links, and most came too fast.
      let metrics = try client.call("daemon.metrics")["text"]?.stringValue ?? ""
      func counter(_ name: String) -> Int? {
        metrics.split(separator: "\n").first { $0.hasPrefix(name + " ") }
          .flatMap { Int($0.dropFirst(name.count + 1)) }
      }
      let followed = try #require(counter("intentd_links_total"))
      #expect(followed >= 10)
      #expect(try #require(counter("intentd_links_refused_total")) >= 1_000)
      let history = try client.call("daemon.history", ["limit": 1_000])["entries"]?.arrayValue ?? []
      #expect(history.contains { $0["event"] == "intent" && $0["link"] == nil })
    }
  }

  @Test(arguments: ["..%2F..%2Fetc%2Fpasswd", "--help", "%E2%80%AE", "a%1B%5D52", "-rf"])
  func `a link's value that is no plain text reaches no provider`(value: String) throws {
    try withWeather { sandbox, client in
      let refusal = try client.refusal(
        "url.open", ["url": .string("intentd://intent/TakeNote?note=\(value)")])
      #expect(refusal.code == -32012)
      // The provider is asked by what is accepted, and was asked by nothing before.
      try client.call("url.open", ["url": "intentd://intent/TakeNote?note=milk", "wait": true])
      let asked = requests(sandbox).filter { $0.contains("TakeNote") }
      #expect(asked.count == 1)
      #expect(asked.first?.contains("milk") == true)
    }
  }

  @Test func `a link to what asks waits for a yes, which a person gives later`() throws {
    try withWeather { sandbox, client in
      let opened = try sandbox.send("open", "intentd://intent/Unlock?door=front")
      #expect(opened.ending == .exited(4))
      #expect(opened.errors.contains("A link asks for: Unlock (door 'front'). Do it?"))
      let status = try sandbox.send("status")
      let token = try #require(
        status.output.split(separator: " ").drop { $0 != "choose" }.dropFirst().first)
      let history = try client.call("daemon.history", ["limit": 100])["entries"]?.arrayValue ?? []
      #expect(!history.contains { $0["intent"] == "Unlock" })
      let done = try sandbox.send("choose", String(token), "yes")
      #expect(done.ending == .exited(0))
      let later = try client.call("daemon.history", ["limit": 100])["entries"]?.arrayValue ?? []
      #expect(later.contains { $0["intent"] == "Unlock" && $0["link"] == nil })
    }
  }

  @Test func `a link to what no link may make is refused`() throws {
    try withWeather { sandbox, client in
      let refusal = try client.refusal("url.open", ["url": "intentd://intent/Pay"])
      #expect(refusal.code == -32017)
      let opened = try sandbox.send("open", "intentd://intent/Pay")
      #expect(opened.errors.contains("no link makes Pay"), "\(opened)")
      let history = try client.call("daemon.history", ["limit": 100])["entries"]?.arrayValue ?? []
      #expect(!history.contains { $0["intent"] == "Pay" })
      // The person can.
      try client.call("intent.send", ["intent": "Pay"])
      let later = try client.call("daemon.history", ["limit": 100])["entries"]?.arrayValue ?? []
      #expect(later.contains { $0["intent"] == "Pay" })
    }
  }

  @Test func `a tap opens an address at home, and puts no file into a letter`() throws {
    try withWeather { sandbox, client in
      _ = try client.add("page")
      func show(_ url: String) throws {
        try client.call(
          "widget.push",
          [
            "id": "page",
            "timeline": [
              "entries": [
                ["date": "2026-01-01T00:00:00Z", "content": ["text": "x"], "url": .string(url)]
              ],
              "policy": "never",
            ],
          ])
      }
      for url in ["http://127.0.0.1:631/", "http://192.168.1.20/", "http://[::1]:8123/"] {
        try show(url)
        #expect(try client.call("widget.tap", ["id": "page"])["opened"] == "desktop")
        try eventually("it is opened") {
          contents(of: sandbox.root + "/home/opened").contains(url + "\n")
        }
      }
      // A letter with a file, and an address at home that is written so that nobody sees it is one.
      for url in ["mailto:a@example.org?attach=/etc/passwd", "http://0x7f.1/"] {
        try show(url)
        #expect(try client.refusal("widget.tap", ["id": "page"]).code == -32013)
      }
      #expect(!contents(of: sandbox.root + "/home/opened").contains("mailto"))
    }
  }
}
