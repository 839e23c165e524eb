import Foundation
import JSON
import Testing

/// Values that are missing or wrong, as a program sees them: nothing is done to another object, and
/// the program goes on.
@Suite struct ParameterProblemTests {
  private func run(_ requests: [String]) async throws -> ExtensionProgram.Run {
    try await program { try await $0.run([], input: requests.map { $0 + "\n" }.joined()) }
  }

  private func render(_ arguments: String...) async throws -> ExtensionProgram.Run {
    try await program { try await $0.run(["render", "--kind", "garden"] + arguments) }
  }

  private func program(
    _ body: (ExtensionProgram) async throws -> ExtensionProgram.Run
  ) async throws -> ExtensionProgram.Run {
    let program = try ExtensionProgram("WidgetProgram")
    defer { program.remove() }
    return try await body(program)
  }

  private func perform(
    _ id: Int, _ intent: String, _ parameters: String = "", isConfirmed: Bool = false
  ) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"provider.perform","params":{"now":"2027-03-01T12:00:00Z","confirmed":\#(isConfirmed),"intent":{"name":"\#(intent)","parameters":{\#(parameters)}}}}"#
  }

  private func entries(_ id: Int, _ parameters: String, method: String = "timeline") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"provider.\#(method)","params":{"now":"2027-03-01T12:00:00Z","kind":"garden","intent":{"name":"Tend","parameters":{\#(parameters)}}}}"#
  }

  private func title(_ answer: JSONValue?) -> JSONValue? {
    answer?["result"]?["entries"]?.arrayValue?.first?["content"]?["title"]
  }

  @Test func `a value that was given and that nobody knows is never replaced by a default`()
    async throws
  {
    let run = try await run([
      perform(1, "MoveBed", #""bed":"Nope""#), perform(2, "MoveBed", #""way":"sideways""#),
      perform(3, "MoveBed", #""others":["South","Nope"]"#), perform(4, "MoveBed"),
      perform(5, "MoveBed", #""bed":"South","way":"fast""#),
      perform(6, "Greet", #""person":"Ada","loudness":"very""#),
    ])
    let message = { (id: Int64) in run.answer(id)?["error"]?["message"] }
    #expect(message(1) == "no bed is called 'Nope'; there are North, South")
    #expect(message(2) == "'sideways' is no value of 'Way'; there are slowly, fast")
    #expect(message(3) == "no others is called 'Nope'; there are North, South")
    #expect(run.answer(4)?["result"] == ["dialog": "Moved North slowly."], "nobody gave any")
    #expect(run.answer(5)?["result"] == ["dialog": "Moved South fast."])
    #expect(message(6) == "'very' is no value of 'Loudness'")
  }

  @Test func `an identifier that is a number may be written as one or as a text`() async throws {
    let run = try await run([
      perform(1, "MoveBed", #""bed":2"#), perform(2, "MoveBed", #""bed":"2""#),
      perform(3, "MoveBed", #""bed":{"identifier":2,"display":"x"}"#),
      perform(4, "MoveBed", #""bed":3"#),
    ])
    for id in 1...3 as ClosedRange<Int64> {
      #expect(run.answer(id)?["result"] == ["dialog": "Moved South slowly."], "\(id)")
    }
    #expect(run.answer(4)?["error"]?["message"] == "no bed is called '3'; there are North, South")
    for value in ["2", "\"2\"", "South", #"{"identifier":"2","display":"South"}"#] {
      let drawn = try await render("--set", "gardener=Ada", "--set", "bed=\(value)")
      #expect(drawn.output.contains("Ada in South"), "\(value): \(drawn.output)\(drawn.errors)")
    }
  }

  @Test func `a configuration without a value fails alone, and the program goes on`() async throws {
    let run = try await run([
      entries(1, ""), entries(2, #""gardener":"Basil""#),
      entries(3, #""gardener":"Basil""#, method: "snapshot"),
      entries(4, #""gardener":"Ada","bed":"Nope""#), entries(5, "", method: "placeholder"),
    ])
    #expect(run.status == 0, "\(run.errors)")
    let end = "; there are Ada, Grace; choose one: intent-send configure WIDGET --set gardener=…"
    let message = { (id: Int64) in run.answer(id)?["error"]?["message"] }
    #expect(message(1) == .string("it needs 'Gardener', and nobody gave one" + end))
    #expect(message(2) == .string("no gardener is called 'Basil'" + end))
    #expect(message(3) == message(2))
    #expect(title(run.answer(4)) == "Ada in North", "the default of its query")
    #expect(
      run.errors.contains("no bed is called 'Nope'; there are North, South; its default holds"))
    #expect(run.answer(5)?["result"]?["content"] != nil)
  }

  @Test func `a drawing without a value says how to give it`() async throws {
    let without = try await render("--ansi")
    #expect(without.status == 64)
    #expect(
      without.errors
        == "WidgetProgram: it needs 'Gardener', and nobody gave one; there are Ada, Grace; give one: --set gardener=…\n"
    )
    let wrong = try await render("--set", "gardener=Basil")
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("no gardener is called 'Basil'; "), "\(wrong.errors)")
    #expect(try await render("--set", "gardener=Grace").status == 0)
  }

  @Test func `a person's yes is enough for code that asks for one`() async throws {
    let run = try await run([
      perform(1, "ClearBeds"), perform(2, "ClearBeds", isConfirmed: true),
    ])
    #expect(
      run.answer(1)?["error"]?["message"]?.stringValue?.contains("'confirm: true'") == true)
    #expect(run.answer(2)?["result"] == ["dialog": "They are empty."])
  }

  @Test func `a command says its options, and draws one form`() async throws {
    let both = try await render("--html", "--ansi")
    #expect(both.status == 64)
    #expect(both.errors.contains("leave out --html or --ansi"), "\(both.errors)")
    for command in ["manifest", "render"] {
      let help = try await program { try await $0.run([command, "--help"]) }
      #expect(help.status == 0)
      #expect(help.output.contains("--set NAME=VALUE"))
    }
  }
}
