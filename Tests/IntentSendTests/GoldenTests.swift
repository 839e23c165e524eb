import Foundation
import JSON
import PlainText
import Testing
import Timekeeping

@testable import intent_send

/// Every listing as people see it, at three widths and in a pipe, compared with the files of
/// `Golden`.
///
/// `INTENTD_GOLDEN=write swift test --filter GoldenTests` writes the files anew; look at the
/// difference before you commit it. `NAME.json` beside a file is the answer of the daemon that it
/// renders. The time is 14:00 on 2026-11-21, two hours east of Greenwich.
struct GoldenTests {
  /// A listing, the answer that it renders, and how.
  struct Listing: Sendable, CustomTestStringConvertible {
    var name: String
    var input: String
    var render: @Sendable (Renderer, JSONValue) -> String

    init(
      _ name: String, of input: String? = nil,
      _ render: @escaping @Sendable (Renderer, JSONValue) -> String
    ) {
      self.name = name
      self.input = input ?? name
      self.render = render
    }

    var testDescription: String { name }
  }

  static let listings = [
    Listing("status") { $0.status($1) },
    Listing("status-all", of: "status") { $0.status($1, showsAll: true) },
    Listing("status-well") { $0.status($1) }, Listing("status-new") { $0.status($1) },
    Listing("status-failing-store") { $0.status($1) },
    Listing("status-widget", of: "budget") { $0.status(of: "exit3", budget: $1, kind: "me.exit3") },
    Listing("status-widget-well", of: "budget-well") {
      $0.status(of: "weather", budget: $1, kind: nil)
    },
    Listing("widgets") { $0.widgets($1) },
    Listing("widgets-verbose", of: "widgets") { $0.widgets($1, isVerbose: true) },
    Listing("stack") { $0.stack($1) },
    Listing("stack-verbose", of: "stack") { $0.stack($1, isVerbose: true) },
    Listing("explain") { $0.explainedStack($1) },
    Listing("explain-verbose", of: "explain") { $0.explainedStack($1, isVerbose: true) },
    Listing("history") { $0.history($1) },
    Listing("history-verbose", of: "history") { $0.history($1, isVerbose: true) },
    Listing("budget") { $0.budget($1) }, Listing("budget-well") { $0.budget($1) },
    Listing("gallery") { $0.gallery($1) },
    Listing("timeline") { $0.timeline($1) },
    Listing("glance", of: "stack") { $0.glance($1) },
    Listing("show", of: "widgets") { renderer, answer in
      (answer["widgets"]?.arrayValue ?? []).prefix(4).map { renderer.shown($0) }
        .joined(separator: "----\n")
    },
  ]

  @Test(arguments: listings) func `a listing looks as in its file`(_ listing: Listing) throws {
    let answer = try Self.answer(listing.input)
    var text = ""
    for columns in [40, 80, 200] {
      text += "== \(columns) columns ==\n" + listing.render(Self.renderer(columns), answer)
    }
    text += "== a pipe ==\n" + listing.render(Self.renderer(nil), answer)
    try Self.compare(text, with: listing.name)
  }

  @Test(arguments: ["status", "widgets", "explain", "history"])
  func `colours stand around the same text`(_ name: String) throws {
    let listing = try #require(Self.listings.first { $0.name == name })
    let answer = try Self.answer(listing.input)
    var coloured = Self.renderer(80)
    coloured.style = Style(isColoured: true)
    let text = listing.render(coloured, answer)
    #expect(
      text.replacing(/\u{1B}\[[0-9]+m/, with: "") == listing.render(Self.renderer(80), answer))
    try Self.compare(
      text.replacingOccurrences(of: "\u{1B}", with: "ESC"), with: "\(name)-coloured")
  }

  @Test(arguments: listings) func `a listing fits its width`(_ listing: Listing) throws {
    let answer = try Self.answer(listing.input)
    for columns in [40, 60, 79, 80, 200] {
      let text = listing.render(Self.renderer(columns), answer)
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        #expect(!line.hasSuffix(" "), "\(columns): '\(line)'")
        // A long word stays whole: an id, a path, a command to copy.
        let last = line.split(separator: " ").last.map(String.init) ?? ""
        let isLongWord =
          displayWidth(last) > columns / 2
          && displayWidth(String(line)) - displayWidth(last) <= columns
        #expect(displayWidth(String(line)) <= columns || isLongWord, "\(columns): '\(line)'")
      }
    }
  }

  @Test func `in a pipe a row is a line, and no value is cut`() throws {
    let renderer = Self.renderer(nil)
    for name in ["widgets", "stack"] {
      let text = renderer.list("widgets", in: try Self.answer(name)).map { widget in
        renderer.list([renderer.row(widget)])
      }
      #expect(text.allSatisfy { $0.filter { $0 == "\n" }.count == 1 })
      #expect(!text.joined().contains("…"))
    }
  }

  @Test func `columns line up behind wide characters`() throws {
    let lines = Self.renderer(80).widgets(try Self.answer("widgets")).split(separator: "\n")
    let ages = ["weather", "天气", "clock"].compactMap { id -> Int? in
      guard let line = lines.first(where: { $0.hasPrefix("\(id) ") }),
        let age = line.firstRange(of: /(12 min|3 h|now)$/)
      else { return nil }
      return displayWidth(String(line[..<age.lowerBound]))
    }
    #expect(ages.count == 3)
    #expect(Set(ages).count == 1)
  }

  // MARK: Files

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  static func answer(_ name: String) throws -> JSONValue {
    let data = try Data(contentsOf: folder.appendingPathComponent("\(name).json"))
    return try JSONValue(parsing: Array(data))
  }

  static func renderer(_ columns: Int?) -> Renderer {
    guard let now = WallTime(rfc3339: "2026-11-21T12:00:00Z") else {
      preconditionFailure("it is a date")
    }
    return Renderer(style: .plain, now: now, zoneOffset: { _ in 7_200 }, columns: columns)
  }

  /// Compares `text` with a file of `Golden`, or writes the file if the environment asks for it.
  ///
  /// A file that is not there yet is written, and the test fails: somebody has to look at it.
  static func compare(_ text: String, with name: String) throws {
    let file = folder.appendingPathComponent("\(name).txt")
    if ProcessInfo.processInfo.environment["INTENTD_GOLDEN"] == "write" {
      try Data(text.utf8).write(to: file)
      return
    }
    guard FileManager.default.fileExists(atPath: file.path) else {
      try Data(text.utf8).write(to: file)
      Issue.record("\(name).txt was not there; it is written now: look at it and commit it")
      return
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    // Line by line: a difference in a long text is found at once.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, (line, want)) in zip(lines, wanted).enumerated() where line != want {
      Issue.record("\(name).txt:\(index + 1): '\(line)' instead of '\(want)'")
      return
    }
    #expect(lines.count == wanted.count, "\(name).txt")
  }
}
