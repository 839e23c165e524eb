import ArgumentParser
import BarLines
import Testing

@testable import intent_send

/// Arguments are classified as a sentence, a command or a mistake before they are parsed.
struct InvocationTests {
  private func decide(_ arguments: [String]) -> Invocation {
    Invocation(arguments, commands: IntentSend.commandNames)
  }

  @Test(
    arguments: [
      // A space makes a sentence.
      (["show weather"], ["send", "show weather"]),
      (["help me"], ["send", "help me"]),
      (["stack of books"], ["send", "stack of books"]),
      (["show weather", "--json"], ["send", "show weather", "--json"]),
      (["--json", "show weather"], ["send", "--json", "show weather"]),
      (["--timeout", "5", "show weather"], ["send", "--timeout", "5", "show weather"]),
      (
        ["--language", "en", "--no-wait", "a b"], ["send", "--language", "en", "--no-wait", "a b"]
      ),
      // So do characters that no command's name has.
      (["查看北京天气"], ["send", "查看北京天气"]),
      (["météo"], ["send", "météo"]),
      // A sentence that looks like an option goes behind --.
      (["-5 degrees, why"], ["send", "--", "-5 degrees, why"]),
      (["-5 degrees, why", "--json"], ["send", "--json", "--", "-5 degrees, why"]),
      (["--what is this"], ["send", "--", "--what is this"]),
      // An empty sentence is for the command to refuse.
      ([""], ["send", ""]),
      ([" "], ["send", " "]),
      // After -- everything is a sentence.
      (["--", "weather"], ["send", "--", "weather"]),
      (["--", "stack"], ["send", "--", "stack"]),
      (["--json", "--", "weather"], ["send", "--json", "--", "weather"]),
      (["--", "show", "weather"], ["send", "--", "show", "weather"]),
      // Commands are commands; options may stand before them.
      (["stack"], ["stack"]),
      (["help"], ["help"]),
      (["help", "stack"], ["help", "stack"]),
      (["send", "weather"], ["send", "weather"]),
      (["--json", "stack", "--explain"], ["stack", "--json", "--explain"]),
      (["--socket", "/run/x y", "status"], ["status", "--socket", "/run/x y"]),
      (["--socket=/run/x y", "status"], ["status", "--socket=/run/x y"]),
      (
        ["add", "org.example.clock", "--set", "city=New York"],
        ["add", "org.example.clock", "--set", "city=New York"]
      ),
      // Options alone are left to the parser.
      (["--help"], ["--help"]),
      (["--version"], ["--version"]),
      (["--generate-completion-script", "bash"], nil),
      (["--generate-completion-script=bash"], ["--generate-completion-script=bash"]),
      (
        ["---completion", "tap", "--", "id", "1", "show weather"],
        ["---completion", "tap", "--", "id", "1", "show weather"]
      ),
    ] as [([String], [String]?)])
  func `the first word decides`(_ arguments: [String], _ expected: [String]?) {
    #expect(decide(arguments) == .command(expected ?? arguments))
  }

  @Test func `no arguments are no sentence`() {
    #expect(decide([]) == .command(["show"]))
    let shared = ["--json", "--socket", "/s"]
    #expect(decide(shared) == .command(["show"] + shared))
    #expect(decide(["--version"]) == .command(["--version"]))
  }

  @Test(
    arguments: [
      (["weather"], ["send", "weather"]), (["Beijing", "--json"], ["send", "Beijing", "--json"]),
      (["--no-wait", "weather"], ["send", "--no-wait", "weather"]),
      // Words up to the first option are one sentence.
      (["weather", "in", "Paris"], ["send", "weather in Paris"]),
      (["say", "it's", "--json"], ["send", "say it's", "--json"]),
      (["weather in", "Paris"], ["send", "weather in Paris"]),
      (
        ["--language", "en", "weather", "Paris", "--timeout", "3"],
        ["send", "--language", "en", "weather Paris", "--timeout", "3"]
      ),
    ])
  func `a word that is no command is a sentence`(_ arguments: [String], _ expected: [String]) {
    #expect(decide(arguments) == .command(expected))
  }

  @Test(
    arguments: [
      (["stak"], ["send", "stak"], "stack"),
      (["staus", "--json"], ["send", "staus", "--json"], "status"),
      (["--json", "remov", "a", "b"], ["send", "--json", "remov a b"], "remove"),
    ])
  func `a word like a command's name is in doubt`(
    _ arguments: [String], _ sentence: [String], _ command: String
  ) {
    guard case .doubt(let said, let typed, let failure) = decide(arguments) else {
      Issue.record("\(arguments) is not in doubt")
      return
    }
    #expect(said == sentence)
    #expect(failure.status == .usage)
    #expect(failure.message.contains("did you mean '\(command)'"))
    #expect(failure.slip?.meant == [command])
    #expect(failure.slip?.corrected(typed).first == command)
    #expect(failure.slip?.said == arguments.first { !$0.hasPrefix("-") })
  }

