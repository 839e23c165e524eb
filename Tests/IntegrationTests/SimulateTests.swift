import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests `intentd --simulate` and `intent-send simulate`: days of widgets on virtual time, with
/// real providers.
struct SimulateTests {
  /// Returns a script that answers with one entry, titled with the request's `now`.
  ///
  /// `policy` and `entry` are shell text in which `$now` is the request's time in seconds.
  private static func script(_ policy: String, entry: String = "$now") -> String {
    """
    now=$(date -u -d "$(sed -n 's/.*"now":"\\([^"]*\\)".*/\\1/p')" +%s)
    iso() { date -u -d "@$1" +%Y-%m-%dT%H:%M:%SZ; }
    echo '{"entries":[{"date":"'$(iso $((\(entry))))'","content":{"title":"'$(iso $now)'"}}],"policy":\(policy)}'
    """
  }

  private static func after(_ seconds: Int) -> String {
    #"{"after":"'$(iso $((now+\#(seconds))))'"}"#
  }

  private func lines(_ outcome: Outcome) throws -> [JSONValue] {
    try outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
  }

  private func simulate(
    _ sandbox: Sandbox, _ arguments: [String], program: String = Programs.client
  ) throws -> Outcome {
    let command = program == Programs.client ? ["simulate"] : ["--simulate"]
    return try sandbox.run(
      program, command + ["--from", "2027-03-28", "--json"] + arguments)
  }

