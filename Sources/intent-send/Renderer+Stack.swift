import JSON
import PlainText

/// Renders the stack and the reasons for its order.
extension Renderer {
  func stack(_ result: JSONValue, isVerbose: Bool = false) -> String {
    let widgets = list("widgets", in: result)
    guard !widgets.isEmpty else { return emptyStack }
    return list(
      widgets.enumerated().map { index, widget in
        row(widget, lead: "\(index + 1)", isVerbose: isVerbose)
      })
  }

  private var emptyStack: String {
    "the stack is empty\n" + advice("see what there is to place", "intent-send gallery")
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
      ListRow(
        lead: time(use["at"]), name: use["rank"].map { "\(word($0))." } ?? "new",
        content: use["kind"].map(word) ?? "", fact: use["act"].map(word) ?? "",
        notes: [
          .init(
            text: use["intent"].map { pairs($0["parameters"] ?? .null) } ?? "", isWarning: false)
        ])
    }
    return paragraph(
      "of \(counted(uses, "use")) \(share("first")) were on top just before, "
        + "\(share("firstThree")) among the first three") + list(rows)
  }

  // MARK: Reasons

  /// The least part of a score that is told without being asked for.
  private static let partMin = 0.1

  /// Renders `stack.explain`: for each widget the sentence, and the parts of its score that matter;
  /// all of them with their reasons if `isVerbose`.
  ///
  /// The parts add up to the score: those that are left out are one part, "others".
  func explainedStack(
    _ result: JSONValue, isNumbered: Bool = true, isVerbose: Bool = false
  ) -> String {
    let widgets = list("widgets", in: result)
    guard !widgets.isEmpty else { return emptyStack }
    let text = widgets.enumerated().map { index, widget in
      explained(widget, place: isNumbered ? index + 1 : nil, isVerbose: isVerbose)
    }.joined()
    let isWhole =
      isVerbose || widgets.allSatisfy { ($0["contributions"]?.arrayValue ?? []).isEmpty }
    return text + (isWhole ? "" : advice("every part with its reason", "add -v"))
  }

  private func explained(_ widget: JSONValue, place: Int?, isVerbose: Bool) -> String {
    let lead = place.map { "\($0)  " } ?? ""
    let id = widget["id"].map(word) ?? ""
    let indent = max(2, lead.count)
    var text = lead + style.strong(id)
    if let value = widget["score"] {
      let number = score(value)
      let columnsOfLine = lead.count + displayWidth(id) + 2 + number.count
      let isTooLong = columns.map { columnsOfLine > $0 } ?? false
      text += (isTooLong ? "\n" + spaces(indent) : "  ") + number
    }
    text += "\n"
    if let why = widget["why"], !why.isNull { text += paragraph(word(why), indent: indent) }
    text += paragraph(trouble(of: widget), indent: indent, hanging: 2, tone: .warning)
    let parts = widget["contributions"]?.arrayValue ?? []
    return text + (isVerbose ? table(ofParts: parts, indent) : line(ofParts: parts, indent))
  }

  /// Renders parts as one sentence: `+0.73 relevance, +0.46 lately, +0.02 others`.
  private func line(ofParts parts: [JSONValue], _ indent: Int) -> String {
    let sorted = parts.map { ($0["name"].map(word) ?? "", $0["value"]?.doubleValue ?? 0) }
      .sorted { abs($0.1) > abs($1.1) }
    // A single small part is told by its name.
    let small = sorted.filter { abs($0.1) < Self.partMin }
    let told = small.count == 1 ? sorted : sorted.filter { abs($0.1) >= Self.partMin }
    // The spaces inside a part do not break.
    var words = told.map { "\(signed(.double($0.1))) \($0.0)".replacingSpaces(with: "\u{A0}") }
    let rest = told.count == sorted.count ? 0 : small.reduce(0) { $0 + $1.1 }
    if abs(rest) >= 0.005 { words.append("\(signed(.double(rest)))\u{A0}others") }
    let text = paragraph(words.joined(separator: ", "), indent: indent, tone: .faint)
    return String(text.map { $0 == "\u{A0}" ? " " : $0 })
  }

  private func table(ofParts parts: [JSONValue], _ indent: Int) -> String {
    let numbers = parts.map { $0["value"].map(signed) ?? "" }
    let names = parts.map { $0["name"].map(word) ?? "" }
    let numberWidth = numbers.map(displayWidth).max() ?? 0
    let nameWidth = names.map(displayWidth).max() ?? 0
    return parts.indices.map { index in
      let head =
        spaces(indent) + padded(numbers[index], columns: numberWidth) + "  "
        + padded(names[index], columns: nameWidth) + "  "
      let because = parts[index]["because"].map(word) ?? ""
      let start = displayWidth(head)
      // Where half of the line is gone, the reason stands below.
      if let columns, start > columns / 2 {
        return head.trimmingEnd + "\n" + paragraph(because, indent: indent + 2, tone: .faint)
      }
      guard !because.isEmpty else { return head.trimmingEnd + "\n" }
      return head + paragraph(because, indent: start, tone: .faint).dropFirst(start)
    }.joined()
  }

  /// Renders a number with two digits after the point.
  func score(_ value: JSONValue) -> String {
    guard let exact = value.doubleValue, abs(exact) < 1e9 else { return word(value) }
    let hundredths = Int64((exact * 100).rounded())
    let rest = abs(hundredths) % 100
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private func signed(_ value: JSONValue) -> String {
    (value.doubleValue ?? 0) < 0 ? score(value) : "+" + score(value)
  }
}

extension String {
  fileprivate func replacingSpaces(with space: Character) -> String {
    String(map { $0 == " " ? space : $0 })
  }

  /// The text without the spaces at its end.
  var trimmingEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
