import JSON

/// How much of itself a widget shows on a surface.
///
/// A compact widget has a height that the text size fixes. An expanded one is as tall as its content
/// wants, up to what the surface has room for. Source: `NCWidgetDisplayMode`, iOS 10 to 13.
package enum WidgetMode: String, CaseIterable, Hashable, Comparable, Sendable {
  case compact, expanded

  package static func < (left: Self, right: Self) -> Bool { left == .compact && right == .expanded }
}

/// The surfaces for which a choice of mode holds.
package enum ModePlace: Hashable, Sendable {
  /// All surfaces of a name, such as the bars of three monitors; the choice survives restarts.
  case name(String)
  /// One surface without a name, by its number; the choice ends with it.
  case attachment(UInt64)
}

/// Where a widget is expanded, and whether it has a timeline for that.
package struct WidgetExpansion: Hashable, Sendable {
  /// The names of surfaces on which it is expanded.
  package private(set) var names: Set<String> = []
  /// The numbers of surfaces without a name on which it is expanded; not stored.
  package private(set) var attachments: Set<UInt64> = []
  /// Whether it was expanded on some surface since it got its configuration: its expanded timeline
  /// stays, so that its last entry is there when it is expanded again.
  package private(set) var isKept = false

  package init() {}

  /// Whether it is expanded on any surface.
  package var isExpanded: Bool { !names.isEmpty || !attachments.isEmpty }
  /// Whether it has a timeline for its expanded mode.
  var hasTimeline: Bool { isKept || isExpanded }
  /// Whether there is nothing to remember.
  var isEmpty: Bool { !hasTimeline }

  package func contains(_ place: ModePlace) -> Bool {
    switch place {
    case .name(let name): names.contains(name)
    case .attachment(let number): attachments.contains(number)
    }
  }

  mutating func expand(on place: ModePlace) {
    isKept = true
    switch place {
    case .name(let name): names.insert(name)
    case .attachment(let number): attachments.insert(number)
    }
  }

  mutating func collapse(on place: ModePlace) {
    switch place {
    case .name(let name): names.remove(name)
    case .attachment(let number): attachments.remove(number)
    }
  }

  /// Forgets the surfaces without a name that are gone; `numbers` are those that are there.
  mutating func keepAttachments(_ numbers: Set<UInt64>) { attachments.formIntersection(numbers) }

  /// Forgets that it was expanded, where it is not any more.
  mutating func forgetUnused() { isKept = isExpanded }

  // MARK: What the store keeps

  /// `nil`: there is nothing to keep.
  var record: JSONValue? {
    guard isKept || !names.isEmpty else { return nil }
    return .array(names.sorted().map { .string($0) })
  }

  /// Takes what the store kept; anything else than a list of names is nothing.
  init(record: JSONValue?) {
    guard let items = record?.arrayValue else { return }
    isKept = true
    names = Set(items.prefix(Limits.expandedSurfaceCountMax).compactMap(\.stringValue))
  }
}
