import ArgumentParser
import Timekeeping
import WidgetCenter

/// The pending queue with a million widgets in it, as the engine has it: `timers` is the same with a
/// `uv_timer_t` each.
struct QueueSpeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "Insert, cancel and fire, and a budget's refill.")

  @Option(help: "Widgets that wait.")
  var count = 1_000_000

  /// Milliseconds of a day.
  private static let day: Int64 = 86_400_000

  func run() throws {
    var numbers = Numbers()
    let keys = (0..<count).map {
      TimelineKey(
        kind: "org.example.weather", family: .systemSmall, configuration: "{\"city\":\"\($0)\"}")
    }
    func moment() -> WallTime {
      WallTime(milliseconds: 1_800_000_000_000 + Int64.random(in: 0..<Self.day, using: &numbers))
    }
    let part = count / 5
    let order = (0..<part).map { _ in Int.random(in: 0..<count, using: &numbers) }
    let filling = (0..<count).map { _ in moment() }
    let later = (0..<part).map { _ in moment() }

    let before = residentBytes()
    var names = TimelineNumbers()
    var queue = NumberedDeadlines<WallTime>()
    for (key, moment) in zip(keys, filling) { queue.schedule(names.give(key), at: moment) }
    let bytes = Double(residentBytes() - before) / Double(count)
    // What `advance` asks at the end of each turn.
    _ = queue.next()

    func each(_ body: () -> Void) -> Double {
      let start = nanoseconds()
      body()
      return (nanoseconds() - start) / Double(part)
    }
    let cancel = each { for index in order { queue.cancel(Int32(index)) } }
    let insert = each {
      for (index, moment) in zip(order, later) { queue.schedule(Int32(index), at: moment) }
    }
    let move = each {
      for (index, moment) in zip(order.reversed(), later) {
        queue.schedule(Int32(index), at: moment)
      }
    }
    var fired = 0
    let fire = each {
      // To the key, by which the engine goes on.
      while fired < part, let number = queue.popDue(at: WallTime(milliseconds: .max)),
        names.key(of: number) != nil
      {
        fired += 1
      }
    }
    report([
      "count": Double(count), "insert_ns": insert, "cancel_ns": cancel, "move_ns": move,
      "fire_ns": fire, "bytes": bytes, "refill_ns": refill(),
    ])
  }

  /// Refilling is arithmetic at the moment of asking: no queue, no timer, no walk over all budgets.
  private func refill() -> Double {
    let start = WallTime(milliseconds: 1_800_000_000_000)
    var budgets = (0..<count).map { _ in ReloadBudget(perDay: 48, spacing: 300_000, at: start) }
    var allowed = 0
    let begin = nanoseconds()
    for index in budgets.indices {
      let now = start.advanced(byMilliseconds: Int64(index % 86_400) * 1_000)
      if budgets[index].earliest(at: now).reason == nil {
        budgets[index].spend(at: now)
        allowed += 1
      }
    }
    let each = (nanoseconds() - begin) / Double(max(1, count))
    precondition(allowed == count, "full budgets must allow a reload")
    return each
  }
}