  @Test func `several words of a sentence are one, and none is refused`() throws {
    #expect(try Send.sentence(["show", "weather"]) == "show weather")
    #expect(throws: Failure.emptySentence) { try Send.sentence([" "]) }
  }

  @Test func `each command has its own name`() {
    let names = IntentSend.commandNames
    #expect(Set(names).count == names.count)
    #expect(names.count == IntentSend.configuration.subcommands.count + 1)
    #expect(names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test func `a parser's mistake keeps its words and says where to read on`() {
    #expect(
      Failure(parserMessage: "Unknown option '--jsn'", arguments: ["stack", "--jsn"]).text == """
        intent-send: unknown option '--jsn'
          how it is used: intent-send stack --help

        """)
    #expect(
      Failure(
        parserMessage: "2 unexpected arguments: 'the', 'door'",
        arguments: ["open", "a", "the", "door"]
      )
      .text == """
        intent-send: 2 unexpected arguments: 'the', 'door'
          how it is used: intent-send open --help

        """)
  }

  @Test(
    arguments: [
      (["add", "k", "--city", "New York"], ["add", "k", "--set", "city=New York"]),
      (["add", "--city=Paris", "k"], ["add", "--set", "city=Paris", "k"]),
      (
        ["try", "w.yaml", "--room", "hall", "--json"],
        ["try", "w.yaml", "--set", "room=hall", "--json"]
      ),
      // Not for a command without parameters, an option without a value, or a mistyped option.
      (["stack", "--city", "Paris"], nil), (["add", "k", "--city"], nil),
      (["add", "k", "--city", "--json"], nil), (["add", "k", "--famly", "systemSmall"], nil),
    ] as [([String], [String]?)])
  func `an unknown option of a command with parameters is read as one of them`(
    _ arguments: [String], _ better: [String]?
  ) {
    let option = arguments.first { $0.hasPrefix("--") }?.prefix { $0 != "=" } ?? ""
    let slip = Slip.parameter(
      in: arguments, "Unknown option '\(option)'. Did you mean '--wait'?")
    #expect(slip?.corrected(arguments) == better)
    guard let better else { return }
    #expect(
      Failure(parserMessage: "Unknown option '\(option)'", arguments: arguments).hints.first
        == "a parameter is set so: intent-send \(shellLine(better))")
  }

  @Test func `a refused name is corrected where the message quotes one argument`() throws {
    let refused = try #require(Slip(meantAmong: ["weather", "weather-2", "feather"]))
    #expect(
      refused.placed(in: ["tap", "wether", "--json"], by: "no widget has the id 'wether'")?
        .corrected(["tap", "wether", "--json"]) == ["tap", "weather", "--json"])
    #expect(refused.placed(in: ["tap", "other"], by: "no widget has the id 'wether'") == nil)
    #expect(refused.placed(in: ["remove", "a", "b"], by: "'a' or 'b'") == nil)
    let doubtful = try #require(Slip(meantAmong: ["hall", "ball"]))
    #expect(doubtful.placed(in: ["tap", "wall"], by: "no widget has the id 'wall'") == nil)
    #expect(Slip(meantAmong: []) == nil)
  }

  @Test(
    arguments: [
      (["a", "b-c_d./:=@%+,é"], "a b-c_d./:=@%+,é"), (["New York"], "\"New York\""),
      ([""], "\"\""), (["it's"], "\"it's\""), (["$5"], "'$5'"), (["a'$b"], "'a'\\''$b'"),
      (["*"], "\"*\""),
    ])
  func `a line is as a shell reads it`(_ words: [String], _ line: String) {
    #expect(shellLine(words) == line)
  }

  @Test func `a bar without options needs no parser`() {
    let plain = PlainBar(["bar", "waybar", "weather", "mail"])
    #expect(plain?.bar == .waybar)
    #expect(plain?.widgets == ["weather", "mail"])
    #expect(PlainBar(["bar", "i3bar"])?.widgets.isEmpty == true)
    for others in [
      ["bar"], ["bar", "wayba", "weather"], ["bar", "waybar", "weather", "--setup"],
      ["bar", "--stack", "3", "waybar"], ["click", "waybar"],
      ["bar", "waybar"] + Array(repeating: "weather", count: 1_000),
    ] {
      #expect(PlainBar(others) == nil, "\(others.prefix(4))")
    }
  }
}
