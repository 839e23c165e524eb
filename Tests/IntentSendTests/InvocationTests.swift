import ArgumentParser
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

  @Test(arguments: [
    (
      ["show", "weather"],
      """
      intent-send: unknown command 'show'
        a sentence is one argument, quote it: intent-send "show weather"
        all commands: intent-send --help

      """
    ),
    (
      ["stak"],
      """
      intent-send: unknown command 'stak'; did you mean 'stack'?
        to send it as a sentence: intent-send send stak
        all commands: intent-send --help

      """
    ),
    (
      ["say", "it's", "--json"],
      """
      intent-send: unknown command 'say'
        a sentence is one argument, quote it: intent-send "say it's"
        all commands: intent-send --help

      """
    ),
    (
      ["pay", "$5", "it's"],
      """
      intent-send: unknown command 'pay'
        a sentence is one argument, quote it: intent-send 'pay $5 it'\\''s'
        all commands: intent-send --help

      """
    ),
  ])
  func `a word that is no command is a mistake`(_ arguments: [String], _ text: String) {
    guard case .usage(let failure) = decide(arguments) else {
      Issue.record("\(arguments) was taken for a command")
      return
    }
    #expect(failure.status == .usage)
    #expect(failure.text == text)
  }

  @Test func `a sentence of several arguments is refused with the quotes it needs`() {
    #expect(throws: Failure.severalWords(["show", "weather"])) {
      try Send.sentence(["show", "weather"])
    }
    #expect(
      Failure.severalWords(["show", "weather"]).text == """
        intent-send: a sentence is one argument, these are 2
          quote it: intent-send "show weather"

        """)
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
          if it was meant as a sentence: intent-send "open a the door"
          how it is used: intent-send open --help

        """)
  }
}
