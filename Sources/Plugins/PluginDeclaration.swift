/// When a plugin runs by itself.
///
/// An interval counts from the end of a run, so that runs never overlap.
package enum PluginSchedule: Hashable, Sendable {
  /// Milliseconds from the end of a run to the start of the next one.
  case every(Int64)
  /// Once, when it is first looked at; then after clicks, signals and requests only.
  case once
  /// Only after clicks, signals and requests.
  case never
  /// At the minutes that any of these lines names.
  case cron([CronLine])
}

/// A button of a click, as `clicks:` of a manifest names it; X11 numbers them.
package enum PluginButton: Int, CaseIterable, Hashable, Sendable {
  case left = 1
  case middle, right, scrollUp, scrollDown, scrollLeft, scrollRight, back, forward

  /// Its name in a manifest, such as `scrollUp`.
  package var name: String { "\(self)" }
}

/// The keys under `provider:` of a manifest that are about a plugin, beside its program.
package struct PluginDeclaration: Hashable, Sendable {
  package var format: PluginFormat
  package var schedule: PluginSchedule
  /// Whether it stays running, and each part of its output is a frame.
  package var isStream = false
  /// Whether a frame of a menu is shown only when its separator has come: SwiftBar's
  /// `useTrailingStreamSeparator`.
  package var hasTrailingSeparator = false
  /// The signal that runs it at once, as in `pkill -RTMIN+8`: from 1 to 30.
  package var signal: Int?
  /// The commands of clicks; these win over what the output says.
  package var clicks: [PluginButton: [String]] = [:]
  /// Milliseconds until a stream that ended is started again; `nil`: with growing pauses.
  package var restart: Int64?
  /// Milliseconds from a run that failed to the next one; `nil`: as the schedule says.
  package var retry: Int64?
  /// Milliseconds from a run whose condition did not hold to the next one; `nil`: as the schedule
  /// says.
  package var recheck: Int64?
  /// Whether a look at its menu runs it, too.
  package var runsWhenOpened = false
  /// The title of an output that has nothing to show; `nil`: such an output hides it.
  ///
  /// Source: SwiftBar's `alwaysVisible`.
  package var emptyTitle: String?
  /// A program and arguments that say whether it is to run: by ending with 0; empty: always.
  package var condition: [String] = []
  /// The additions of its bar's settings to the output; `nil`: none.
  package var look: PluginLook?

  package init(_ format: PluginFormat, _ schedule: PluginSchedule) {
    self.format = format
    self.schedule = schedule
  }

  /// Whether a stream that ends with 0 has not failed: it has a pause or a condition, or its bar
  /// takes such an end for a good one.
  package var mayEnd: Bool {
    restart != nil || !condition.isEmpty || endsForGood || format == .polybar
  }

  /// Whether a stream that ended with 0 is not started again by itself.
  ///
  /// Source: Waybar's `exec` without `interval` and `restart-interval` runs once, and its text stays.
  package var endsForGood: Bool {
    format == .waybar && isStream && restart == nil && condition.isEmpty
  }
}
