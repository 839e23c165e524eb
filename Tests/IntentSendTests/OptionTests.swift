import ArgumentParser
import JSON
import Testing
import Timekeeping
import WidgetCenter

@testable import intent_send

struct OptionTests {
  @Test(
    arguments: [
      ("35", 35_000), ("1.5", 1_500), ("250ms", 250), ("90s", 90_000), ("2m", 120_000),
      ("1h", 3_600_000), ("7d", 604_800_000), ("0", 0),
      ("1h30m", 5_400_000), ("2 minutes", 120_000), ("1w", 604_800_000),
      ("", nil), ("s", nil), ("-1", nil), ("53w", nil), ("nan", nil), ("inf", nil), ("1e9d", nil),
      ("５", nil), ("367d", nil),
    ] as [(String, Int64?)])
  func `a span is a number with or without its unit`(_ text: String, _ milliseconds: Int64?) {
    #expect(Seconds(argument: text)?.milliseconds == milliseconds)
  }

  @Test(
    arguments: [
      ("city=Beijing", "city", "Beijing"), ("city=", "city", ""), ("city=a=b", "city", "a=b"),
      ("city=New York", "city", "New York"), ("days=3", "days", "3"),
      ("days:=3", "days", 3), ("list:=[1,\"a\"]", "list", [1, "a"]), ("on:=true", "on", true),
      (":=x", ":", "x"),
    ] as [(String, String, JSONValue)])
  func `an assignment is text, or JSON after a colon`(
    _ assignment: String, _ name: String, _ value: JSONValue
  ) throws {
    let parsed = try ParameterOptions.parse(assignment)
    #expect(parsed.name == name)
    #expect(parsed.value == value)
  }

  @Test(arguments: ["city", "=Beijing", "", "days:=x"])
  func `an argument that assigns nothing is a usage error`(_ assignment: String) {
    #expect {
      try ParameterOptions.parse(assignment)
    } throws: { error in
      (error as? Failure)?.status == .usage
    }
  }

  @Test(
    arguments: [
      ("3", 3), ("-2.5", -2.5), ("true", true), ("Beijing", nil), ("null", nil), ("\"3\"", nil),
      ("[1]", nil), ("3 days", nil),
    ] as [(String, JSONValue?)])
  func `a text that could be a number or a boolean is recognised`(
    _ text: String, _ scalar: JSONValue?
  ) {
    #expect(ParameterOptions.scalar(.string(text)) == scalar)
    #expect(ParameterOptions.scalar(3) == nil)
  }

  @Test func `forgetting needs a name, a time or all`() throws {
    let now = WallTime(seconds: 1_000_000)
    #expect(try Forget.parse(["--all"]).parameters(now: now) == ["all": true])
    #expect(try Forget.parse(["--intent", "A"]).parameters(now: now) == ["intent": "A"])
    #expect(
      try Forget.parse(["--since", "2h"]).parameters(now: now)
        == ["since": .string(WallTime(seconds: 992_800).rfc3339)])
    #expect(
      try Forget.parse(["--since", "2026-11-20T21:00:00Z"]).parameters(now: now)
        == ["since": "2026-11-20T21:00:00Z"])
    #expect(
      try Forget.parse(["--since", "yesterday"]).parameters(now: now)
        == ["since": "1970-01-11T00:00:00Z"])
    for arguments in [[], ["--since", "soon"]] {
      #expect {
        try Forget.parse(arguments).parameters(now: now)
      } throws: { error in
        (error as? Failure)?.status == .usage
      }
    }
  }

  @Test(
    arguments: [
      ("2h", "2026-11-21T14:00:00Z"), ("+2h", "2026-11-21T14:00:00Z"),
      ("-2h", "2026-11-21T10:00:00Z"), ("18:30", "2026-11-21T16:30:00Z"),
      ("13:30", "2026-11-22T11:30:00Z"), ("2026-11-23", "2026-11-22T22:00:00Z"),
      ("2026-11-21T18:30:00Z", "2026-11-21T18:30:00Z"), ("2h ago", "2026-11-21T10:00:00Z"),
      ("tomorrow 8am", "2026-11-22T06:00:00Z"), ("in 2 hours", "2026-11-21T14:00:00Z"),
    ])
  func `a moment is a time, a day, a date or a span`(
    _ text: String, _ moment: String
  ) throws {
    let now = try #require(WallTime(rfc3339: "2026-11-21T12:00:00Z"))
    #expect(try date(text, .coming, now: now, zoneOffset: { _ in 7_200 }) == moment)
    let forget = try Forget.parse(["--since", text])
    #expect(forget.since == text)
    for command in [["--at", text], ["--at=\(text)"]] {
      let stack = try Stack.parse(command)
      #expect(stack.at == text)
      let why = try Why.parse(["w"] + command)
      #expect(why.at == text)
    }
  }

  @Test func `a span that a simulation cannot take is refused before it starts`() throws {
    for arguments in [["--for", "400d"], ["--for", "7"], ["--from", "soon"]] {
      #expect {
        try Simulate.parse(arguments).checkTimes()
      } throws: { error in
        (error as? Failure)?.hints == ["how it is used: intent-send simulate --help"]
      }
    }
    try Simulate.parse(["--for", "7d", "--from", "2027-03-28"]).checkTimes()
  }

  @Test
  func `the daemon's program is the chosen one, the one beside this program, or that of PATH`() {
    let path = DaemonProgram.path(
      chosen: "/opt/intentd", ownPath: "/usr/bin/intent-send", isExecutable: { _ in true })
    #expect(path == "/opt/intentd")
    #expect(
      DaemonProgram.path(
        chosen: "", ownPath: "/usr/bin/intent-send", isExecutable: { $0 == "/usr/bin/intentd" })
        == "/usr/bin/intentd")
    #expect(
      DaemonProgram.path(
        chosen: nil, ownPath: "/usr/bin/intent-send", isExecutable: { _ in false }) == "intentd")
    #expect(DaemonProgram.path(chosen: nil, ownPath: nil, isExecutable: { _ in true }) == "intentd")
  }

  @Test(
    arguments: [
      ("systemMedium", "systemMedium"), ("systemmedium", "systemMedium"),
      ("MEDIUM", "systemMedium"),
      ("inline", "accessoryInline"), ("large", "systemLarge"), ("corner", "accessoryCorner"),
      ("extralargeportrait", "systemExtraLargePortrait"), ("huge", "huge"), ("", ""),
    ])
  func `a family may be written in any case, and without its sort`(_ typed: String, _ name: String)
    throws
  {
    #expect(try Add.parse(["k", "--family", typed]).family == name)
    #expect(try Follow.parse(["--family", typed]).family == [name])
  }

  @Test func `the families that a shell offers are all that the daemon knows`() {
    #expect(familyNames == WidgetFamily.allCases.map(\.rawValue))
  }

  @Test func `try passes on its arguments`() throws {
    let command = try Try.parse([
      "w.yaml", "--set", "city=New York", "--set", "days:=3", "--family", "systemSmall", "--json",
    ])
    #expect(
      command.arguments(for: "/bin/intentd") == [
        "/bin/intentd", "--try", "w.yaml", "--set", "city=New York", "--set", "days:=3",
        "--family", "systemSmall", "--json",
      ])
  }

  @Test func `lint passes on its files, and no file becomes an option`() throws {
    let command = try Lint.parse(["a b.yaml", "--counts", "--json", "--", "-x.yaml"])
    #expect(
      command.arguments(for: "/bin/intentd") == [
        "/bin/intentd", "--lint", "a b.yaml", "./-x.yaml", "--counts", "--json",
      ])
  }
}
