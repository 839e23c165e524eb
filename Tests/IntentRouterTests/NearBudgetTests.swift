import JSON
import Testing

@testable import IntentRouter

/// The cheap ways to look for near misses find the same as the dear ones.
struct NearBudgetTests {
  @Test func `a distance that is looked at only up to a limit is the same up to it`() {
    var number: UInt64 = 7
    func text() -> [UInt32] {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let count = Int(number >> 60)
      return (0..<count).map { UInt32(number >> (2 * UInt64($0)) & 3) }
    }
    for _ in 0..<20_000 {
      let (left, right) = (text(), text())
      let distance = editDistance(left, right)
      for most in 0...4 {
        #expect(editDistance(left, right, atMost: most) == (distance <= most ? distance : nil))
      }
    }
  }

  @Test func `the nearest examples are those of a full comparison`() {
    let said = Array("show me the wether for bejing".unicodeScalars.map(\.value))
    let examples = [
      "show weather", "agenda", "show the weather for Beijing", "weather for Beijing",
      "what is the time in Lima", "show me the weather for Beijing", "sun", "show weather",
      "tell me the weather in Berlin, please", "show me the news",
    ]
    var nearest = NearestExamples()
    var scored: [(score: Double, text: String)] = []
    for example in examples {
      let compared = Array(example.unicodeScalars.map(\.value))
      nearest.offer(example, said, compared)
      let edits = Double(editDistance(said, compared)) / Double(max(said.count, compared.count))
      let (first, second) = (RequiredText(said).pairs, RequiredText(compared).pairs)
      let all = first.nonzeroBitCount + second.nonzeroBitCount
      let shared = Double(2 * (first & second).nonzeroBitCount) / Double(all)
      scored.append(((edits + 1 - shared) / 2, example))
    }
    scored.sort { ($0.score, $0.text) < ($1.score, $1.text) }
    var expected: [String] = []
    for entry in scored where !expected.contains(entry.text) { expected.append(entry.text) }
    #expect(nearest.texts == Array(expected.prefix(Limits.suggestionsMax)))
  }
}
