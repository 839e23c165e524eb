import JSON
import Testing
import Timekeeping
import WidgetCenter

/// Tests the reader of a provider's whole answer: a timeline, no news, or a failure.
@Suite struct ProviderAnswerTests {
  private func read(_ text: String) throws -> ProviderAnswer {
    try ProviderAnswer.read(JSONValue(parsing: text)).get()
  }

  private func message(on text: String) throws -> String {
    switch ProviderAnswer.read(try JSONValue(parsing: text)) {
    case .success(let answer): "taken: \(answer.result)"
    case .failure(let error): "\(error.path): \(error.message)"
    }
  }

  @Test(arguments: ["", #""result":"newData","#, #""result":null,"#])
  func `an answer without a result has new data`(result: String) throws {
    let answer = try read(
      "{\(result)\"entries\":[{\"date\":\"2026-11-20T21:00:00Z\",\"content\":{\"title\":\"a\"}}]}")
    #expect(answer.timeline?.entries.count == 1)
  }

  @Test func `no data may bring a policy and nothing else`() throws {
    #expect(try read(#"{"result":"noData"}"#).result == .noData(policy: nil))
    #expect(try read(#"{"result":"noData","policy":"never"}"#).result == .noData(policy: .never))
    #expect(
      try read(#"{"result":"noData","entries":null,"relevance":null}"#).result
        == .noData(policy: nil))
    #expect(
      try message(on: #"{"result":"noData","entries":[]}"#)
        == #"entries: entries stands beside "result":"noData", which says that nothing is new; leave out one of the two"#
    )
    #expect(try message(on: #"{"result":"noData","relevance":[]}"#).hasPrefix("relevance: "))
    #expect(try message(on: #"{"result":"noData","policy":"sometimes"}"#).hasPrefix("policy: "))
  }

  @Test func `a failure has the author's words on one line`() throws {
    let answer = try read(#"{"result":"failed","reason":"no key\n\u001b[31mfor the service \n"}"#)
    #expect(answer.result == .failed(reason: "no key for the service"))
    #expect(answer.warnings == [])
  }

  @Test(arguments: [
    (#"{"result":"failed"}"#, "missing"), (#"{"result":"failed","reason":""}"#, "an empty text"),
    (#"{"result":"failed","reason":"\n "}"#, "an empty text"),
    (#"{"result":"failed","reason":7}"#, "a number"),
  ])
  func `a failure without words is told what to say`(text: String, problem: String) throws {
    #expect(
      try message(on: text)
        == "reason: the provider says that it failed, and reason is \(problem); expected a sentence that says why, such as \"reason\":\"the service wants a key\""
    )
  }

  @Test(arguments: [(300, 300, false), (301, 300, true), (100_000, 300, true)])
  func `a long reason is cut`(count: Int, kept: Int, isWarned: Bool) throws {
    let answer = try read(
      #"{"result":"failed","reason":"\#(String(repeating: "a", count: count))"}"#)
    guard case .failed(let reason) = answer.result else {
      Issue.record("a failure was read as \(answer.result)")
      return
    }
    #expect(reason.utf8.count == kept)
    #expect(reason.hasSuffix("…") == isWarned)
    #expect(answer.warnings.isEmpty != isWarned)
  }

  @Test(arguments: [
    (#""nodata""#, #""nodata"; did you mean 'noData'?; expected"#), ("5", "5; expected"),
    (#""x""#, #""x"; expected"#),
  ])
  func `another result is refused`(result: String, words: String) throws {
    #expect(try message(on: "{\"result\":\(result)}").hasPrefix("result: result is \(words)"))
  }

  @Test func `an answer that failed is a failure of the run in the author's words`() {
    let read = WidgetEngine.readAnswer(
      Array(#"{"result":"failed","reason":"no key"}"#.utf8), diagnostics: "a\nb")
    #expect(read == .failure(ProviderFailure(.reported("no key"), diagnostics: "a\nb")))
    guard case .failure(let failure) = read else { return }
    #expect(failure.message == "the provider failed: no key")
  }

  @Test func `keys that mean nothing beside a result are warned of`() throws {
    let now = try #require(WallTime(rfc3339: "2026-11-20T21:00:00Z"))
    func warnings(_ text: String) throws -> [String] {
      let value = try JSONValue(parsing: text)
      return AnswerReview.warnings(
        on: value, read: try ProviderAnswer.read(value).get(), arrivedAt: now)
    }
    #expect(
      try warnings(#"{"result":"failed","reason":"x","policy":"never"}"#) == [
        "policy is no key of an answer that failed and is ignored; an answer that failed has result, reason"
      ])
    #expect(try warnings(#"{"result":"noData","reason":"x"}"#).count == 1)
    #expect(
      try warnings(#"{"result":"noData","policy":{"after":"2026-11-20T20:00:00Z"}}"#).first?
        .hasPrefix("the policy asks for a reload after 2026-11-20T20:00:00Z, which is past") == true
    )
  }
}
