import JSON
import PlainText
import Timekeeping

/// Renders the journal: a sentence for each event.
extension Renderer {
  /// Renders `daemon.history`, newest first: time, widget, sentence.
  ///
  /// On a terminal the day stands above its events and sentences are broken between words; in a
  /// pipe each line has its date. `isVerbose` adds the members that the sentence does not tell.
  func history(_ result: JSONValue, widget: String? = nil, isVerbose: Bool = false) -> String {
    let entries = list("entries", in: result)
    guard !entries.isEmpty else {
      guard let widget else { return "nothing has happened yet\n" }
      return paragraph("nothing has happened to '\(printable(widget))' yet", hanging: 2)
    }
    let events = entries.map { HistoryLine($0, self, isVerbose: isVerbose) }
    let column = nameColumn(events.map(\.name), indent: 10, share: 0.2)
    var text = ""
    var day = columns == nil ? "" : self.day(of: now)
    for event in events {
      if columns != nil, let its = event.moment.map(self.day), its != day {
        text += (text.isEmpty ? "" : "\n") + style.strong(its) + "\n"
        day = its
      }
      text += line(event, column: column)
    }
    return text
  }

  private func line(_ event: HistoryLine, column: Int) -> String {
    let clock =
      event.moment.map { moment in
        let local = localText(moment)
        let clock = String(local.dropFirst(11).prefix(8))
        return columns == nil ? "\(local.prefix(10)) \(clock)" : clock
      } ?? ""
    let lead = clock.isEmpty ? "" : style.faint(clock) + "  "
    let indent = clock.isEmpty ? 0 : displayWidth(clock) + 2
    let tone: Tone = event.isTrouble ? .warning : .plain
    let isNarrow = columns.map { $0 < 60 } ?? false
    var text: String
    if isNarrow, !event.name.isEmpty {
      text = lead + style.strong(event.name) + "\n"
      text += paragraph(event.sentence, indent: 2, tone: tone)
    } else {
      let column = isNarrow ? 0 : column
      let rest = named(event.name, column: column, event.sentence, indent: indent, tone: tone)
      text = lead + rest.dropFirst(indent)
    }
    guard columns != nil else {
      // In a pipe an event is one line.
      return ([String(text.dropLast())] + event.notes).joined(separator: "; ") + "\n"
    }
    let start = isNarrow ? 4 : indent + (column > 0 ? column + 2 : 0)
    for note in event.notes { text += paragraph(note, indent: start, tone: .faint) }
    return text
  }

  private func day(of moment: WallTime) -> String { String(localText(moment).prefix(10)) }

  /// Renders the cause of a reload as the end of a sentence: `by its policy`.
  func causeWords(_ cause: String) -> String {
    switch cause {
    case "policy": "by its policy"
    case "retry": "again after a failure"
    case "intent": "for your intent"
    case "link": "for a link"
    case "tap": "for your tap"
    case "menu": "for its menu, which you opened"
    case "reload": "because you asked"
    case "placed": "as it was placed"
    case "configuration": "for its new configuration"
    case "mode": "as you expanded or collapsed it"
    case "hostForeground": "because its app asked"
    case "hostBackground": "because its app asked in the background"
    case "signal": "at its signal"
    case "interval": "by its interval"
    case "download": "for the files that it asked for"
    case "providerUpgrade": "for its new provider"
    case "locale": "for another language"
    case "textSize": "for another text size"
    case "displaySize": "for another display size"
    case "timeChange": "for the changed clock"
    default: printable(cause)
    }
  }
}

/// One event of the journal, in words.
private struct HistoryLine {
  var moment: WallTime?
  /// The widget or the kind that it is about; empty for the daemon as a whole.
  var name: String
  var sentence: String
  var notes: [String] = []
  var isTrouble = false

