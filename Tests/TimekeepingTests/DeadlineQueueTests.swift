import Testing
import Timekeeping

@Suite struct DeadlineQueueTests {
  @Test func `the earliest moment comes first, equal ones in the order of scheduling`() {
    var queue = DeadlineQueue<String, Int>()
    queue.schedule("late", at: 30)
    queue.schedule("second", at: 10)
    queue.schedule("third", at: 10)
    queue.schedule("first", at: 5)
    #expect(queue.next() == 5)
    #expect(pop(&queue, at: 4) == [])
    #expect(pop(&queue, at: 10) == ["first", "second", "third"])
    #expect(queue.next() == 30)
    #expect(pop(&queue, at: 29) == [])
    #expect(pop(&queue, at: 30) == ["late"])
    #expect(queue.isEmpty)
    #expect(queue.next() == nil)
  }

  @Test func `scheduling again moves a key; the same moment keeps its turn`() {
    var queue = DeadlineQueue<String, Int>()
    queue.schedule("a", at: 10)
    queue.schedule("b", at: 10)
    queue.schedule("a", at: 10)
    #expect(queue.count == 2)
    queue.schedule("c", at: 1)
    queue.schedule("c", at: 20)
    #expect(queue.moment(of: "c") == 20)
    #expect(queue.next() == 10)
    #expect(pop(&queue, at: 19) == ["a", "b"])
    queue.schedule("c", at: 2)
    #expect(pop(&queue, at: 2) == ["c"])
    #expect(pop(&queue, at: 100) == [])
  }

  @Test func `a cancelled key never comes, unless it is scheduled again`() {
    var queue = DeadlineQueue<String, Int>()
    queue.schedule("a", at: 1)
    queue.schedule("b", at: 2)
    queue.cancel("a")
    queue.cancel("nobody")
    #expect(queue.moment(of: "a") == nil)
    #expect(queue.next() == 2)
    queue.schedule("a", at: 3)
    #expect(pop(&queue, at: 9) == ["b", "a"])
  }

  /// Uses few keys and few moments, so that keys are often rescheduled and moments often collide.
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `the queue behaves like a sorted list`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var queue = DeadlineQueue<Int, Int>()
    var model = NaiveQueue()
    var now = 0
    let keyCount = seed % 2 == 0 ? 8 : 400
    for step in 0..<6_000 {
      let key = Int.random(in: 0..<keyCount, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...5:
        let moment = now + Int.random(in: -2...40, using: &random)
        queue.schedule(key, at: moment)
        model.schedule(key, at: moment)
      case 6, 7:
        queue.cancel(key)
        model.cancel(key)
      case 8:
        #expect(queue.popDue(at: now) == model.popDue(at: now), "seed \(seed), step \(step)")
      default:
        now += Int.random(in: 0...3, using: &random)
      }
      guard queue.count == model.waiting.count, queue.next() == model.next(),
        queue.moment(of: key) == model.waiting.first(where: { $0.key == key })?.moment
      else {
        Issue.record("seed \(seed), step \(step): the queue and the list differ")
        return
      }
    }
    #expect(pop(&queue, at: .max) == model.drain())
  }

  private func pop<Key: Hashable>(_ queue: inout DeadlineQueue<Key, Int>, at now: Int) -> [Key] {
    var keys: [Key] = []
    while let key = queue.popDue(at: now) { keys.append(key) }
    return keys
  }
}

/// The simplest implementation of the same queue: a sorted list.
private struct NaiveQueue {
  var waiting: [(key: Int, moment: Int)] = []

  mutating func schedule(_ key: Int, at moment: Int) {
    if waiting.contains(where: { $0.key == key && $0.moment == moment }) { return }
    cancel(key)
    // Insert behind all keys that are due at the same moment or earlier.
    let place = waiting.firstIndex { $0.moment > moment } ?? waiting.endIndex
    waiting.insert((key, moment), at: place)
  }

  mutating func cancel(_ key: Int) { waiting.removeAll { $0.key == key } }

  func next() -> Int? { waiting.first?.moment }

  mutating func popDue(at now: Int) -> Int? {
    guard let first = waiting.first, first.moment <= now else { return nil }
    return waiting.removeFirst().key
  }

  mutating func drain() -> [Int] {
    defer { waiting = [] }
    return waiting.map(\.key)
  }
}
