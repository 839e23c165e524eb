import JSON

/// Reads a bundle: a manifest that offers several kinds of one program.
///
/// ```yaml
/// provider: {exec: [./clock], protocol: extension}
/// app: org.example.Clock
/// families: [systemSmall, systemMedium]
/// kinds:
///   - {kind: org.example.clock, name: Clock, intent: ShowWorldClock}
///   - {kind: org.example.week, name: Week, families: [systemMedium]}
/// ```
///
/// Each item of `kinds` is read as a manifest of its own, which also has the keys beside `kinds`. So
/// a rule for a manifest holds for each kind of a bundle, and no rule is written twice. A key stands
/// in one of three places:
///
/// | keys | place |
/// |---|---|
/// | `keysOfKind` | only in a kind: they say which kind it is |
/// | `keysOfProgram` | only beside `kinds`: there is one program, held in one way |
/// | the others | beside `kinds`, for all of them, or in a kind, whose own key wins |
extension ManifestReader {
  package static let keysOfKind = ["kind", "name", "aliases", "suggest"]
  package static let keysOfProgram = [
    "provider", "env", "needs", "permissions", "sandbox", "privileges", "group",
    "performs",
  ]

  /// Returns the kinds that a manifest offers, and all mistakes.
  package static func read(_ source: ManifestSource) -> ManifestReading {
    var reader = ManifestReader(source: source)
    if let kinds = source.document["kinds"] { return reader.readBundle(kinds) }
    var reading = ManifestReading()
    let kind = reader.readKind()
    reading.issues = reader.issues
    reading.lines = Dictionary(source.writtenKinds.map { ($0.kind, $0.line) }) { first, _ in first }
    if let kind, !reader.hasErrors {
      reading.kinds = [kind]
    } else {
      // The id may be what was changed, so a broken kind of this id is not all that may be meant.
      reading.hasOtherMistakes = true
    }
    return reading
  }

  private mutating func readBundle(_ kinds: LocatedValue) -> ManifestReading {
    var reading = ManifestReading()
    let items = readItems(kinds)
    refuseKeysBeside(kinds)
    reading.hasOtherMistakes = hasErrors
    var told = Set(issues)
    for item in items {
      let id = Self.identifier(item)
      if let id, isTwice(id, item, in: reading) {
        told.formUnion(issues)
        continue
      }
      if let id { reading.lines[id] = item["kind"]?.line ?? item.line }
      let read = readItem(item)
      // All kinds have the mistakes beside `kinds`, which are told once.
      append(read.issues.filter { told.insert($0).inserted })
      if let kind = read.kind {
        reading.kinds.append(kind)
      } else if let id {
        reading.broken.insert(id)
      } else {
        reading.hasOtherMistakes = true
      }
    }
    let bundle = items.lazy.compactMap(Self.identifier).first
    for index in reading.kinds.indices where reading.kinds[index].hasProvider {
      reading.kinds[index].provider.bundle = bundle
    }
    reading.issues = issues
    return reading
  }

  /// Returns the items of `kinds`; none if it is no list of them.
  private mutating func readItems(_ kinds: LocatedValue) -> [LocatedValue] {
    let most = Limits.kindOfManifestCountMax
    guard case .array(let items) = kinds.node, (1...most).contains(items.count) else {
      report(
        kinds.line, "kinds is \(Self.describe(kinds))",
        "a list of 1 to \(most) mappings, each with kind and name")
      return []
    }
    return items
  }

  /// Reports the keys beside `kinds` that say which kind it is.
  private mutating func refuseKeysBeside(_ kinds: LocatedValue) {
    guard case .object(let members) = source.document.node else { return }
    for member in members where Self.keysOfKind.contains(member.key) {
      report(
        member.line, "\(member.key) stands beside kinds",
        "\(member.key) in each kind of kinds that it is meant for")
    }
  }

  private mutating func isTwice(
    _ id: String, _ item: LocatedValue, in reading: ManifestReading
  ) -> Bool {
    guard let line = reading.lines[id] else { return false }
    report(
      item["kind"]?.line ?? item.line,
      "the kind '\(id)' stands in kinds twice, first on line \(line)",
      "each kind once; the first one counts")
    return true
  }

  /// Returns the kind of an item, `nil` if it has a mistake; and all issues.
  private func readItem(_ item: LocatedValue) -> (kind: WidgetKind?, issues: [DocumentIssue]) {
    // With more mistakes than anybody is shown the other kinds are not judged.
    guard issues.count <= DocumentIssue.countOfFileMax else { return (nil, []) }
    var reader = ManifestReader(source: source)
    guard case .object(let own) = item.node, case .object(let shared) = source.document.node else {
      reader.report(
        item.line, "a kind of kinds is \(Self.describe(item))",
        "a mapping with kind and name, such as {kind: org.example.weather, name: Weather}")
      return (nil, reader.issues)
    }
    let programKeys = Self.keysOfProgram + ["kinds"]
    for member in own where programKeys.contains(member.key) {
      reader.report(
        member.line, "\(member.key) stands in a kind of kinds",
        "\(member.key) beside kinds: one program makes all kinds of a manifest")
    }
    let keys = Set(own.map(\.key))
    let inherited = shared.filter { member in
      member.key != "kinds" && !keys.contains(member.key)
        && !Self.keysOfKind.contains(member.key)
    }
    let members = own.filter { !programKeys.contains($0.key) } + inherited
    var merged = source
    merged.document = LocatedValue(.object(members), line: item.line)
    var nested = ManifestReader(source: merged)
    let kind = nested.readKind()
    let isGood = !reader.hasErrors && !nested.hasErrors
    return (isGood ? kind : nil, reader.issues + nested.issues)
  }

  /// The id of an item; `nil`: it has none that may name a kind.
  private static func identifier(_ item: LocatedValue) -> String? {
    guard case .string(let text)? = item["kind"]?.node, isIdentifier(text) else { return nil }
    return text
  }
}
