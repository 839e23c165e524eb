package import Timekeeping

/// A moment as the person lives it: when, and what the clock on the wall says there.
///
/// The caller knows the time zone and the days off; the model knows neither. Spans are measured on
/// `wall`, habits on the local day and half-hour, so that a morning stays a morning where the
/// person travels.
package struct BehaviourMoment: Hashable, Sendable {
  package var wall: WallTime
  /// Days since 1970-01-01 of the local date.
  package var day: Int
  /// 0…47.
  package var halfHour: Int
  /// At the weekend, or on a day that the person named: its habits are those of days off.
  package var isDayOff: Bool
  /// 0 = Monday … 6 = Sunday: the weekday whose habits it has, on a named day off the weekend's
  /// last.
  package var weekday: Int

  /// `offsetSeconds`: local time minus UTC, at that moment.
  package init(wall: WallTime, offsetSeconds: Int, daysOff: DaysOff = .weekends) {
    let floor = { (value: Int, unit: Int) in value >= 0 ? value / unit : (value + 1) / unit - 1 }
    let (local, overflow) = floor(Int(wall.milliseconds), 1000)
      .addingReportingOverflow(offsetSeconds)
    let seconds = overflow ? floor(Int(wall.milliseconds), 1000) : local
    self.wall = wall
    day = floor(seconds, 86_400)
    halfHour = (seconds - day * 86_400) / 1800
    isDayOff = daysOff.isOff(day)
    weekday = daysOff.weekday(livedOn: day)
  }
}

/// An act of a person with an item.
package enum BehaviourAct: String, CaseIterable, Hashable, Sendable {
  /// Sent an intent that the item shows, or an app donated one.
  case intent
  case tap
  case open
  /// Looked at it for a while on top of the stack, which says a little.
  case dwell
  /// Sent it away, which says that it was not wanted now.
  case dismissal

  /// Whether it is a use, which all counts count.
  package var isUse: Bool {
    switch self {
    case .intent, .tap, .open: true
    case .dwell, .dismissal: false
    }
  }
}

/// One act of the person: models are built from them, and rebuilt when some are forgotten.
package struct BehaviourDonation: Hashable, Sendable {
  package var item: String
  /// The item's kind; items never used borrow a little from it.
  package var kind: String
  package var act: BehaviourAct
  package var moment: BehaviourMoment

  package init(item: String, kind: String, act: BehaviourAct, at moment: BehaviourMoment) {
    self.item = item
    self.kind = kind
    self.act = act
    self.moment = moment
  }
}
