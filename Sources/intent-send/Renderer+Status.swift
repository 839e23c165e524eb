import JSON
import PlainText
import Timekeeping

/// Renders the state of the daemon and of one widget: what is unusual first.
extension Renderer {

  // MARK: The daemon

  /// Renders `daemon.status`: a headline, then what is unusual, then the next step.
  ///
  /// `showsAll` adds every other member of the answer. `isService`: the user manager started the
  /// daemon, and starts it again.
  func status(_ result: JSONValue, showsAll: Bool = false, isService: Bool = true) -> String {
    guard result.objectValue?.members.isEmpty == false else { return "" }
    var text = headline(result) + unusual(result, isService: isService)
    if showsAll { text += remainingStatus(result) }
    return text + statusAdvice(result)
  }

  /// Renders `● intentd 0.1.0, up 17 min, 9 widgets, 3 failing (plain, exit3, hang)`.
  private func headline(_ result: JSONValue) -> String {
    var parts = ["intentd \(result["version"].map(word) ?? "of an unknown version")"]
    if let seconds = result["uptime"]?.doubleValue, (0...1e12).contains(seconds) {
      parts.append("up \(span(Int64(seconds)))")
    }
    let widgets = result["widgets"]?.intValue ?? 0
    parts.append(widgets == 0 ? "no widgets" : counted(widgets, "widget"))
    let failing = failingWidgets(result)
    if failing.count > 0 {
      let more = failing.count - Int64(failing.ids.count)
      let names = failing.ids.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
      parts.append("\(failing.count) failing (\(names))")
    }
    let lines = paragraph(parts.joined(separator: ", "), indent: 2)
    let isWell = unusual(result).isEmpty && failing.count == 0
    let isBroken = result["store"]?["state"] == "failing"
    let health: Tone = isBroken ? .failure : isWell ? .success : .warning
    return style.toned("●", health) + lines.dropFirst()
  }

  /// Returns the ids of the failing widgets that the daemon names, and how many there are.
  private func failingWidgets(_ result: JSONValue) -> (ids: [String], count: Int64) {
    let ids = (result["failing"]?.arrayValue ?? []).compactMap { $0["id"].map(word) }
    return (ids, result["failingCount"]?.intValue ?? Int64(ids.count))
  }