  init(_ entry: JSONValue, _ renderer: Renderer, isVerbose: Bool) {
    moment = entry["at"]?.stringValue.flatMap { WallTime(rfc3339: $0) }
    let event = entry["event"]?.stringValue ?? ""
    let told = EventWords(entry: entry, renderer: renderer)
    name =
      (entry["widget"] ?? entry["widgets"]?.arrayValue?.first ?? entry["kind"])
      .map { $0.isNull ? "" : renderer.word($0) } ?? ""
    if entry["private"] == true {
      sentence = "\(printable(event)), in private mode"
    } else {
      sentence = told.sentence(of: event) ?? Self.raw(entry, event, renderer)
    }
    isTrouble =
      ["reload.failed", "launch.failed", "options.failed", "provider.quarantined"].contains(event)
      || event == "intent.performed" && entry["state"] != "done"
    if let warning = entry["warning"]?.stringValue { notes.append(printable(warning)) }
    if let wrote = entry["stderr"]?.stringValue { notes.append("it wrote: \(printable(wrote))") }
    if isVerbose {
      let hidden: Set = ["sequence", "at", "event", "widget", "stderr", "warning"]
      let pairs = renderer.pairs(entry, leavingOut: hidden)
      if !pairs.isEmpty { notes.append(pairs) }
    }
  }

  /// Returns the name of an event that has no sentence, with its members.
  private static func raw(_ entry: JSONValue, _ event: String, _ renderer: Renderer) -> String {
    let hidden: Set = ["sequence", "at", "event", "widget"]
    return [printable(event), renderer.pairs(entry, leavingOut: hidden)]
      .filter { !$0.isEmpty }.joined(separator: "  ")
  }
}

/// Words for the events of the journal.
private struct EventWords {
  let entry: JSONValue
  let renderer: Renderer

  /// Returns the sentence of an event; `nil` for an event that this program does not know.
  func sentence(of event: String) -> String? {
    switch event {
    case "reload.done": reloadDone
    case "reload.failed": reloadFailed
    case "reload.deferred": "reload put off until \(time("until")): \(text("reason"))"
    case "downloads.done": downloadsDone
    case "downloads.refused": "no files fetched: \(text("reason"))"
    case "intent": intentSentence
    case "intent.performed":
      entry["state"] == "done"
        ? "its program did \(text("intent"))" : "\(text("intent")): \(text("message"))"
    case "tap":
      "you tapped \(entry["item"] == nil ? "it" : "item \(text("item"))")\(behind("url"))\(tapped)"
    case "dismissed": "you sent it away"
    case "undone":
      "you took back that it was \(text("act") == "dismissed" ? "sent away" : "removed")"
    case "launched":
      entry["program"] == nil ? "opened with \(text("application"))" : "ran \(text("program"))"
    case "launch.failed": "could not be opened: \(text("message"))"
    case "callback": "called back \(text("scheme")): \(text("outcome"))"
    case "forgotten":
      "forgot \(counted(number("count"), "entry", "entries")) of the history and "
        + counted(number("donations"), "donation")
    case "widget.placed", "widget.configured", "widget.removed", "widget.migrated",
      "widget.orphaned", "widget.reload.rules", "widget.mode":
      widgetSentence(event)
    default: daemonSentence(event)
    }
  }

  /// `expanded on page`, or `collapsed everywhere: its kind has no other mode now`.
  private var modeSentence: String {
    let names = (entry["surfaces"]?.arrayValue ?? []).map(renderer.word).joined(separator: ", ")
    let act = text("mode") == "expanded" ? "expanded" : "collapsed"
    if entry["reason"] != nil { return "\(act) everywhere: \(text("reason"))" }
    return names.isEmpty ? act : "\(act) on \(names)"
  }

  private func widgetSentence(_ event: String) -> String? {
    switch event {
    case "widget.placed":
      (entry["suggestion"] == true ? "suggested" : "placed") + behind("family") + configuration
    case "widget.configured": "changed" + behind("family") + configuration
    case "widget.removed": "removed"
    case "widget.migrated": migrated
    case "widget.mode": modeSentence
    case "widget.orphaned": "cannot be asked any more: \(text("reason"))"
    default: "has reload rules of its own: \(renderer.pairs(entry["rules"] ?? .null))"
    }
  }

