package import JSON
import Timekeeping

extension ViewTree {
  /// The content of an entry for a surface without pictures, as docs/WIDGETS.md has it.
  ///
  /// The texts become lines in the order in which they are read; a row is one line. The first line
  /// is the title. O(nodes).
  package func content(for family: WidgetFamily) -> JSONObject {
    var collector = ContentCollector(family: family)
    let lines = collector.lines(of: root, Inherited())
    return collector.content(of: lines)
  }

  /// The URL that a tap on the widget opens: the outermost `widgetURL`.
  package var url: String? { root.outermostURL }
}

extension ViewNode {
  fileprivate var outermostURL: String? {
    for case .widgetURL(let url) in properties.reversed() { return url }
    for child in children {
      if let url = child.outermostURL { return url }
    }
    return nil
  }
}

/// The values that a node takes from the nodes around it.
private struct Inherited {
  var isUpper: Bool?
  var isRedacted = false
  /// Whether private content is covered.
  var coversPrivate = false
  var paint: Paint?
}

/// A line of text, or a date that follows the clock.
private struct Line {
  var value: JSONValue
  /// The words; `nil`: it is a date.
  var text: String?
  var paint: Paint?
  /// The number of its words, for the shortest one.
  var length: Int { text?.count ?? 8 }

  init(_ text: String, paint: Paint?) {
    value = .string(text)
    self.text = text
    self.paint = paint
  }

  init(_ live: LiveDate, paint: Paint?) {
    value = [
      "date": .string(WallTime(live.date).rfc3339), "style": .string(live.style.rawValue),
    ]
    self.paint = paint
  }
}

/// Walks a tree and collects the members of a content.
private struct ContentCollector {
  /// Whether the family shows a few characters only.
  private let isTiny: Bool
  private var symbol: String?
  private var image: JSONValue?
  private var percentage: Double?
  private var items: [JSONValue] = []
  private var tooltips: [JSONValue] = []
  private var label: String?
  private var isPrivate = false
  private var background: Paint?

  init(family: WidgetFamily) {
    isTiny = family == .accessoryInline || family == .accessoryCircular
  }

  // MARK: Lines

  /// Returns the lines of a node, and notes everything else of it.
  mutating func lines(of node: ViewNode, _ outer: Inherited) -> [Line] {
    var inherited = outer
    let (labelBefore, symbolBefore) = (label, symbol)
    for property in node.properties.reversed() {
      guard take(property, into: &inherited) else { return [] }
    }
    switch node.kind {
    // Words for such a view are those of its item, not of the widget.
    case .link, .button, .toggle: label = labelBefore
    default: break
    }
    switch node.kind {
    case .text(let runs): return lines(of: runs, inherited)
    case .symbol(let picture):
      if symbol == nil { symbol = picture.name }
      return []
    case .asset(let picture):
      if image == nil { image = Self.image(picture) }
      return []
    case .row, .grid: return row(of: node, inherited)
    case .link(let url):
      add(item(of: node, inherited), ["url": .string(url)])
      return []
    case .button(let tap):
      guard tap.intent != nil || tap.isDisabled else { return below(node, inherited) }
      add(item(of: node, inherited), Self.members(of: tap, isOn: tap.isOn))
      symbol = symbolBefore
      return []
    case .toggle(let isOn, let tap):
      add(item(of: node, inherited), Self.members(of: tap, isOn: isOn))
      symbol = symbolBefore
      return []
    case .measure(let picture):
      if percentage == nil, let fraction = picture.fraction {
        percentage = (fraction * 1_000).rounded() / 10
      }
      return measure(of: node, picture, inherited)
    case .column, .layers, .attached: return below(node, inherited)
    case .spacer, .divider, .shape, .fill, .unshown: return []
    }
  }

  /// `isOn` is `nil` for a button.
  private static func members(of tap: TapPicture, isOn: Bool?) -> JSONObject {
    var members = JSONObject()
    if let isOn { members["checked"] = .bool(isOn) }
    if let intent = tap.intent { members["intent"] = intent } else { members["disabled"] = true }
    return members
  }

