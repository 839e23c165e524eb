import Foundation
import Testing

/// Tests the modules: their imports, their use of banned features, their form.
@Suite struct SourceTests {
  let project = Project.current

  @Test func `no module uses what is banned in it`() throws {
    let sources = try Project.sources.get()
    #expect(sources.count > 50, "the sources were not found")
    for file in sources {
      for ban in Ban.all {
        for violation in ban.violations(in: file) { Issue.record("\(violation)") }
      }
    }
  }

  @Test func `modules import what docs/ARCHITECTURE.md lets them`() throws {
    let table = try ImportTable(reading: project.text("docs/ARCHITECTURE.md") ?? "")
    for file in try Project.sources.get() {
      guard let allowed = table.allowed[file.module] else {
        Issue.record("\(file.path): the module \(file.module) is not in docs/ARCHITECTURE.md")
        continue
      }
      for (name, line) in file.imports where !allowed.contains(name) {
        Issue.record("\(file.path):\(line): \(file.module) imports \(name): \(table.instead(name))")
      }
    }
    for module in table.allowed.keys where !project.has("Sources/\(module)") {
      Issue.record("docs/ARCHITECTURE.md: there is no module \(module)")
    }
  }

  @Test(arguments: [
    ("CLibUV", ["EventLoop"]), ("CPosix", ["EventLoop", "Store"]), ("CSQLite", ["Store"]),
    ("CUserBus", ["UserBus"]), ("CMicroHTTP", ["WebServer"]), ("CPango", ["PanelPictures"]),
    ("CZlib", ["PanelPictures"]), ("CCurl", ["WebFetch"]),
    ("CLibYAML", ["Documents"]), ("CXAttr", ["DaemonRuntime"]),
    ("Foundation", Modules.sdk.sorted() + ["conformance"]), ("Dispatch", ["WidgetKit"]),
  ])
  func `a fenced module has its one importer`(module: String, importers: [String]) throws {
    for file in try Project.sources.get() {
      for (name, line) in file.imports where name == module && !importers.contains(file.module) {
        Issue.record(
          "\(file.path):\(line): only \(importers.joined(separator: ", ")) imports \(name)")
      }
    }
  }

  @Test func `the import table is read, and a stray import found`() {
    let table = ImportTable(
      reading: """
        | module | what it is | may import |
        |---|---|---|
        | `JSON` | pure: bytes and values | nothing |
        | `Store` | SQLite | `CSQLite`, `DaemonCore` |
        """)
    #expect(table.allowed == ["JSON": [], "Store": ["CSQLite", "DaemonCore"]])
    let file = SwiftSource(
      path: "Sources/JSON/A.swift",
      text:
        "package import CSQLite\n@testable import Store\nimport struct Foundation.Date\n// import Yams"
    )
    #expect(file.imports.map(\.module) == ["CSQLite", "Store", "Foundation"])
    #expect(file.imports.map(\.line) == [1, 2, 3])
  }

  /// The runner waits for such a test with a thread that looks at every child of the process: a
  /// child of another test that nobody has waited for yet would keep it waiting.
  @Test func `a test that ends a process stands in a suite that runs apart`() throws {
    let exitTest = "processExits" + "With:"
    for path in project.files(in: "Tests", ending: ".swift") {
      var suite = ""
      for line in (try project.text(path) ?? "").split(separator: "\n") {
        if let name = line.firstMatch(of: #/^(?:@Suite.* )?(?:final class|struct) (\w+)/#)?.1 {
          suite = String(name)
        }
        guard line.contains(exitTest), !suite.hasSuffix("ExitTests") else { continue }
        Issue.record("\(path): move this test of \(suite) to a suite named …ExitTests: \(line)")
      }
    }
  }

  @Test func `no file in Sources is longer than 700 lines`() throws {
    for file in try Project.sources.get() where file.lines.count > 701 {
      Issue.record("\(file.path): \(file.lines.count) lines; split it by topic (Type+Topic.swift)")
    }
  }

  @Test func `an unchecked promise to the compiler says what makes it true`() throws {
    for file in try Project.sources.get() {
      for (index, line) in file.code.enumerated()
      where line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") {
        let before = file.lines[max(0, index - 8)..<index]
        if !before.contains(where: {
          $0.contains("//") && $0.lowercased().contains(#/thread|lock|mutex/#)
        }) {
          Issue.record("\(file.path):\(index + 1): say above it which thread or lock makes it true")
        }
      }
    }
  }

