import JSON
import PlainText
import Timekeeping

/// Renders the results of the daemon's methods, one function for each.
extension Renderer {

  // MARK: Intents

  /// Renders `intent.send` and `url.open`: the entry if there is one, else the widgets that were
  /// asked.
  func sent(_ result: JSONValue) -> String {
    if let several = result["intents"]?.arrayValue {
      let entries = result["entries"]?.arrayValue ?? []
      return several.map { one in
        guard var object = one.objectValue else { return "" }
        object["receipts"] = result["receipts"]
        let shown = entries.first { entry in
          (one["widgets"]?.arrayValue ?? []).contains { $0["id"] == entry["widget"] }
        }
        object["entry"] = shown?["entry"]
        object["stale"] = shown?["stale"]
        return sent(.object(object))
      }.joined(separator: "\n")
    }
    if let entry = result["entry"], entry["content"] != nil {
      return self.entry(entry, isStale: result["stale"] == true)
    }
    let name = intent(result["intent"])
    let receipts = result["receipts"]?.arrayValue ?? []
    let widgets = result["widgets"]?.arrayValue ?? []
    guard !widgets.isEmpty else { return "\(name): no widget shows it\n" }
    let rows = widgets.map { widget in
      let id = widget["id"].map(word) ?? ""
      let ended = receipts.first { $0["widget"] == widget["id"] } ?? receipt(of: widget)
      return [id, ended.map(receiptState) ?? "", widget["suggestion"] == true ? "suggestion" : ""]
    }
    return "\(name)\n" + table(rows.map { ["  " + $0[0], $0[1], $0[2]] })
  }

  /// Renders `intent.recognize`: the intent, its effect, and the other meanings.
  func recognized(_ result: JSONValue) -> String {
    if let need = result["needs"] { return question(need, self) + "\n" }
    var text = style.strong(intent(result["intent"])) + "\n"
    if let language = result["language"] { text += "  language  \(word(language))\n" }
    if let template = result["template"] { text += "  template  \(word(template))\n" }
    if let url = result["url"] { text += "  url       \(word(url))\n" }
    for widget in result["widgets"]?.arrayValue ?? [] {
      text += "  asks      \(widget["id"].map(word) ?? word(widget))\n"
    }
    let candidates = result["candidates"]?.arrayValue ?? []
    for candidate in candidates.dropFirst() {
      text +=
        "  or        \(intent(candidate["intent"]))  \(candidate["template"].map(word) ?? "")\n"
    }
    return text
  }

  /// Renders `intent.recognize` with each candidate's template, slots and ranking numbers.
  func explained(_ result: JSONValue) -> String {
    var text = ""
    for (place, candidate) in (result["candidates"]?.arrayValue ?? []).enumerated() {
      let name = "\(place + 1)  \(intent(candidate["intent"]))"
      text += (place == 0 ? style.strong(name) : name) + "\n"
      text += "   language  \(candidate["language"].map(word) ?? "")\n"
      text += "   template  \(candidate["template"].map(word) ?? "")\n"
      for slot in candidate["slots"]?.arrayValue ?? [] {
        let said = slot["text"].map(word) ?? ""
        let how = slot["wildcard"] == true ? "  (free text)" : ""
        let from = said.isEmpty ? "  (given by the template)" : "  from '\(said)'\(how)"
        text +=
          "   slot      \(slot["name"].map(word) ?? "") = \(slot["value"].map(word) ?? "")\(from)\n"
      }
      text +=
        "   rank      \(candidate["wildcards"].map(word) ?? "0") free texts, "
        + "\(candidate["literalCharacters"].map(word) ?? "0") letters literal, "
        + "\(candidate["wildcardCharacters"].map(word) ?? "0") letters in free texts\n"
    }
    if let need = result["needs"] { text += question(need, self) + "\n" }
    guard let routing = result["routing"] else { return text }
    text += "goes to\n"
    for kind in routing["kinds"]?.arrayValue ?? [] { text += "   kind      \(word(kind))\n" }
    for widget in routing["widgets"]?.arrayValue ?? [] { text += "   asks      \(word(widget))\n" }
    if let kind = routing["suggestion"], !kind.isNull { text += "   suggests  \(word(kind))\n" }
    return text + "   because   \(routing["why"].map(word) ?? "")\n"
  }