  private func daemonSentence(_ event: String) -> String? {
    switch event {
    case "configuration":
      "the configuration was read: \(counted(number("kinds"), "kind")), "
        + counted(number("intents"), "intent")
        + (number("errors") > 0 ? ", \(counted(number("errors"), "mistake"))" : "")
    case "list.set": "the list \(text("list")) has \(counted(number("count"), "value"))"
    case "notified": "you were notified of it"
    case "network": entry["up"] == true ? "the network is back" : "the network is gone"
    case "options.failed":
      "no options for \(text("parameter")) of \(text("intent")): \(text("reason"))"
    case "provider.quarantined":
      "its provider is in quarantine until \(time("until")): \(text("reason"))"
    case "provider.released": "its quarantine ended: \(text("reason"))"
    case "surroundings" where entry["saving"] != nil:
      renderer.savingWords(entry["saving"]).map { "budgets are halved: \($0)" }
        ?? "budgets are whole again"
    case "surroundings":
      "every widget is shown differently: \(renderer.causeWords(text("cause")))"
    case "zone": "the time zone is \(zone)"
    default: nil
    }
  }

  // MARK: Sentences

  private var downloadsDone: String {
    let files = counted(number("files"), "file", "files")
    if entry["unchanged"]?.boolValue == true { return "\(files) looked for, and nothing is new" }
    guard number("failed") > 0 else { return "\(files) fetched" }
    let next = entry["next"] == nil ? "" : "; again at \(time("next"))"
    return "\(files) fetched, \(number("failed")) not: \(text("reason"))\(next)"
  }

  private var reloadDone: String {
    let cost = number("cost")
    let paid =
      cost == 0
      ? "free" : "cost \(cost), \(entry["balanceAfter"].map(renderer.number) ?? "?") left"
    let news = entry["unchanged"] == true ? ", nothing new" : ""
    if entry["pushed"] == true { return "content was pushed to it\(news)" }
    return "reloaded \(cause)\(news), \(paid)\(next("next at"))"
  }

  /// The thing that a tap did in the place of opening something.
  private var tapped: String {
    if let set = entry["set"]?.objectValue {
      let values = set.members.map { "\(printable($0.key))=\(renderer.word($0.value))" }
      return ", which set \(values.joined(separator: ", "))"
    }
    return entry["intent"] == nil ? "" : ", which sent \(text("intent"))"
  }

  private var reloadFailed: String {
    let failures = number("failures")
    let row = failures > 1 ? ", \(failures) times in a row" : ""
    return "failed\(row): \(text("reason"))\(next("next try at"))"
  }

  private var intentSentence: String {
    let asked = renderer.intent(
      ["name": entry["intent"] ?? "", "parameters": entry["parameters"] ?? [:]])
    let who = entry["donated"] == true ? "an app told of" : "you asked for"
    let others = (entry["widgets"]?.arrayValue ?? []).dropFirst().map(renderer.word)
    let also = others.isEmpty ? "" : ", also \(others.joined(separator: ", "))"
    return "\(who) \(asked)\(also)"
  }

  private var migrated: String {
    var parts: [String] = []
    if entry["fromKind"] != nil { parts.append("from the kind \(text("fromKind"))") }
    if entry["fromFamily"] != nil {
      parts.append("from \(text("fromFamily")) to \(text("family"))")
    }
    if entry["intent"] != nil { parts.append("to \(renderer.intent(entry["intent"]))") }
    let lost = renderer.pairs(entry["dropped"] ?? [:])
    if !lost.isEmpty { parts.append("without \(lost)") }
    return (["moved"] + [parts.joined(separator: ", ")]).joined(separator: " ")
  }

  // MARK: Members

  private var cause: String {
    entry["cause"]?.stringValue.map(renderer.causeWords) ?? ""
  }

  private var configuration: String {
    guard let intent = entry["intent"], intent["name"]?.isNull == false else { return "" }
    return ", \(renderer.intent(intent))"
  }

  private var zone: String {
    let minutes = abs(number("offset")) / 60
    let clock = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "UTC\(number("offset") < 0 ? "-" : "+")\(clock.joined(separator: ":"))"
  }

  private func next(_ words: String) -> String {
    guard let next = entry["next"], !next.isNull else { return "" }
    return "; \(words) \(renderer.time(next))"
  }

  private func text(_ name: String) -> String { entry[name].map(renderer.word) ?? "" }
  private func time(_ name: String) -> String { renderer.time(entry[name]) }
  private func number(_ name: String) -> Int64 { entry[name]?.intValue ?? 0 }
  private func behind(_ name: String) -> String { entry[name] == nil ? "" : ", \(text(name))" }
}
