import JSON
import PlainText

/// Writes the report of a trial for people, a section for each thing.
enum TrialText {
  static func text(_ report: JSONObject) -> String {
    var lines: [String] = []
    func section(_ title: String, _ body: [String]) {
      guard !body.isEmpty else { return }
      lines.append(title)
      lines += body.map { "  " + $0 }
    }
    section("manifest \(report["manifest"]?.stringValue ?? "")", texts(report["issues"]))
    section("kind", kind(report))
    section("plugin", plugin(report["plugin"]))
    if let argv = report["argv"]?.arrayValue {
      section("argv", [argv.map(\.serialized).joined(separator: " ")])
      section("folder", [report["folder"]?.stringValue ?? ""])
    }
    section(
      "environment",
      (report["environment"]?.objectValue?.members ?? []).map {
        "\($0.key)=\($0.value.stringValue ?? "")"
      })
    if let request = report["request"] { section("request (standard input)", [request.serialized]) }
    section("files that it asked for", downloads(report["downloads"]))
    section("held", report["box"]?.stringValue.map { [$0] } ?? [])
    section("group", report["group"]?.stringValue.map { [$0] } ?? [])
    section("missing on this machine", texts(report["supervision"]))
    section("standard error", linesOf(report["stderr"]))
    section("exit status", report["exitStatus"].map { [$0.serialized] } ?? [])
    section("condition", report["condition"]?.stringValue.map { [$0] } ?? [])
    section("stream", report["stream"]?.stringValue.map { [$0] } ?? [])
    section("standard output", output(report))
    if report["hidden"]?.boolValue == true, report["condition"] != nil {
      section("hidden", ["the widget is left out until the condition holds"])
    } else if report["hidden"]?.boolValue == true {
      section(
        "hidden", ["it printed nothing to show, so the widget is left out until its next run"])
    } else if let timeline = report["timeline"] {
      let height = report["preferredHeight"].map { ", wants \($0.serialized) points" } ?? ""
      section(title(of: timeline, report["plugin"]) + height, rows(of: timeline))
      section("taps on items", taps(on: timeline, performs: texts(report["performs"])))
    } else if let result = report["result"]?.stringValue {
      section("result", [result])
    }
    let warnings = texts(report["warnings"])
    section("warnings", warnings)
    lines.append(verdict(report, warnings: warnings.count))
    return lines.map { printable($0) + "\n" }.joined()
  }

  /// The kind that was tried, of a manifest that offers several.
  private static func kind(_ report: JSONObject) -> [String] {
    let others = texts(report["others"])
    guard !others.isEmpty, let kind = report["kind"]?.stringValue else { return [] }
    return [kind, "the manifest also offers \(others.joined(separator: ", ")): --kind ID"]
  }

  private static func downloads(_ results: JSONValue?) -> [String] {
    (results?.arrayValue ?? []).map { result in
      let id = result["id"]?.stringValue ?? ""
      guard let file = result["file"]?.stringValue else {
        return "\(id): \(result["error"]?["message"]?.stringValue ?? "")"
      }
      let type = result["type"]?.stringValue ?? "no type"
      return "\(id): \(result["bytes"]?.serialized ?? "") bytes, \(type), \(file)"
    }
  }

  private static func plugin(_ plugin: JSONValue?) -> [String] {
    guard let plugin else { return [] }
    var lines = ["\(plugin["format"]?.stringValue ?? ""), \(plugin["runs"]?.stringValue ?? "")"]
    if let condition = plugin["if"]?.arrayValue {
      lines.append("only if: " + condition.map(\.serialized).joined(separator: " "))
    }
    return lines
  }

  private static func output(_ report: JSONObject) -> [String] {
    let rest = report["outputBytes"].map { ["… (\($0.serialized) bytes in all)"] } ?? []
    return linesOf(report["output"]) + rest
  }

  private static func title(of timeline: JSONValue, _ plugin: JSONValue?) -> String {
    let count = timeline["entries"]?.arrayValue?.count ?? 0
    let title = "timeline: \(count) \(count == 1 ? "entry" : "entries")"
    guard let runs = plugin?["runs"]?.stringValue else {
      return "\(title), policy \(timeline["policy"]?.serialized ?? "")"
    }
    // Its output says nothing of when it runs; its name, its tags or its manifest do.
    let watched = runs.hasPrefix("every") || runs.hasPrefix("at ") ? " while somebody watches" : ""
    return "\(title), \(runs)\(watched)"
  }

  private static func rows(of timeline: JSONValue) -> [String] {
    var rows: [String] = []
    for entry in timeline["entries"]?.arrayValue ?? [] {
      let score = entry["relevance"]?["score"]?.serialized ?? "-"
      rows.append(
        "\(entry["date"]?.stringValue ?? "")  relevance \(score)  \(entry["content"]?.serialized ?? "")"
      )
    }
    for window in timeline["relevance"]?.arrayValue ?? [] {
      let dates = "\(window["from"]?.stringValue ?? "") to \(window["to"]?.stringValue ?? "")"
      rows.append("\(dates)  relevant: \(window["kind"]?.stringValue ?? "")")
    }
    return rows
  }

  /// The act of a tap on an item with an intent; no trial does it.
  private static func taps(on timeline: JSONValue, performs: [String]) -> [String] {
    let items = timeline["entries"]?.arrayValue?.first?["content"]?["items"]?.arrayValue ?? []
    return items.prefix(TrialLimits.shownTapCountMax).enumerated().compactMap { index, item in
      guard let intent = item["intent"], let name = intent["name"]?.stringValue else { return nil }
      let label = item["text"]?.stringValue.map { " \($0)" } ?? ""
      let values = intent["parameters"]?.objectValue?.members ?? []
      let words = values.map { "\($0.key): \($0.value.serialized)" }.joined(separator: ", ")
      let parameters = values.isEmpty ? "" : "(\(words))"
      let act = performs.contains(name) ? "this program performs" : "sends"
      return "\(index)\(label): \(act) \(name)\(parameters)"
    }
  }

  private static func verdict(_ report: JSONObject, warnings: Int) -> String {
    let seconds = report["seconds"].map { "\($0.serialized) s" }
    if report["ok"]?.boolValue == true { return "good: answered in \(seconds ?? "")" }
    if let problem = report["problem"]?.stringValue {
      return seconds.map { "failed after \($0): \(problem)" } ?? "failed: \(problem)"
    }
    guard report["timeline"] != nil || report["result"] != nil else {
      return "failed: the manifest has mistakes; mend them first"
    }
    let issues = report["issues"]?.arrayValue?.count ?? 0
    let count = warnings + issues
    return
      "not good yet: answered in \(seconds ?? ""), with \(count) \(count == 1 ? "warning" : "warnings")"
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    (value?.arrayValue ?? []).compactMap(\.stringValue)
  }

  private static func linesOf(_ value: JSONValue?) -> [String] {
    (value?.stringValue ?? "").split(whereSeparator: \.isNewline).map(String.init)
  }
}
