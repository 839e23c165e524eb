import ArgumentParser
import Timekeeping
import WidgetCenter

/// Measures the engine's deadline queue with a million widgets in it.
///
/// The benchmark `timers` does the same with one `uv_timer_t` for each widget.
struct QueueSpeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "Insert, cancel and fire, and a budget's refill.")

  @Option(help: "Widgets that wait.")
  var count = 1_000_000

  /// A day in milliseconds.
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
    // `advance` asks this at the end of each turn.
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
      // The engine goes on with the key, so the look-up from number to key is measured too.
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

  /// Measures the refill of a budget, in nanoseconds.
  ///
  /// A refill is arithmetic when the budget is read; there is no queue, timer or walk over all
  /// budgets.
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