  func intents(_ result: JSONValue) -> String {
    list("intents", in: result).map { item in
      var text = style.strong(item["name"].map(word) ?? "")
      if let title = item["title"], title != item["name"] { text += "  \(word(title))" }
      text += "\n"
      if let about = item["description"]?.stringValue, !about.isEmpty {
        text += "  \(printable(about))\n"
      }
      text += parameters(item["parameters"])
      for value in examples(item["examples"]) { text += "  say: \(value)\n" }
      for value in item["routes"]?.arrayValue ?? [] { text += "  open: \(word(value))\n" }
      return text
    }.joined(separator: "\n")
  }

  /// Renders parameters, one a line: `  parameter: city (string, required)`.
  private func parameters(_ value: JSONValue?) -> String {
    (value?.arrayValue ?? []).map { parameter in
      var about: [String] = []
      if let type = parameter["type"] { about.append(word(type)) }
      if parameter["required"] == true { about.append("required") }
      if let list = parameter["list"] { about.append("of the list \(word(list))") }
      let name = parameter["name"].map(word) ?? word(parameter)
      return about.isEmpty
        ? "  parameter: \(name)\n" : "  parameter: \(name) (\(about.joined(separator: ", ")))\n"
    }.joined()
  }

  /// Returns example sentences from a list or from an object with a list for each language.
  private func examples(_ value: JSONValue?) -> [String] {
    let all = value?.objectValue?.members.flatMap { $0.value.arrayValue ?? [] } ?? value?.arrayValue
    return (all ?? []).map { word($0["sentence"] ?? $0["text"] ?? $0) }
  }

  // MARK: Widgets

  func widgets(_ result: JSONValue) -> String {
    let widgets = list("widgets", in: result)
    guard !widgets.isEmpty else { return "no widgets; place one: intent-send add KIND\n" }
    return table(widgets.map(widgetRow))
  }

  private func widgetRow(_ widget: JSONValue) -> [String] {
    [
      widget["id"].map(word) ?? "", widget["kind"].map(word) ?? "",
      widget["family"].map(word) ?? "", style.warning(marks(of: widget, isShort: true)),
      summary(widget["entry"]),
    ]
  }

  /// Renders the unusual states of a widget, with the reason if it is known.
  ///
  /// `isShort` shortens the reason, for a table whose next columns a long one would push aside.
  private func marks(of widget: JSONValue, isShort: Bool = false) -> String {
    var marks = ["suggestion", "orphaned", "stale"].filter { widget[$0]?.boolValue == true }
    if let until = widget["quarantinedUntil"], !until.isNull {
      marks.append("in quarantine until \(time(until))")
    }
    if widget["held"] == "network" { marks.append("waits for the network") }
    let text = marks.joined(separator: ", ")
    guard var error = trouble(of: widget) else { return text }
    if isShort { error = shortened(error, columnsMax: 48) }
    return text.isEmpty ? error : "\(text) (\(error))"
  }

  /// Returns why the widget's provider cannot be asked or how it failed; `nil` if all is well.
  private func trouble(of widget: JSONValue) -> String? {
    (widget["problem"] ?? widget["error"]).flatMap { $0.isNull ? nil : reason($0) }
  }

  private func reason(_ value: JSONValue) -> String {
    (value["message"] ?? value["reason"]).map(word) ?? word(value)
  }

