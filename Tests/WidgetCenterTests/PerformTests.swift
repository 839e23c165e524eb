import Documents
import JSON
import Testing

@testable import WidgetCenter

/// Tests intents of programs: their key in a manifest, and the answers to them.
@Suite struct PerformTests {
  private func read(_ performs: String, protocol name: String = "extension") -> ManifestReading {
    let text = """
      kind: org.example.counter
      name: Counter
      families: [systemSmall]
      provider: {exec: [./counter], protocol: \(name)}
      performs: \(performs)
      """
    let document = readYAML(text, file: "counter.yaml").value ?? LocatedValue(.null, line: 1)
    return ManifestReader.read(
      ManifestSource(file: "counter.yaml", directory: "/w", document: document))
  }

  @Test func `a manifest names the intents of its program`() {
    #expect(read("[AddOne, Reset_2]").kinds.first?.performs == ["AddOne", "Reset_2"])
    #expect(read("").kinds.first?.performs == [])
    #expect(read("[]", protocol: "timeline").kinds.first?.performs == [])
  }

  @Test(arguments: [
    ("AddOne", "performs is 'AddOne'"), ("{a: 1}", "performs is a mapping of 1"),
    ("[Add-One]", "an intent of performs is 'Add-One'"), ("[1]", "an intent of performs is '1'"),
    ("[AddOne, AddOne]", "performs has 'AddOne' twice"),
  ])
  func `a wrong name keeps the kind out`(_ text: String, _ message: String) {
    let reading = read(text)
    #expect(reading.kinds.isEmpty)
    #expect(reading.issues.map(\.message) == [message])
  }

  @Test func `limits hold on both sides`() {
    let most = Limits.performedIntentCountMax
    func names(_ count: Int) -> String {
      "[\((0..<count).map { "I\($0)" }.joined(separator: ", "))]"
    }
    #expect(read(names(most)).kinds.first?.performs.count == most)
    #expect(read(names(most + 1)).kinds.isEmpty)
    let longest = String(repeating: "a", count: Limits.intentNameBytesMax)
    #expect(read("[\(longest)]").kinds.count == 1)
    #expect(read("[\(longest)b]").kinds.isEmpty)
  }

  @Test func `only an extension performs`() {
    #expect(
      read("[AddOne]", protocol: "timeline").issues.map(\.message)
        == ["performs is there, and the program is asked in another protocol"])
  }

  // MARK: Answers

  private func answer(_ text: String) -> PerformAnswer { PerformAnswer.read(Array(text.utf8)) }

  @Test func `an answer has words, a value, a URL and the next intent`() {
    #expect(
      answer(
        #"{"dialog":"It is 5.","value":{"n":5},"url":"https://example.org/","intent":{"name":"Show","parameters":{"city":"Oslo"}},"other":1}"#
      )
        == PerformAnswer(
          dialog: "It is 5.", value: ["n": 5], url: "https://example.org/",
          next: .init(name: "Show", parameters: ["city": "Oslo"])))
    #expect(answer("{}") == PerformAnswer())
    #expect(answer(#"{"dialog":null,"value":null,"url":null,"intent":null}"#) == PerformAnswer())
    #expect(answer("null") == PerformAnswer())
  }

  @Test(arguments: [
    "[]", "7", "{", #"{"dialog":7}"#, #"{"url":""}"#, #"{"url":{}}"#, #"{"intent":"Show"}"#,
    #"{"intent":{"name":"Show","more":1}}"#, #"{"intent":{}}"#,
  ])
  func `what cannot be taken is left out with a sentence`(_ text: String) {
    let read = answer(text)
    #expect(read.warnings.count == 1)
    var rest = read
    rest.warnings = []
    #expect(rest == PerformAnswer())
  }

  @Test func `words that are too long are cut, and a value that is too large is left out`() throws {
    let most = Limits.dialogBytesMax
    #expect(answer(#"{"dialog":"\#(String(repeating: "x", count: most))"}"#).warnings == [])
    let long = answer(#"{"dialog":"\#(String(repeating: "é", count: most))"}"#)
    let dialog = try #require(long.dialog)
    #expect(dialog.utf8.count <= most && dialog.hasSuffix("é…"))
    #expect(long.warnings.count == 1)
    let value = String(repeating: "x", count: Limits.performedValueBytesMax + 1)
    #expect(answer(#"{"value":"\#(value)"}"#).value == nil)
    #expect(answer(#"{"intent":{"name":"A","parameters":{"v":"\#(value)"}}}"#).next == nil)
  }

  @Test func `marks without number on one character do not take the words behind it`() throws {
    let marks = String(repeating: "\u{301}", count: 100_000)
    let dialog = try #require(answer(#"{"dialog":"a\#(marks) is done"}"#).dialog)
    #expect(dialog.unicodeScalars.starts(with: "a\u{301}".unicodeScalars))
    #expect(dialog.hasSuffix(" is done…"), "the words behind the marks are there")
    #expect(dialog.utf8.count <= Limits.characterBytesMax + 11)
  }

  @Test func `only code that certainly did nothing has failed; of the rest nobody knows`() {
    func end(_ reason: ProviderFailure.Reason, timedOut: Int64? = nil) -> PerformEnd {
      PerformEnd(ProviderFailure(reason, diagnostics: "why\n"), timedOut: timedOut)
    }
    #expect(end(.refused("no")) == .failed("no"))
    #expect(
      end(.notStarted("gone")) == .failed("the provider could not be started: gone: why"))
    #expect(end(.exited(code: 1)) == .unknown("the provider ended with exit code 1: why"))
    #expect(
      end(.cancelled, timedOut: 5_000)
        == .unknown("the provider did not answer within 5s: why"))
    #expect(end(.unsupervised) != .failed(""))
  }
}
