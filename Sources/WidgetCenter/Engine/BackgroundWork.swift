import DequeModule
import JSON

/// Work that waits for the slices of the turns that follow: restored timelines to read, and sweeps.
///
/// A reload or an upgrade has to be carried out for every widget, so it is stored until it ends and
/// begun anew at the next start (`WidgetEngine+Sweeps`).
struct BackgroundWork: Sendable {
  /// Restored timelines that are not read yet (`WidgetEngine+Slices`).
  private var unread = Deque<TimelineKey>()
  private var sweeps = Deque<Sweep>()
  /// The cause of a reload of all widgets that is under way; of several the latest.
  private var unfinishedReload: ReloadCause?
  /// Kinds whose widgets are being reloaded for a new provider.
  private var unfinishedUpgrades: Set<String> = []

  /// Whether nothing waits.
  var isEmpty: Bool { unread.isEmpty && sweeps.isEmpty }
  var hasSweeps: Bool { !sweeps.isEmpty }
  var unreadCount: Int { unread.count }

  /// Puts a restored timeline behind those that wait to be read.
  mutating func addUnread(_ key: TimelineKey) { unread.append(key) }

  mutating func popUnread() -> TimelineKey? { unread.popFirst() }

  /// Puts a sweep behind the others.
  ///
  /// - Returns: whether it has to be stored.
  mutating func add(_ sweep: Sweep) -> Bool {
    assert(sweep.next == 0, "a sweep waits before its first step")
    sweeps.append(sweep)
    switch sweep.reason {
    case .reload(let cause, _): unfinishedReload = cause
    case .modes: unfinishedReload = .displaySize
    case .upgrade(let kinds): unfinishedUpgrades.formUnion(kinds)
    case .clock, .watches, .views, .network, .lock, .supply, .kinds, .reading: return false
    }
    return true
  }

  mutating func popSweep() -> Sweep? { sweeps.popFirst() }

  /// Puts a sweep that is not at its end before the others.
  mutating func resume(_ sweep: Sweep) {
    assert(sweep.next < sweep.ids.count, "a sweep at its end is not resumed")
    sweeps.prepend(sweep)
  }

  /// Forgets reloads and upgrades that no waiting sweep carries out any more.
  ///
  /// - Returns: whether that has to be stored.
  mutating func forgetFinished() -> Bool {
    let isReloading = unfinishedReload != nil && sweeps.contains(where: \.isReload)
    let upgrading = unfinishedUpgrades.intersection(sweeps.flatMap(\.upgraded))
    guard unfinishedReload != nil && !isReloading || unfinishedUpgrades != upgrading else {
      return false
    }
    if !isReloading { unfinishedReload = nil }
    unfinishedUpgrades = upgrading
    return true
  }

  /// Takes the reload and the upgrades that the last process did not finish.
  mutating func takeUnfinished() -> (reload: ReloadCause?, upgrades: Set<String>) {
    defer { unfinishedUpgrades = [] }
    return (unfinishedReload.take(), unfinishedUpgrades)
  }

  // MARK: What the store keeps

  /// Adds the members `reloading` and `upgrading`, where there are any.
  func write(to record: inout JSONObject) {
    if let unfinishedReload { record["reloading"] = .string(unfinishedReload.rawValue) }
    if !unfinishedUpgrades.isEmpty {
      record["upgrading"] = .array(unfinishedUpgrades.sorted().map { .string($0) })
    }
  }

  /// Reads these members; absent or unknown ones are none.
  mutating func restore(_ record: JSONValue) {
    unfinishedReload = record["reloading"]?.stringValue.flatMap { ReloadCause(rawValue: $0) }
    unfinishedUpgrades = Set((record["upgrading"]?.arrayValue ?? []).compactMap(\.stringValue))
  }

  /// A sentence for everything that is wrong; empty when sound.
  func checkInvariants() -> [String] {
    var wrong: [String] = []
    if sweeps.contains(where: { $0.next >= $0.ids.count }) {
      wrong.append("a sweep at its end waits")
    }
    if !unfinishedUpgrades.isSuperset(of: sweeps.flatMap(\.upgraded)) {
      wrong.append("a waiting upgrade would not survive a restart")
    }
    if unfinishedReload == nil, sweeps.contains(where: \.isReload) {
      wrong.append("a waiting reload would not survive a restart")
    }
    return wrong
  }
}