  /// Renders the facts that a person should know of, each a paragraph; empty if all is well.
  private func unusual(_ result: JSONValue, isService: Bool = true) -> String {
    var text = ""
    func tell(_ sentence: String, isTrouble: Bool = true) {
      text += paragraph(
        sentence, indent: 2, hanging: 2, tone: isTrouble ? .warning : .plain)
    }
    if let store = result["store"], store["state"] == "failing" {
      let reason = store["reason"].map { ": \(word($0))" } ?? ""
      text += paragraph(
        "nothing can be saved\(reason)", indent: 2, hanging: 2, tone: .failure)
    }
    if let count = result["store"]?["damagedRows"]?.intValue, count > 0 {
      let ids = (result["store"]?["damagedWidgets"]?.arrayValue ?? []).map { word($0) }
      var text = "\(counted(count, "row")) of the store cannot be read and kept as they were"
      if !ids.isEmpty {
        text += "; to give up a widget among them: intent-send remove \(ids.joined(separator: " "))"
      }
      tell(text)
    }
    if result["newerInstalled"] == true {
      let end = result["pid"].map { "kill \(word($0))" } ?? "end it"
      tell(
        "a newer intentd is installed; to use it: "
          + (isService
            ? "systemctl --user restart intentd"
            : "\(end), then start it again as you did (no service of the user manager runs it)"),
        isTrouble: false)
    }
    for gap in result["supervision"]?.arrayValue ?? [] { tell(word(gap)) }
    for service in result["services"]?.arrayValue ?? [] where service["state"] == "failing" {
      let reason = service["reason"].map { ": \(word($0))" } ?? ""
      tell("\(service["name"].map(word) ?? "a service") of the desktop is not connected\(reason)")
    }
    for kind in result["quarantined"]?.arrayValue ?? [] {
      let until = kind["until"].map { " until \(time($0))" } ?? ""
      let reason = kind["reason"].map { ": \(word($0))" } ?? ""
      tell("\(kind["kind"].map(word) ?? "a kind") is in quarantine\(until)\(reason)")
    }
    for kind in result["flooding"]?.arrayValue ?? [] {
      tell(
        "\(kind["kind"].map(word) ?? "a kind") prints more than is read, and waits:"
          + " \(omission(kind)); let it print less")
    }
    if let count = result["orphaned"]?.intValue, count > 0 {
      tell("\(counted(count, "widget")) without a kind: no manifest offers it")
    }
    for question in result["questions"]?.arrayValue ?? [] {
      let prompt = question["prompt"].map(word) ?? "A link waits for a yes."
      let token = question["token"].map(word) ?? "TOKEN"
      tell("\(prompt) intent-send choose \(token) yes", isTrouble: false)
    }
    if result["network"] == "down" {
      tell("the network is down; widgets that need it wait", isTrouble: false)
    }
    if let saving = savingWords(result["saving"]) {
      tell("\(saving): budgets are halved; what you ask for runs as always", isTrouble: false)
    }
    if result["locked"] == true {
      tell("the session is locked: no widget is watched, and private ones wait", isTrouble: false)
    }
    if result["private"] == true {
      tell("private mode is on: nothing you do is kept or learned from", isTrouble: false)
    }
    let issues = result["issues"]?.arrayValue ?? []
    if !issues.isEmpty {
      tell("\(countedIssues(issues)) in the configuration:")
      for value in issues { text += paragraph(issue(value) ?? pairs(value), indent: 4, hanging: 2) }
    }
    return text
  }

  /// Renders the causes of halved budgets; `nil`: they are not halved.
  func savingWords(_ saving: JSONValue?) -> String? {
    guard let causes = saving?.arrayValue, !causes.isEmpty else { return nil }
    return causes.map { cause in
      switch cause.stringValue {
      case "battery": "the battery is nearly empty"
      case "meteredNetwork": "the network costs"
      default: word(cause)
      }
    }.joined(separator: " and ")
  }

  /// Renders the number of mistakes and of warnings: `1 mistake and 2 warnings`.
  func countedIssues(_ issues: [JSONValue]) -> String {
    let warnings = issues.count { $0["severity"] == "warning" }
    let mistakes = issues.count - warnings
    return [
      mistakes > 0 ? counted(Int64(mistakes), "mistake") : "",
      warnings > 0 ? counted(Int64(warnings), "warning") : "",
    ].filter { !$0.isEmpty }.joined(separator: " and ")
  }

  /// Renders the members that the headline and the unusual facts do not show.
  private func remainingStatus(_ result: JSONValue) -> String {
    let shown: Set = [
      "version", "failing", "failingCount", "quarantined", "issues", "uptime", "questions",
      "flooding",
    ]
    let members = (result.objectValue?.members ?? []).filter { !shown.contains($0.key) }
    let lists = members.map { member -> (name: String, value: String) in
      let name = printable(member.key)
      switch member.value {
      case .array(let values): return (name, values.map(word).joined(separator: ", "))
      case .object: return (name, pairs(member.value))
      case .string(let text) where WallTime(rfc3339: text) != nil: return (name, time(member.value))
      case .bool(let isSet): return (name, isSet ? "yes" : "no")
      case .null, .int, .double, .string: return (name, word(member.value))
      }
    }
    return facts(lists)
  }

  private func statusAdvice(_ result: JSONValue) -> String {
    if let id = failingWidgets(result).ids.first {
      return advice("why", "intent-send status \(id)")
    }
    if (result["issues"]?.arrayValue ?? []).isEmpty, result["widgets"] == 0 {
      return result["kinds"] == 0
        ? advice("kinds of widgets come from manifests, of which there are none", "intent-send new")
        : advice("see what there is to place", "intent-send gallery")
    }
    return ""
  }