  /// Renders `gallery.list`; an empty gallery names `folders`, from which the daemon reads
  /// manifests.
  func gallery(_ result: JSONValue, folders: [String] = []) -> String {
    let kinds = list("kinds", in: result)
    guard !kinds.isEmpty else {
      let start = folders.first.map(noKindsHint) ?? "there are no kinds yet"
      return "\(start)\nmanifests with mistakes, if there are any: intent-send status\n"
    }
    return kinds.map { kind in
      var text = style.strong(kind["kind"].map(word) ?? "")
      if let name = kind["name"] { text += "  \(word(name))" }
      text += "\n"
      if let description = kind["description"], !description.isNull {
        text += "  \(word(description))\n"
      }
      let families = (kind["families"]?.arrayValue ?? []).map(word)
      if !families.isEmpty { text += "  families: \(families.joined(separator: ", "))\n" }
      if let name = kind["intent"], !name.isNull { text += "  intent: \(intent(name))\n" }
      return text + parameters(kind["parameters"])
    }.joined(separator: "\n")
  }

  /// Renders a widget that was added or changed: `weather  org.example.weather  systemSmall`.
  func placed(_ widget: JSONValue?) -> String {
    guard let widget else { return "" }
    let words = ["id", "kind", "family"].compactMap { widget[$0].map(word) }
    let configuration = widget["intent"].map { $0.isNull ? [] : [intent($0)] } ?? []
    return (words + configuration).joined(separator: "  ") + "\n"
  }

  func timeline(_ result: JSONValue) -> String {
    let entries = result["entries"]?.arrayValue ?? []
    let current = result["current"]?.intValue
    var text = table(
      entries.enumerated().map { index, entry in
        [Int64(index) == current ? "*" : " ", time(entry["date"]), summary(entry)]
      })
    if entries.isEmpty { text = "no entries\n" }
    let windows = result["relevance"]?.arrayValue ?? []
    if !windows.isEmpty {
      text += "relevant:\n"
      text += table(
        windows.map { window in
          [
            "  " + (isOpen(window) ? "*" : " "), time(window["from"]),
            "to \(time(window["to"]))", window["kind"].map(word) ?? "",
          ]
        })
    }
    let policy = result["policy"]
    let rule = policy?["after"].map { "after \(time($0))" } ?? policy.map(word)
    if let rule { text += "policy: \(rule)\n" }
    if let date = result["fetchedAt"], !date.isNull { text += "fetched: \(time(date))\n" }
    if let date = result["nextReload"], !date.isNull { text += "next reload: \(time(date))\n" }
    let marks = marks(of: result)
    return marks.isEmpty ? text : text + style.warning(marks) + "\n"
  }

  /// Returns whether the window of relevance contains the present.
  private func isOpen(_ window: JSONValue) -> Bool {
    guard let from = window["from"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }),
      let to = window["to"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    else { return false }
    return from <= now && now < to
  }

  func budget(_ result: JSONValue) -> String {
    var text = ""
    if let balance = result["balance"], let capacity = result["capacity"] {
      text += "\(number(balance)) of \(number(capacity)) reloads left"
      if let rate = result["refillPerHour"] { text += ", \(number(rate)) more an hour" }
      text += "\n"
    }
    if let why = result["nextReason"], !why.isNull {
      let date = result["nextReload"].map { isPast($0) ? "now" : time($0) }
      text += "next reload: \(date ?? "none is planned") (\(word(why)))\n"
    }
    if let next = result["nextAt"], !next.isNull {
      let why = result["reason"].map { $0.isNull ? "" : " (\(word($0)))" } ?? ""
      text += "one could be paid for: \(isPast(next) ? "now" : "at \(time(next))")\(why)\n"
    }
    if let error = result["error"], !error.isNull {
      let count = result["failures"]?.intValue ?? 1
      let row = count > 1 ? "\(count) runs in a row failed, the last: " : "the last run failed: "
      text += style.warning(row + reason(error)) + "\n"
    }
    if let quarantine = result["quarantine"], let until = quarantine["until"] {
      text += "in quarantine until \(time(until)): \(quarantine["reason"].map(word) ?? "")\n"
    }
    if let perDay = result["perDay"] {
      let views = result["viewsPerDay"].map { ", seen \(number($0)) times a day" } ?? ""
      let learning =
        result["learningUntil"].map { ", more until \(time($0)) while it is new" } ?? ""
      text += "rate: \(number(perDay)) a day\(views)\(learning)\n"
    }
    if let rules = result["rules"], !pairs(rules).isEmpty { text += "rules: \(pairs(rules))\n" }
    for (key, label) in [("spent", "spent in 24 h"), ("exempt", "exempt in 24 h")] {
      guard let value = result[key] else { continue }
      let causes = pairs(value)
      text += "\(label): \(causes.isEmpty ? "nothing" : causes)\n"
    }
    let runs = result["runs"]?.arrayValue ?? []
    guard !runs.isEmpty else { return text }
    return text + "last runs:\n"
      + table(
        runs.map { run in
          let cost = run["cost"]?.intValue ?? 0
          return [
            "  \(time(run["at"], withSeconds: true))", run["cause"].map(word) ?? "",
            run["error"].map { style.warning("failed: \(shortened(reason($0), columnsMax: 80))") }
              ?? (cost == 0 ? "free" : "-\(cost)"),
            run["unchanged"] == true ? "unchanged" : "",
          ]
        })
  }

