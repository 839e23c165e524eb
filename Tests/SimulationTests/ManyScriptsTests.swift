import Documents
import JSON
import Testing

@testable import Simulator

/// Two hundred scripts of another bar, in virtual time.
struct ManyScriptsTests {
  private static let goodKinds = (0..<180).map { "good\($0)" }
  private static let badKinds = (0..<20).map { "bad\($0)" }

  /// A scenario of 45 seconds in which each script runs ten seconds after its last end.
  private static var document: String {
    let provider = "{exec: [./x], protocol: xbar, every: 10s}"
    let bad = ["{fails: hangs}", "{fails: floods, takes: 2s}", "{fails: signal 9}"]
    let kinds =
      badKinds.enumerated().map {
        "  \($1): {provider: \(provider), answers: [\(bad[$0 % bad.count])]}"
      }
      + goodKinds.map {
        "  \($0): {provider: \(provider), answers: [{says: fine, takes: 50ms}]}"
      }
    // Those that hang come first, and take every slot.
    let widgets = (badKinds + goodKinds).map { "  - {kind: \($0), id: \($0)}" }
    return """
      scenario: Two hundred scripts
      rule: Twenty that hang, flood or die hold up none of the others.
      lasts: 45s
      kinds:
      \(kinds.joined(separator: "\n"))
      widgets:
      \(widgets.joined(separator: "\n"))
      events:
        - {at: 20s, do: widget.reload, params: {id: good7, wait: true}}
        - {at: 44s, do: daemon.status}
      expect:
        - {event: answer, at: 20s, where: {method: widget.reload}, count: 1}
        - {event: answer, where: {method: daemon.status, result.failingCount: 20}, count: 1}
        - {never: provider.quarantined}

      """
  }

  /// Four scripts hang, and 200 are placed at once, each of which takes two seconds; then the person
  /// reloads another one.
  private static var burst: String {
    let provider = "{exec: [./x], protocol: xbar, every: 5m}"
    let kinds =
      (1...4).map { "  stuck\($0): {provider: \(provider), answers: [{fails: hangs}]}" }
      + (1...200).map {
        "  new\($0): {provider: \(provider), answers: [{says: fine, takes: 2s}]}"
      }
    let added = (1...200).map {
      "  - {at: 20s, do: widget.add, params: {kind: new\($0), id: new\($0)}}"
    }
    return """
      scenario: Two hundred placed at once
      rule: A reload by hand does not wait behind them.
      lasts: 2m
      kinds:
        mine: {provider: \(provider), answers: [{says: mine, takes: 50ms}]}
      \(kinds.joined(separator: "\n"))
      widgets:
        - {kind: mine, id: mine}
      \((1...4).map { "  - {kind: stuck\($0), id: stuck\($0)}" }.joined(separator: "\n"))
      events:
        - {at: 18s, do: widget.reload, params: {kind: stuck1}}
        - {at: 18s, do: widget.reload, params: {kind: stuck2}}
        - {at: 18s, do: widget.reload, params: {kind: stuck3}}
        - {at: 18s, do: widget.reload, params: {kind: stuck4}}
      \(added.joined(separator: "\n"))
        - {at: 20s, do: widget.reload, params: {id: mine, wait: true}}
      expect:
        - {event: answer, where: {method: widget.reload}, count: 5}

      """
  }

  @Test func `a reload by hand does not wait behind two hundred that were just placed`() throws {
    let loaded = readYAML(Self.burst, file: "burst.yaml")
    #expect(loaded.issues.isEmpty, "\(loaded.issues)")
    let read = ScenarioReader.read(try #require(loaded.value), file: "burst.yaml")
    let document = try #require(read.scenario, "\(read.issues.map(\.description))")
    let report = ScriptedWorld(document, file: "burst.yaml").run()
    #expect(report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")
    let runs = report.rows.filter { $0.event == "run" }
    let mine = runs.filter { $0.fields["kind"]?.stringValue == "mine" }.map(\.at)
    // The slots are taken for two seconds each: it has the next one that is free.
    #expect(mine.contains { (20_000...22_100).contains($0) }, "\(mine)")
    let new = runs.filter { $0.fields["kind"]?.stringValue?.hasPrefix("new") == true }
    #expect(Set(new.compactMap { $0.fields["kind"]?.stringValue }).count == 200, "all have a turn")
  }

  @Test func `twenty scripts that hang, flood or die hold up none of the others`() throws {
    let loaded = readYAML(Self.document, file: "many.yaml")
    #expect(loaded.issues.isEmpty, "\(loaded.issues)")
    let read = ScenarioReader.read(try #require(loaded.value), file: "many.yaml")
    let document = try #require(read.scenario, "\(read.issues.map(\.description))")
    let report = ScriptedWorld(document, file: "many.yaml").run()
    #expect(report.failures.isEmpty, "\(report.failures.joined(separator: "\n"))")

    var starts: [String: [Int64]] = [:]
    for row in report.rows where row.event == "run" {
      starts[row.fields["kind"]?.stringValue ?? "", default: []].append(row.at)
    }
    for kind in Self.goodKinds {
      let moments = [0] + (starts[kind] ?? []) + [45_000]
      let gaps = zip(moments.dropFirst(), moments).map { $0 - $1 }
      // An interval of ten seconds, and at most as much for the queue: a slot that a script
      // blocks is free again after five seconds.
      #expect(gaps.max() ?? 0 <= 20_000, "\(kind): \(moments)")
    }
    let status = report.rows.last {
      $0.event == "answer" && $0.fields["method"]?.stringValue == "daemon.status"
    }
    let failing = status?.fields["result"]?["failing"]?.arrayValue ?? []
    #expect(Set(failing.compactMap { $0["id"]?.stringValue }) == Set(Self.badKinds))
  }
}
