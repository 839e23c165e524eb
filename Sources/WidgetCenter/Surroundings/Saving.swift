/// Why budgets are halved: the machine has little power, or its network costs.
package enum SavingCause: String, CaseIterable, Hashable, Sendable {
  /// It runs on its battery, which is nearly empty.
  case battery
  /// Its network costs, or seems to.
  case meteredNetwork

  /// The end of a sentence about a budget.
  var reason: String {
    switch self {
    case .battery: "halved while the battery is below \(Limits.savingBatteryPercent) %"
    case .meteredNetwork: "halved while the network costs"
    }
  }
}

/// The machine's power and its network's price, as far as they are known.
package struct MachineSupply: Hashable, Sendable {
  /// Whether it runs on its battery.
  package var isOnBattery: Bool
  /// How full the battery is, from 0 to 100; `nil`: nobody says, or there is none.
  package var batteryPercent: Double?
  /// Whether the network costs, or seems to.
  package var isMetered: Bool

  package init(isOnBattery: Bool = false, batteryPercent: Double? = nil, isMetered: Bool = false) {
    self.isOnBattery = isOnBattery
    self.batteryPercent = batteryPercent
    self.isMetered = isMetered
  }

  /// The reasons to halve budgets, in the order of their declaration; empty: there is none.
  package var savingCauses: [SavingCause] {
    var causes: [SavingCause] = []
    if isOnBattery, let batteryPercent, batteryPercent < Double(Limits.savingBatteryPercent) {
      causes.append(.battery)
    }
    if isMetered { causes.append(.meteredNetwork) }
    return causes
  }
}
