package import JSON

/// The reading of one manifest: the kinds that it offers, and its mistakes.
package struct ManifestReading: Hashable, Sendable {
  /// The kinds without a mistake, in the order of the file; at most
  /// `Limits.kindOfManifestCountMax`.
  package var kinds: [WidgetKind] = []
  /// The ids of the kinds that have a mistake.
  package var broken: Set<String> = []
  /// Whether there is a mistake of a kind whose id is not known, or of no single kind.
  package var hasOtherMistakes = false
  package var issues: [DocumentIssue] = []
  /// The line of each kind's id, of `kinds` and `broken`.
  package var lines: [String: Int] = [:]

  /// The kind of a manifest that offers one, and the first of one that offers several.
  package var kind: WidgetKind? { kinds.first }

  /// Returns the kinds that stay in force, of those that this manifest offered before: the last
  /// good version of each kind that has a mistake now.
  ///
  /// A mistake that cannot be told to belong to one of them keeps every kind that the manifest does
  /// not offer now. A half-written id must not take a person's widgets away.
  package func staying(of earlier: [WidgetKind]) -> [WidgetKind] {
    let offered = Set(kinds.map(\.kind))
    let left = earlier.filter { !offered.contains($0.kind) }
    let known = Set(earlier.map(\.kind))
    if hasOtherMistakes || !broken.isSubset(of: known) { return left }
    return left.filter { broken.contains($0.kind) }
  }
}

extension ManifestSource {
  /// The ids of the kinds that the manifest offers, as they are written, with their lines.
  ///
  /// Mistakes are left to `ManifestReader`: a name may be none of a kind.
  package var writtenKinds: [(kind: String, line: Int)] {
    var items = [document]
    if case .array(let kinds)? = document["kinds"]?.node { items = kinds }
    return items.compactMap { item in
      guard let id = item["kind"], case .string(let text) = id.node else { return nil }
      return (text, id.line)
    }
  }
}
