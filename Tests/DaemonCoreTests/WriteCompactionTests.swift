import JSON
import Testing

@testable import DaemonCore

struct WriteCompactionTests {
  @Test func `after a refused transaction the last write of each record waits`() throws {
    let writes: [StoreWrite] = [
      .put(.widget, key: "a", bytes: [1]), .put(.widget, key: "b", bytes: [1]),
      .appendJournal(sequence: 1, bytes: [1]), .put(.timeline, key: "a", bytes: [1]),
      .remove(.widget, key: "a"), .scrub, .put(.widget, key: "b", bytes: [2]), .scrub,
      .pruneJournal(below: 2), .appendJournal(sequence: 5, bytes: [5]),
      .put(.widget, key: "a", bytes: [3]),
    ]
    let expected: [StoreWrite] = [
      .put(.timeline, key: "a", bytes: [1]), .put(.widget, key: "b", bytes: [2]), .scrub,
      .pruneJournal(below: 2), .appendJournal(sequence: 5, bytes: [5]),
      .put(.widget, key: "a", bytes: [3]),
    ]
    #expect(WriteQueue.compacted(writes, journalSequence: 6) == expected)
  }

  @Test func `a disk that stays full does not fill the memory`() throws {
    var harness = Harness()
    let client = harness.connect()
    try harness.call("widget.add", ["kind": "org.example.clock"], from: client)
    try harness.answer("org.example.clock", Harness.timeline(#"{"text":"one"}"#))
    harness.storeMode = .fails(Harness.diskFull)
    var counts: [Int] = []
    for round in 0..<40 {
      let title = "round \(round)"
      let request: JSONValue = [
        "jsonrpc": "2.0", "id": .int(Int64(1_000 + round)), "method": "widget.push",
        "params": [
          "id": "clock",
          "timeline": [
            "entries": [["date": "2026-11-20T08:00:00Z", "content": ["title": .string(title)]]]
          ],
        ],
      ]
      // The first is refused after the attempt to write it, the others at once.
      var answers = harness.send(request.serialized, to: client)
      harness.pass(2)
      answers += harness.received(by: client)
      #expect(answers.count { $0.contains("not saved") } == 1, "\(answers)")
      counts.append(harness.daemon.writes.waitingRecordCount)
    }
    #expect(counts.allSatisfy { $0 <= 1 }, "\(counts)")
    harness.storeMode = .commits
    harness.pass(2)
    #expect(harness.daemon.writes.isIdle)
    let stored = try #require(harness.tables[.timeline]?.values.first)
    #expect(String(decoding: stored, as: UTF8.self).contains("one"))
  }
}
