/// Reads SVG as far as it is needed to know its size, and that it is only a drawing.
///
/// No surface of ours draws SVG itself: the page gives it to the browser as an `<img>`, where no
/// script runs and nothing is loaded. Other surfaces may have other readers, so a file with anything
/// that runs, moves, loads, filters or multiplies itself is refused as a whole: each step of a filter
/// costs a reader as much as a picture of its own, whatever the size of the file. Nothing is
/// stripped: a file that is changed would have another hash than its author gave it. Sources: XML
/// 1.0 (Fifth Edition), SVG 2 (sections 2.7, 5.6, 7.8 and 8.2).
package enum SVGPicture {
  /// Returns whether a file is meant as XML, of which SVG is the only sort that is shown.
  static func isMeant(_ bytes: [UInt8]) -> Bool {
    let start = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    return ["<svg", "<?xml", "<!--", "<!DOCTYPE"].contains { start.starts(with: $0.utf8) }
  }

  /// Reads a whole file; O(bytes).
  package static func read(_ bytes: [UInt8]) -> Result<PictureHeader, PluginPicture.Refusal> {
    var reader = SVGReader(bytes: bytes)
    do throws(PluginPicture.Refusal) {
      return .success(try reader.header())
    } catch {
      return .failure(error)
    }
  }
}

private struct SVGReader {
  let bytes: [UInt8]
  private var offset = 0
  /// The elements that are open, from the root.
  private var open: [(name: String, element: Int)] = []
  private var drawing = SVGExpansion()
  /// The text of style sheets.
  private var sheets = ""
  private var size: (width: Double, height: Double)?

  private typealias Refusal = PluginPicture.Refusal

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func header() throws(PluginPicture.Refusal) -> PictureHeader {
    guard String(validating: bytes, as: UTF8.self) != nil,
      !bytes.contains(where: { $0 < 0x20 && ![9, 10, 13].contains($0) })
    else { throw Self.refusal("is not in UTF-8", "save it as UTF-8") }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    while offset < bytes.count { try readNext() }
    guard open.isEmpty, let size else { throw Self.refusal("is cut off", "write all of it") }
    try Self.checkStyle(sheets)
    try Self.checkFilter(sheets)
    guard drawing.isSmall else {
      throw Self.refusal(
        "refers to its own parts more often than \(PluginLimits.svgElementsShownMax) elements",
        "draw it with fewer of them")
    }
    let (width, height) = (size.width.rounded(.up), size.height.rounded(.up))
    guard width >= 1, height >= 1, width <= 1e6, height <= 1e6 else {
      throw Self.refusal("has no size that can be shown", "say its width and height")
    }
    return PictureHeader(form: .svg, width: Int(width), height: Int(height))
  }

  private static func refusal(_ problem: String, _ fix: String) -> Refusal {
    Refusal(message: "a picture is SVG that \(problem), and is not shown; \(fix)")
  }

  // MARK: Pieces

