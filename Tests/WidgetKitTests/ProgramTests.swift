import Foundation
import JSON
import Testing

/// The program of a bundle, as a process.
@Suite struct ProgramTests {
  /// The program, in the folder of the tests or in the debug build of this package.
  private static let program: URL = {
    let environment = ProcessInfo.processInfo.environment
    var folders = environment["INTENTD_BIN_DIR"].map { [URL(fileURLWithPath: $0)] } ?? []
    folders.append(
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent())
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      folders.append(folder.appendingPathComponent(".build/debug"))
    }
    let candidates = folders.map { $0.appendingPathComponent("WidgetProgram") }
    guard
      let found = candidates.first(where: {
        FileManager.default.isExecutableFile(atPath: $0.path)
      })
    else { preconditionFailure("WidgetProgram is not built") }
    return found
  }()

  private struct Run {
    var answers: [JSONValue]
    var errors: String
    var status: Int32

    func answer(_ id: Int64) -> JSONValue? { answers.first { $0["id"]?.intValue == id } }
  }

  /// Sends lines, ends the input, and waits for the end of the program.
  private func run(
    _ lines: [String], arguments: [String] = []
  ) async throws -> Run {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = arguments
    process.environment = ["SWIFT_BACKTRACE": "enable=no", "HOME": NSTemporaryDirectory()]
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try input.fileHandleForWriting.write(
      contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    try input.fileHandleForWriting.close()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    let words = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: said, as: UTF8.self)
    return Run(
      answers: arguments.isEmpty
        ? try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        : [.string(text)],
      errors: String(decoding: words, as: UTF8.self), status: process.terminationStatus)
  }

  private func request(
    _ id: Int, _ method: String = "timeline", kind: String = "configured", what: String? = nil,
    now: String = "2027-03-01T12:00:00Z"
  ) -> String {
    let intent = what.map { #"{"name":"Act","parameters":{"what":"\#($0)"}}"# } ?? "null"
    return
      #"{"jsonrpc":"2.0","id":\#(id),"method":"provider.\#(method)","params":{"kind":"\#(kind)","family":"systemSmall","intent":\#(intent),"now":"\#(now)"}}"#
  }

  private func title(_ answer: JSONValue?) -> String? {
    answer?["result"]?["entries"]?.arrayValue?.first?["content"]?["title"]?.stringValue
  }

  @Test func `one process answers for all kinds of a bundle, and ends with its input`() async throws
  {
    let run = try await run([request(1, what: "show"), request(2, kind: "Plain-Widget")])
    #expect(title(run.answer(1)) == "show")
    #expect(title(run.answer(2)) == "main")
    #expect(run.status == 0)
    #expect(run.errors.contains("plain: asked for systemSmall"))
  }

  @Test func `a provider that asks the clock lives at the request's moment`() async throws {
    let run = try await run([request(1, what: "show", now: "2031-07-01T00:00:00.250Z")])
    let result = run.answer(1)?["result"]
    #expect(result?["entries"]?.arrayValue?.first?["date"] == "2031-07-01T00:00:00.250Z")
    let after = try #require(result?["policy"]?["after"]?.stringValue)
    #expect(after.hasPrefix("2031-07-01T01:00:0"))
  }

  @Test func `what a provider prints is no answer`() async throws {
    let run = try await run([request(1, what: "print")])
    #expect(run.answers.count == 1)
    #expect(title(run.answer(1)) == "print")
    #expect(run.errors.contains("a forgery"))
  }

  @Test func `a crash ends the program with its own words`() async throws {
    let run = try await run([request(1, what: "crash")])
    #expect(run.status != 0)
    #expect(run.answers.isEmpty)
    // A debug build adds a stack trace.
    #expect(run.errors.contains("Fatal error: the provider crashes on purpose\n"))
  }

  @Test func `a request that is cancelled is answered at once`() async throws {
    let run = try await run([
      request(1, what: "wait"), #"{"jsonrpc":"2.0","method":"provider.cancel","params":{"id":1}}"#,
      request(2, what: "show"),
    ])
    #expect(run.answer(1)?["error"]?["message"] == "cancelled")
    #expect(title(run.answer(2)) == "show")
  }

  /// Titles and dates of the entries of an answer.
  private func entries(_ answer: JSONValue?) -> [String] {
    (answer?["result"]?["entries"]?.arrayValue ?? []).map { entry in
      let date = entry["date"]?.stringValue?.prefix(16) ?? ""
      return "\(entry["content"]?["title"]?.stringValue ?? "") \(date)"
    }
  }

  @Test func `timelines that are not as they should be are answered nevertheless`() async throws {
    let ways = ["unsorted", "empty", "past", "twice", "queue", "dropped"]
    let run = try await run(ways.enumerated().map { request($0.offset, kind: $0.element) })
    #expect(run.status == 0)
    #expect(
      entries(run.answer(0)) == ["1 2027-03-01T13:00", "2 2027-03-01T14:00", "3 2027-03-01T15:00"])
    #expect(run.answer(1)?["result"]?["result"] == "noData")
    #expect(run.errors.contains("the timeline is empty; the widget keeps what it shows"))
    #expect(entries(run.answer(2)) == ["-5 2027-03-01T07:00", "-2 2027-03-01T10:00"])
    #expect(entries(run.answer(3)) == ["0 2027-03-01T12:00"])
    #expect(run.answer(3)?["result"]?["policy"] == "atEnd")
    #expect(entries(run.answer(4)) == ["0 2027-03-01T12:00"])
    #expect(
      run.answer(5)?["error"]?["message"]
        == "the provider of 'dropped' let go of its completion without a call")
  }

  @Test func `a provider that never completes holds up nobody, and can be cancelled`() async throws
  {
    let run = try await run([
      request(1, kind: "kept"), request(2, kind: "twice"),
      #"{"jsonrpc":"2.0","method":"provider.cancel","params":{"id":1}}"#,
    ])
    #expect(run.answer(1)?["error"]?["message"] == "cancelled")
    #expect(entries(run.answer(2)) == ["0 2027-03-01T12:00"])
    #expect(run.status == 0)
  }

  @Test func `a view that crashes ends the program with its own words`() async throws {
    let run = try await run([request(1, kind: "crashing-view")])
    #expect(run.status != 0)
    #expect(run.answers.isEmpty)
    #expect(run.errors.contains("Fatal error: the view crashes on purpose\n"))
  }

  @Test func `an intent is performed by its name`() async throws {
    let ring = { (id: Int, times: Int) in
      #"{"jsonrpc":"2.0","id":\#(id),"method":"provider.perform","params":{"now":"2027-03-01T12:00:00Z","intent":{"name":"Ring","parameters":{"times":\#(times)}}}}"#
    }
    let run = try await run([
      ring(1, 2), ring(2, 10), ring(3, 1).replacing("Ring", with: "Rnig"),
    ])
    #expect(run.answer(1)?["result"] == ["dialog": "Rang 2 times."])
    #expect(run.answer(2)?["error"]?["message"] == "that is too often")
    #expect(
      run.answer(3)?["error"]?["message"]
        == "this program has no intent 'Rnig'; did you mean 'Ring'?")
  }

  @Test func `a value that is missing, or that nobody knows, is an error and no crash`()
    async throws
  {
    let greet = { (id: Int, parameters: String) in
      #"{"jsonrpc":"2.0","id":\#(id),"method":"provider.perform","params":{"now":"2027-03-01T12:00:00Z","intent":{"name":"Greet","parameters":{\#(parameters)}}}}"#
    }
    let run = try await run([
      greet(1, ""), greet(2, #""person":"Nobody""#), greet(3, #""person":"Grace""#),
    ])
    #expect(run.status == 0, "\(run.errors)")
    let message = { (id: Int64) in run.answer(id)?["error"]?["message"] }
    #expect(
      message(1)
        == "it needs 'Person', and nobody gave one; there are Ada, Grace; give 'person' with it")
    #expect(message(2) == "no person is called 'Nobody'; there are Ada, Grace")
    #expect(run.answer(3)?["result"] == ["dialog": "Hello, Grace!"])
  }

  @Test(arguments: [
    (
      "value",
      "it asks 'Who is it?', and nobody can answer while its code runs; give 'Person' with it"
    ),
    (
      "which",
      "it asks 'Which Person do you mean?', and nobody can answer while its code runs; give one value of 'Person': Ada, Grace"
    ),
    (
      "this",
      "it asks 'Person: Ada?', and nobody can answer while its code runs; give the exact value of 'Person'"
    ),
    (
      "yes",
      "it asks 'Inquire?', and nobody can answer while its code runs; with the line 'confirm: true' in its intent.yaml the person is asked before"
    ),
    (
      "other",
      "it asks 'Somebody, please.', and nobody can answer while its code runs; give 'Person' with it"
    ),
  ])
  func `code that asks tells its question, and how to do without`(
    way: String, message: String
  ) async throws {
    let run = try await run([
      #"{"jsonrpc":"2.0","id":1,"method":"provider.perform","params":{"now":"2027-03-01T12:00:00Z","intent":{"name":"Inquire","parameters":{"way":"\#(way)"}}}}"#
    ])
    #expect(run.answer(1)?["error"]?["message"] == .string(message))
  }

  @Test func `a button is an item with its intent`() async throws {
    let run = try await run([request(1, what: "show")])
    let content = run.answer(1)?["result"]?["entries"]?.arrayValue?.first?["content"]
    #expect(
      content?["items"]?.arrayValue?.first?["intent"]
        == ["name": "Ring", "parameters": ["times": 2]])
  }

  @Test func `an unknown value leaves the default, with a warning`() async throws {
    let run = try await run([
      request(1, what: "show").replacing(#""what":"show""#, with: #""what":7,"waht":"x""#)
    ])
    #expect(title(run.answer(1)) == "show")
    #expect(run.errors.contains("'7' is no value of 'What'; its default holds"))
    #expect(run.errors.contains("Act has no parameter 'waht'; did you mean 'what'?"))
  }

  @Test func `a program writes its manifest`() async throws {
    let folder = NSTemporaryDirectory() + "manifest-\(UUID().uuidString)"
    let run = try await run([], arguments: ["manifest", "--into", folder, "--name", "Bells"])
    #expect(run.status == 0)
    func text(_ path: String) throws -> String {
      try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    }
    let manifest = try text("widgets/WidgetProgram/WidgetProgram.yaml")
    #expect(
      manifest.contains(
        "performs: [AddOne, ClearBeds, Fall, Greet, Inquire, MoveBed, Ponder, Ring, Switch]"))
    #expect(manifest.contains("\nview: html\n"))
    #expect(manifest.contains("  - kind: Plain-Widget\n"))
    #expect(manifest.contains("    families: [systemSmall, systemMedium]\n    intent: Act\n"))
    #expect(try text("intents/Ring/en.yaml").contains("\"Ring the bell [with Bells]\""))
    #expect(try text("intents/Act/intent.yaml").contains(#""default":"show""#))
    let greet = try text("intents/Greet/intent.yaml")
    #expect(greet.contains(#""required":true"#), "a person, who has no default: \(greet)")
    #expect(greet.ranges(of: #""required""#).count == 1, "and not what is optional: \(greet)")
  }

  @Test func `a program draws a widget`() async throws {
    let run = try await run(
      [], arguments: ["render", "--kind", "configured", "--set", "what=hello", "--html"])
    #expect(run.status == 0)
    #expect(run.answers.first?.stringValue?.contains("hello") == true)
  }

  @Test func `a family that a kind does not have is not drawn`() async throws {
    let run = try await run(
      [], arguments: ["render", "--kind", "configured", "--family", "accessoryInline"])
    #expect(run.status == 64)
    #expect(
      run.errors
        == "WidgetProgram: 'configured' has no family 'accessoryInline'; it has systemSmall, systemMedium\n"
    )
  }

  @Test func `a wrong argument is refused with what is expected`() async throws {
    let run = try await run([], arguments: ["dance"])
    #expect(run.status == 64)
    #expect(
      run.errors == "WidgetProgram: no command 'dance'; expected manifest or render, see --help\n")
  }
}