  private static func image(_ picture: AssetPicture) -> JSONValue? {
    let said: (String, String)
    if let bytes = picture.bytes, !bytes.isEmpty, bytes.count <= Limits.imageBytesMax {
      said = ("data", bytes.base64EncodedString())
    } else if let file = picture.file {
      said = ("file", file)
    } else {
      return nil
    }
    var image: JSONObject = [:]
    image[said.0] = .string(said.1)
    image["alt"] = .string(picture.label)
    if picture.isTemplate { image["template"] = true }
    return .object(image)
  }

  /// Notes a property; `false`: the node is not shown.
  private mutating func take(_ property: ViewProperty, into inherited: inout Inherited) -> Bool {
    switch property {
    case .hidden: return false
    case .opacity(let opacity): return opacity > 0.01
    case .text(let style): inherited.paint = style.paint ?? inherited.paint
    case .textCase(let isUpper): inherited.isUpper = isUpper
    case .redacted(let isPrivacy):
      if isPrivacy { inherited.coversPrivate = true } else { inherited.isRedacted = true }
    case .unredacted:
      inherited.isRedacted = false
      inherited.coversPrivate = false
    case .privacySensitive:
      isPrivate = true
      if inherited.coversPrivate { inherited.isRedacted = true }
    case .accessibilityLabel(let words): label = label ?? words
    case .help(let words): tooltips.append(.string(words))
    case .containerBackground(let paint): background = background ?? paint
    default: break
    }
    return true
  }

  private mutating func below(_ node: ViewNode, _ inherited: Inherited) -> [Line] {
    var found: [Line] = []
    for child in node.children { found += lines(of: child, inherited) }
    return found
  }

  /// Returns the title and the value of a measure as one line; its bounds are part of the picture.
  private mutating func measure(
    of node: ViewNode, _ picture: MeasurePicture, _ inherited: Inherited
  ) -> [Line] {
    guard picture.form != .drawn else { return below(node, inherited) }
    var titles: [Line] = []
    var values: [Line] = []
    for (label, child) in zip(picture.labels, node.children) {
      switch label {
      case .title: titles += lines(of: child, inherited)
      case .currentValue: values += lines(of: child, inherited)
      case .minimum, .maximum, .drawn: _ = lines(of: child, inherited)
      }
    }
    // Where there is room for one of them, it is the value.
    return isTiny ? values + titles : joined([titles, values].filter { !$0.isEmpty }, gaps: [" "])
  }

  /// Returns the children as one line, if each has one line at most and none follows the clock.
  ///
  /// Columns side by side, as the hours of a forecast, are a line each.
  private mutating func row(of node: ViewNode, _ inherited: Inherited) -> [Line] {
    var parts: [[Line]] = []
    var gaps: [String] = []
    var gap = " "
    for child in node.children {
      if case .spacer = child.kind { gap = "  " }
      let found = lines(of: child, inherited)
      guard !found.isEmpty else { continue }
      if !parts.isEmpty { gaps.append(gap) }
      parts.append(found)
      gap = " "
    }
    // A grid of many cells is no line.
    if case .grid = node.kind { return parts.flatMap { $0 } }
    if parts.count(where: { $0.count > 1 }) > 1 {
      return parts.flatMap { joined($0.map { [$0] }, gaps: []) }
    }
    return joined(parts, gaps: gaps)
  }

  /// Returns one line of parts that are one line each; other parts one after another.
  private func joined(_ parts: [[Line]], gaps: [String]) -> [Line] {
    guard parts.count > 1, parts.allSatisfy({ $0.count == 1 && $0[0].text != nil }) else {
      return parts.flatMap { $0 }
    }
    var text = ""
    for (index, part) in parts.enumerated() {
      if index > 0 { text += gaps.indices.contains(index - 1) ? gaps[index - 1] : " " }
      text += part[0].text ?? ""
    }
    return [Line(text, paint: parts[0][0].paint)]
  }

  private func lines(of runs: [TextRun], _ inherited: Inherited) -> [Line] {
    if inherited.isRedacted { return [Line("…", paint: nil)] }
    var found: [Line] = []
    var text = ""
    let paint = runs.first?.style.paint ?? inherited.paint
    func finish() {
      // Line breaks of an author are lines.
      for part in text.split(separator: "\n") {
        let words = part.trimmingSpaces
        if !words.isEmpty { found.append(Line(words, paint: paint)) }
      }
      text = ""
    }
    for run in runs {
      switch run.content {
      case .text(let words):
        switch inherited.isUpper {
        case true?: text += words.uppercased()
        case false?: text += words.lowercased()
        case nil: text += words
        }
      case .live(let live):
        finish()
        found.append(Line(live, paint: run.style.paint ?? inherited.paint))
      case .symbol, .asset: break
      }
    }
    finish()
    return found
  }

