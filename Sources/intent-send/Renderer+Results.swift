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
      return performed(result) + self.entry(entry, isStale: result["stale"] == true)
    }
    if result["performed"] != nil { return performed(result) }
    let name = intent(result["intent"])
    let receipts = result["receipts"]?.arrayValue ?? []
    let widgets = result["widgets"]?.arrayValue ?? []
    guard !widgets.isEmpty else { return "\(name): no widget shows it\n" }
    let rows = widgets.map { widget -> (String, String, Tone) in
      let id = widget["id"].map(word) ?? ""
      let ended = receipts.first { $0["widget"] == widget["id"] } ?? receipt(of: widget)
      let suggestion = widget["suggestion"] == true ? ", a suggestion" : ""
      return (
        id, (ended.map(receiptState) ?? "accepted") + suggestion,
        ended.map(tone(ofReceipt:)) ?? .plain
      )
    }
    let column = nameColumn(rows.map { $0.0 }, indent: 2)
    let ids = widgets.map { $0["id"] }
    let own = receipts.filter { ids.contains($0["widget"]) }
    return paragraph(name, hanging: 2)
      + rows.map { named($0.0, column: column, $0.1, indent: 2, tone: $0.2) }.joined()
      + repeating(own, of: result["intent"])
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

  /// Renders what a sentence nearly means: what would be done, or asked.
  func near(_ near: JSONValue, isExplained: Bool) -> String {
    let readings = near["readings"]?.arrayValue ?? []
    var text = ""
    for (place, reading) in readings.enumerated() {
      let sentence = reading["sentence"].map(word) ?? ""
      let meaning = intent(reading["intent"])
      if place == 0 {
        let lead = near["decision"] == "act" ? "Understood as" : "Nearly"
        text += "\(lead): \(style.strong(sentence))\n  \(meaning)\n"
      } else {
        text += "  or  \(sentence)  \(meaning)\n"
      }
      guard isExplained else { continue }
      if let confidence = reading["confidence"]?.doubleValue, place == 0 {
        text += "   sure      \(Int((confidence * 100).rounded())) %\n"
      }
      for change in reading["changes"]?.arrayValue ?? [] {
        let said = change["said"].map(word) ?? ""
        let taken = change["taken"].map(word) ?? ""
        text += "   \(change["why"].map(word) ?? "")  '\(said)' → '\(taken)'\n"
      }
    }
    if near["decision"] == "ask" { text += "  it would be asked about\n" }
    if near["decision"] == "none" { text += "  it would neither be done nor asked about\n" }
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
    (value?.arrayValue ?? []).map { "  parameter: \(about($0))\n" }.joined()
  }

  /// Renders a parameter: `city (string, required)`.
  func about(_ parameter: JSONValue) -> String {
    var about: [String] = []
    let cases = (parameter["cases"]?.arrayValue ?? []).compactMap { $0["name"].map(word) }
    let isChosen = parameter["type"] == "object" && parameter["dynamic"] == true
    if !cases.isEmpty {
      about.append("one of: \(cases.joined(separator: ", "))")
    } else if isChosen {
      about.append("one that its program offers")
    } else if let type = parameter["type"] {
      about.append(word(type))
    }
    if parameter["required"] == true { about.append("required") }
    if let standard = parameter["default"] {
      about.append("\(parameterValue(standard)) if left out")
    }
    if let list = parameter["list"] {
      about.append(values(of: parameter) ?? "of the list \(word(list))")
    }
    let name = parameter["name"].map(word) ?? word(parameter)
    return about.isEmpty ? name : "\(name) (\(about.joined(separator: ", ")))"
  }

  /// Returns example sentences from a list or from an object with a list for each language.
  private func examples(_ value: JSONValue?) -> [String] {
    let all = value?.objectValue?.members.flatMap { $0.value.arrayValue ?? [] } ?? value?.arrayValue
    return (all ?? []).map { word($0["sentence"] ?? $0["text"] ?? $0) }
  }

  // MARK: Widgets

  /// Renders the reason of a failure or a problem, which is a text or an object.
  func reason(_ value: JSONValue) -> String {
    (value["message"] ?? value["reason"]).map(word) ?? word(value)
  }

  /// Renders a widget that was added or changed: `weather  org.example.weather  systemSmall`.
  func placed(_ widget: JSONValue?) -> String {
    guard let widget else { return "" }
    let words = ["id", "kind", "family"].compactMap { widget[$0].map(word) }
    let configuration = widget["intent"].map { $0.isNull ? [] : [intent($0)] } ?? []
    return (words + configuration).joined(separator: "  ") + "\n"
  }

  /// Renders what a tap did, a line for each.
  func tapped(_ result: JSONValue) -> String {
    if let need = result["needs"] {
      let token = need["token"].map { word($0) } ?? "TOKEN"
      return "\(question(need, self))\n  \(answerLine(to: need, token))\n"
    }
    if let values = result["values"]?.objectValue {
      let all = values.members.map { "\(printable($0.key))=\(word($0.value))" }
      return all.isEmpty
        ? "no values are set any more; asked its provider again\n"
        : "set \(all.joined(separator: ", ")); asked its provider again\n"
    }
    if result["performed"] != nil { return performed(result) }
    if result["opened"] == "intent" { return "sent \(intent(result["intent"]))\n" }
    let wrote = result["wrote"] == true ? "wrote a line to its plugin, which stays running\n" : ""
    if result["opened"] == "nothing", !wrote.isEmpty { return wrote }
    return opened(result) + wrote
  }

  private func opened(_ result: JSONValue) -> String {
    if result["opened"] == "program", let program = result["program"] {
      return "ran \(word(program))\n"
    }
    if result["opened"] == "nothing" { return "asked its provider again\n" }
    let what = result["url"].flatMap { $0.isNull ? nil : word($0) } ?? "the app"
    guard let application = result["application"], !application.isNull else {
      return "opened \(what)\n"
    }
    return "opened \(what) with \(word(application))\n"
  }

  // MARK: Receipts

  /// Renders receipts, a line each if it fits, and the command that repeats a failure.
  func receipts(_ receipts: [JSONValue]) -> String {
    guard !receipts.isEmpty else { return "no widget to reload\n" }
    let names = receipts.map { $0["widget"].map(word) ?? $0["id"].map(word) ?? "" }
    let column = nameColumn(names)
    let lines = zip(names, receipts).map { name, receipt in
      named(name, column: column, receiptState(receipt), tone: tone(ofReceipt: receipt))
    }
    return lines.joined() + repeating(receipts)
  }

  /// Renders a receipt's state.
  ///
  /// For example `done`, `deferred until 14:05: budget`, `coalesced into r7`, `dropped: the
  /// provider failed: Connection refused`. A receipt that joined a deferred one shows that one's
  /// state: `deferred until 14:05: budget (with r7)`.
  func receiptState(_ receipt: JSONValue) -> String {
    if let leader = receipt["leader"], leader["state"] != nil {
      return "\(receiptState(leader)) (with \(receipt["into"].map(word) ?? "another"))"
    }
    var text = receipt["state"].map(word) ?? "accepted"
    if receipt["noData"] == true { text += ", nothing new" }
    if let into = receipt["into"], !into.isNull { text += " into \(word(into))" }
    if let until = receipt["until"], !until.isNull { text += " until \(time(until))" }
    let why = receipt["reason"] ?? receipt["error"]
    if let why, !why.isNull { text += ": \(reason(why))" }
    if let wrote = receipt["stderr"], !wrote.isNull { text += ": \(word(wrote))" }
    return text
  }

  /// Renders the answer to `widget.setMode`: what the widget shows in that mode, and where.
  ///
  /// `shown`: the mode by which a tap of a terminal means the items that are printed.
  func modeSet(_ result: JSONValue, as shown: TerminalMode = .chosen) -> String {
    let widget = result["widget"] ?? .null
    let mode = widget["mode"]?.stringValue ?? "compact"
    var text = content(of: widget)
    if let receipt = result["receipt"], outcome(ofReceipt: receipt) != "done" {
      text += paragraph(receiptState(receipt), hanging: 2, tone: tone(ofReceipt: receipt))
    }
    let trouble = trouble(of: widget)
    if !trouble.isEmpty { text += paragraph(trouble, hanging: 2, tone: .warning) }
    let names = (result["surfaces"]?.arrayValue ?? []).map(word)
    var size = ""
    if let height = widget["height"]?.intValue,
      let most = widget["maximumSize"]?["height"]?.intValue
    {
      size = height < most ? "\(height) of at most \(most) points" : "\(height) points"
    }
    let act = mode == "expanded" ? "expanded" : "collapsed"
    return text + "\n"
      + facts([
        (act, names.isEmpty ? "nowhere else" : "on " + names.joined(separator: ", ")),
        ("height", size),
      ]) + tapAdvice(widget, as: shown)
  }

  /// Returns the tone of a receipt's state: a warning unless the reload is done or under way.
  func tone(ofReceipt receipt: JSONValue) -> Tone {
    switch outcome(ofReceipt: receipt) {
    case "deferred", "dropped": .warning
    default: .plain
    }
  }

  /// Renders the command that repeats the first failed run of these receipts, whose widgets show
  /// `intent`; empty if no run failed, and elsewhere than on a terminal.
  func repeating(_ receipts: [JSONValue], of intent: JSONValue? = nil) -> String {
    receipts.lazy.compactMap { tryLine(ofReceipt: $0, intent) }.first
      .map { advice("try it", $0) } ?? ""
  }

  /// Returns the receipt inside a widget of an answer, which is an object or only an id.
  private func receipt(of widget: JSONValue) -> JSONValue? {
    guard let receipt = widget["receipt"], !receipt.isNull else { return nil }
    return receipt.objectValue == nil ? ["id": receipt, "state": "accepted"] : receipt
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

/// Returns the command that repeats a receipt's failed run for the intent of its widget; `nil` if no
/// run failed.
func tryLine(ofReceipt receipt: JSONValue, _ intent: JSONValue?) -> String? {
  guard outcome(ofReceipt: receipt) == "dropped", let kind = receipt["kind"]?.stringValue,
    receipt["stderr"] != nil || receipt["reason"]?.stringValue?.hasPrefix("the provider") == true
  else { return nil }
  return kindLine("try", kind: kind, intent)
}
