import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests `intent-send new widget`: what it makes can be tried, simulated and placed as it is.
struct NewWidgetTests {
  /// The folder of the Swift compiler on this machine; `nil` without one.
  private static let compilerFolder: String? =
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    .first { access($0 + "/swiftc", X_OK) == 0 }

  /// The next steps that a report names, as arguments.
  private func steps(_ outcome: Outcome) -> [[String]] {
    outcome.lines.drop { $0 != "next" }.dropFirst().map { line in
      let command = line.dropFirst(2).split(separator: "  ")[0]
      return command.split(separator: " ").map(String.init)
    }
  }

  @Test(arguments: ["shell", "python"])
  func `a new widget is good at once, and its next steps work`(language: String) throws {
    try withSandbox { sandbox in
      let made = try sandbox.send("new", "widget", "disk-room", "--in", language)
      #expect(made.status == 0, "\(made.errors)")
      let folder = "\(sandbox.widgets)/disk-room"
      #expect(made.output.hasPrefix("made \(folder)\n  widget.yaml"), "\(made.output)")
      let steps = steps(made)
      #expect(
        steps == [
          ["intent-send", "try", "me.disk-room"],
          ["intent-send", "try", "me.disk-room", "--watch"],
          ["intent-send", "add", "me.disk-room"],
        ])
      let tried = try sandbox.run(Programs.client, ["try", "me.disk-room", "--json"])
      #expect(tried.status == 0, "\(tried.output)")
      let report = try JSONValue(parsing: tried.output)
      #expect(report["ok"] == true)
      #expect(report["timeline"]?["entries"]?.arrayValue?[0]["content"]?["title"] == "Disk room")
      let simulated = try sandbox.send("simulate", "me.disk-room", "--for", "6h")
      #expect(simulated.status == 0, "\(simulated.output)")

      let daemon = try sandbox.startDaemon()
      let added = try sandbox.send("add", "me.disk-room")
      #expect(added.status == 0, "\(added.errors)")
      let shown = try sandbox.connect().widget("disk-room")["entry"]?["content"]
      #expect(shown?["text"]?.stringValue?.hasSuffix(" GB free") == true)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a new widget in Swift compiles itself and is good`() throws {
    guard let folder = Self.compilerFolder else {
      print("skipped: there is no swiftc in PATH")
      return
    }
    try withSandbox { sandbox in
      let environment = ["PATH": "\(folder):\(Sandbox.searchPath)"]
      let made = try sandbox.send(
        "new", "widget", "org.example.disk", "--in", "swift", "--at", sandbox.root + "/mine/")
      #expect(made.status == 0, "\(made.errors)")
      let widget = sandbox.root + "/mine/disk"
      #expect(steps(made).first == ["intent-send", "try", "\(widget)/widget.yaml"])
      #expect(steps(made)[2] == ["cp", "-R", widget, "\(sandbox.widgets)/"])
      let first = try sandbox.send("try", widget, environment: environment)
      #expect(first.status == 0, "\(first.output)")
      // The second run takes the program that is built already, and needs no compiler.
      let second = try sandbox.send("try", widget + "/widget.yaml")
      #expect(second.status == 0, "\(second.output)")
      try FileManager.default.removeItem(atPath: sandbox.root + "/cache")
      let without = try sandbox.send("try", widget)
      #expect(without.output.contains("swiftc is not in PATH"), "\(without.output)")
    }
  }

  @Test func `nothing is ever overwritten`() throws {
    try withSandbox { sandbox in
      #expect(try sandbox.send("new", "widget", "disk").status == 0)
      let program = sandbox.widgets + "/disk/widget.sh"
      let before = contents(of: program)
      for language in ["shell", "python", "swift"] {
        let again = try sandbox.send("new", "widget", "org.other.disk", "--in", language)
        #expect(again.status == 1)
        #expect(again.errors.contains("is there already; nothing was written"), "\(again.errors)")
        #expect(again.errors.contains("intent-send try \(sandbox.widgets)/disk/"))
      }
      #expect(contents(of: program) == before)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: sandbox.widgets + "/disk").sorted()
          == ["widget.sh", "widget.yaml"])
      try sandbox.write("here", "a file")
      let file = try sandbox.send("new", "widget", "here", "--at", sandbox.root)
      #expect(file.status == 1)
      #expect(contents(of: sandbox.root + "/here") == "a file")
    }
  }

  @Test func `a name that no kind can have is refused`() throws {
    try withSandbox { sandbox in
      for name in ["", "two words", "../up", ".hidden", "a/b", "né"] {
        let outcome = try sandbox.send("new", "widget", name)
        #expect(outcome.status == 64, "\(name): \(outcome)")
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: sandbox.widgets).isEmpty)
      let language = try sandbox.send("new", "widget", "disk", "--in", "cobol")
      #expect(language.status == 64)
    }
  }
}
