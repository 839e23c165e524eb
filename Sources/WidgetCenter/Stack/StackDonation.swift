package import Habits
package import JSON
package import Timekeeping

/// One act of the person, as it is kept: the stack learns from it, and learns anew from the rest
/// when some donations are forgotten.
package struct StackDonation: Hashable, Sendable {
  /// A claim of a provider about an item at that moment: 0 to 1, the most that its kind ever
  /// claimed.
  package struct Claim: Hashable, Sendable {
    package var item: String
    package var kind: String
    package var strength: Double

    package init(item: String, kind: String, strength: Double) {
      self.item = item
      self.kind = kind
      self.strength = strength
    }
  }

  /// Kind and configuration: widgets of several families that show one thing are one item.
  ///
  /// A widget with a timeline to itself is one alone.
  package var item: String
  package var kind: String
  package var act: BehaviourAct
  package var at: WallTime
  /// Seconds that local time was ahead of UTC.
  package var secondsEast: Int
  /// Whether the day was off by the person's table of that time, so that the model is a function of
  /// donations alone.
  package var isDayOff: Bool
  /// The weekday whose habits that day had: `BehaviourMoment.weekday`.
  package var weekday: Int
  /// The configuration, with which an item that is not placed can be suggested.
  package var configuration: WidgetConfiguration
  /// The strongest claims at that moment, at most `Limits.claimCountMax`.
  package var claims: [Claim]

  package init(
    item: String, kind: String, act: BehaviourAct, at: WallTime, secondsEast: Int = 0,
    daysOff: DaysOff = .weekends, configuration: WidgetConfiguration = .none, claims: [Claim] = []
  ) {
    let moment = BehaviourMoment(wall: at, offsetSeconds: secondsEast, daysOff: daysOff)
    self.item = item
    self.kind = kind
    self.act = act
    self.at = at
    self.secondsEast = secondsEast
    isDayOff = moment.isDayOff
    weekday = moment.weekday
    self.configuration = configuration
    self.claims = claims
  }

  package var moment: BehaviourMoment {
    var moment = BehaviourMoment(wall: at, offsetSeconds: secondsEast)
    moment.isDayOff = isDayOff
    moment.weekday = weekday
    return moment
  }

  /// The record that the store keeps; `init(record:)` reads it.
  package var record: JSONValue {
    var object: JSONObject = [
      "kind": .string(kind), "act": .string(act.rawValue), "at": .string(at.rfc3339),
      "zone": .int(Int64(secondsEast)), "dayOff": .bool(isDayOff), "weekday": .int(Int64(weekday)),
      "intent": configuration.json,
      "configurationKey": .string(configuration.key),
    ]
    if !claims.isEmpty {
      object["claims"] = .array(
        claims.map { [.string($0.item), .string($0.kind), .double($0.strength)] })
    }
    return .object(object)
  }

  package init?(record: JSONValue) {
    guard let kind = record["kind"]?.stringValue,
      let act = record["act"]?.stringValue.flatMap({ BehaviourAct(rawValue: $0) }),
      let at = record["at"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }),
      let key = record["configurationKey"]?.stringValue
    else { return nil }
    let intent = record["intent"]
    configuration = WidgetConfiguration(
      intent: intent?["name"]?.stringValue,
      parameters: intent?["parameters"]?.objectValue ?? [:], key: key)
    item = Self.item(kind: kind, configurationKey: key)
    self.kind = kind
    self.act = act
    self.at = at
    secondsEast = Int(record["zone"]?.intValue ?? 0)
    // Older donations have no member for days off; weekends are off for them.
    let usual = BehaviourMoment(wall: at, offsetSeconds: secondsEast)
    isDayOff = record["dayOff"]?.boolValue ?? usual.isDayOff
    let lived = record["weekday"]?.intValue.map { Int($0) } ?? usual.weekday
    guard (0...6).contains(lived) else { return nil }
    weekday = lived
    claims = (record["claims"]?.arrayValue ?? []).prefix(Limits.claimCountMax).compactMap { claim in
      guard let parts = claim.arrayValue, parts.count == 3, let item = parts[0].stringValue,
        let kind = parts[1].stringValue, let strength = parts[2].doubleValue,
        (0...1).contains(strength)
      else { return nil }
      return Claim(item: item, kind: kind, strength: strength)
    }
  }

  /// The item's name: the parts with U+001F between them, which none of them contains.
  package static func item(kind: String, configurationKey: String) -> String {
    configurationKey.isEmpty ? kind : "\(kind)\u{1F}\(configurationKey)"
  }
}

extension Widget {
  /// The item of this widget; an act on the widget counts for its item.
  package var item: String {
    StackDonation.item(kind: kind, configurationKey: shownConfiguration.key)
  }
}
