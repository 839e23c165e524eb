import JSON
import Testing

@testable import WidgetCenter

/// Work for later turns: its order, and what of it survives a restart.
struct BackgroundWorkTests {
  private func key(_ kind: String) -> TimelineKey {
    TimelineKey(kind: kind, family: .systemSmall, configuration: "")
  }

  private func record(_ work: BackgroundWork) -> JSONValue {
    var record: JSONObject = [:]
    work.write(to: &record)
    return .object(record)
  }

  private static let reload = Sweep(reason: .reload(.locale, families: [.systemSmall]), ids: ["a"])

  @Test func `timelines are read in the order in which they came`() {
    var work = BackgroundWork()
    #expect(work.isEmpty)
    work.addUnread(key("a"))
    work.addUnread(key("b"))
    #expect(work.unreadCount == 2)
    #expect(!work.isEmpty)
    #expect([work.popUnread(), work.popUnread(), work.popUnread()] == [key("a"), key("b"), nil])
    #expect(work.isEmpty)
  }

  @Test func `a sweep goes on before the others until its end`() throws {
    var work = BackgroundWork()
    #expect(work.add(Sweep(reason: .clock, ids: ["a", "b"])) == false)
    #expect(work.add(Sweep(reason: .views, ids: ["a"])) == false)
    let first = work.popSweep()
    var sweep = try #require(first)
    sweep.next = 1
    work.resume(sweep)
    #expect(work.popSweep() == sweep)
    #expect(work.popSweep()?.reason == .views)
    #expect(!work.hasSweeps)
    #expect(work.checkInvariants() == [])
  }

  @Test func `a reload and an upgrade are kept until no sweep carries them out`() {
    var work = BackgroundWork()
    #expect(work.add(Self.reload) == true)
    #expect(work.add(Sweep(reason: .upgrade(kinds: ["b", "a"]), ids: ["a"])) == true)
    #expect(record(work) == ["reloading": "locale", "upgrading": ["a", "b"]])
    #expect(work.checkInvariants() == [])
    #expect(work.forgetFinished() == false, "both wait")
    _ = work.popSweep()
    #expect(work.forgetFinished() == true)
    #expect(record(work) == ["upgrading": ["a", "b"]])
    _ = work.popSweep()
    #expect(work.forgetFinished() == true)
    #expect(record(work) == [:])
    #expect(work.forgetFinished() == false, "it was said")
  }

  @Test func `of several reloads the latest is kept, until the last of them ends`() {
    var work = BackgroundWork()
    _ = work.add(Self.reload)
    _ = work.add(Sweep(reason: .reload(.timeChange, families: [.systemSmall]), ids: ["a"]))
    #expect(record(work) == ["reloading": .string(ReloadCause.timeChange.rawValue)])
    _ = work.popSweep()
    #expect(work.forgetFinished() == false)
    _ = work.popSweep()
    #expect(work.forgetFinished() == true)
    #expect(record(work) == [:])
  }

  @Test func `the next process takes up what this one did not finish, once`() {
    var work = BackgroundWork()
    _ = work.add(Self.reload)
    _ = work.add(Sweep(reason: .upgrade(kinds: ["a"]), ids: ["a"]))
    var next = BackgroundWork()
    next.restore(record(work))
    #expect(record(next) == record(work))
    let unfinished = next.takeUnfinished()
    #expect(unfinished.reload == .locale)
    #expect(unfinished.upgrades == ["a"])
    #expect(record(next) == [:])
    #expect(next.takeUnfinished().reload == nil)
    next.restore(["reloading": "a cause of another version", "upgrading": "nonsense"])
    #expect(record(next) == [:])
  }
}
