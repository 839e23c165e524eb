import JSON
import PlainText
import Timekeeping

/// Renders a widget's timeline.
extension Renderer {
  func timeline(_ result: JSONValue) -> String {
    let entries = result["entries"]?.arrayValue ?? []
    let current = result["current"]?.intValue
    var text = list(
      entries.enumerated().map { index, entry in
        ListRow(
          lead: Int64(index) == current ? "*" : " ", name: time(entry["date"]),
          content: summary(entry))
      })
    if entries.isEmpty { text = "no entries\n" }
    let windows = result["relevance"]?.arrayValue ?? []
    if !windows.isEmpty {
      text += "relevant:\n"
      text += list(
        windows.map { window in
          ListRow(
            lead: "  " + (isOpen(window) ? "*" : " "), name: time(window["from"]),
            content: "to \(time(window["to"]))", fact: window["kind"].map(word) ?? "")
        })
    }
    let policy = result["policy"]
    let rule = policy?["after"].map { "after \(time($0))" } ?? policy.map(word)
    // A script's output has no policy of its own.
    let schedule = result["schedule"].flatMap(\.stringValue)
    text += facts(
      [
        ("runs", schedule.map(scheduleWords) ?? ""), ("policy", schedule == nil ? rule ?? "" : ""),
        ("fetched", moment(result["fetchedAt"])),
        ("next reload", moment(result["nextReload"])),
      ], indent: 0)
    return text + paragraph(trouble(of: result), hanging: 2, tone: .warning)
  }

  /// Says when a plugin runs by itself.
  private func scheduleWords(_ schedule: String) -> String {
    switch schedule {
    case "stream": "all the time while somebody watches"
    case "once": "once, and when somebody asks"
    case "never": "when somebody asks"
    case "cron": "at the times of its crontab, while somebody watches"
    default: "\(printable(schedule)) while somebody watches"
    }
  }

  /// Returns whether the window of relevance contains the present.
  private func isOpen(_ window: JSONValue) -> Bool {
    guard let from = window["from"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }),
      let to = window["to"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    else { return false }
    return from <= now && now < to
  }
}
