import JSON
import Testing
import Timekeeping
import WidgetExtension

@Suite struct TimelineAnswerTests {
  private typealias Entry = TimelineAnswer.Entry
  private let now = WallTime(seconds: 1_000_000)

  private func at(_ milliseconds: Int64) -> WallTime { now.advanced(byMilliseconds: milliseconds) }

  private func dates(_ milliseconds: [Int64], answeredAfter: Int64 = 0) -> [Int64] {
    let answer = TimelineAnswer(
      milliseconds.map { Entry(date: at($0)) }, requested: now, answered: at(answeredAfter))
    return answer.places.map { $0.date.milliseconds(since: now) }
  }

  @Test func `entries come in the order of their dates`() {
    let answer = TimelineAnswer(
      [Entry(date: at(9_000)), Entry(date: at(1_000)), Entry(date: at(5_000))], requested: now,
      answered: now)
    #expect(answer.places.map(\.index) == [1, 2, 0])
    #expect(answer.warnings.isEmpty)
  }

  @Test func `of equal dates the order stays`() {
    let answer = TimelineAnswer(
      [Entry(date: at(5)), Entry(date: at(5))], requested: now, answered: now)
    #expect(answer.places.map(\.index) == [0, 1])
  }

  @Test func `an entry of the moment of the run counts from the request`() {
    #expect(dates([3, 60_000], answeredAfter: 40) == [0, 60_000])
    #expect(dates([40], answeredAfter: 40) == [0])
  }

  @Test func `an entry after the answer keeps its date`() {
    #expect(dates([41], answeredAfter: 40) == [41])
  }

  @Test func `an entry of the past keeps its date`() {
    #expect(dates([-1, -86_400_000], answeredAfter: 40) == [-86_400_000, -1])
  }

  @Test func `an empty timeline says that nothing is new`() {
    let answer = TimelineAnswer([], requested: now, answered: now)
    #expect(answer.warnings.count == 1)
    #expect(
      answer.json(contents: [], of: [], policy: .after(at(0)), windows: [])
        == ["result": "noData", "policy": ["after": .string(now.rfc3339)]])
  }

  @Test func `of more entries than a day has minutes the first are answered`() {
    let entries = (0..<1_500).reversed().map { Entry(date: at(Int64($0) * 60_000 + 1)) }
    let answer = TimelineAnswer(entries, requested: now, answered: now)
    #expect(answer.places.count == 1_440)
    #expect(answer.places.last?.date == at(1_439 * 60_000 + 1))
    #expect(answer.warnings == ["the timeline has 1500 entries; the first 1440 are shown"])
  }

  @Test func `an entry has its relevance beside its content`() {
    let entries = [Entry(date: at(0), score: 10, duration: 60), Entry(date: at(1), score: .nan)]
    let answer = TimelineAnswer(entries, requested: now, answered: now)
    let json = answer.json(
      contents: [["content": ["title": "a"]], ["content": ["title": "b"], "url": "a://b"]],
      of: entries, policy: .atEnd, windows: [])
    #expect(
      json == [
        "entries": [
          [
            "date": .string(at(0).rfc3339), "relevance": ["score": 10.0, "duration": 60.0],
            "content": ["title": "a"],
          ],
          ["date": .string(at(1).rfc3339), "content": ["title": "b"], "url": "a://b"],
        ],
        "policy": "atEnd",
      ])
  }

  @Test func `windows of relevance stand beside the entries, without those that are empty`() {
    let entries = [Entry(date: at(0))]
    let answer = TimelineAnswer(entries, requested: now, answered: now)
    let json = answer.json(
      contents: [["content": [:]]], of: entries, policy: .never,
      windows: [
        TimelineAnswer.Window(from: at(0), to: at(60_000), kind: "scheduled"),
        TimelineAnswer.Window(from: at(5), to: at(5), kind: "default"),
      ])
    #expect(
      json["relevance"] == [
        [
          "from": .string(at(0).rfc3339), "to": .string(at(60_000).rfc3339), "kind": "scheduled",
        ]
      ])
  }
}