  @Test func `providers run at moments that have not come`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("hourly", script: Self.script(Self.after(3600)))
      for program in [Programs.client, Programs.daemon] {
        let outcome = try simulate(sandbox, ["--for", "6h"], program: program)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = try lines(outcome)
        let shown = lines.filter { $0["event"] == "entry.shown" }
        #expect(shown.count == 6)
        #expect(shown.first?["content"]?["title"] == "2027-03-28T00:00:00Z")
        // The provider's now is the moment of the run, to the second.
        for line in shown {
          let at = line["at"]?.stringValue?.prefix(19)
          #expect(line["content"]?["title"]?.stringValue?.prefix(19) == at)
        }
        let summary = lines.first { $0["event"] == "summary" }
        #expect(summary?["runs"] == 6)
        #expect(summary?["cost"] == 5)
        #expect(lines.last?["event"] == "end")
        #expect(lines.last?["complete"] == true)
        #expect(lines.last?["at"] == "2027-03-28T06:00:00Z")
      }
      // No widget was placed and no state was stored.
      #expect(!FileManager.default.fileExists(atPath: sandbox.state))
      #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.root + "/tmp").isEmpty)
    }
  }

  @Test func `a policy that cannot work is reported with a better one`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("end", script: Self.script(#""atEnd""#))
      try sandbox.widget("often", script: Self.script(Self.after(60)))
      try sandbox.widget("past", script: Self.script(Self.after(-60)))
      try sandbox.widget("old", script: Self.script(Self.after(7200), entry: "now-200000"))
      try sandbox.widget("fails", script: "echo no luck >&2; exit 3")
      try sandbox.widget("good", script: Self.script(Self.after(7200)))
      let outcome = try simulate(sandbox, ["--for", "3h"])
      #expect(outcome.status == 1)
      let warnings = try lines(outcome).filter { $0["event"] == "warning" }
      let found = Dictionary(
        warnings.map { ($0["kind"]?.stringValue ?? "", $0["finding"]?.stringValue ?? "") },
        uniquingKeysWith: { "\($0) \($1)" })
      #expect(
        found == [
          "end": "singleEntryAtEnd", "often": "afterTooSoon", "past": "afterInPast",
          "old": "allPast", "fails": "failing",
        ])
      let fixes = warnings.compactMap { $0["fix"]?.stringValue }
      #expect(fixes.contains { $0.contains(#""after":"2027-03-28T00:21:00Z""#) })
      #expect(fixes.contains { $0.contains("reload: {perDay: 1440, minimumInterval: 1m}") })
      #expect(warnings.contains { $0["problem"]?.stringValue?.contains("no luck") == true })
    }
  }

  @Test func `recorded answers are decided again without the providers`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("hourly", script: Self.script(Self.after(3600)))
      let file = sandbox.root + "/day.jsonl"
      let first = try simulate(sandbox, ["--for", "4h", "--record", file])
      sandbox.remove("config/intentd/widgets/hourly.run")
      let second = try simulate(sandbox, ["--for", "4h", "--replay", file])
      #expect(first.output == second.output)
      #expect(second.status == 0)
      // Replay at a later time and for longer: the answers move with the time.
      let later = try sandbox.run(
        Programs.client,
        ["simulate", "--from", "2027-06-01", "--for", "8h", "--replay", file, "--json"])
      let end = try lines(later).last
      #expect(end?["at"] == "2027-06-01T08:00:00Z")
      #expect(end?["warnings"] == 0)
      let summary = try lines(later).first { $0["event"] == "summary" }
      #expect(summary?["runs"] == 8)
    }
  }

  @Test func `a profile is another budget`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("often", script: Self.script(Self.after(120)))
      let file = sandbox.root + "/day.jsonl"
      func runs(_ profile: String, _ more: [String]) throws -> Int64? {
        let outcome = try simulate(sandbox, ["--for", "2h", "--profile", profile] + more)
        return try lines(outcome).first { $0["event"] == "summary" }?["runs"]?.intValue
      }
      let production = try #require(try runs("production", ["--record", file]))
      let learning = try #require(try runs("learning", ["--replay", file]))
      let unlimited = try #require(try runs("unlimited", ["--replay", file]))
      #expect(production < learning)
      #expect(learning < unlimited)
      #expect((55...61).contains(unlimited))
    }
  }

  @Test func `a seed decides everything that chance decides`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("hourly", script: Self.script(Self.after(3600)))
      let file = sandbox.root + "/day.jsonl"
      _ = try simulate(sandbox, ["--for", "2h", "--record", file])
      func output(_ seed: Int) throws -> String {
        try simulate(sandbox, ["--for", "2d", "--replay", file, "--seed", "\(seed)"]).output
      }
      #expect(try output(7) == output(7))
      #expect(try output(7) != output(8).replacing(#""seed":"8""#, with: #""seed":"7""#))
    }
  }

  @Test func `a provider that hangs costs its timeout of virtual time`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("slow", script: "exec sleep 1000", provider: "timeout: 100ms")
      let outcome = try simulate(sandbox, ["--for", "2m"])
      let failed = try lines(outcome).filter { $0["event"] == "reload.failed" }
      #expect(failed.map { $0["at"] } == ["2027-03-28T00:00:00.100Z", "2027-03-28T00:01:00.200Z"])
      #expect(failed.first?["reason"]?.stringValue?.contains("did not answer") == true)
    }
  }

  @Test func `an interrupt ends it with what was found so far`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("slow", script: "exec sleep 1000")
      let program = try sandbox.start(
        Programs.client, ["simulate", "--from", "2027-03-28", "--for", "1d", "--json"])
      try eventually("a provider runs") { program.output.contains(#""event":"provider.run""#) }
      program.signal(SIGINT)
      #expect(try program.waitUntilEnded() == .exited(130))
      let end = try JSONValue(parsing: String(program.output.split(separator: "\n").last ?? ""))
      #expect(end["reason"] == "interrupted")
      #expect(end["complete"] == false)
      try eventually("the provider is gone") { Processes.naming(sandbox.root).isEmpty }
    }
  }

  // MARK: Promises of the manual and the examples

  private static let project = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the text between the first `opening` and the fence that ends it.
  private func block(_ opening: String, of page: String) throws -> String {
    let start = try #require(page.range(of: opening), "\(opening)")
    let end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
    return String(page[start.upperBound..<end.lowerBound])
  }

  @Test(.enabled(if: Programs.isInstalled("uptime")))
  func `the manual's first widget does what the manual says it does`() throws {
    let page = try String(
      contentsOf: Self.project.appending(path: "docs/WIDGETS.md"), encoding: .utf8)
    let script = "#!/bin/sh\n" + (try block("```sh\n#!/bin/sh\n", of: page)) + "\n"
    try withSandbox { sandbox in
      let folder = "config/intentd/widgets"
      try sandbox.write("\(folder)/uptime.yaml", try block("```yaml\n", of: page) + "\n")
      let words = try block("```sh\nintent-send simulate ", of: page)
        .replacing("~/.config/", with: sandbox.root + "/config/").split(separator: " ")
      var told: [String] = []
      for (pace, status) in [("30 minutes", 0), ("1 minute", 1)] as [(String, Int32)] {
        #expect(script.contains("30 minutes"))
        try sandbox.write(
          "\(folder)/uptime.sh", script.replacing("30 minutes", with: pace), mode: 0o755)
        let outcome = try sandbox.run(Programs.client, ["simulate"] + words.map(String.init))
        #expect(outcome.status == status, "\(outcome)")
        let start = outcome.output.range(of: "\nme.uptime\n")?.lowerBound
        let summary = outcome.output[(try #require(start))...]
        // Compare all but the last line, which tells the elapsed time.
        told.append(
          summary.split(separator: "\n").dropLast().joined(separator: "\n"))
      }
      for (number, text) in told.enumerated() {
        let shown = page.components(separatedBy: "```\nme.uptime\n")
        try #require(shown.count == told.count + 1)
        #expect("me.uptime\n" + (shown[number + 1].components(separatedBy: "\n```")[0]) == text)
      }
    }
  }

  @Test func `an example keeps within its own budget`() throws {
    try withSandbox { sandbox in
      let manifest = Self.project.appending(path: "Examples/system/system.yaml").path
      let outcome = try simulate(sandbox, [manifest, "--for", "4h"])
      #expect(outcome.status == 0, "\(outcome)")
      let summary = try lines(outcome).first { $0["event"] == "summary" }
      #expect(summary?["deferred"] == 0)
      #expect(summary?["staleShare"]?.doubleValue == 0)
      #expect(summary?["failed"] == 0)
    }
  }

  @Test func `impossible options are refused with a hint`() throws {
    try withSandbox { sandbox in
      let empty = try simulate(sandbox, [])
      #expect(empty.status == 64)
      #expect(empty.output.contains("there is nothing to simulate"))
      try sandbox.widget("hourly", script: Self.script(Self.after(3600)))
      try sandbox.write("not.jsonl", "{}\n")
      for (arguments, text) in [
        (["hurly"], "did you mean 'hourly'?"), (["./none.yaml"], "No such file"),
        (["--for", "7"], "is no span"), (["--from", "soon"], "is no date"),
        (["--set", "city=Oslo"], "has a parameter 'city'"),
        (["--replay", sandbox.root + "/not.jsonl"], "not.jsonl:1: a recording begins with"),
        (["--profile", "fast"], "fast"),
      ] {
        let outcome = try simulate(sandbox, arguments)
        #expect(outcome.status == 64, "\(arguments)")
        #expect((outcome.output + outcome.errors).contains(text), "\(outcome)")
      }
    }
  }

  @Test func `a provider that takes too long has timed out, and was not cancelled`() throws {
    try withSandbox { sandbox in
      try sandbox.widget(
        "slow", script: "echo waiting for the server >&2; exec sleep 600", provider: "timeout: 1s")
      let outcome = try simulate(sandbox, ["--for", "10m"])
      #expect(outcome.status == 1)
      #expect(!outcome.output.contains("cancelled"), "\(outcome.output)")
      let lines = try lines(outcome)
      let answer = lines.first { $0["event"] == "provider.answer" }
      #expect(answer?["failure"] == "the provider did not answer within 1s")
      let warning = lines.first { $0["event"] == "warning" }
      #expect(
        warning?["problem"]
          == "a run fails: the provider did not answer within 1s: waiting for the server")
    }
  }
}
