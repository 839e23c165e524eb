import JSON
import PlainText
import Plugins

/// A menu in the form in which ours and those of other parsers are compared.
struct MenuNode: Hashable {
  var text = ""
  var isSeparator = false
  var url: String?
  /// The words of the program and its arguments, without quotes.
  var command: [String] = []
  var refreshes = false
  var color: String?
  var hasImage = false
  var items: [MenuNode] = []
  var alternate: [MenuNode] = []

  /// Whether there is nothing to see: we leave such lines out.
  var isEmpty: Bool { !isSeparator && !hasImage && text.isEmpty }
}

/// The titles and the menu of an output.
struct MenuShape: Hashable {
  var titles: [MenuNode] = []
  var items: [MenuNode] = []

  /// Makes the shape of one of our frames.
  init(_ frame: PluginFrame) {
    titles = frame.titles.map(MenuNode.init)
    items = frame.items.map(MenuNode.init)
  }

  /// Makes a shape of another parser's titles, each with whether the menu repeats it, and items.
  ///
  /// Some things are left out: lines without anything to see, a menu of separators alone. And
  /// several titles stand in the menu, too.
  init(titles: [(node: MenuNode, isInMenu: Bool)], items: [MenuNode]) {
    let titles = titles.filter { !$0.node.isEmpty }
    self.titles = titles.map(\.node)
    var items = Self.withoutEmpty(items)
    if items.allSatisfy(\.isSeparator) { items = [] }
    let repeated = titles.filter(\.isInMenu).map(\.node)
    if titles.count > 1, !repeated.isEmpty {
      let needsLine = items.first.map { !$0.isSeparator } ?? false
      items = repeated + (needsLine ? [MenuNode(isSeparator: true)] : []) + items
    }
    self.items = items
  }

  private static func withoutEmpty(_ items: [MenuNode]) -> [MenuNode] {
    items.filter { !$0.isEmpty }.map { item in
      var item = item
      item.items = withoutEmpty(item.items)
      item.alternate = withoutEmpty(item.alternate)
      return item
    }
  }

  /// Returns the first place where two shapes differ, with what each has; `nil` if they are equal.
  func difference(from other: MenuShape) -> String? {
    Self.difference(titles, other.titles, "title") ?? Self.difference(items, other.items, "item")
  }

  private static func difference(_ a: [MenuNode], _ b: [MenuNode], _ place: String) -> String? {
    for (index, pair) in zip(a, b).enumerated() where pair.0 != pair.1 {
      let here = "\(place) \(index + 1)"
      if let below = difference(pair.0.items, pair.1.items, here + ", item")
        ?? difference(pair.0.alternate, pair.1.alternate, here + ", alternate")
      {
        return below
      }
      return "\(here) is \(pair.0.summary) and \(pair.1.summary)"
    }
    guard a.count != b.count else { return nil }
    return "there are \(a.count) and \(b.count) of \(place)"
  }
}

extension MenuNode {
  init(_ item: PluginItem) {
    text = item.text.plain
    isSeparator = item.isSeparator
    url = item.action.url
    let exec = item.action.exec
    command = Self.words(exec.starts(with: ["bash", "-c"]) ? Array(exec.dropFirst(2)) : exec)
    refreshes = item.action.refreshes
    color = item.color?.light
    hasImage = item.image != nil
    items = item.items.map(MenuNode.init)
    alternate = item.alternate.map(MenuNode.init)
  }

  /// Returns the words of programs and arguments, without quotes: the others keep a command line in
  /// one piece, and we split it.
  static func words(_ argv: [String]) -> [String] {
    argv.joined(separator: " ").filter { $0 != "'" && $0 != "\"" && $0 != "\\" }
      .split(separator: " ").map(String.init)
  }

  /// Gives a node the text of another parser: without escape sequences, cleaned, and cut.
  mutating func take(_ text: String, isTrimmed: Bool, length: Int) {
    var text = text
    if isTrimmed {
      while text.first?.isWhitespace == true { text.removeFirst() }
      while text.last?.isWhitespace == true { text.removeLast() }
    }
    text = printable(ANSI.read(text).plain)
    if text.allSatisfy(\.isWhitespace) { text = "" }
    if length > 0, text.count > length { text = text.prefix(length) + "…" }
    self.text = text
  }

  fileprivate var summary: String {
    guard !isSeparator else { return "a line" }
    var parts = ["'\(text.count > 60 ? text.prefix(60) + "…" : text)'"]
    if let url { parts.append("url '\(url)'") }
    if !command.isEmpty { parts.append("command '\(command.joined(separator: " "))'") }
    if refreshes { parts.append("refresh") }
    if let color { parts.append(color) }
    if hasImage { parts.append("a picture") }
    return parts.joined(separator: " ")
  }
}
