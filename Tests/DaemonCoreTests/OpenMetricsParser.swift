/// A strict reader of OpenMetrics text, for tests.
///
/// It refuses each text that a scraper may refuse: a family that appears twice, metadata after
/// samples or in another order, samples without a family or with a suffix that their type does not
/// have, malformed labels, histograms that do not add up, a missing end.
///
/// Source: OpenMetrics 1.0, "Text format" and its ABNF.
struct OpenMetricsParser {
  struct Sample: Hashable {
    var name: String
    var labels: [String: String]
    var value: Double
  }

  struct Family: Hashable {
    var name: String
    var type = "unknown"
    var unit: String?
    var help: String?
    var samples: [Sample] = []
  }

  struct Wrong: Error, CustomStringConvertible {
    var line: Int
    var what: String
    var description: String { "line \(line): \(what)" }
  }

  private var families: [Family] = []
  private var names: Set<String> = []
  private var line = 0

  static func parse(_ text: String) throws -> [Family] {
    var parser = OpenMetricsParser()
    return try parser.read(text)
  }

  private mutating func read(_ text: String) throws -> [Family] {
    guard text.hasSuffix("# EOF\n") else { throw Wrong(line: 0, what: "does not end with # EOF") }
    let lines = text.dropLast(6).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    for content in lines {
      line += 1
      if content.hasPrefix("# ") {
        try metadata(content.dropFirst(2))
      } else {
        try sample(content)
      }
    }
    for family in families { try check(family) }
    return families
  }

  private func wrong(_ what: String) -> Wrong { Wrong(line: line, what: what) }

  private mutating func metadata(_ text: Substring) throws {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, Self.isName(parts[1]) else { throw wrong("no metadata: \(text)") }
    let name = String(parts[1])
    if families.last?.name != name {
      guard names.insert(name).inserted else { throw wrong("\(name) stands in two places") }
      families.append(Family(name: name))
    }
    guard families[families.count - 1].samples.isEmpty else {
      throw wrong("metadata after samples")
    }
    let value = String(parts[2])
    switch parts[0] {
    case "TYPE":
      guard ["counter", "gauge", "histogram"].contains(value) else { throw wrong("type \(value)") }
      guard families[families.count - 1].type == "unknown" else { throw wrong("a second type") }
      families[families.count - 1].type = value
    case "UNIT":
      guard name.hasSuffix("_\(value)") else {
        throw wrong("\(name) does not end with its unit \(value)")
      }
      families[families.count - 1].unit = value
    case "HELP":
      _ = try unescaped(value)
      guard families[families.count - 1].help == nil else { throw wrong("a second help") }
      families[families.count - 1].help = value
    default: throw wrong("\(parts[0]) is no metadata")
    }
  }

  private mutating func sample(_ text: Substring) throws {
    guard var family = families.last else { throw wrong("a sample without a family") }
    var rest = text
    let name = rest.prefix { Self.isNameCharacter($0) }
    guard Self.isName(name) else { throw wrong("no name: \(text)") }
    rest = rest.dropFirst(name.count)
    var labels: [String: String] = [:]
    if rest.first == "{" { (labels, rest) = try readLabels(rest.dropFirst()) }
    guard rest.first == " " else { throw wrong("no space before the value: \(text)") }
    rest = rest.dropFirst()
    guard !rest.isEmpty, rest.allSatisfy({ $0.isASCII && !$0.isWhitespace }),
      let value = Double(rest)
    else { throw wrong("no value: \(rest)") }
    let suffixes: [String] =
      switch family.type {
      case "counter": ["_total"]
      case "histogram": ["_bucket", "_count", "_sum"]
      default: [""]
      }
    guard suffixes.contains(where: { name == family.name + $0 }) else {
      throw wrong("\(name) is no sample of the \(family.type) \(family.name)")
    }
    let new = Sample(name: String(name), labels: labels, value: value)
    guard !family.samples.contains(where: { $0.name == new.name && $0.labels == labels }) else {
      throw wrong("\(name) with these labels stands there twice")
    }
    guard family.type == "gauge" || value >= 0 else { throw wrong("a \(family.type) below zero") }
    family.samples.append(new)
    families[families.count - 1] = family
  }

  private func readLabels(_ text: Substring) throws -> ([String: String], Substring) {
    var labels: [String: String] = [:]
    var rest = text
    while true {
      let name = rest.prefix { $0 != "=" }
      guard Self.isName(name), !name.contains(":") else { throw wrong("no label: \(rest)") }
      rest = rest.dropFirst(name.count + 1)
      guard rest.first == "\"" else { throw wrong("a label without quotes") }
      rest = rest.dropFirst()
      var raw = ""
      var isEscaped = false
      while let character = rest.first, isEscaped || character != "\"" {
        raw.append(character)
        isEscaped = !isEscaped && character == "\\"
        rest = rest.dropFirst()
      }
      guard rest.first == "\"" else { throw wrong("a label that does not end") }
      rest = rest.dropFirst()
      guard labels.updateValue(try unescaped(raw), forKey: String(name)) == nil else {
        throw wrong("the label \(name) twice")
      }
      if rest.first == "}" { return (labels, rest.dropFirst()) }
      guard rest.first == "," else { throw wrong("labels are not separated: \(rest)") }
      rest = rest.dropFirst()
    }
  }

  private func unescaped(_ text: String) throws -> String {
    var result = ""
    var characters = text.makeIterator()
    while let character = characters.next() {
      guard character == "\\" else {
        if character == "\"" { throw wrong("a bare quote") }
        result.append(character)
        continue
      }
      switch characters.next() {
      case "\\": result.append("\\")
      case "\"": result.append("\"")
      case "n": result.append("\n")
      default: throw wrong("no escape: \(text)")
      }
    }
    return result
  }

  private func check(_ family: Family) throws {
    guard family.type != "unknown" else { throw wrong("\(family.name) has no type") }
    guard family.type == "histogram" else { return }
    let buckets = family.samples.filter { $0.name.hasSuffix("_bucket") }
    guard buckets.last?.labels["le"] == "+Inf" else {
      throw wrong("\(family.name) has no last bucket")
    }
    let bounds = buckets.compactMap {
      $0.labels["le"] == "+Inf" ? Double.infinity : Double($0.labels["le"] ?? "")
    }
    guard bounds.count == buckets.count, zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }),
      zip(buckets, buckets.dropFirst()).allSatisfy({ $0.value <= $1.value })
    else { throw wrong("the buckets of \(family.name) are not in order") }
    guard family.samples.first(where: { $0.name.hasSuffix("_count") })?.value == buckets.last?.value
    else { throw wrong("\(family.name) does not add up") }
  }

  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.first, !first.isNumber else { return false }
    return text.allSatisfy { isNameCharacter($0) }
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "_:".contains(character))
  }
}
