import PlainText

/// The look of a run of text on a bar.
package struct BarStyle: Hashable, Sendable {
  /// `nil`: as the bar has it.
  package var color: BarColor?
  /// `nil`: as the bar has it.
  package var background: BarColor?
  package var isBold = false
  package var isItalic = false
  package var isUnderlined = false
  package var isStruck = false

  package init() {}
}

/// One line of text in runs of one style each, clean of all that steers or hides.
///
/// Text gets in through `printable` alone, so a format only has to escape what it reads itself. It
/// does so run by run: neighbours differ in style, so that the format's own tags stand between them
/// and no command can be put together from two runs.
package struct BarText: Hashable, Sendable {
  package struct Run: Hashable, Sendable {
    package var text: String
    package var style: BarStyle
  }

  /// None is empty, and neighbours differ in style.
  package private(set) var runs: [Run] = []

  /// Makes a text of what others wrote; it is cleaned.
  package init(_ text: String = "", _ style: BarStyle = BarStyle()) { append(text, style) }

  package var isEmpty: Bool { runs.isEmpty }
  /// The text without its styles.
  package var plain: String { runs.map(\.text).joined() }

  /// Adds text at the end; it is cleaned, in O(length).
  package mutating func append(_ text: String, _ style: BarStyle = BarStyle()) {
    add(printable(text), style)
  }

  /// Adds the runs of another text at the end, in O(length).
  package mutating func append(_ text: BarText) {
    for run in text.runs { add(run.text, run.style) }
  }

  /// Returns the text with every style changed.
  package func styled(_ change: (inout BarStyle) -> Void) -> BarText {
    var text = BarText()
    for run in runs {
      var style = run.style
      change(&style)
      text.add(run.text, style)
    }
    return text
  }

  /// Returns the text without blanks at its ends, in at most `countMax` characters as a person
  /// counts them, the ellipsis of a longer text included.
  package func shortened(countMax: Int) -> BarText {
    let text = trimmed()
    guard text.plain.count > countMax else { return text }
    guard countMax > 0 else { return BarText() }
    var short = BarText()
    var left = countMax - 1
    for run in text.runs where left > 0 {
      let part = run.text.prefix(left)
      left -= part.count
      short.add(String(part), run.style)
    }
    short = short.trimmed()
    short.add("…", short.runs.last?.style ?? BarStyle())
    return short
  }

  private func trimmed() -> BarText {
    var runs = runs
    while var first = runs.first, first.text.first == " " {
      first.text = String(first.text.drop { $0 == " " })
      if first.text.isEmpty { runs.removeFirst() } else { runs[0] = first }
    }
    while var last = runs.last, last.text.last == " " {
      while last.text.last == " " { last.text.removeLast() }
      runs.removeLast()
      if !last.text.isEmpty { runs.append(last) }
    }
    var text = BarText()
    for run in runs { text.add(run.text, run.style) }
    return text
  }

  private mutating func add(_ text: String, _ style: BarStyle) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last,
      runs[last].style == style || runs.count >= BarLimits.runCountMax
    {
      runs[last].text += text
    } else {
      runs.append(Run(text: text, style: style))
    }
  }
}
