package import JSON
package import Timekeeping

/// One placed instance of a kind.
package struct Widget: Hashable, Sendable {
  package var id: String
  package var kind: String
  package var family: WidgetFamily
  package var configuration: WidgetConfiguration
  /// Whether the engine made it: it shows the answer to an intent that no placed widget is
  /// configured for, or a window of a manifest.
  package var isSuggestion: Bool
  /// The order of placing, by which the stack sorts equal scores.
  package var position: Int64
  package var placedAt: WallTime
  /// Reload rules of its own.
  package var reload = ReloadOverrides()
  /// Why its provider cannot be asked although the kind is offered: the configuration no longer
  /// fits.
  package var problem: String?
  /// The window of its manifest for which it is suggested.
  package var window: RelevantWindow?
  /// Whether it has a timeline to itself, since its kind has no provider: see `WidgetKind`.
  package var ownsTimeline = false
  /// The values that taps on its items set.
  package var values = WidgetValues.none
  /// The least revision of what it shows: given when it came to another timeline, whose number may
  /// be lower than the one before.
  ///
  /// Not stored.
  var revisionMin: Int64 = 0
  /// The same for its expanded timeline.
  ///
  /// Not stored.
  var expandedRevisionMin: Int64 = 0
  /// Where it is expanded.
  package var expansion = WidgetExpansion()
  /// The largest size that surfaces gave it alone, by mode.
  package var modeSizes: [WidgetMode: DisplaySize] = [:]

  package init(
    id: String, kind: String, family: WidgetFamily, configuration: WidgetConfiguration,
    isSuggestion: Bool, position: Int64, placedAt: WallTime
  ) {
    self.id = id
    self.kind = kind
    self.family = family
    self.configuration = configuration
    self.isSuggestion = isSuggestion
    self.position = position
    self.placedAt = placedAt
  }
}

/// The intent a widget is configured with; `.none` for a static configuration.
package struct WidgetConfiguration: Hashable, Sendable {
  package var intent: String?
  package var parameters: JSONObject
  /// Equal for equal configurations: resolved values, free text compared in canonical form.
  ///
  /// Empty when static.
  package var key: String

  package init(intent: String?, parameters: JSONObject, key: String) {
    self.intent = intent
    self.parameters = parameters
    self.key = key
  }

  package static let none = WidgetConfiguration(intent: nil, parameters: [:], key: "")

  /// What is pushed to one widget, whose kind has no provider.
  static func ofWidget(_ id: String) -> WidgetConfiguration {
    WidgetConfiguration(intent: nil, parameters: [:], key: "widget:\(id)")
  }

  /// Whether it names what was pushed to one widget, so that no other one can be configured so.
  var isOfOneWidget: Bool { intent == nil && !key.isEmpty }

  /// `{"name","parameters"}`, or `null`.
  package var json: JSONValue {
    guard let intent else { return .null }
    return ["name": .string(intent), "parameters": .object(parameters)]
  }
}

/// Names what one provider run serves: every widget of one kind, family, configuration, values and
/// mode.
///
/// Where the kind has no provider, it names what is pushed to one widget.
package struct TimelineKey: Hashable, Comparable, Sendable {
  package var kind: String
  package var family: WidgetFamily
  package var configuration: String
  package var mode: WidgetMode

  package init(
    kind: String, family: WidgetFamily, configuration: String, mode: WidgetMode = .compact
  ) {
    self.kind = kind
    self.family = family
    self.configuration = configuration
    self.mode = mode
  }

  /// The store's key: the parts with U+001F between them, which none of them contains.
  ///
  /// The compact mode is no part of it: keys of before there were modes are those of compact
  /// timelines.
  package var text: String {
    let parts = "\(kind)\u{1F}\(family.rawValue)\u{1F}\(configuration)"
    return mode == .compact ? parts : "\(parts)\u{1F}\(mode.rawValue)"
  }

  package init?(text: String) {
    guard let first = text.utf8.firstIndex(of: 0x1F) else { return nil }
    let rest = text[text.utf8.index(after: first)...]
    guard let second = rest.utf8.firstIndex(of: 0x1F),
      let family = WidgetFamily(rawValue: String(rest[..<second]))
    else { return nil }
    var configuration = rest[rest.utf8.index(after: second)...]
    var mode = WidgetMode.compact
    if let third = configuration.utf8.firstIndex(of: 0x1F) {
      let name = String(configuration[configuration.utf8.index(after: third)...])
      guard let named = WidgetMode(rawValue: name), named != .compact else { return nil }
      mode = named
      configuration = configuration[..<third]
    }
    self.init(
      kind: String(text[..<first]), family: family, configuration: String(configuration),
      mode: mode)
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.kind, left.family.rawValue, left.configuration, left.mode)
      < (right.kind, right.family.rawValue, right.configuration, right.mode)
  }

  /// A number that is the same in every run of the program, for spreading things out.
  package var spread: UInt64 {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    return hash ^ (hash >> 32)
  }
}

