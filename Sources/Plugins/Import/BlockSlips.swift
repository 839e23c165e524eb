import JSON

/// Properties of blocks that look like a typing mistake in one that i3blocks knows.
///
/// i3blocks 1.5 takes any property as a variable of the command, so that a slip is no mistake for
/// it; 1.4 refuses settings that have one.
struct BlockSlips {
  /// The file's lines before the first block, and its blocks.
  let sections: [SettingsLines.Section]
  /// The properties that 1.4 knows.
  let known: Set<String>

  /// The properties that may be meant: also those that 1.5 has beside 1.4's, but for `name`, which
  /// the section gives.
  ///
  /// Source: the i3bar protocol.
  private var candidates: [[UInt32]: String] {
    let names = known.subtracting(["name"]).union(Self.borders)
    return Dictionary(names.map { (Self.scalars($0), $0) }) { first, _ in first }
  }

  private static let borders = ["border_top", "border_right", "border_bottom", "border_left"]

  /// Returns a warning for each slip, in the order of the lines.
  ///
  /// Beside the property that it looks like, a property is a variable for sure. O(lines × known).
  func warnings() -> [ImportProblem] {
    let candidates = candidates
    var meant: [String: String] = [:]
    let unknown = Set(sections.flatMap(\.entries).map(\.key)).subtracting(known)
    for key in unknown { meant[key] = Self.meant(by: key, candidates) }

    var slips: [(entry: SettingsLines.Entry, file: String, meant: String)] = []
    for section in sections {
      let keys = Set(section.entries.map(\.key))
      for entry in section.entries {
        guard let name = meant[entry.key], !keys.contains(name) else { continue }
        slips.append((entry, section.file, name))
      }
    }
    let hasLabel = sections.contains { !($0["label"]?.value ?? "").isEmpty }
    // With all slips mended the settings are of 1.4 again, which shows labels.
    let hidesLabels = hasLabel && Set(slips.map(\.entry.key)) == unknown
    return slips.map { slip in
      ImportProblem(
        slip.file, line: slip.entry.line, isWarning: true,
        "i3blocks knows no property '\(slip.entry.key)'; the command alone gets it, as a variable"
          + (hidesLabels ? ", and since only 1.5 takes that, no label is shown" : "")
          + didYouMean([slip.meant]))
    }
  }

  /// Returns the property that is one typing mistake away; `nil`: there is none.
  ///
  /// Names in capitals are variables as scripts have them, one with a number behind it is one of
  /// several, and one with an underscore in front is private.
  private static func meant(by key: String, _ candidates: [[UInt32]: String]) -> String? {
    let longest = candidates.keys.map(\.count).max() ?? 0
    guard key.utf8.count <= longest + 1, !key.hasPrefix("_"), key.contains(where: \.isLowercase),
      !(key.last?.isNumber ?? true), !borders.contains(key)
    else { return nil }
    let wanted = scalars(key.lowercased())
    let near = candidates.map { (distance: editDistance(wanted, $0.key), name: $0.value) }
    let nearest = near.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    return nearest.flatMap { $0.distance <= 1 ? $0.name : nil }
  }

  private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
}
