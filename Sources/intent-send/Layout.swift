import PlainText

/// Fits text into the columns of a terminal.
///
/// In a pipe or a file `columns` is `nil`: a row is one line there, nothing is cut or broken, and
/// no advice is added, so that `grep` finds the whole value. On a terminal a line has at most
/// `columns` columns. Only two things may be longer: a word that a person copies, such as an id, a
/// path or a command, and what stands behind it on its line.
extension Renderer {
  /// The columns for a list whose rows are not cut, if there is no terminal.
  private static let columnsOfPipe = 1_000_000

  /// Whether a person reads the text on a terminal, who may want advice about the next step.
  var isForTerminal: Bool { columns != nil }

  /// Renders a paragraph, broken between words; `indent` columns stand before each line, and
  /// `hanging` more before each but the first.
  func paragraph(
    _ text: String, indent: Int = 0, hanging: Int = 0, tone: Tone = .plain
  ) -> String {
    guard !text.isEmpty else { return "" }
    guard let columns else { return spaces(indent) + style.toned(text, tone) + "\n" }
    let lines = wrapped(text, columnsMax: max(1, columns - indent), hanging: hanging)
    return lines.enumerated().map { index, line in
      spaces(index == 0 ? indent : indent + hanging) + style.toned(line, tone) + "\n"
    }.joined()
  }

  /// Renders facts as `name  value`, the names in one column, the values broken between words.
  ///
  /// Leaves out facts without a value.
  func facts(_ facts: [(name: String, value: String)], indent: Int = 2) -> String {
    let facts = facts.filter { !$0.value.isEmpty }
    let width = facts.map { displayWidth($0.name) }.max() ?? 0
    return facts.map { fact in
      let name = style.faint(padded(fact.name, columns: width))
      let lines = paragraph(fact.value, indent: indent + width + 2)
      return spaces(indent) + name + "  " + lines.drop { $0 == " " }
    }.joined()
  }

  /// Returns the columns that the names of a list share: those of the longest that takes at most
  /// `share` of the line, or 12 columns.
  func nameColumn(_ names: [String], indent: Int = 0, share: Double = 0.4) -> Int {
    let limit = columns.map { max(12, Int(Double($0 - indent) * share)) } ?? .max
    return names.map(displayWidth).filter { $0 <= limit }.max() ?? 0
  }

  /// Renders a name and a text behind it, broken between words; below a name that is longer than
  /// its column.
  func named(
    _ name: String, column: Int, _ text: String, indent: Int = 0, tone: Tone
  ) -> String {
    let start = indent + column + (column > 0 ? 2 : 0)
    guard displayWidth(name) <= column else {
      return spaces(indent) + style.strong(name) + "\n"
        + paragraph(text, indent: indent + 2, tone: tone)
    }
    let lead = spaces(indent) + style.strong(padded(name, columns: column))
    guard !text.isEmpty else { return lead.trimmingEnd + "\n" }
    return lead + (column > 0 ? "  " : "")
      + paragraph(text, indent: start, tone: tone).dropFirst(start)
  }

  /// Renders advice about the next step, on a terminal only: a command, and a word before it.
  func advice(_ lead: String, _ command: String) -> String {
    guard isForTerminal else { return "" }
    return paragraph("\(lead): \(command)", hanging: 2, tone: .faint)
  }

  /// Renders rows in columns, each a line if it fits; see `ListRow`.
  func list(_ rows: [ListRow]) -> String {
    listLines(rows).joined().map { $0 + "\n" }.joined()
  }

  /// Returns the lines of each row.
  func listLines(_ rows: [ListRow]) -> [[String]] {
    let width = columns ?? Self.columnsOfPipe
    let lead = rows.map { displayWidth($0.lead) }.max() ?? 0
    let start = lead > 0 ? lead + 2 : 0
    let fact = rows.map { displayWidth($0.fact) }.max() ?? 0
    let factRoom = fact > 0 ? fact + 2 : 0
    // A name that takes more than two fifths of the line stands on a line of its own.
    let nameMax = columns == nil ? width : max(12, (width - start - factRoom) * 2 / 5)
    let name = rows.map { displayWidth($0.name) }.filter { $0 <= nameMax }.max() ?? 0
    // Below a long name the content is indented, even where no name is short.
    let hasLongName = rows.contains { displayWidth($0.name) > nameMax }
    let behindName = start + name + (name > 0 || hasLongName ? 2 : 0)
    // Short notes, such as "stale", get a column where there is room for one.
    let short =
      rows.filter { !$0.isBare }.flatMap(\.notes).map { displayWidth($0.text) }
      .filter { (1...Self.shortNoteColumns).contains($0) }.max() ?? 0
    let noteRoom = short > 0 && width >= Self.columnsOfWideList ? short + 2 : 0
    let contentMax = max(1, width - behindName - factRoom - noteRoom)
    let content = min(contentMax, rows.map { displayWidth($0.content) }.max() ?? 0)
    let place = ListPlaces(
      start: start, name: name, behindName: behindName, content: content, fact: factRoom,
      width: width)
    return rows.map { lines($0, place) }
  }

