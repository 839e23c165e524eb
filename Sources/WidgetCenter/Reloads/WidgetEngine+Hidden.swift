import Plugins
package import Timekeeping

/// Widgets that show nothing although nothing is wrong.
extension WidgetEngine {
  /// Why a widget shows nothing, as `hidden` has it on the wire; all but the last are of plugins.
  enum HiddenReason: String {
    /// Its last good run, or frame, had nothing to show.
    case noOutput
    /// The program under `if` did not end with 0.
    case condition
    /// It runs only when somebody asks, and nobody has since the daemon started.
    case notAsked
    /// Its provider said that it has nothing new, and never had anything.
    case noData
  }

  /// Returns whether a widget is one that shows nothing now although nothing is wrong.
  package func isHidden(_ id: String, at now: WallTime) -> Bool {
    guard let key = widgets[id]?.timelineKey, let shared = timelines[key],
      shared.entry(at: now) == nil
    else { return false }
    return hiddenReason(of: shared) != nil
  }

  /// Why a timeline that has no entry now is hidden; `nil`: its first run is still to come, or it
  /// failed, or its entries are.
  func hiddenReason(of shared: SharedTimeline) -> HiddenReason? {
    if shared.isConfirmedEmpty { return .noData }
    guard let plugin = plugin(of: shared.key), let timeline = shared.timeline,
      timeline.isPrinted, timeline.entries.isEmpty
    else { return nil }
    switch shared.turn.end {
    case .unasked: return .notAsked
    case .unmet: return .condition
    case .good, .failed:
      let isLeftAlone = plugin.schedule == .never && !plugin.isStream && shared.isOfBefore
      return isLeftAlone ? .notAsked : .noOutput
    }
  }
}

extension PluginDeclaration {
  /// When it runs by itself, as `widget.budget` has it: `every 5s`, `once`, `never`, `cron`, or
  /// `stream` for one that stays running.
  var scheduleWords: String {
    if isStream { return "stream" }
    return switch schedule {
    case .every(let interval): "every \(DurationText.write(interval))"
    case .once: "once"
    case .never: "never"
    case .cron: "cron"
    }
  }
}
