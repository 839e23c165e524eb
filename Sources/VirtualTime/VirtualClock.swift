public import Timekeeping

/// Two clocks that move only when told, and everything that is planned on them.
///
/// The monotonic clock only goes forwards. The wall clock goes along with it, and may be set.
/// Planned things come in the order of their moments; those of one moment in the order in which
/// they were planned. The wake-up is the one that the daemon asked for last, and comes after what
/// is planned for the same moment.
///
/// `public`, so that the simulator gets a version for its own actions: see decision 0013.
public struct VirtualClock<Planned> {
  /// The monotonic clock: the time since the machine was switched on.
  public private(set) var monotonic: Instant
  /// The wall clock at monotonic 0, in milliseconds.
  @usableFromInline var wallOffset: Int64
  @usableFromInline var queue = DeadlineQueue<UInt64, Instant>()
  @usableFromInline var planned: [UInt64: Planned] = [:]
  @usableFromInline var lastNumber: UInt64 = 0
  /// The moment at which the daemon wants to be woken; `nil` if it does not.
  public var wakeUpAt: Instant?
  /// Turns since the monotonic clock last moved: a core that does not come to rest shows here.
  public internal(set) var turnsAtThisMoment = 0

  /// Makes a clock whose wall clock is at `wall` when its monotonic clock is at `monotonic`.
  public init(monotonic: Instant = Instant(nanoseconds: 1_000_000_000), wall: WallTime) {
    self.monotonic = monotonic
    wallOffset = wall.milliseconds - monotonic.nanoseconds / 1_000_000
  }

  /// The present moment on both clocks.
  package var now: Now { Now(monotonic: monotonic, wall: wall) }

  /// The present moment on the wall clock.
  public var wall: WallTime {
    WallTime(milliseconds: wallOffset + monotonic.nanoseconds / 1_000_000)
  }

  // MARK: Time

  /// Sets the wall clock forwards or back; no time passes.
  public mutating func setWall(by milliseconds: Int64) { wallOffset += milliseconds }

  /// Moves both clocks forwards to this moment; a moment that has passed leaves them where they
  /// are.
  public mutating func move(to moment: Instant) {
    guard moment > monotonic else { return }
    monotonic = moment
    turnsAtThisMoment = 0
  }

  // MARK: Plans

  /// Plans something for so many milliseconds from now.
  @inlinable
  public mutating func plan(_ action: Planned, after milliseconds: Int64) {
    plan(action, at: moment(after: milliseconds))
  }

  /// Plans something for a moment; one that has passed is now.
  @inlinable
  public mutating func plan(_ action: Planned, at moment: Instant) {
    lastNumber += 1
    planned[lastNumber] = action
    queue.schedule(lastNumber, at: max(moment, monotonic))
  }

  @usableFromInline
  func moment(after milliseconds: Int64) -> Instant {
    monotonic.advanced(byMilliseconds: milliseconds)
  }

  /// Returns the moment of the next planned thing or the wake-up; `nil` if there is neither.
  public mutating func next() -> Instant? {
    switch (queue.next(), wakeUpAt) {
    case (let first?, let second?): min(first, second)
    case (let first?, nil): first
    case (nil, let second): second
    }
  }

  /// Moves to the next planned thing and takes it; `nil` when none comes until `limit`.
  @inlinable
  public mutating func takeNext(until limit: Instant) -> Planned? {
    guard let next = queue.next(), next <= limit else { return nil }
    move(to: next)
    guard let number = queue.popDue(at: monotonic) else { return nil }
    return planned.removeValue(forKey: number)
  }

  /// Takes what is planned for now or before.
  @inlinable
  public mutating func takeDue() -> Planned? { takeNext(until: monotonic) }

  /// Returns whether the wake-up is due, and disarms it if so.
  public mutating func takeWakeUp() -> Bool {
    guard let moment = wakeUpAt, moment <= monotonic else { return false }
    wakeUpAt = nil
    return true
  }
}
