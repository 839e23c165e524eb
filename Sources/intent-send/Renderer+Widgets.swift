import JSON
import PlainText
import Timekeeping

/// Renders lists of widgets and of kinds.
extension Renderer {

  // MARK: Widgets

  /// Renders `widget.list`: a row for each widget with its id, its content and the content's age,
  /// those in trouble first, suggestions below.
  ///
  /// `isVerbose` adds the kind, the family and the configuration.
  func widgets(_ result: JSONValue, isVerbose: Bool = false) -> String {
    let widgets = list("widgets", in: result)
    let placed = widgets.filter { $0["suggestion"] != true }
    let suggested = widgets.filter { $0["suggestion"] == true }
    var text = ""
    if placed.isEmpty {
      text += "no widgets\n" + advice("see what there is to place", "intent-send gallery")
    } else {
      let troubled = placed.filter { !trouble(of: $0).isEmpty }
      let others = placed.filter { trouble(of: $0).isEmpty }
      text += list((troubled + others).map { row($0, isVerbose: isVerbose) })
      if let id = troubled.first?["id"].map(word) {
        text += advice("why", "intent-send status \(id)")
      }
    }
    guard !suggested.isEmpty else { return text }
    return text + (isForTerminal ? "\n" : "") + style.faint("suggested:") + "\n"
      + list(suggested.map { row($0, isVerbose: isVerbose) })
  }

  /// Columns of the trouble of a widget in a list on a terminal: four lines of a narrow one.
  private static let troubleColumnsMax = 240

  /// Returns the row of a widget: id, content, age, and what is unusual about it.
  func row(_ widget: JSONValue, lead: String = "", isVerbose: Bool = false) -> ListRow {
    // `status ID` and `why ID` have the whole text of a long error.
    let trouble = trouble(of: widget)
    let told = isForTerminal ? shortened(trouble, columnsMax: Self.troubleColumnsMax) : trouble
    var notes = [ListRow.Note(text: told)]
    if isVerbose { notes.append(.init(text: details(of: widget), isWarning: false)) }
    let shown = summary(widget["entry"])
    let content = shown.isEmpty && trouble.isEmpty ? emptiness(widget) : shown
    return ListRow(
      lead: lead, name: widget["id"].map(word) ?? "", content: content,
      fact: age(of: widget["entry"]), notes: notes)
  }

  /// Returns a widget's kind, family and configuration: `org.example.weather, systemSmall,
  /// ShowWeather(city: "Beijing")`.
  func details(of widget: JSONValue) -> String {
    let rank = widget["score"].map { ["score \(score($0))"] } ?? []
    let words = ["kind", "family"].compactMap { widget[$0].map(word) }
    let intents = widget["intent"].map { $0.isNull ? [] : [intent($0)] } ?? []
    return (words + intents + rank).joined(separator: ", ")
  }

  /// Renders the unusual states of a widget with their reasons, in the order of their weight; empty
  /// if all is well.
  func trouble(of widget: JSONValue) -> String {
    var parts: [String] = []
    if widget["orphaned"] == true {
      parts.append("orphaned: \(problem(of: widget) ?? "no manifest offers its kind")")
    }
    if let error = widget["error"], !error.isNull {
      let wrote = widget["stderr"].map { ": \(word($0))" } ?? ""
      parts.append("failing: \(reason(error))\(wrote)")
    } else if widget["stale"] == true, widget["hidden"] == nil {
      parts.append("stale")
    }
    if let until = widget["quarantinedUntil"], !until.isNull {
      parts.append("in quarantine until \(time(until))")
    }
    if let downloads = widget["downloads"], !downloads.isNull {
      parts.append("no files: \(missingFiles(downloads))")
    }
    if widget["held"] == "network" { parts.append("waits for the network") }
    return parts.joined(separator: "; ")
  }

  /// Renders why files that a provider asked for are not there, and when they are tried again.
  func missingFiles(_ downloads: JSONValue) -> String {
    let next = downloads["next"].map { "; again at \(time($0))" } ?? ""
    return (downloads["error"].map(reason) ?? "") + next
  }

  private func problem(of widget: JSONValue) -> String? {
    widget["problem"].flatMap { $0.isNull ? nil : reason($0) }
  }

  /// Renders how old an entry's content is: `now`, `12 min`, `3 h`; empty without an entry.
  ///
  /// That is the time since `asOf`, else since the entry's date.
  func age(of entry: JSONValue?) -> String {
    guard let text = (entry?["content"]?["asOf"] ?? entry?["date"])?.stringValue,
      let date = WallTime(rfc3339: text)
    else { return "" }
    let seconds = now.milliseconds(since: date) / 1000
    return seconds < 60 ? "now" : span(seconds)
  }

  // MARK: Kinds

  /// Renders `gallery.list`; an empty gallery names `folders`, from which the daemon reads
  /// manifests.
  func gallery(_ result: JSONValue, folders: [String] = []) -> String {
    let kinds = list("kinds", in: result)
    guard !kinds.isEmpty else {
      let start = folders.first.map(noKindsHint) ?? "there are no kinds yet"
      return paragraph(start, hanging: 2)
        + paragraph("manifests with mistakes, if there are any: intent-send status", hanging: 2)
    }
    let text = kinds.map(galleryEntry).joined(separator: "\n")
    let first = kinds[0]["kind"].map(word) ?? "KIND"
    return text + (isForTerminal ? "\n" : "") + advice("place one", "intent-send add \(first)")
  }

  /// Says how a kind in a box is held; empty for one that may do what the person may.
  private func box(_ permissions: JSONValue) -> String {
    guard permissions["isBoxed"]?.boolValue == true else { return "" }
    return permissions["asked"] == permissions["granted"]
      ? "it has what it asks for" : "it was not granted all that it asks for"
  }

  private func galleryEntry(_ kind: JSONValue) -> String {
    let id = kind["kind"].map(word) ?? ""
    let name = kind["name"].map(word) ?? ""
    var text: String
    if let columns, displayWidth(id) + 2 + displayWidth(name) > columns {
      text = style.strong(id) + "\n" + paragraph(name, indent: 2)
    } else {
      text = style.strong(id) + (name.isEmpty ? "" : "  " + name) + "\n"
    }
    if let description = kind["description"], !description.isNull {
      text += paragraph(word(description), indent: 2)
    }
    let families = (kind["families"]?.arrayValue ?? []).map(word)
    let parameters = (kind["parameters"]?.arrayValue ?? []).map { ("parameter", about($0)) }
    if let preview = kind["preview"] { text += self.preview(preview, of: name) }
    return text
      + facts(
        [
          ("families", families.joined(separator: ", ")),
          ("modes", (kind["modes"]?.arrayValue ?? []).map(word).joined(separator: ", ")),
          ("intent", kind["intent"].map { $0.isNull ? "" : intent($0) } ?? ""),
          ("provider", kind["isPushed"]?.boolValue == true ? "none; push to its widgets" : ""),
          ("box", kind["permissions"].map(box) ?? ""),
        ] + parameters)
  }
}
