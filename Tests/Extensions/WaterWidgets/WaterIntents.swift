import AppIntents
import Foundation

struct DrinkIntent: AppIntent {
  static let title: LocalizedStringResource = "Drink Water"
  static let description = IntentDescription("Adds glasses to those of today.")

  @Parameter(title: "Glasses", default: 1, inclusiveRange: (-1, 10))
  var glasses: Int

  init() {}

  init(glasses: Int) {
    self.glasses = glasses
  }

  @MainActor
  func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
    let total = WaterStore.shared.add(glasses)
    return .result(value: total, dialog: "\(total) glasses today.")
  }
}

struct ReminderIntent: SetValueIntent {
  static let title: LocalizedStringResource = "Remind Me to Drink"

  @Parameter(title: "Reminders")
  var value: Bool

  func perform() async throws -> some IntentResult {
    WaterStore.shared.remindersOn = value
    return .result()
  }
}
