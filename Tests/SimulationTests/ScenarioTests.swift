import Documents
import Foundation
import JSON
import Testing

@testable import Simulator

/// Plays the files of `Tests/Scenarios`, one for each rule of the engine, against the real core.
struct ScenarioTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scenarios")

  static var files: [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        .filter { $0.hasSuffix(".yaml") }.sorted()
    } catch {
      preconditionFailure("\(folder.path()) cannot be read: \(error)")
    }
  }

  private func read(
    _ text: String, file: String = "scenario.yaml"
  ) throws -> (scenario: ScenarioDocument?, issues: [DocumentIssue]) {
    let loaded = readYAML(text, file: file)
    #expect(loaded.issues.isEmpty, "\(loaded.issues)")
    return ScenarioReader.read(try #require(loaded.value), file: file)
  }

  private func play(_ text: String) throws -> [String] {
    let read = try read(text)
    let document = try #require(read.scenario, "\(read.issues.map(\.description))")
    return ScriptedWorld(document, file: "scenario.yaml").run().failures
  }

  @Test func `there is a scenario for each of thirty rules and more`() {
    #expect(Self.files.count >= 30)
  }

  @Test(arguments: files)
  func `a scenario ends as it expects`(file: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
    let read = try read(text, file: file)
    let document = try #require(read.scenario, "\(read.issues.map(\.description))")
    #expect(!document.title.isEmpty)
    #expect(!document.rule.isEmpty)
    let report = ScriptedWorld(document, file: file).run()
    #expect(report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
    // A second play gives the same rows: a scenario is deterministic.
    #expect(ScriptedWorld(document, file: file).run().rows == report.rows)
  }

  /// The common beginning of the scenarios in these tests.
  private static let base = """
    scenario: a test
    rule: a rule
    lasts: 2h
    kinds:
      clock:
        answers: [{entries: [{at: 0s, title: one}, {at: 30m, title: two}], policy: after 1h}]
    widgets: [{kind: clock, id: w}]

    """

  @Test func `an unmet expectation is reported with its line and the actual events`() throws {
    let cases: [(expect: String, sentence: String)] = [
      ("{event: run, count: 5}", "scenario.yaml:9: expected 5 × run, found 2"),
      ("{event: run, at: 10m}", "expected at least 1 × run, found 0"),
      ("{never: reload.done}", "expected 0 × reload.done, found 2"),
      ("{event: shown, where: {content.title: three}}", #""title":"two""#),
      ("{event: reload.failed}", "there is none of them at all"),
      ("{event: reload.done, where: {next: +2h}, count: 2}", "found 0"),
      ("{event: reload.done, where: {cost: 2..}}", "found 0"),
      ("{event: reload.done, where: {cause: ~placing}}", "found 0"),
      ("{event: shown, at: 1m..2h, where: {content: absent}}", "found 0"),
    ]
    for (expect, sentence) in cases {
      let failures = try play(Self.base + "expect:\n  - \(expect)\n")
      #expect(failures.count == 1, "\(expect): \(failures)")
      #expect(failures.first?.contains(sentence) == true, "\(failures)")
    }
    for expect in [
      "{event: run, count: 2}", "{event: run, count: 1..3}", "{event: shown, at: 29m..31m}",
      "{event: reload.done, at: 0s, where: {next: +1h..+63m}}",
      "{event: reload.done, where: {cost: 0..1, cause: ~olic}}",
      "{event: shown, where: {error: absent, stale: false}}",
    ] {
      #expect(try play(Self.base + "expect:\n  - \(expect)\n") == [])
    }
  }

  @Test func `a scenario that would test nothing is refused with a hint`() throws {
    let read = try read(
      """
      scenario: nothing is tested
      rule: none
      kinds:
        clock:
          relod: {perDay: 4}
          answers: [{entries: [{at: 0s}]}]
        mail: {answers: [{says: x}], families: [enormous]}
      widgets: [{kind: clok, id: w}]
      events:
        - {at: 1h, do: widget.relod, every: 1h, times: 3}
        - {at: 2h, withdraw: [clocks]}
        - {at: 3h, change: {clock: {need: network}}}
      expect:
        - {never: reload.faild}
      """)
    #expect(read.scenario == nil)
    let told = read.issues.map(\.description)
    for sentence in [
      "scenario.yaml:5: error: 'relod' is not a key of a manifest and is ignored; did you mean 'reload'?",
      "scenario.yaml:7: error: 'enormous' is not a family",
      "scenario.yaml:8: error: 'clok' is none of the kinds; did you mean 'clock'?",
      "scenario.yaml:10: error: 'widget.relod' is no method of the protocol; did you mean 'widget.reload'?",
      "scenario.yaml:11: error: 'clocks' is none of the kinds; did you mean 'clock'?",
      "scenario.yaml:12: error: 'need' is not a key of a manifest and is ignored; did you mean 'needs'?",
      "scenario.yaml:14: error: 'reload.faild' is nothing that can be expected; did you mean 'reload.failed'?",
    ] {
      #expect(told.contains { $0.contains(sentence) }, "\(sentence) in \(told)")
    }
    #expect(told.count == 7, "\(told)")
  }

  @Test func `a refusal is expected, or a failure`() throws {
    let refused = """
      events:
        - {at: 1m, do: widget.relod, refused: true}
        - {at: 1m, do: widget.add, params: {kind: clok}, refused: true}
        - {at: 1m, do: widget.reload, params: {id: nobody}, refused: true}
        - {at: 2m, do: widget.reload, params: {id: somebody}}
      expect: [{event: answer, at: 2m, where: {error.message: ~somebody}}]

      """
    #expect(try play(Self.base + refused) == [])
    let unexpected = try play(
      Self.base + """
        events:
          - {at: 1m, do: widget.reload, params: {id: nobody}}
          - {at: 2m, do: widget.reload, params: {id: w}, refused: true}
        expect: [{event: run}]

        """)
    #expect(unexpected.count == 2, "\(unexpected)")
    #expect(
      unexpected.first?.hasPrefix("scenario.yaml:9: widget.reload was refused: ") == true,
      "\(unexpected)")
    #expect(
      unexpected.last == "scenario.yaml:10: widget.reload was to be refused, and was not")
  }

  @Test func `all mistakes of a file are reported at once`() throws {
    let read = try read(
      """
      scenario: mistakes
      rool: misspelt
      lasts: a while
      kinds:
        clock: {answers: [{entries: [{title: undated}], policy: sometimes}, {fails: badly}]}
        empty: {}
      events:
        - {do: widget.reload}
        - {at: 1h, crash: softly}
        - {at: 1h, clock: 1h, sleep: 1h}
      expect:
        - {count: 1}
        - {event: run, at: late, count: many}
      """)
    #expect(read.scenario == nil)
    let told = read.issues.map(\.description)
    for sentence in [
      "scenario.yaml:2: error: 'rool' is nothing that a scenario has",
      "scenario.yaml:1: error: rule is missing", "scenario.yaml:3: error: lasts is 'a while'",
      "scenario.yaml:5: error: an entry has no date", "policy is \"sometimes\"",
      "fails is \"badly\"",
      "scenario.yaml:6: error: the kind empty answers nothing",
      "scenario.yaml:8: error: an event has no time", "crash is \"softly\"",
      "scenario.yaml:10: error: 2 things happen in one event",
      "scenario.yaml:12: error: an expectation names no event", "at is 'late'", "count is \"many\"",
    ] {
      #expect(told.contains { $0.contains(sentence) }, "\(sentence) in \(told)")
    }
  }
}