extension Widget {
  /// The timeline of its compact mode, which is its main one.
  package var timelineKey: TimelineKey {
    TimelineKey(
      kind: kind, family: family, configuration: shownConfiguration.key + requestedValues.key)
  }

  /// The values that its provider gets; where nobody is asked there are none.
  package var requestedValues: WidgetValues { ownsTimeline ? .none : values }

  /// The timeline of its expanded mode; `nil`: it was not expanded since it is configured so.
  package var expandedKey: TimelineKey? {
    guard expansion.hasTimeline else { return nil }
    var key = timelineKey
    key.mode = .expanded
    return key
  }

  /// Its timelines, the main one first.
  package var timelineKeys: [TimelineKey] { [timelineKey] + (expandedKey.map { [$0] } ?? []) }

  /// The timeline of a mode; `nil`: it has none for it.
  package func timelineKey(in mode: WidgetMode) -> TimelineKey? {
    mode == .compact ? timelineKey : expandedKey
  }

  /// The least revision of what it shows in a mode.
  func revisionMin(in mode: WidgetMode) -> Int64 {
    mode == .compact ? revisionMin : expandedRevisionMin
  }

  /// The configuration that names what it shows: that of its own, and of one with a timeline to
  /// itself a key that no other widget has.
  package var shownConfiguration: WidgetConfiguration {
    ownsTimeline ? .ofWidget(id) : configuration
  }

  /// When a suggestion goes that nobody touched, or touched last at `date`.
  func suggestionEnd(touchedAt date: WallTime) -> WallTime {
    let end = date.advanced(byMilliseconds: Limits.suggestionWindow)
    return window.map { max($0.to, date == placedAt ? $0.to : end) } ?? end
  }

  /// The record that the store keeps.
  package var record: JSONValue {
    var record: JSONObject = [
      "kind": .string(kind), "family": .string(family.rawValue), "intent": configuration.json,
      "configurationKey": .string(configuration.key), "suggestion": .bool(isSuggestion),
      "position": .int(position), "placedAt": .string(placedAt.rfc3339),
    ]
    if !reload.isEmpty { record["reload"] = .object(reload.json) }
    if let problem { record["problem"] = .string(problem) }
    if let window { record["window"] = window.json }
    if ownsTimeline { record["ownsTimeline"] = true }
    if !values.isEmpty { record["values"] = .object(values.json) }
    if let expanded = expansion.record { record["expandedOn"] = expanded }
    if !modeSizes.isEmpty { record["modeSizes"] = modeSizes.json }
    return .object(record)
  }

  package init?(id: String, record: JSONValue) {
    guard let kind = record["kind"]?.stringValue,
      let family = record["family"]?.stringValue.flatMap({ WidgetFamily(rawValue: $0) }),
      let key = record["configurationKey"]?.stringValue,
      let isSuggestion = record["suggestion"]?.boolValue,
      let position = record["position"]?.intValue,
      (0...Limits.storedNumberMax).contains(position),
      let placedAt = record["placedAt"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    else { return nil }
    let intent = record["intent"]
    self.init(
      id: id, kind: kind, family: family,
      configuration: WidgetConfiguration(
        intent: intent?["name"]?.stringValue,
        parameters: intent?["parameters"]?.objectValue ?? [:], key: key),
      isSuggestion: isSuggestion, position: position, placedAt: placedAt)
    problem = record["problem"]?.stringValue
    window = record["window"].flatMap { RelevantWindow($0) }
    ownsTimeline = record["ownsTimeline"]?.boolValue == true
    values = record["values"].flatMap { WidgetValues(record: $0) } ?? .none
    expansion = WidgetExpansion(record: record["expandedOn"])
    modeSizes = [WidgetMode: DisplaySize](record: record["modeSizes"])
    if let rules = record["reload"]?.objectValue {
      do throws(ReloadRuleError) {
        reload = try ReloadOverrides(rules)
      } catch {
        // Written by a version that allowed more: the kind's rules hold.
        reload = ReloadOverrides()
      }
    }
  }
}

/// Why a request about widgets was refused.
package struct WidgetError: Error, Hashable, Sendable {
  /// The sort of a refusal.
  package enum Code: Hashable, Sendable {
    case unknownWidget, unknownKind, unsupportedFamily, unsupportedMode, limitReached, widgetExists,
      tooManySurfaces, invalidID,
      tooManyValues
  }

  package var code: Code
  /// A sentence: what happened, to what, what to do.
  package var message: String
  package var suggestions: [String]

  package init(_ code: Code, _ message: String, suggestions: [String] = []) {
    self.code = code
    self.message = message
    self.suggestions = suggestions
  }
}
