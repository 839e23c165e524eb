package import JSON
package import Timekeeping

/// How the person reads, and the machine they read on: language, text size, sizes of surfaces, zone, network.
extension WidgetEngine {
  /// What a surface says about how it shows widgets; `nil` and absent families are as they were.
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

  package func displaySize(of family: WidgetFamily) -> DisplaySize {
    displaySizes[family] ?? family.displaySize
  }

  /// The last surface to say something is right; what changes reloads every widget that it changes, free of budget.
  package mutating func setSurroundings(
    _ new: Surroundings, at now: WallTime, into output: inout EngineOutput
  ) {
    var causes: [(ReloadCause, WidgetFamilies)] = []
    let every = WidgetFamilies(WidgetFamily.allCases)
    if let text = new.textSize, text != textSize {
      textSize = text
      causes.append((.textSize, every))
    }
    if let name = new.locale {
      let isChange = name != locale
      if isChange || !isLocaleSaid {
        locale = name
        isLocaleSaid = true
        output.settings["surroundings"] = surroundings
      }
      if isChange { causes.append((.locale, every)) }
    }
    let resized = new.displaySizes.filter { displaySize(of: $0.key) != $0.value }
    if !resized.isEmpty {
      for (family, size) in resized { displaySizes[family] = size }
      causes.append((.displaySize, WidgetFamilies(resized.keys)))
    }
    guard let (cause, families) = causes.first else { return }
    output.settings["surroundings"] = surroundings
    output.note("surroundings", ["cause": .string(cause.rawValue), "to": surroundings])
    let touched = causes.count == 1 ? families : every
    sweep(.reload(cause, families: touched), at: now, into: &output)
  }

  /// After a restart: timelines that were made for another language are made anew, and so are all, or those of
  /// kinds with a new provider, when the process died while it was at that.
  mutating func resumeSurroundings(at now: WallTime, into output: inout EngineOutput) {
    var cause = unfinishedReload
    let upgraded = unfinishedUpgrades
    unfinishedReload = nil
    unfinishedUpgrades = []
    if storedLocale != locale {
      if storedLocale != nil { cause = .locale }
      storedLocale = locale
      output.settings["surroundings"] = surroundings
    } else if cause != nil || !upgraded.isEmpty {
      output.settings["surroundings"] = surroundings
    }
    if !upgraded.isEmpty { sweep(.upgrade(kinds: upgraded), at: now, into: &output) }
    if let cause {
      sweep(.reload(cause, families: WidgetFamilies(WidgetFamily.allCases)), at: now, into: &output)
    }
  }

  /// The local time is now so many milliseconds ahead of UTC.
  package mutating func setZone(
    offset: Int64, isFirst: Bool, at now: WallTime, into output: inout EngineOutput
  ) {
    guard offset != zoneOffset else { return }
    zoneOffset = offset
    suggestedWindowsMoved(at: now, into: &output)
    guard !isFirst else { return }
    output.note("zone", ["offset": .int(offset / 1000)])
    sweep(
      .reload(.timeChange, families: WidgetFamilies(WidgetFamily.allCases)), at: now, into: &output)
  }

  /// The person's days off are these from now on; what they did before keeps what its day was then.
  package mutating func setDaysOff(_ new: DaysOff, into output: inout EngineOutput) {
    guard new != daysOff else { return }
    daysOff = new
    stackRows?.forgetClaims()
    output.stackChanged = true
  }

  /// The network came or went; providers that need it, and waited or failed meanwhile, go at once.
  package mutating func setNetwork(
    isUp: Bool, at now: WallTime, into output: inout EngineOutput
  ) {
    guard isUp != networkIsUp else { return }
    networkIsUp = isUp
    output.note("network", ["up": .bool(isUp)])
    if kinds.values.contains(where: \.needsNetwork) { sweep(.network, at: now, into: &output) }
  }

  /// What is kept of all this.
  var surroundings: JSONValue {
    var sizes: JSONObject = [:]
    for family in WidgetFamily.allCases {
      if let size = displaySizes[family] { sizes[family.rawValue] = size.json }
    }
    var kept: JSONObject = [
      "locale": .string(locale), "localeSaid": .bool(isLocaleSaid),
      "textSize": .string(textSize.rawValue),
      "displaySizes": .object(sizes),
    ]
    if let unfinishedReload { kept["reloading"] = .string(unfinishedReload.rawValue) }
    if !unfinishedUpgrades.isEmpty {
      kept["upgrading"] = .array(unfinishedUpgrades.sorted().map { .string($0) })
    }
    return .object(kept)
  }

  /// All that is ever put into `EngineOutput.settings`, as it is now.
  package var settings: [String: JSONValue] {
    [
      "surroundings": surroundings, "viewHours": viewHours.json,
      "private": privacy,
      "rotations": .object(
        JSONObject(
          rotations.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value.json) })),
      "scales": scales.json,
    ]
  }

  /// Puts back what `EngineOutput.settings` kept; false for what cannot be read.
  package mutating func restoreSetting(_ name: String, _ value: JSONValue) -> Bool {
    switch name {
    case "viewHours":
      guard let hours = ViewHours(value) else { return false }
      viewHours = hours
    case "rotations":
      guard let members = value.objectValue?.members else { return false }
      for member in members {
        guard let rotation = StackRotation(member.value) else { return false }
        rotations[member.key] = rotation
      }
    case "scales":
      guard let kept = RelevanceScales(value) else { return false }
      scales = kept
    case "private":
      guard let isOn = value["on"]?.boolValue else { return false }
      isPrivate = isOn
      privateSince = value["at"]?.stringValue.flatMap { WallTime(rfc3339: $0) }
    case "surroundings":
      guard let text = value["textSize"]?.stringValue.flatMap({ TextSize(rawValue: $0) }),
        let name = value["locale"]?.stringValue, let sizes = value["displaySizes"]?.objectValue
      else { return false }
      textSize = text
      isLocaleSaid = value["localeSaid"]?.boolValue ?? false
      storedLocale = name
      unfinishedUpgrades = Set((value["upgrading"]?.arrayValue ?? []).compactMap(\.stringValue))
      unfinishedReload = value["reloading"]?.stringValue.flatMap { ReloadCause(rawValue: $0) }
      if isLocaleSaid { locale = name }
      for member in sizes.members {
        guard let family = WidgetFamily(rawValue: member.key), let size = DisplaySize(member.value)
        else { return false }
        displaySizes[family] = size
      }
    default: return false
    }
    return true
  }
}