  // MARK: One widget

  /// Renders how one widget is: its state, its last run, the last line of its standard error, and
  /// its next reload.
  ///
  /// `budget` is the answer to `widget.budget`; `kind` is the widget's kind, if it is known.
  func status(of id: String, budget: JSONValue, kind: String?) -> String {
    let failures = budget["failures"]?.intValue ?? 0
    let isFailing = failures > 0 || budget["error"] != nil
    let quarantine = budget["quarantine"]
    var state = "well"
    if isFailing {
      state = failures > 1 ? "failing: \(failures) runs in a row" : "failing: the last run"
      if let since = budget["failingSince"] { state += ", since \(time(since))" }
    } else if budget["hidden"] != nil {
      state = emptiness(budget)
    } else if budget["held"] != nil {
      state = "waiting"
    }
    if quarantine != nil { state += ", in quarantine" }
    let isTroubled = isFailing || quarantine != nil
    let mark = style.toned("●", isTroubled ? .warning : .success)
    var text = mark + paragraph("\(printable(id))  \(state)", indent: 2).dropFirst()
    text += facts(
      [
        ("error", budget["error"].map(reason) ?? ""),
        ("it wrote", budget["stderr"].map(word) ?? ""),
        ("no files", budget["downloads"].map(missingFiles) ?? ""),
        ("running since", moment(budget["runningSince"])),
        (isPushed(budget) ? "last push" : "last run", lastRun(budget)),
        ("next reload", isPushed(budget) ? "" : nextReload(budget)),
        ("quarantine", quarantine.map(quarantineText) ?? ""),
        ("held", budget["held"].map(word) ?? ""),
        ("left out", budget["omittedFrames"].map(omittedFrames) ?? ""),
        ("kind", kind.map(printable) ?? ""),
      ])
    if isFailing, let kind { text += advice("try it", "intent-send try \(printable(kind))") }
    return text
  }

  /// Renders the frames of a plugin that stays running which were never shown.
  private func omittedFrames(_ value: JSONValue) -> String {
    let why =
      value["floodsSince"] == nil
      ? "it prints more than ten a second"
      : "it prints more than is read, and waits"
    return "\(omission(value)): \(why)"
  }

  private func omission(_ value: JSONValue) -> String {
    let count = value["count"]?.intValue ?? 0
    let since = value["since"].map { " since \(time($0))" } ?? ""
    return "\(counted(count, "frame")) not shown\(since)"
  }

  private func quarantineText(_ quarantine: JSONValue) -> String {
    let until = quarantine["until"].map { "until \(time($0))" } ?? ""
    return [until, quarantine["reason"].map(word) ?? ""].filter { !$0.isEmpty }
      .joined(separator: ": ")
  }

  private func lastRun(_ budget: JSONValue) -> String {
    guard let run = budget["runs"]?.arrayValue?.first else {
      if isPushed(budget) {
        return "none yet; it waits for: intent-send push \(budget["id"].map(word) ?? "ID") FILE"
      }
      return budget["runningSince"] == nil ? "none yet" : ""
    }
    let outcome =
      run["error"] == nil ? (run["unchanged"] == true ? "nothing new" : "new content") : "failed"
    if isPushed(budget) { return "\(moment(run["at"])), \(outcome)" }
    let cause = run["cause"].flatMap(\.stringValue).map(causeWords) ?? ""
    return "\(moment(run["at"])), \(outcome)" + (cause.isEmpty ? "" : ", \(cause)")
  }

  private func nextReload(_ budget: JSONValue) -> String {
    let why = budget["nextReason"].map { ", \(word($0))" } ?? ""
    guard let next = budget["nextReload"] else { return "none is planned\(why)" }
    return (isPast(next) ? "now" : moment(next)) + why
  }
}
