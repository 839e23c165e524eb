import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests which timeline runs next, how many run at once, and when a run is overdue.
@Suite struct RunQueueTests {
  private static let start = Instant(nanoseconds: 0)
  private static let provider = ProviderDeclaration(exec: ["provider"])

  fileprivate static func key(_ number: Int) -> TimelineKey {
    TimelineKey(kind: "kind\(number)", family: .systemSmall, configuration: "")
  }

  fileprivate static func later(_ milliseconds: Int64) -> Instant {
    start.advanced(byMilliseconds: milliseconds)
  }

  @Test func `a timeline that a person waits for runs before the others`() {
    var queue = RunQueue()
    queue.enqueue(Self.key(1), ReloadCause.policy.urgency)
    queue.enqueue(Self.key(2), ReloadCause.policy.urgency)
    queue.enqueue(Self.key(3), ReloadCause.tap.urgency)
    #expect(queue.waitingCount == 3)
    #expect(queue.popNext()?.key == Self.key(3))
    #expect(queue.popNext()?.key == Self.key(1))
    #expect(queue.popNext()?.key == Self.key(2))
    #expect(queue.popNext() == nil)
  }

  @Test func `no timeline is taken while every slot is in use`() {
    var queue = RunQueue()
    for number in 0...Limits.runningProviderCountMax {
      queue.enqueue(Self.key(number), ReloadCause.policy.urgency)
    }
    var tokens: [RunToken] = []
    while let next = queue.popNext() {
      tokens.append(
        queue.start(next.key, Self.provider, at: Self.start, until: Self.later(1_000)))
    }
    #expect(tokens.count == Limits.runningProviderCountMax)
    #expect(queue.waitingCount == 1)
    #expect(queue.checkInvariants() == [])
    let ended = queue.end(tokens[1])
    #expect(ended?.key == Self.key(1))
    #expect(ended?.hasTimedOut == false)
    #expect(queue.end(tokens[1]) == nil, "a second answer ends nothing")
    #expect(queue.popNext()?.key == Self.key(Limits.runningProviderCountMax))
  }

  @Test func `quick scripts have slots of their own, and take a free one of the others`() {
    var queue = RunQueue()
    for number in 0..<12 { queue.enqueueQuick(Self.key(number)) }
    queue.enqueue(Self.key(100), ReloadCause.policy.urgency)
    #expect(queue.waitingCount == 13)
    #expect(queue.waits(Self.key(0), .budgeted))
    var started: [RunQueue.Next] = []
    var tokens: [RunToken] = []
    while let next = queue.popNext() {
      started.append(next)
      tokens.append(
        queue.start(
          next.key, Self.provider, isQuick: next.isQuick, at: Self.start,
          until: Self.later(10_000)))
    }
    #expect(started.first == .init(key: Self.key(100)))
    #expect(!started.dropFirst().contains { !$0.isQuick })
    #expect(queue.quickSlotCount == Limits.quickSlotCount)
    #expect(queue.slotCount == Limits.runningProviderCountMax)
    #expect(started.count == Limits.quickSlotCount + Limits.runningProviderCountMax)
    #expect(queue.checkInvariants() == [])

    // The reserved slots are for a person's requests all the same.
    queue.enqueue(Self.key(200), .person)
    #expect(queue.popNext() == .init(key: Self.key(200)))
    // The end of a quick run makes room for a quick one alone.
    #expect(queue.end(tokens[1])?.startedAt == Self.start)
    queue.enqueue(Self.key(101), ReloadCause.policy.urgency)
    #expect(queue.popNext()?.isQuick == true)
    // One that hangs gives its slot back like any other.
    #expect(queue.giveSlotsBack(at: Self.later(Limits.slotInterval)) == [])
    #expect(queue.quickSlotCount == 0)
    #expect(queue.checkInvariants() == [])
  }

  @Test func `runs for options have slots of their own`() {
    var queue = RunQueue()
    for number in 0..<Limits.runningProviderCountMax {
      _ = queue.start(Self.key(number), Self.provider, at: Self.start, until: Self.later(1_000))
    }
    let tokens = (0..<Limits.optionRunCountMax).map { _ in
      queue.startOptions(until: Self.later(1_000))
    }
    #expect(!tokens.contains(nil))
    #expect(queue.startOptions(until: Self.later(1_000)) == nil)
    #expect(queue.optionTokens == Set(tokens.compactMap { $0 }))
    #expect(queue.checkInvariants() == [])
  }

  @Test func `runs for previews have slots of their own, and a deadline`() {
    var queue = RunQueue()
    for number in 0..<Limits.runningProviderCountMax {
      _ = queue.start(Self.key(number), Self.provider, at: Self.start, until: Self.later(5_000))
    }
    var tokens: [RunToken] = []
    while queue.hasPreviewSlot { tokens.append(queue.startPreview(until: Self.later(1_000))) }
    #expect(tokens.count == Limits.previewRunCountMax)
    #expect(queue.previewTokens == Set(tokens))
    #expect(queue.slotCount == Limits.runningProviderCountMax)
    #expect(queue.nextDeadline() == Self.later(1_000))
    #expect(queue.popOverdue(at: Self.later(1_000)) == tokens[0])
    #expect(queue.endPreview(tokens[0]) == true)
    #expect(queue.endPreview(tokens[1]) == false)
    #expect(queue.endPreview(tokens[1]) == nil)
    #expect(queue.hasPreviewSlot)
    #expect(queue.checkInvariants() == [])
  }

  @Test func `a run is overdue once, and its end says so`() throws {
    var queue = RunQueue()
    let token = queue.start(Self.key(1), Self.provider, at: Self.start, until: Self.later(100))
    let asking = queue.startOptions(until: Self.later(200))
    let options = try #require(asking)
    #expect(queue.nextDeadline() == Self.later(100))
    #expect(queue.popOverdue(at: Self.later(99)) == nil)
    #expect(queue.popOverdue(at: Self.later(100)) == token)
    #expect(queue.popOverdue(at: Self.later(100)) == nil)
    #expect(queue.runningCount == 1, "the shell stops it first")
    #expect(queue.end(token)?.hasTimedOut == true)
    #expect(queue.endOptions(options) == false)
    #expect(queue.endOptions(options) == nil)
    #expect(queue.nextDeadline() == nil)
  }
}

/// Tests that end a process of their own; `make test` runs them apart (docs/TESTING.md).
@Suite struct RunQueueExitTests {
  @Test func `a run without a free slot is a mistake of the program`() async {
    await #expect(processExitsWith: .failure) {
      var queue = RunQueue()
      for number in 0...(Limits.runningProviderCountMax + Limits.reservedSlotCount) {
        _ = queue.start(
          RunQueueTests.key(number), ProviderDeclaration(exec: ["provider"]),
          at: RunQueueTests.later(0), until: RunQueueTests.later(1))
      }
    }
  }
}
