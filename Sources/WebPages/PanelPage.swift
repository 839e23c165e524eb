import BarLines
package import JSON
import PlainText
import Plugins
package import Timekeeping

/// A widget as a panel shows it: black text on white, clean, and without anything that ticks.
package struct PanelTile: Hashable, Sendable {
  package var name: String
  package var title: String
  package var lines: [String]
  /// Rows below the text; those with a level are indented.
  package var rows: [String]
  /// 0 to 100.
  package var percentage: Int?
  package var isUrgent: Bool
  /// The picture below the title; `nil`: it has none that a panel can draw.
  package var picture: PanelPicturePlace?
  /// Words that say why the content is not current, and since when; `nil`: it is.
  package var note: String?

  package init(
    name: String, title: String = "", lines: [String] = [], rows: [String] = [],
    percentage: Int? = nil, isUrgent: Bool = false, picture: PanelPicturePlace? = nil,
    note: String? = nil
  ) {
    self.name = name
    self.title = title
    self.lines = lines
    self.rows = rows
    self.percentage = percentage
    self.isUrgent = isUrgent
    self.picture = picture
    self.note = note
  }
}

/// A picture on a panel: its hash, and the size that its content says, in pixels.
package struct PanelPicturePlace: Hashable, Sendable {
  package var hash: String
  package var width: Int
  package var height: Int

  package init(hash: String, width: Int, height: Int) {
    self.hash = hash
    self.width = width
    self.height = height
  }

  /// Reads `image` of a content; `nil`: it has none, or one of a type that panels do not draw.
  ///
  /// Cairo reads PNG, and no library that the panels use reads another type.
  init?(_ image: JSONValue?) {
    guard let image, image["type"]?.stringValue == "png",
      let hash = image["hash"]?.stringValue, hash.hasPrefix("sha256-"),
      let width = image["width"]?.intValue, let height = image["height"]?.intValue,
      (1...Int64(PluginLimits.imageSidePixelsMax)).contains(width),
      (1...Int64(PluginLimits.imageSidePixelsMax)).contains(height)
    else { return nil }
    self.init(hash: hash, width: Int(width), height: Int(height))
  }
}

/// The content of a panel at one moment.
///
/// A panel is drawn seldom, so nothing on it may depend on the second of the drawing: dates stand as
/// times of day, and the picture stays the same until the content changes.
package struct PanelPage: Hashable, Sendable {
  package private(set) var tiles: [PanelTile]
  /// Columns of tiles; 1 for one widget.
  package let columnCount: Int
  /// Rows of tiles; 1 for one widget.
  package let rowCount: Int

  /// Makes the page of a panel of the widgets, as `stack.order` lists them.
  ///
  /// Of the stack it leaves out those that are hidden; without any other the page has no tiles.
  /// `isLost` says that the daemon is gone. `clock` writes a moment as a time of day, with the date
  /// if it is not today. `nil`: the panel is for a widget that is not there.
  package init?(
    _ request: PanelRequest, widgets: [JSONValue], isLost: Bool,
    clock: @escaping (WallTime) -> String
  ) {
    let reader = TileReader(depth: request.depth, isLost: isLost, clock: clock)
    guard request.name == PanelRequest.stackName else {
      let widget = widgets.first { $0["id"]?.stringValue == request.name }
      guard let widget else { return nil }
      tiles = [reader.tile(widget)]
      columnCount = 1
      rowCount = 1
      return
    }
    // Smaller tiles could not be read from where one stands.
    let columns = max(1, request.width / 320)
    let rows = max(1, request.height / 200)
    let shown = widgets.filter { !PageWidget.isHidden($0) }
    let count = min(shown.count, columns * rows, WebLimits.tileCountMax)
    tiles = shown.prefix(count).map { reader.tile($0) }
    columnCount = count <= 2 && request.width < request.height ? 1 : min(columns, max(1, count))
    rowCount = max(1, (count + columnCount - 1) / columnCount)
  }
}

extension PanelPage {
  /// The hashes of the pictures on it, each once.
  package var pictureHashes: Set<String> { Set(tiles.compactMap(\.picture?.hash)) }