  /// Columns of a note that may stand behind its row.
  private static let shortNoteColumns = 22
  /// Columns from which on a list has a column for short notes, and notes beside names.
  private static let columnsOfWideList = 60

  private func lines(_ row: ListRow, _ place: ListPlaces) -> [String] {
    let lead = place.start > 0 ? padded(row.lead, columns: place.start) : ""
    let name = row.styledName(row.name, style)
    let content = padded(shortened(row.content, columnsMax: place.content), columns: place.content)
    let behind = [content, style.faint(row.fact)].filter { !$0.isEmpty }.joined(separator: "  ")
    var lines: [String]
    if displayWidth(row.name) > place.name {
      lines = [lead + name, (spaces(place.behindName) + behind).trimmingEnd]
      if lines[1].isEmpty { lines.removeLast() }
    } else {
      let gap = spaces(place.behindName - place.start - displayWidth(row.name))
      lines = [(lead + name + gap + behind).trimmingEnd]
    }
    // Notes share a column, which begins behind the facts; that of a row without content begins
    // where its content would.
    let taken = place.content + place.fact
    var column = place.behindName + taken + (taken > 0 ? 2 : 0)
    if row.isBare, displayWidth(row.name) <= place.name { column = place.behindName }
    for note in row.notes where !note.text.isEmpty {
      let last = padded(lines[lines.count - 1], columns: column)
      let room = place.width - column
      let isFree = displayWidth(last) == column
      if isFree, displayWidth(note.text) <= room {
        lines[lines.count - 1] = last + note.styled(note.text, style)
      } else if isFree, column == place.behindName, room >= Self.columnsOfWideList / 2 {
        let broken = wrapped(note.text, columnsMax: room).map { note.styled($0, style) }
        lines[lines.count - 1] = last + broken[0]
        lines += broken.dropFirst().map { spaces(column) + $0 }
      } else if !isForTerminal {
        // In a pipe a row is one line.
        lines[lines.count - 1] += "  " + note.styled(note.text, style)
      } else {
        lines += wrapped(note.text, columnsMax: max(1, place.width - place.start - 2))
          .map { spaces(place.start + 2) + note.styled($0, style) }
      }
    }
    return lines
  }
}

/// A row of a list: `lead  name  content  fact`, and notes.
///
/// The name is never cut, since a person types it; the content is cut at the end. A note stands
/// behind the row where the line is long enough, else below it, broken between words.
struct ListRow {
  /// Something before the name: the place in an order.
  var lead = ""
  var name: String
  var content = ""
  /// A short fact at the right: an age, a score.
  var fact = ""
  var notes: [Note] = []

  /// A remark about the row.
  struct Note {
    var text: String
    /// Whether it says that something is wrong.
    var isWarning = true

    func styled(_ text: String, _ style: Style) -> String {
      isWarning ? style.warning(text) : style.faint(text)
    }
  }

  /// Whether the row has nothing but its name and notes.
  var isBare: Bool { content.isEmpty && fact.isEmpty }

  func styledName(_ name: String, _ style: Style) -> String {
    notes.contains { $0.isWarning && !$0.text.isEmpty } ? style.warning(name) : style.strong(name)
  }
}

/// Where the columns of a list are, in columns of the terminal.
private struct ListPlaces {
  var start: Int
  var name: Int
  /// The column in which the content begins.
  var behindName: Int
  var content: Int
  /// The columns of the facts, with the two before them; 0 where there are none.
  var fact: Int
  var width: Int
}

/// Returns `count` spaces.
func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

/// Returns a number and its noun, in the plural unless the number is 1: `1 entry`, `3 entries`.
func counted(_ count: Int64, _ singular: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
}
