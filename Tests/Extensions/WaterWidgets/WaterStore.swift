import Foundation
import OSLog

/// The glasses of today, shared with the app.
final class WaterStore {
  static let shared = WaterStore()

  private let defaults = UserDefaults(suiteName: "group.org.example.water") ?? .standard
  private let logger = Logger(subsystem: "org.example.water", category: "store")

  var goal: Int { max(1, defaults.object(forKey: "goal") as? Int ?? 8) }

  var remindersOn: Bool {
    get { defaults.bool(forKey: "reminders") }
    set { defaults.set(newValue, forKey: "reminders") }
  }

  func entry(at date: Date) -> WaterEntry {
    WaterEntry(date: date, glasses: glasses(at: date), goal: goal, remindersOn: remindersOn)
  }

  func add(_ count: Int) -> Int {
    let total = max(0, glasses(at: .now) + count)
    defaults.set(total, forKey: key(for: .now))
    logger.info("glasses: \(total, privacy: .public)")
    return total
  }

  private func glasses(at date: Date) -> Int { defaults.integer(forKey: key(for: date)) }

  private func key(for date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd"
    return "glasses-\(formatter.string(from: date))"
  }
}