  // MARK: Items

  /// Returns the words of a node that is tapped.
  private mutating func item(of node: ViewNode, _ inherited: Inherited) -> JSONValue {
    // A symbol inside of a link is that of the widget unless it has one.
    let symbolBefore = symbol
    let labelBefore = label
    label = nil
    let found = below(node, inherited)
    var words = found.prefix(Limits.lineCountMax).map(\.value)
    if words.isEmpty, let name = label ?? node.intentTitle ?? symbol ?? symbolBefore {
      words = [.string(name)]
    }
    label = labelBefore
    for case .accessibilityLabel(let name) in node.properties where found.isEmpty {
      words = [.string(name)]
    }
    return words.count == 1 ? words[0] : .array(words)
  }

  private mutating func add(_ text: JSONValue, _ members: JSONObject) {
    guard items.count < Limits.itemCountMax else { return }
    var item: JSONObject = ["text": text]
    item.members += members.members
    items.append(.object(item))
  }

  // MARK: The content

  func content(of lines: [Line]) -> JSONObject {
    var content = JSONObject()
    let first = lines.first?.value ?? items.first?["text"].flatMap(Self.firstLine)
    if let first { content["title"] = first }
    let rest = lines.dropFirst().prefix(Limits.lineCountMax).map(\.value)
    if rest.count == 1 {
      content["text"] = rest[0]
    } else if !rest.isEmpty {
      content["text"] = .array(Array(rest))
    }
    let short = isTiny ? lines.min { $0.length < $1.length }?.value : first
    if let short = short ?? first { content["short"] = short }
    if let symbol { content["symbol"] = .string(symbol) }
    if let image { content["image"] = image }
    if let paint = lines.first?.paint, let color = Self.color(paint) { content["color"] = color }
    if let background, let color = Self.color(background) { content["background"] = color }
    if let percentage {
      content["percentage"] = Int64(exactly: percentage).map { .int($0) } ?? .double(percentage)
    }
    if !tooltips.isEmpty {
      content["tooltip"] = tooltips.count == 1 ? tooltips[0] : .array(tooltips)
    }
    if !items.isEmpty { content["items"] = .array(items) }
    if let label { content["x-accessibilityLabel"] = .string(label) }
    if isPrivate { content["x-privacySensitive"] = true }
    return content
  }

  private static func firstLine(_ text: JSONValue) -> JSONValue? {
    if case .array(let lines) = text { return lines.first }
    return text
  }

  /// A colour of the author's own; that of text is the surface's.
  private static func color(_ paint: Paint) -> JSONValue? {
    let color: ColorValue
    switch paint {
    case .color(.named(.primary)), .color(.named(.secondary)), .color(.named(.clear)),
      .color(.named(.background)):
      return nil
    case .color(let value): color = value
    case .linear(let stops, _, _), .radial(let stops, _, _, _), .angular(let stops, _, _, _):
      guard let first = stops.first else { return nil }
      color = first.color
    case .hierarchical, .tint, .material, .faded: return nil
    }
    guard color.resolved(in: .light).alpha > 0 || color.resolved(in: .dark).alpha > 0 else {
      return nil
    }
    let (light, dark) = (color.resolved(in: .light).hex, color.resolved(in: .dark).hex)
    return light == dark
      ? .string(light) : ["light": .string(light), "dark": .string(dark)]
  }
}

extension Substring {
  /// The text without spaces around it, and shortened to what a line may have.
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    guard text.utf8.count > Limits.lineBytesMax else { return String(text) }
    var short = ""
    for character in text {
      guard short.utf8.count + character.utf8.count <= Limits.lineBytesMax - 3 else { break }
      short.append(character)
    }
    return short + "…"
  }
}

extension ViewNode {
  /// The name of the intent that a tap sends; `nil`: there is none.
  fileprivate var intentTitle: String? {
    switch kind {
    case .button(let tap), .toggle(_, let tap): tap.title.isEmpty ? nil : tap.title
    default: nil
    }
  }
}
