import Timekeeping

/// When each timeline changes what it shows, and when it reloads.
///
/// Timelines wait by a small number instead of their key, so that waiting costs no hash.
struct TimelineDeadlines: Sendable {
  private var numbers = TimelineNumbers()
  /// Entry switches, ends of relevance, content that grows stale.
  private var changes = NumberedDeadlines<WallTime>()
  /// Reloads by policy, by a retry, or put off until then.
  private var reloads = NumberedDeadlines<WallTime>()

  /// Timelines that have a number.
  var timelineCount: Int { numbers.count }
  var changeCount: Int { changes.count }
  var reloadCount: Int { reloads.count }

  /// The timeline that has a number; `nil` when none has it.
  func key(of number: Int32) -> TimelineKey? { numbers.key(of: number) }

  /// When a timeline reloads by itself; `nil` when nothing is planned.
  func reload(of number: Int32) -> WallTime? { reloads.moment(of: number) }

  /// Gives a timeline the number by which it waits.
  mutating func give(_ key: TimelineKey) -> Int32 { numbers.give(key) }

  /// Takes the number of a timeline back, with all that it waits for.
  mutating func takeBack(_ number: Int32) {
    changes.cancel(number)
    reloads.cancel(number)
    numbers.takeBack(number)
  }

  /// Plans the next change of the shown entry; `nil`: nothing changes by itself.
  mutating func planChange(of number: Int32, at moment: WallTime?) {
    assert(numbers.key(of: number) != nil, "a timeline waits without a number")
    if let moment { changes.schedule(number, at: moment) } else { changes.cancel(number) }
  }

  /// Plans the next reload of a timeline; `nil`: none by itself.
  mutating func planReload(of number: Int32, at moment: WallTime?) {
    assert(numbers.key(of: number) != nil, "a timeline waits without a number")
    if let moment { reloads.schedule(number, at: moment) } else { reloads.cancel(number) }
  }

  /// Takes the earliest timeline whose shown entry changes at or before `now`.
  mutating func popChange(at now: WallTime) -> TimelineKey? {
    while let number = changes.popDue(at: now) {
      if let key = numbers.key(of: number) { return key }
      assertionFailure("timeline \(number) is gone and its change still waited")
    }
    return nil
  }

  /// Takes the earliest timeline that reloads at or before `now`.
  mutating func popReload(at now: WallTime) -> TimelineKey? {
    while let number = reloads.popDue(at: now) {
      if let key = numbers.key(of: number) { return key }
      assertionFailure("timeline \(number) is gone and its reload still waited")
    }
    return nil
  }

  /// The earliest change.
  mutating func nextChange() -> WallTime? { changes.next() }

  /// The earliest reload.
  mutating func nextReload() -> WallTime? { reloads.next() }
}
