import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Tests that the programs on the pages for authors work as they stand there.
struct AuthorPageTests {
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func blocks(_ page: String, _ language: String) throws -> [String] {
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    return text.split(separator: "\n```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("\(language)\n") }
      .map { String($0.element.dropFirst(language.count + 1)) + "\n" }
  }

  /// Tries a widget of the person's folder, whose text is `uptime -p`'s or the disk's.
  private func expectGood(_ sandbox: Sandbox, _ kind: String) throws {
    let tried = try sandbox.send("try", kind, "--json")
    #expect(tried.status == 0, "\(tried.output)")
    let simulated = try sandbox.send("simulate", kind, "--from", "2026-11-20", "--for", "1d")
    #expect(simulated.status == 0, "\(simulated.output)")
  }

  @Test func `the widget by hand is good`() throws {
    guard Programs.isInstalled("uptime") else { return print("skipped: there is no uptime") }
    try withSandbox { sandbox in
      let manifest = try #require(try Self.blocks("docs/WIDGETS.md", "yaml").first)
      let script = try #require(try Self.blocks("docs/WIDGETS.md", "sh").first)
      try sandbox.write("config/intentd/widgets/uptime.yaml", manifest)
      try sandbox.write("config/intentd/widgets/uptime.sh", script, mode: 0o755)
      try expectGood(sandbox, "me.uptime")
    }
  }

  @Test func `the programs of the first widget are good`() throws {
    let page = "docs/FIRST_WIDGET.md"
    let shell = try #require(try Self.blocks(page, "sh").first { $0.hasPrefix("#!/bin/sh\n") })
    let python = try #require(try Self.blocks(page, "python").first)
    try withSandbox { sandbox in
      for (language, name, text) in [("shell", "sh", shell), ("python", "py", python)] {
        if name == "sh", !Programs.isInstalled("uptime") { continue }
        let made = try sandbox.send("new", "widget", name, "--in", language)
        #expect(made.status == 0, "\(made.errors)")
        try sandbox.write("config/intentd/widgets/\(name)/widget.\(name)", text, mode: 0o755)
        try expectGood(sandbox, "me.\(name)")
      }
    }
  }

  @Test func `the page shows what new says, and where try is good or not`() throws {
    let page = "docs/FIRST_WIDGET.md"
    let console = try #require(try Self.blocks(page, "console").first)
    try withSandbox { sandbox in
      let made = try sandbox.send("new", "widget", "disk", "--in", "shell")
      let shown = made.output.replacing("\(sandbox.root)/config", with: "~/.config")
      #expect("$ intent-send new widget disk --in shell\n" + shown == console)
    }
  }
}
