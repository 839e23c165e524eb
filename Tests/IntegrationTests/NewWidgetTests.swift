import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Tests `intent-send new widget`: what it makes can be tried, simulated and placed as it is.
struct NewWidgetTests {
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

  @Test func `a new widget in Swift is a package, here or where it is told to be`() throws {
    try withSandbox { sandbox in
      let made = try sandbox.send(
        "new", "widget", "org.example.disk", "--in", "swift", "--at", sandbox.root + "/mine/",
        "--sdk", "https://example.org/intentd.git")
      #expect(made.status == 0, "\(made.errors)")
      let widget = sandbox.root + "/mine/disk"
      #expect(made.output.hasPrefix("made \(widget)\n  Package.swift"), "\(made.output)")
      #expect(steps(made).first == ["cd", widget])
      let manifest = contents(of: widget + "/Package.swift")
      #expect(manifest.contains("url: \"https://example.org/intentd.git\""), "\(manifest)")
      let code = contents(of: widget + "/Sources/Disk/Disk.swift")
      #expect(code.contains("kind: \"org.example.disk\""))
    }
  }

  @Test func `a package in Swift uses the sources that are installed, or says what is missing`()
    throws
  {
    try withSandbox { sandbox in
      let arguments = ["new", "widget", "disk", "--in", "swift", "--at", sandbox.root]
      let refused = try sandbox.run(Programs.client, arguments)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("install the package intentd-sdk"), "\(refused.errors)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.root + "/disk"))
      try sandbox.write("data/intentd/sdk/Package.swift", "")
      let made = try sandbox.run(Programs.client, arguments)
      #expect(made.status == 0, "\(made.errors)")
      let manifest = contents(of: sandbox.root + "/disk/Package.swift")
      #expect(manifest.contains("path: \"\(sandbox.root)/data/intentd/sdk\""), "\(manifest)")
    }
  }

  @Test func `the sources of an extension are copied as they are`() throws {
    try withSandbox { sandbox in
      try sandbox.write("share/intentd/sdk/Package.swift", "")
      let code = "import WidgetKit\nimport Charts\n@main struct A: Widget {}\n"
      try sandbox.write("app/Widget/A.swift", code)
      try sandbox.write("app/Widget/de.lproj/Localizable.strings", "\"a\" = \"b\";\n")
      try sandbox.write("app/Shared/B.swift", "import SwiftUI\n")
      try sandbox.write("app/Shared/.hidden.swift", "")
      let made = try sandbox.send(
        "new", "widget", "city", "--in", "swift", "--at", sandbox.root,
        "--from", sandbox.root + "/app/Widget", "--from", sandbox.root + "/app/Shared", "--json")
      #expect(made.status == 0, "\(made.errors)")
      let report = try JSONValue(parsing: made.output)
      #expect(
        report["needs"]
          == [["name": "import Charts", "module": nil, "files": ["A.swift"]]])
      let sources = sandbox.root + "/city/Sources/City"
      #expect(contents(of: sources + "/A.swift") == code)
      #expect(contents(of: sources + "/B.swift") == "import SwiftUI\n")
      #expect(
        contents(of: sources + "/Resources/de.lproj/Localizable.strings")
          == "\"a\" = \"b\";\n")
      for arguments in [["--from", sandbox.root + "/nothing"], ["--from", sandbox.root + "/app"]] {
        let again = try sandbox.run(
          Programs.client,
          ["new", "widget", "city", "--in", "swift", "--at", sandbox.root] + arguments)
        #expect(again.status == 1)
      }
      let shell = try sandbox.send("new", "widget", "x", "--from", sandbox.root + "/app")
      #expect(shell.status == 64)
    }
  }

  @Test func `nothing is ever overwritten`() throws {
    try withSandbox { sandbox in
      #expect(try sandbox.send("new", "widget", "disk").status == 0)
      let program = sandbox.widgets + "/disk/widget.sh"
      let before = contents(of: program)
      for language in ["shell", "python"] {
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

  @Test func `a package that is there is named as one, and sources that are not are refused`()
    throws
  {
    try withSandbox { sandbox in
      try sandbox.write("sdk/Package.swift", "")
      let arguments = ["new", "widget", "city", "--in", "swift", "--at", sandbox.root]
      let made = try sandbox.run(
        Programs.client, arguments + ["--sdk", sandbox.root + "/sdk"])
      #expect(made.status == 0, "\(made.errors)")
      // The daemon reads where the base directories say.
      #expect(
        made.output.contains("City manifest --into \(sandbox.root)/config/intentd  install it\n"),
        "\(made.output)")
      let again = try sandbox.run(Programs.client, arguments + ["--sdk", sandbox.root + "/sdk"])
      #expect(again.status == 1)
      #expect(
        again.errors.contains("swift build -c release --package-path \(sandbox.root)/city"),
        "\(again.errors)")
      try sandbox.write("empty/file", "")
      for (place, words) in [("/nowhere", "there is no folder"), ("/empty", "no Package.swift")] {
        let refused = try sandbox.run(
          Programs.client, arguments + ["--sdk", sandbox.root + place])
        #expect(refused.status == 64)
        #expect(refused.errors.contains(words), "\(refused.errors)")
      }
      let tried = try sandbox.send("try", sandbox.root + "/city")
      #expect(tried.status == 1)
      #expect(tried.output.contains("is a package in Swift, which is built first"), "\(tried)")
    }
  }

  @Test func `the program of a widget for iOS is no script`() throws {
    try withSandbox { sandbox in
      let tried = try sandbox.send("try", Programs.widgets)
      #expect(tried.status == 1)
      #expect(
        tried.output.contains(
          "\(Programs.widgets) manifest --into \(sandbox.root)/config/intentd, and then"),
        "\(tried.output)")
      // A path with a blank is one word of the command.
      let spaced = "\(sandbox.root)/my widgets"
      symlink(Programs.widgets, spaced)
      let named = try sandbox.send("try", spaced)
      #expect(named.output.contains(": \"\(spaced)\" manifest --into"), "\(named.output)")
      // The program that looks for the mark of one is none.
      let own = try sandbox.send("try", Programs.daemon)
      #expect(!own.output.contains("for iOS"), "\(own.output)")
      // Another program is one that a bar may run.
      let other = try sandbox.send("try", "/usr/bin/true")
      #expect(other.output.contains("plugin"), "\(other.output)")
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