  private func has(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

  /// Skips as far as the end of `text`, and returns the bytes before it.
  private mutating func take(until text: String) throws(PluginPicture.Refusal) -> ArraySlice<UInt8>
  {
    let end = Array(text.utf8)
    var place = offset
    while place + end.count <= bytes.count {
      if bytes[place] == end[0], bytes[place..<place + end.count].elementsEqual(end) {
        defer { offset = place + end.count }
        return bytes[offset..<place]
      }
      place += 1
    }
    throw Self.refusal("is cut off", "write all of it")
  }

  private mutating func readNext() throws(PluginPicture.Refusal) {
    guard bytes[offset] == UInt8(ascii: "<") else {
      let end = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
      try takeText(bytes[offset..<end])
      offset = end
      return
    }
    if has("<!--") {
      offset += 4
      _ = try take(until: "-->")
    } else if has("<![CDATA[") {
      offset += 9
      let text = try take(until: "]]>")
      if isInStyle { sheets += String(decoding: text, as: UTF8.self) }
    } else if has("<!") {
      throw Self.refusal("has a DOCTYPE or entities", "leave them out")
    } else if has("<?") {
      try takeInstruction()
    } else if has("</") {
      offset += 2
      let name = String(decoding: try take(until: ">"), as: UTF8.self)
      guard let last = open.popLast(), last.name == name.filter({ !$0.isWhitespace }) else {
        throw Self.refusal("is not well-formed", "check it with xmllint")
      }
    } else {
      offset += 1
      try takeElement()
    }
  }

  private var isInStyle: Bool { open.last.map { Self.localName($0.name) == "style" } ?? false }

  private mutating func takeText(_ text: ArraySlice<UInt8>) throws(PluginPicture.Refusal) {
    guard isInStyle else { return }
    sheets += try Self.decoded(String(decoding: text, as: UTF8.self))
  }

  /// Takes the declaration of XML at the beginning of the file.
  private mutating func takeInstruction() throws(PluginPicture.Refusal) {
    let isFirst = offset == 0 || offset == 3 && bytes[0] == 0xEF
    let text = String(decoding: try take(until: "?>"), as: UTF8.self)
    guard isFirst, text.hasPrefix("<?xml"), text.dropFirst(5).first?.isWhitespace == true else {
      throw Self.refusal("has processing instructions", "leave them out")
    }
    // Another encoding would make other elements of the same bytes.
    let folded = text.lowercased()
    guard !folded.contains("encoding") || folded.contains("\"utf-8\"") || folded.contains("'utf-8'")
    else {
      throw Self.refusal("is not in UTF-8", "save it as UTF-8")
    }
  }

  // MARK: Elements

  /// Elements that run, move, load, or hold something that is no drawing.
  private static let refused: [String: String] = [
    "script": "has a script", "handler": "has a script", "listener": "has a script",
    "foreignobject": "has a foreignObject", "iframe": "has a foreign element",
    "object": "has a foreign element", "embed": "has a foreign element",
    "audio": "has a foreign element", "video": "has a foreign element",
    "canvas": "has a foreign element", "animate": "moves", "animatecolor": "moves",
    "filter": "has a filter", "animatemotion": "moves", "animatetransform": "moves", "set": "moves",
    "discard": "moves",
  ]

  private static func localName(_ name: String) -> String {
    (name.split(separator: ":").last.map(String.init) ?? name).lowercased()
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != UInt8(ascii: "/") && byte != UInt8(ascii: ">")
      && byte != UInt8(ascii: "=") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
      && byte != UInt8(ascii: "<")
  }

  private mutating func takeName() -> String {
    let end = bytes[offset...].firstIndex { !Self.isNameByte($0) } ?? bytes.count
    defer { offset = end }
    return String(decoding: bytes[offset..<end], as: UTF8.self)
  }

  private mutating func skipBlanks() {
    offset = bytes[offset...].firstIndex { $0 > 0x20 } ?? bytes.count
  }

  private mutating func takeElement() throws(PluginPicture.Refusal) {
    let name = takeName()
    guard !name.isEmpty, open.count < PluginLimits.markupDepthMax else {
      throw Self.refusal("is not well-formed, or deeper than any drawing", "simplify it")
    }
    let local = Self.localName(name)
    if let problem = Self.refused[local] { throw Self.refusal(problem, "leave it out") }
    // All steps of a filter, and nothing else, are named so.
    if local.hasPrefix("fe") { throw Self.refusal("has a filter", "leave it out") }
    guard let element = drawing.add(below: open.last?.element) else {
      throw Self.refusal(
        "has more than \(PluginLimits.svgElementCountMax) elements", "simplify it")
    }
    let attributes = try takeAttributes(of: element)
    if open.isEmpty {
      guard size == nil, name == "svg",
        attributes["xmlns"] == "http://www.w3.org/2000/svg"
      else {
        throw Self.refusal(
          "does not begin with its own element",
          "write <svg xmlns=\"http://www.w3.org/2000/svg\" …>")
      }
      size = try Self.size(attributes)
    }
    if has("/") {
      offset += 1
    } else {
      open.append((name, element))
    }
    guard has(">") else { throw Self.refusal("is not well-formed", "check it with xmllint") }
    offset += 1
  }

  private mutating func takeAttributes(
    of element: Int
  ) throws(PluginPicture.Refusal) -> [String: String] {
    var attributes: [String: String] = [:]
    while true {
      skipBlanks()
      let name = takeName()
      guard !name.isEmpty else { return attributes }
      skipBlanks()
      guard has("=") else { throw Self.refusal("is not well-formed", "check it with xmllint") }
      offset += 1
      skipBlanks()
      guard has("\"") || has("'") else {
        throw Self.refusal("is not well-formed", "check it with xmllint")
      }
      let quote = String(UnicodeScalar(bytes[offset]))
      offset += 1
      let raw = try take(until: quote)
      guard !raw.contains(UInt8(ascii: "<")) else {
        throw Self.refusal("is not well-formed", "check it with xmllint")
      }
      let value = try Self.decoded(String(decoding: raw, as: UTF8.self))
      try judge(name, value, of: element)
      attributes[name] = value
    }
  }

  private mutating func judge(
    _ name: String, _ value: String, of element: Int
  ) throws(PluginPicture.Refusal) {
    let local = Self.localName(name)
    if local.hasPrefix("on") { throw Self.refusal("has a script (\(local))", "leave it out") }
    if name == "xmlns" || name.hasPrefix("xmlns:") {
      let folded = value.lowercased()
      guard !folded.contains("xhtml"), !folded.contains("mathml") else {
        throw Self.refusal("has a foreign element", "leave it out")
      }
    }
    switch local {
    case "href", "src", "base":
      guard local == "href", value.hasPrefix("#") else {
        throw Self.refusal("names something outside of itself", "draw it within the file")
      }
      drawing.refer(from: element, to: String(value.dropFirst()))
    case "id": if !name.contains(":") { drawing.name(element, value) }
    default: break
    }
    // Attributes of editors, such as those of Inkscape, are no style.
    guard !name.contains(":") else { return }
    try Self.checkStyle(value)
    if local == "style" { try Self.checkFilter(value) }
    if local == "filter" { try Self.checkFilter("filter:\(value)") }
    for reference in Self.references(in: value) { drawing.refer(from: element, to: reference) }
  }

  // MARK: Styles

  /// Words of styles that load something, and those that move.
  private static let loadingWords = [
    "@import", "@font-face", "image-set(", "image(", "src(", "cross-fade(",
  ].map { Array($0.utf8) }
  private static let movingWords = ["@keyframes", "animation:", "animation-name"].map {
    Array($0.utf8)
  }
  private static let link = Array("url(".utf8)

  /// Refuses styles that load or move, and those that hide a name from this reader.
  private static func checkStyle(_ text: String) throws(PluginPicture.Refusal) {
    // A path is long, and has none of these characters.
    guard text.utf8.contains(where: { [0x28, 0x3A, 0x40, 0x5C].contains($0) }) else { return }
    let folded = text.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    guard !folded.contains(0x5C) else {
      throw refusal("has a backslash in a style", "write the character itself")
    }
    if loadingWords.contains(where: { !places(of: $0, in: folded).isEmpty }) {
      throw refusal("names something outside of itself", "draw it within the file")
    }
    if movingWords.contains(where: { !places(of: $0, in: folded).isEmpty }) {
      throw refusal("moves", "leave the animation out")
    }
    for place in places(of: link, in: folded) {
      let name = folded[place...].first { $0 > 0x20 && $0 != 0x22 && $0 != 0x27 }
      guard name == UInt8(ascii: "#") else {
        throw refusal("names something outside of itself (url)", "draw it within the file")
      }
    }
  }

  /// Refuses a style that filters; `filter: none` filters nothing.
  private static func checkFilter(_ text: String) throws(PluginPicture.Refusal) {
    let folded = text.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    for place in places(of: Array("filter".utf8), in: folded) {
      let rest = folded[place...].drop { $0 <= 0x20 }
      // A comment may stand between the name and its colon; what follows it is not looked for.
      guard rest.first == UInt8(ascii: ":") || rest.starts(with: "/*".utf8) else { continue }
      let value = rest.dropFirst().drop { $0 <= 0x20 }
      let word = value.prefix { (97...122).contains($0) || $0 == UInt8(ascii: "-") }
      guard word.elementsEqual("none".utf8) else {
        throw refusal("has a filter", "leave it out")
      }
    }
  }

  /// Returns the places behind each `word`.
  private static func places(of word: [UInt8], in bytes: [UInt8]) -> [Int] {
    guard bytes.count >= word.count else { return [] }
    var places: [Int] = []
    for start in 0...bytes.count - word.count
    where bytes[start] == word[0] && bytes[start..<start + word.count].elementsEqual(word) {
      places.append(start + word.count)
    }
    return places
  }

  /// The ids that `url(#id)` names.
  private static func references(in text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: "#")), text.utf8.contains(UInt8(ascii: "(")) else {
      return []
    }
    let bytes = Array(text.utf8)
    return places(of: [UInt8(ascii: "(")], in: bytes).compactMap { place in
      let name = bytes[place...].drop { $0 <= 0x20 || $0 == 0x22 || $0 == 0x27 }
      guard name.first == UInt8(ascii: "#") else { return nil }
      return String(
        decoding: name.dropFirst().prefix { $0 > 0x20 && ![0x22, 0x27, 0x29].contains($0) },
        as: UTF8.self)
    }
  }

  private static let entities: [Substring: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  /// Returns a text with its references to characters replaced.
  private static func decoded(_ text: String) throws(PluginPicture.Refusal) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var pieces = text.split(separator: "&", omittingEmptySubsequences: false)[...]
    var result = String(pieces.removeFirst())
    for piece in pieces {
      guard let end = piece.firstIndex(of: ";") else {
        throw refusal("is not well-formed", "write &amp; for an ampersand")
      }
      let name = piece[..<end]
      if let character = entities[name] {
        result += character
      } else if let code = number(name), let scalar = UnicodeScalar(code) {
        result.unicodeScalars.append(scalar)
      } else {
        throw refusal("has a DOCTYPE or entities", "leave them out")
      }
      result += piece[piece.index(after: end)...]
    }
    return result
  }

  private static func number(_ name: Substring) -> UInt32? {
    guard name.hasPrefix("#") else { return nil }
    return name.hasPrefix("#x")
      ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(), radix: 10)
  }

  // MARK: Size

  /// Pixels of a unit, as CSS has them.
  private static let units: [(name: String, pixels: Double)] = [
    ("px", 1), ("pt", 4.0 / 3), ("pc", 16), ("mm", 96 / 25.4), ("cm", 96 / 2.54), ("in", 96),
  ]

  private static func pixels(_ text: String?) -> Double? {
    guard let text = text?.lowercased().filter({ !$0.isWhitespace }) else { return nil }
    if let number = Double(text) { return number.isFinite && number > 0 ? number : nil }
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let number = Double(text.dropLast(unit.name.count)), number.isFinite, number > 0
    else { return nil }
    return number * unit.pixels
  }

  /// The size by `width` and `height`, else by `viewBox`.
  private static func size(
    _ attributes: [String: String]
  ) throws(PluginPicture.Refusal) -> (width: Double, height: Double) {
    let box = (attributes["viewBox"] ?? "")
      .split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
    let isBox = box.count == 4 && box.allSatisfy(\.isFinite) && box[2] > 0 && box[3] > 0
    let (width, height) = (pixels(attributes["width"]), pixels(attributes["height"]))
    switch (width, height) {
    case (let width?, let height?): return (width, height)
    case (let width?, nil) where isBox: return (width, width * box[3] / box[2])
    case (nil, let height?) where isBox: return (height * box[2] / box[3], height)
    case _ where isBox: return (box[2], box[3])
    default:
      throw refusal("says no size", "say width and height, or a viewBox")
    }
  }
}

