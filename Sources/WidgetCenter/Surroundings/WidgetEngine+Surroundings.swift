package import Habits
package import JSON
package import Timekeeping

/// Takes news about how the person reads and about the machine, and reloads what they change.
extension WidgetEngine {
  /// A report of a surface about how it shows widgets; `nil` and absent families stay as they were.
  package struct Surroundings: Hashable, Sendable {
    package var locale: String?
    package var textSize: TextSize?
    package var displaySizes: [WidgetFamily: DisplaySize]

    package init(
      locale: String? = nil, textSize: TextSize? = nil,
      displaySizes: [WidgetFamily: DisplaySize] = [:]
    ) {
      self.locale = locale
      self.textSize = textSize
      self.displaySizes = displaySizes
    }
  }

  /// Points that a widget of a family may fill.
  package func displaySize(of family: WidgetFamily) -> DisplaySize {
    surroundings.displaySize(of: family)
  }

  /// Takes the report of a surface, the latest one counts; every change reloads the widgets that it
  /// concerns, free of budget.
  package mutating func setSurroundings(
    _ new: Surroundings, at now: WallTime, into output: inout EngineOutput
  ) {
    let (causes, isNews) = surroundings.take(new)
    if isNews { output.settings["surroundings"] = surroundingsRecord }
    guard let (cause, families) = causes.first else { return }
    output.note(.surroundings, ["cause": .string(cause.rawValue), "to": surroundingsRecord])
    let touched = causes.count == 1 ? families : WidgetFamilies(WidgetFamily.allCases)
    sweep(.reload(cause, families: touched), at: now, into: &output)
  }

  /// Takes the largest size of each mode that surfaces have room for; widgets of kinds with modes
  /// are made anew for another one, free of budget.
  package mutating func setModeSizes(
    _ sizes: [WidgetMode: DisplaySize], at now: WallTime, into output: inout EngineOutput
  ) {
    let before = surroundings.json
    let resized = surroundings.setModeSizes(sizes)
    guard surroundings.json != before else { return }
    output.settings["surroundings"] = surroundingsRecord
    guard !resized.isEmpty, kinds.values.contains(where: \.hasModes) else { return }
    output.note(
      .surroundings,
      ["cause": .string(ReloadCause.displaySize.rawValue), "to": surroundingsRecord])
    sweep(.modes(resized), at: now, into: &output)
  }

  /// Begins reloads anew that the last process did not finish, and reloads timelines that were made
  /// for another language.
  mutating func resumeSurroundings(at now: WallTime, into output: inout EngineOutput) {
    let (unfinished, upgraded) = work.takeUnfinished()
    var cause = unfinished
    let stored = surroundings.updateStoredLocale()
    if stored.hasChanged, stored.before != nil { cause = .locale }
    if stored.hasChanged || cause != nil || !upgraded.isEmpty {
      output.settings["surroundings"] = surroundingsRecord
    }
    if !upgraded.isEmpty { sweep(.upgrade(kinds: upgraded), at: now, into: &output) }
    if let cause {
      sweep(.reload(cause, families: WidgetFamilies(WidgetFamily.allCases)), at: now, into: &output)
    }
  }

  /// Takes the offset of local time, in milliseconds ahead of UTC.
  ///
  /// In a zone with other rules the dates of providers may be others, too, though the offset is the
  /// same today.
  package mutating func setZone(
    offset: Int64, hasOtherRules: Bool = false, isFirst: Bool, at now: WallTime,
    into output: inout EngineOutput
  ) {
    guard surroundings.setZone(offset: offset) || hasOtherRules else { return }
    suggestedWindowsMoved(at: now, into: &output)
    guard !isFirst else { return }
    output.note(.zone, ["offset": .int(offset / 1000)])
    sweep(
      .reload(.timeChange, families: WidgetFamilies(WidgetFamily.allCases)), at: now, into: &output)
  }

  /// Takes the person's days off; each earlier act keeps the kind of day that it had then.
  package mutating func setDaysOff(_ new: DaysOff, into output: inout EngineOutput) {
    guard surroundings.setDaysOff(new) else { return }
    claims.forgetAll()
    output.stackChanged = true
  }

  /// Takes whether there is a network; providers that need it, and waited or failed meanwhile, go
  /// at once.
  package mutating func setNetwork(
    isUp: Bool, at now: WallTime, into output: inout EngineOutput
  ) {
    guard surroundings.setNetwork(isUp: isUp) else { return }
    output.note(.network, ["up": .bool(isUp)])
    if isUp { hurryDownloads(at: now) }
    if kinds.values.contains(where: \.needsNetwork) { sweep(.network, at: now, into: &output) }
  }

  /// The setting `surroundings`: what surfaces said, and the reloads that are not carried out yet.
  var surroundingsRecord: JSONValue {
    var kept = surroundings.json
    work.write(to: &kept)
    return .object(kept)
  }

  /// Every setting that `EngineOutput.settings` may hold, as it is now.
  package var settings: [String: JSONValue] {
    [
      "surroundings": surroundingsRecord, "viewHours": viewing.json,
      "private": privateMode.json,
      "rotations": rotations.json,
      "scales": scales.json,
      "undo": undoable.json,
    ]
  }

  /// Takes a stored setting; `false` when it cannot be read.
  package mutating func restoreSetting(_ name: String, _ value: JSONValue) -> Bool {
    switch name {
    case "viewHours":
      return viewing.restore(value)
    case "rotations":
      return rotations.restore(value)
    case "scales":
      guard let kept = RelevanceScales(value) else { return false }
      scales = kept
    case "private":
      return privateMode.restore(value)
    case "undo":
      return undoable.restore(value)
    case "surroundings":
      guard surroundings.restore(value) else { return false }
      work.restore(value)
    default: return false
    }
    return true
  }
}
