import JSON
import PlainText

/// Renders what a widget may spend on reloads, and what it spent.
extension Renderer {
  /// Renders `widget.budget`: a failure and a quarantine first, then the balance, the next reload,
  /// the rules and the last runs.
  ///
  /// For a kind without a provider nothing runs, so there are pushes instead of all that.
  func budget(_ result: JSONValue) -> String {
    if isPushed(result) { return pushes(result) }
    var text = trouble(ofBudget: result)
    let schedule = result["schedule"].flatMap(\.stringValue)
    let headline = schedule.map(headline(ofPlugin:)) ?? balance(result)
    if !headline.isEmpty { text += paragraph(headline, hanging: 2, tone: .strong) }
    // The rules are about a provider that says itself when it wants more.
    let isPlugin = schedule != nil
    text += facts(
      [
        ("next reload", plannedReload(result)),
        ("the budget", isPlugin ? "" : allowance(result)),
        ("rate", isPlugin ? "" : rate(result)),
        ("rules", isPlugin ? "" : result["rules"].map { pairs($0) } ?? ""),
        ("for links", isPlugin ? balance(result) : ""),
        ("paid in 24 h", causes(result["spent"])), ("free in 24 h", causes(result["exempt"])),
        ("failed in 24 h", result["failed"].map(causes) ?? ""),
      ])
    let runs = result["runs"]?.arrayValue ?? []
    return runs.isEmpty ? text : text + "last runs:\n" + list(runs.map(row(ofRun:)))
  }

  /// Whether a widget's kind has no provider, by the answer to `widget.budget`.
  func isPushed(_ budget: JSONValue) -> Bool { budget["isPushed"] == true }

  private func pushes(_ result: JSONValue) -> String {
    var text = paragraph(
      "it shows what is pushed to it: nothing runs, and no budget is spent", hanging: 2,
      tone: .strong)
    let count = (result["exempt"]?.objectValue?.members ?? [])
      .reduce(0) { $0 + ($1.value.intValue ?? 0) }
    text += facts([("pushed in 24 h", counted(count, "time"))])
    let runs = result["runs"]?.arrayValue ?? []
    guard !runs.isEmpty else { return text }
    let rows = runs.map { run in
      ListRow(
        lead: "  " + time(run["at"]), name: "",
        content: run["unchanged"] == true ? "nothing new" : "new content", notes: [])
    }
    return text + "last pushes:\n" + list(rows)
  }

  private func balance(_ result: JSONValue) -> String {
    guard let balance = result["balance"], let capacity = result["capacity"] else { return "" }
    let rate = result["refillPerHour"].map { ", \(number($0)) more an hour" } ?? ""
    return "\(number(balance)) of \(number(capacity)) reloads left\(rate)"
  }

  /// Says when a plugin runs, which is its own rule and no matter of a budget.
  private func headline(ofPlugin schedule: String) -> String {
    switch schedule {
    case "stream": "it stays running, and its frames cost no budget"
    case "once": "it runs once and when you ask, which costs no budget"
    case "never": "it runs when you ask, which costs no budget"
    case "cron": "it runs at times of its own, which costs no budget"
    default: "it runs \(printable(schedule)), which costs no budget"
    }
  }

  private func trouble(ofBudget result: JSONValue) -> String {
    var text = ""
    if let error = result["error"], !error.isNull {
      let count = result["failures"]?.intValue ?? 1
      let row = count > 1 ? "\(count) runs in a row failed, the last: " : "the last run failed: "
      let wrote = result["stderr"].map { ": \(word($0))" } ?? ""
      text += paragraph(row + reason(error) + wrote, hanging: 2, tone: .warning)
    }
    if let quarantine = result["quarantine"], let until = quarantine["until"] {
      let why = quarantine["reason"].map(word) ?? ""
      text += paragraph(
        "in quarantine until \(time(until)): \(why)", hanging: 2, tone: .warning)
    }
    return text
  }

  private func plannedReload(_ result: JSONValue) -> String {
    guard let why = result["nextReason"], !why.isNull else { return "" }
    let date = result["nextReload"].map { isPast($0) ? "now" : time($0) }
    return "\(date ?? "none is planned") (\(word(why)))"
  }

  private func allowance(_ result: JSONValue) -> String {
    guard let next = result["nextAt"], !next.isNull else { return "" }
    let why = result["reason"].map { $0.isNull ? "" : " (\(word($0)))" } ?? ""
    return "allows a reload \(isPast(next) ? "now" : "at \(time(next))")\(why)"
  }

  private func rate(_ result: JSONValue) -> String {
    guard let perDay = result["perDay"] else { return "" }
    let views = result["viewsPerDay"].map { ", seen \(number($0)) times a day" } ?? ""
    let learning = result["learningUntil"].map { ", more until \(time($0)) while it is new" } ?? ""
    let halved = savingWords(result["saving"]).map { ", halved because \($0)" } ?? ""
    return "\(number(perDay)) a day\(views)\(learning)\(halved)"
  }

  /// Renders counts by cause, `3 policy, 1 retry`; `none` for an empty object.
  private func causes(_ value: JSONValue?) -> String {
    guard let members = value?.objectValue?.members else { return "" }
    guard !members.isEmpty else { return "none" }
    return members.map { "\(word($0.value)) \(printable($0.key))" }.joined(separator: ", ")
  }

  private func row(ofRun run: JSONValue) -> ListRow {
    let cost = run["cost"]?.intValue ?? 0
    let wrote = run["stderr"].map { ": \(word($0))" } ?? ""
    let failure = run["error"].map { "failed: \(reason($0))\(wrote)" } ?? ""
    var outcome = cost == 0 ? "free" : "cost \(cost)"
    if run["unchanged"] == true { outcome += ", nothing new" }
    return ListRow(
      lead: "  " + time(run["at"]), name: run["cause"].map(word) ?? "",
      content: failure.isEmpty ? outcome : "", notes: [.init(text: failure)])
  }

  /// Renders a number with at most one digit after the point; a budget needs no more.
  func number(_ value: JSONValue) -> String {
    guard let exact = value.doubleValue, abs(exact) < 1e9 else { return word(value) }
    let tenths = Int64((exact * 10).rounded())
    return tenths % 10 == 0
      ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}