  @Test func `every limit says its unit`() throws {
    var count = 0
    for file in try Project.sources.get() where file.path.hasSuffix("Limits.swift") {
      for (index, line) in file.code.enumerated() {
        guard let match = line.firstMatch(of: #/static let (\w+)/#) else { continue }
        count += 1
        if !match.output.1.contains(#/(Bytes|Milliseconds|Seconds)(Max|Min|Kept)?$/#),
          !Self.hasUnit(file.comment(before: index))
        {
          Issue.record(
            "\(file.path):\(index + 1): \(match.output.1) needs `/// Bytes of …` or another unit above it"
          )
        }
      }
    }
    #expect(count > 30, "the limits were not found")
  }

  @Test func `a unit is a plural among the first words`() {
    for comment in [
      "Bytes of a URL.", "UTF-8 bytes of a value.", "Journal entries kept in memory.",
    ] {
      #expect(Self.hasUnit(comment))
    }
    for comment in ["", "This is large.", "`history`'s limit.", "How much there may be."] {
      #expect(!Self.hasUnit(comment))
    }
  }

  /// Returns whether one of the first three words is a plural noun, which names a limit's unit.
  static func hasUnit(_ comment: String) -> Bool {
    comment.split(whereSeparator: { $0 == " " || $0 == ":" || $0 == "," || $0 == "." }).prefix(3)
      .contains { word in
        word.hasSuffix("s") && !word.hasSuffix("'s") && !word.hasSuffix("ss")
          && !["this", "is", "has", "was", "its", "as", "us"].contains(word.lowercased())
      }
  }

  @Test func `every module and every test target is declared`() throws {
    // A function of the manifest makes the targets of the extensions.
    let package = (try project.text("Package.swift") ?? "")
      .replacing("widgetExtension(\"", with: "name: \"")
    for folder in ["Sources", "Tests", "Tests/Extensions"] {
      for name in project.names(in: folder)
      where folder + "/" + name != "Tests/Extensions"
        && !project.files(in: "\(folder)/\(name)", ending: ".swift").isEmpty
        && !package.contains("name: \"\(name)\"")
      {
        Issue.record("\(folder)/\(name) is in no target of Package.swift, so nobody builds it")
      }
    }
  }
}

extension SwiftSource {
  /// Returns the doc comment that ends right above a line, without its slashes.
  func comment(before index: Int) -> String {
    var words: [Substring] = []
    for line in lines[..<index].reversed() {
      let line = line.trimmingSpaces
      if line.hasPrefix("@") { continue }
      guard line.hasPrefix("///") else { break }
      words.insert(line.dropFirst(3).trimmingSpaces, at: 0)
    }
    return words.joined(separator: " ")
  }
}

/// The allowed imports: the table in `docs/ARCHITECTURE.md` whose last column is "may import".
struct ImportTable {
  private(set) var allowed: [String: Set<String>] = [:]

  init(reading markdown: String) {
    var isTable = false
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      let cells = line.split(separator: "|").map(\.trimmingSpaces)
      guard line.hasPrefix("|"), let first = cells.first, let last = cells.last else {
        isTable = false
        continue
      }
      if last == "may import" { isTable = true }
      guard isTable else { continue }
      let names = last.matches(of: #/`([\w-]+)`/#).map { String($0.output.1) }
      for module in first.matches(of: #/`([\w-]+)`/#) {
        allowed[String(module.output.1)] = Set(names)
      }
    }
  }

  /// Returns the advice for a module that may not import `module`.
  func instead(_ module: String) -> String {
    switch module {
    case "Foundation": "bytes, JSON and Timekeeping do; dates and files belong to the edges"
    case "Glibc": "the shell calls the system (EventLoop, DaemonRuntime, the programs)"
    case "Dispatch", "Synchronization":
      "one thread owns the core; threads meet in Store and EventLoop"
    case "CLibUV": "use EventLoop"
    case "CSQLite": "use Store"
    case "CLibYAML": "use Documents"
    default: "docs/ARCHITECTURE.md does not let it; if it should, say so there first"
    }
  }
}
