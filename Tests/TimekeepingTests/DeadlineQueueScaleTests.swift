import Testing
import Timekeeping

/// Behaviour that appears only with many keys, distant moments, or moments before those taken.
struct DeadlineQueueScaleTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `moments of every size come in order`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var queue = DeadlineQueue<Int, Int>()
    var expected: [(moment: Int, key: Int)] = []
    for key in 0..<20_000 {
      // Moments of all sizes, on both sides of zero.
      let moment = Int(truncatingIfNeeded: random.next()) >> Int.random(in: 0...63, using: &random)
      queue.schedule(key, at: moment)
      expected.append((moment, key))
    }
    expected.sort { ($0.moment, $0.key) < ($1.moment, $1.key) }
    var taken: [Int] = []
    while let key = queue.popDue(at: .max) { taken.append(key) }
    #expect(taken == expected.map(\.key))
    #expect(queue.isEmpty && queue.next() == nil)
  }

  @Test func `a clock set back a thousand times leaves the order as it is`() {
    var random = SplitMix64(seed: 7)
    var queue = DeadlineQueue<Int, Int>()
    for round in 0..<1_000 {
      let start = (1_000 - round) * 1_000_000
      for key in 0..<4 {
        queue.schedule(round * 4 + key, at: start + Int.random(in: 0..<500, using: &random))
      }
      // `next` moves the queue's base to the earliest moment; the next round schedules before it.
      #expect((start..<start + 500).contains(queue.next() ?? 0))
    }
    #expect(queue.count == 4_000)
    var last = Int.min
    var count = 0
    while let next = queue.next() {
      #expect(next >= last)
      last = next
      #expect(queue.popDue(at: next) != nil)
      count += 1
    }
    #expect(count == 4_000)
  }

  @Test func `equal moments keep their turn through dealing and sweeping`() {
    var queue = DeadlineQueue<Int, Int>()
    for key in 0..<1_000 { queue.schedule(key, at: 1_000_000 + key % 3) }
    for key in 0..<700 { queue.schedule(key, at: 5) }
    _ = queue.next()
    for key in 0..<700 { queue.schedule(key, at: 1_000_000 + key % 3) }
    for key in 0..<100 { queue.cancel(key) }
    let order = (700..<1_000).map { $0 } + (100..<700).map { $0 }
    var taken: [Int] = []
    while let key = queue.popDue(at: .max) { taken.append(key) }
    #expect(
      taken == order.filter { $0 % 3 == 0 } + order.filter { $0 % 3 == 1 }
        + order.filter { $0 % 3 == 2 })
  }

  @Test func `cancelled keys do not keep memory for ever`() {
    var queue = DeadlineQueue<Int, Int>()
    for round in 0..<200 {
      for key in 0..<100 { queue.schedule(key, at: 1_000_000 + round * 100 + key) }
      #expect(queue.waitingAndStaleCount <= 2 * queue.count + 64)
    }
    for key in 0..<100 { queue.cancel(key) }
    #expect(queue.isEmpty)
    #expect(queue.waitingAndStaleCount <= 64)
  }
}