  /// Takes away the pictures whose bytes nobody has, so that their places are not left empty.
  package mutating func keepPictures(_ known: Set<String>) {
    for index in tiles.indices {
      guard let picture = tiles[index].picture, !known.contains(picture.hash) else { continue }
      tiles[index].picture = nil
    }
  }
}

private struct TileReader {
  let depth: Int
  let isLost: Bool
  let clock: (WallTime) -> String

  func tile(_ widget: JSONValue) -> PanelTile {
    let content = widget["entry"]?["content"] ?? .null
    let name = clean(widget["name"]?.stringValue ?? widget["id"]?.stringValue ?? "")
    var title = lines(content["title"]).first ?? ""
    if title.isEmpty { title = lines(content["titles"]).first ?? "" }
    var text = lines(content["text"])
    if text.isEmpty { text = lines(content["short"]) }
    if let subtitle = lines(content["subtitle"]).first { text.insert(subtitle, at: 0) }
    var rows: [String] = []
    append(content["items"], level: 0, to: &rows)
    let percentage = content["percentage"]?.doubleValue.flatMap {
      (0...100).contains($0) ? Int($0.rounded()) : nil
    }
    let picture = PanelPicturePlace(content["image"])
    if title.isEmpty, text.isEmpty, rows.isEmpty, percentage == nil, picture == nil {
      text = [
        PageWidget.isHidden(widget)
          ? "nothing to show now" : widget["entry"] == nil ? "nothing yet" : name
      ]
    }
    return PanelTile(
      name: name, title: title == name ? "" : title, lines: text, rows: rows,
      percentage: percentage, isUrgent: content["urgent"]?.boolValue == true, picture: picture,
      note: note(widget))
  }

  private func note(_ widget: JSONValue) -> String? {
    let isStale = widget["stale"]?.boolValue == true
    guard isLost || isStale else { return nil }
    let since = widget["staleSince"]?.stringValue.flatMap { WallTime(rfc3339: $0) }
    let reason = isLost ? "intentd is not running" : "not current"
    return since.map { "\(reason), since \(clock($0))" } ?? reason
  }

  private func append(_ items: JSONValue?, level: Int, to rows: inout [String]) {
    for item in items?.arrayValue ?? [] where rows.count < WebLimits.lineCountMax {
      guard item["separator"]?.boolValue != true else { continue }
      var row = lines(item["text"]).first ?? ""
      if let badge = item["badge"]?.stringValue.map(clean), !badge.isEmpty { row += "  (\(badge))" }
      if item["checked"]?.boolValue == true { row = "\u{2713} " + row }
      if !row.isEmpty { rows.append(String(repeating: "    ", count: level) + row) }
      if level < 2 { append(item["items"], level: level + 1, to: &rows) }
    }
  }

  /// Returns the lines of a value that are not empty: a text, a date, runs, or a list of them.
  private func lines(_ value: JSONValue?) -> [String] {
    guard let value else { return [] }
    let all = (value.arrayValue ?? [value]).prefix(WebLimits.lineCountMax).map { line($0) }
    return all.filter { !$0.isEmpty }
  }

  private func line(_ value: JSONValue) -> String {
    if let text = value.stringValue { return clean(text) }
    if let date = LiveDate(value) { return clock(date.date) }
    let runs = value["runs"]?.arrayValue ?? []
    return clean(runs.compactMap { $0["text"]?.stringValue }.joined())
  }

  /// Cleans foreign text, and cuts it; at 1 bit without emoji, which would be a few dots.
  private func clean(_ text: String) -> String {
    var shown = printable(String(text.prefix(WebLimits.lineCharacterCountMax)))
    if depth == 1 { shown = withoutEmoji(shown) }
    while shown.first == " " { shown.removeFirst() }
    while shown.last == " " { shown.removeLast() }
    return shown
  }
}

/// Returns the text without the characters that are shown as pictures.
func withoutEmoji(_ text: String) -> String {
  var kept = ""
  for character in text {
    let scalars = character.unicodeScalars
    let isPicture = scalars.contains { scalar in
      scalar.properties.isEmojiPresentation || scalar == "\u{FE0F}"
        || scalar.properties.isEmoji && scalar.value >= 0x1F000
    }
    // A blank on both sides of it would leave two.
    let isSecondBlank = character == " " && kept.last == " "
    if !isPicture, !isSecondBlank { kept.append(character) }
  }
  return kept
}