  /// Renders a number with at most one digit after the point; a budget needs no more.
  private func number(_ value: JSONValue) -> String {
    guard let exact = value.doubleValue, abs(exact) < 1e9 else { return word(value) }
    let tenths = Int64((exact * 10).rounded())
    return tenths % 10 == 0
      ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  func tapped(_ result: JSONValue) -> String {
    let what = result["url"].flatMap { $0.isNull ? nil : word($0) } ?? "the app"
    guard let application = result["application"], !application.isNull else {
      return "opened \(what)\n"
    }
    return "opened \(what) with \(word(application))\n"
  }

  // MARK: Receipts

  func receipts(_ receipts: [JSONValue]) -> String {
    guard !receipts.isEmpty else { return "no widget to reload\n" }
    return table(
      receipts.map { receipt in
        [receipt["widget"].map(word) ?? receipt["id"].map(word) ?? "", receiptState(receipt)]
      })
  }

  /// Renders a receipt's state.
  ///
  /// For example `done`, `deferred until 14:05: budget`, `coalesced into r7`, `dropped: the
  /// provider failed`. A receipt that joined a deferred one shows that one's state: `deferred until
  /// 14:05: budget (with r7)`.
  func receiptState(_ receipt: JSONValue) -> String {
    if let leader = receipt["leader"], leader["state"] != nil {
      return "\(receiptState(leader)) (with \(receipt["into"].map(word) ?? "another"))"
    }
    let state = receipt["state"].map(word) ?? "accepted"
    var text = state
    if let into = receipt["into"], !into.isNull { text += " into \(word(into))" }
    if let until = receipt["until"], !until.isNull { text += " until \(time(until))" }
    let why = receipt["reason"] ?? receipt["error"]
    if let why, !why.isNull { text += ": \(reason(why))" }
    return state == "done" ? text : style.warning(text)
  }

  /// Returns the receipt inside a widget of an answer, which is an object or only an id.
  private func receipt(of widget: JSONValue) -> JSONValue? {
    guard let receipt = widget["receipt"], !receipt.isNull else { return nil }
    return receipt.objectValue == nil ? ["id": receipt, "state": "accepted"] : receipt
  }

  // MARK: Stack

  func stack(_ result: JSONValue) -> String {
    let widgets = list("widgets", in: result)
    guard !widgets.isEmpty else { return "the stack is empty\n" }
    return table(
      widgets.enumerated().map { index, widget in
        [
          "\(index + 1)", widget["id"].map(word) ?? "", widget["score"].map(score) ?? "",
          style.warning(marks(of: widget, isShort: true)), summary(widget["entry"]),
        ]
      })
  }

  /// Renders the ids of a stack, one a line, for scripts; an empty stack is an empty text.
  func stackIDs(_ result: JSONValue) -> String {
    list("ids", in: result).map { "\(word($0))\n" }.joined()
  }

  func stackReplay(_ result: JSONValue) -> String {
    let uses = result["uses"]?.intValue ?? 0
    guard uses > 0 else { return "nothing was learned from yet\n" }
    func share(_ name: String) -> String {
      "\((result[name]?.intValue ?? 0) * 100 / uses) %"
    }
    let rows = list("latest", in: result).map { use in
      [
        time(use["at"], withSeconds: false), use["rank"].map { "\(word($0))." } ?? "new",
        use["kind"].map(word) ?? "", use["act"].map(word) ?? "",
        style.faint(use["intent"].map { pairs($0["parameters"] ?? .null, leavingOut: []) } ?? ""),
      ]
    }
    return """
      of \(uses) uses \(share("first")) were on top just before, \(share("firstThree")) among the first three
      \(table(rows))
      """
  }

  func explainedStack(_ result: JSONValue, isNumbered: Bool = true) -> String {
    let widgets = list("widgets", in: result)
    guard !widgets.isEmpty else { return "the stack is empty\n" }
    return widgets.enumerated().map { index, widget in
      var text = isNumbered ? "\(index + 1)  " : ""
      text += "\(style.strong(widget["id"].map(word) ?? ""))"
      if let value = widget["score"] { text += "  \(score(value))" }
      text += "\n"
      if let why = widget["why"], !why.isNull { text += "   \(word(why))\n" }
      if let trouble = trouble(of: widget) { text += "   \(style.warning(trouble))\n" }
      let rows = (widget["contributions"]?.arrayValue ?? []).map { part in
        [
          "  ", part["value"].map(signed) ?? "", part["name"].map(word) ?? "",
          part["because"].map { style.faint(word($0)) } ?? "",
        ]
      }
      return text + table(rows)
    }.joined()
  }

  private func score(_ value: JSONValue) -> String {
    guard let exact = value.doubleValue, abs(exact) < 1e9 else { return word(value) }
    let hundredths = Int64((exact * 100).rounded())
    let rest = abs(hundredths) % 100
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private func signed(_ value: JSONValue) -> String {
    (value.doubleValue ?? 0) < 0 ? score(value) : "+" + score(value)
  }

  // MARK: The daemon

  func status(_ result: JSONValue) -> String {
    guard var fields = result.objectValue else { return self.fields(result) }
    if let seconds = fields["uptime"]?.doubleValue, (0...1e12).contains(seconds) {
      fields["uptime"] = .string(span(Int64(seconds)))
    }
    return self.fields(.object(fields))
  }

  func history(_ result: JSONValue) -> String {
    let entries = list("entries", in: result)
    guard !entries.isEmpty else { return "nothing has happened yet\n" }
    return table(
      entries.map { entry in
        [
          time(entry["at"], withSeconds: true), entry["event"].map(word) ?? "",
          entry["widget"].map(word) ?? "",
          style.faint(pairs(entry, leavingOut: ["sequence", "at", "event", "widget"])),
        ]
      })
  }

  /// Returns the list of an answer: its member `name`, the answer itself, or its only list.
  func list(_ name: String, in result: JSONValue) -> [JSONValue] {
    result[name]?.arrayValue ?? result.arrayValue
      ?? result.objectValue?.members.lazy.compactMap(\.value.arrayValue).first ?? []
  }
}

/// Returns the state that counts: that of the receipt whose reload does the work, if it is known.
func outcome(ofReceipt receipt: JSONValue) -> String? {
  (receipt["leader"]?["state"] ?? receipt["state"])?.stringValue
}

/// Returns the exit status of several receipts; a failure weighs more than a delay.
func exitStatus(ofReceipts receipts: [JSONValue]) -> ProgramStatus {
  let states = Set(receipts.compactMap { outcome(ofReceipt: $0) })
  if states.contains("dropped") { return .failed }
  return states.contains("deferred") ? .deferred : .done
}
