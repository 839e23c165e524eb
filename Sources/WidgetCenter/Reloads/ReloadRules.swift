/// How often a kind, or one widget, may be reloaded by itself.
///
/// A manifest's `reload:` gives the rules of a kind; a placed widget may replace any of them
/// (`ReloadOverrides`). `ReloadBudget` keeps the account.
package struct ReloadRules: Hashable, Sendable {
  /// Budgeted reloads a day: as few for a widget that nobody looks at, as many for one that is
  /// looked at often.
  ///
  /// With one number the views do not matter. Source: 40–70 a day, "Keeping a widget up to date".
  package var perDay: ClosedRange<Int>
  /// Milliseconds between budgeted reloads.
  package var spacing: Int64
  /// Milliseconds after its placing for which a widget gets half as much again; only where `perDay`
  /// is a range.
  package var learning: Int64
  /// An answer that shows the same as the last one costs nothing.
  package var unchangedIsFree: Bool
  package var activeHours: ActiveHours

  package init(
    perDay: ClosedRange<Int> = Limits.reloadsPerDayRange,
    spacing: Int64 = Limits.reloadSpacingDefault, learning: Int64 = Limits.learningPeriod,
    unchangedIsFree: Bool = false, activeHours: ActiveHours = .learned
  ) {
    self.perDay = perDay
    self.spacing = spacing
    self.learning = learning
    self.unchangedIsFree = unchangedIsFree
    self.activeHours = activeHours
  }

  /// The reloads a day for a widget that is looked at `views` times a day.
  ///
  /// `isHalved`: the machine has to save power, or the network costs.
  package func perDay(views: Double, isLearning: Bool, isHalved: Bool = false) -> Int {
    let low = Double(perDay.lowerBound)
    let spread = Double(perDay.upperBound) - low
    var rate = low
    if spread > 0 {
      rate = low + spread * min(1, max(0, views) / Limits.viewsPerDayFull)
      if isLearning { rate *= Limits.learningFactor }
    }
    return max(1, Int((isHalved ? rate / 2 : rate).rounded()))
  }
}

/// The hours in which a budget comes back: an active hour gives four parts, a quiet hour one.
package enum ActiveHours: Hashable, Sendable {
  /// In the hours in which the person looks at widgets, once these are known; evenly until then.
  case learned
  case always
  /// From the first hour of the local day to the second, which may be past midnight: 22 to 6.
  case between(Int, Int)

  /// A bit an hour of the local day.
  package func mask(learned: UInt32) -> UInt32 {
    switch self {
    case .learned: return learned
    case .always: return RefillHours.everyHour
    case .between(let from, let to):
      var mask: UInt32 = 0
      var hour = from
      repeat {
        mask |= 1 << UInt32(hour)
        hour = (hour + 1) % 24
      } while hour != to % 24
      return mask
    }
  }

  /// `learned`, `always`, or two hours such as `7-23`.
  package init?(text: String) {
    switch text {
    case "learned": self = .learned
    case "always": self = .always
    default:
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, let from = Int(parts[0]), let to = Int(parts[1]),
        (0...23).contains(from), (0...24).contains(to), from != to
      else { return nil }
      self = .between(from, to)
    }
  }

  package var text: String {
    switch self {
    case .learned: "learned"
    case .always: "always"
    case .between(let from, let to): "\(from)-\(to)"
    }
  }
}

/// The rules that one placed widget replaces; `nil`: the kind's rule holds.
package struct ReloadOverrides: Hashable, Sendable {
  package var perDay: ClosedRange<Int>?
  package var spacing: Int64?
  package var learning: Int64?
  package var unchangedIsFree: Bool?
  package var activeHours: ActiveHours?

  package init() {}

  package var isEmpty: Bool { self == ReloadOverrides() }

  /// Replaces those of `rules` that this widget has of its own.
  package func apply(to rules: inout ReloadRules) {
    if let perDay { rules.perDay = perDay }
    if let spacing { rules.spacing = spacing }
    if let learning { rules.learning = learning }
    if let unchangedIsFree { rules.unchangedIsFree = unchangedIsFree }
    if let activeHours { rules.activeHours = activeHours }
  }
}