/// Counts the elements that a drawing shows when each reference to another part is followed.
///
/// Ten lines with `<use>` can show a million copies of one line, and a reference to an element
/// around itself has no end.
private struct SVGExpansion {
  private struct Element {
    var children: [Int] = []
    var references: [String] = []
  }

  private var elements: [Element] = []
  private var places: [String: Int] = [:]

  /// Adds an element; `nil`: there are too many.
  mutating func add(below parent: Int?) -> Int? {
    guard elements.count < PluginLimits.svgElementCountMax else { return nil }
    elements.append(Element())
    if let parent { elements[parent].children.append(elements.count - 1) }
    return elements.count - 1
  }

  mutating func name(_ element: Int, _ id: String) {
    if places[id] == nil { places[id] = element }
  }

  mutating func refer(from element: Int, to id: String) { elements[element].references.append(id) }

  /// Whether it shows no more than `PluginLimits.svgElementsShownMax`; O(elements and references).
  var isSmall: Bool {
    guard !elements.isEmpty else { return true }
    var walk = Walk()
    guard let count = count(0, depth: 0, &walk) else { return false }
    return count <= PluginLimits.svgElementsShownMax
  }

  private struct Walk {
    var known: [Int: Int] = [:]
    var active: Set<Int> = []
  }

  /// The elements that one shows; `nil`: too many, too deep, or without end.
  private func count(_ element: Int, depth: Int, _ walk: inout Walk) -> Int? {
    if let known = walk.known[element] { return known }
    guard depth < 4 * PluginLimits.markupDepthMax, walk.active.insert(element).inserted else {
      return nil
    }
    defer { walk.active.remove(element) }
    var total = 1
    let targets = elements[element].references.compactMap { places[$0] }
    for next in elements[element].children + targets {
      guard let count = count(next, depth: depth + 1, &walk) else { return nil }
      total += count
      guard total <= PluginLimits.svgElementsShownMax else { return nil }
    }
    walk.known[element] = total
    return total
  }
}
