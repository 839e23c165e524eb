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

  /// Writes a corpus of a menu, with the tree `title` that both programs made of it, of a stream, and
  /// of a format without a reader.
  private func writePlugins(_ title: String, to sandbox: borrowing Sandbox) throws -> String {
    try sandbox.write(
      "plugins/manifest.json",
      """
      [{"id":"m","format":"bitbar","stdout":"m.out","oracle_xbar":"x.json","oracle_swiftbar":"s.json"},
       {"id":"n","format":"bitbar","stdout":"m.out","oracle_xbar":"p.json","oracle_swiftbar":"s.json"},
       {"id":"s","format":"bitbar-stream","stdout":"s.out"},
       {"id":"t","format":"trmnl","stdout":"none.json"}]
      """)
    try sandbox.write("plugins/m.out", "T | color=red\n---\nA | href=b\n")
    try sandbox.write("plugins/s.out", "A\n~~~\nB\n")
    try sandbox.write(
      "plugins/x.json",
      """
      {"items":{"cycleItems":[{"text":"\(title)","params":{"color":"#ff0000"}}],
        "expandedItems":[{"text":"A","params":{"href":"b"}}]}}
      """)
    try sandbox.write(
      "plugins/s.json",
      """
      {"header":[{"title":"\(title) ","params":{"color":"red"}}],
        "body":[{"separator":true},{"title":"A ","params":{"href":"b"}}]}
      """)
    try sandbox.write("plugins/p.json", #"{"panic":{}}"#)
    return "\(sandbox.root)/plugins"
  }

  @Test func `a menu passes if it is the tree that both programs have`() throws {
    try withSandbox { sandbox in
      let good = try sandbox.run(
        Programs.conformance, ["plugins", try writePlugins("T", to: sandbox)])
      #expect(good.status == 0, "\(good)")
      #expect(good.output.contains("not compared: n: xbar refuses it: it ends with a panic\n"))
      #expect(good.output.contains("and ours is the same: 1; not compared: 1\n"))
      #expect(good.output.contains("trmnl: 0 of 0, 1 not graded\n"))
      #expect(good.output.hasSuffix("\n3 passed, 0 failed\n"), "\(good.output)")
      let bad = try sandbox.run(
        Programs.conformance, ["plugins", "--verbose", try writePlugins("U", to: sandbox)])
      #expect(bad.status == 1)
      #expect(bad.output.contains("title 1 is 'T' #ff0000 and 'U' #ff0000"), "\(bad)")
      #expect(bad.output.hasSuffix("\n2 passed, 1 failed\n"), "\(bad.output)")
    }
  }

  @Test(.enabled(if: corpus != nil, "skipped: INTENTD_CORPUS is not set"))
  func `every output of the corpus of plugins gives an entry or says why not`() throws {
    let folder = try #require(Self.corpus) + "/plugins"
    try withSandbox { sandbox in
      let outcome = try sandbox.run(Programs.conformance, ["plugins", folder])
      #expect(outcome.status == 0)
      #expect(outcome.output.hasSuffix(" passed, 0 failed\n"), "\(outcome.output.suffix(2_000))")
      #expect(!outcome.output.hasSuffix("\n0 passed, 0 failed\n"), "nothing was read")
      // A tree that is not compared says its reason.
      let left = outcome.output.split(separator: "\n").filter { $0.hasPrefix("not compared: ") }
      #expect(
        left.allSatisfy { line in
          ["xbar refuses it", "in xbar and SwiftBar", "beyond our limits"].contains {
            line.contains($0)
          }
        })
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
