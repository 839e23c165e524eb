import DaemonTestSupport
import Foundation
import Testing

/// Tests the developers' tool that scores the router against files of expected answers.
///
/// It must tell right answers from wrong ones, and the whole corpus must pass.
struct ConformanceTests {
  private static let corpus = ProcessInfo.processInfo.environment["INTENTD_CORPUS"]

  private func write(_ slots: String, to sandbox: borrowing Sandbox) throws -> String {
    try sandbox.write(
      "corpus/xx/intents.json",
      """
      {"language":"xx","intents":{"Light":{"data":[{"sentences":["turn on [the] {area} (light|lights)"]}]}}}
      """)
    try sandbox.write(
      "corpus/xx/fixtures.json",
      #"{"_all":{"lists":{"area":{"values":[{"in":"kitchen","out":"k"},"hall"]}}}}"#)
    try sandbox.write(
      "corpus/xx/cases.jsonl",
      """
      {"id":"1","sentence":"Turn on the kitchen lights!","fixture":"_all","intent":"Light","slots":\(slots)}

      """)
    try sandbox.write(
      "corpus/xx/negative.jsonl",
      """
      {"id":"2","sentence":"turn on the cellar lights","fixture":"_all"}

      """)
    return "\(sandbox.root)/corpus"
  }

  @Test func `a right answer passes, and a wrong one fails with a message`() throws {
    try withSandbox { sandbox in
      let good = try sandbox.run(
        Programs.conformance, ["sentences", try write(#"{"area":"k"}"#, to: sandbox)])
      #expect(good.status == 0, "\(good)")
      #expect(good.output.hasSuffix("\n2 passed, 0 failed\n"), "\(good.output)")
      let bad = try sandbox.run(
        Programs.conformance,
        ["sentences", "--verbose", try write(#"{"area":"kitchen"}"#, to: sandbox)])
      #expect(bad.status == 1)
      #expect(bad.output.contains("1 passed, 1 failed"), "\(bad.output)")
      #expect((bad.output + bad.errors).contains("Turn on the kitchen lights!"), "\(bad)")
    }
  }

  /// The folders of the corpus: languages, and `_features`.
  private static let parts: [String] = {
    guard let corpus else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: "\(corpus)/sentences")
        .filter { FileManager.default.fileExists(atPath: "\(corpus)/sentences/\($0)/intents.json") }
        .sorted() + ["_features"]
    } catch {
      return []
    }
  }()

  @Test(.enabled(if: corpus != nil, "skipped: INTENTD_CORPUS is not set"), arguments: parts)
  func `every sentence of the corpus has its expected meaning`(part: String) throws {
    let folder = try #require(Self.corpus) + "/sentences"
    try withSandbox { sandbox in
      let outcome = try sandbox.run(
        Programs.conformance, ["sentences", folder, "--only", part, "--verbose"])
      #expect(outcome.status == 0)
      #expect(outcome.output.hasSuffix(" passed, 0 failed\n"), "\(outcome.output.suffix(2_000))")
      #expect(!outcome.output.hasSuffix("\n0 passed, 0 failed\n"), "nothing was read")
    }
  }

  @Test(.enabled(if: corpus != nil, "skipped: INTENTD_CORPUS is not set"))
  func `the corpus has languages`() {
    #expect(Self.parts.count > 2)
  }
}
