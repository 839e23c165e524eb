package import JSON
package import Timekeeping

/// The kind of a relevant window; a later case says more.
///
/// Source: WidgetKit, `RelevanceKind`.
package enum RelevanceKind: Int, CaseIterable, Comparable, Hashable, Sendable {
  /// Worth knowing then.
  case informational = 1
  /// Relevant then; the kind of a window that names none.
  case `default`
  /// Something happens then: a flight, a lesson.
  case scheduled

  package init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }

  package var name: String {
    switch self {
    case .informational: "informational"
    case .default: "default"
    case .scheduled: "scheduled"
    }
  }

  /// "it is scheduled", for a sentence.
  var sentence: String {
    switch self {
    case .informational: "it is worth knowing"
    case .default: "it is relevant"
    case .scheduled: "it is scheduled"
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A span of time in which a widget is relevant, independent of its entries.
///
/// Source: WidgetKit, `RelevantContext.date`.
package struct RelevantWindow: Hashable, Sendable {
  package var from: WallTime
  /// After `from`; the window is over then.
  package var to: WallTime
  package var kind: RelevanceKind

  package init(from: WallTime, to: WallTime, kind: RelevanceKind = .default) {
    self.from = from
    self.to = to
    self.kind = kind
  }

  /// Whether the window is open at a moment; at `to` it is over.
  package func covers(_ moment: WallTime) -> Bool { from <= moment && moment < to }

  /// Whether an open window yields to another: to one that says more, or says as much and stays
  /// open longer.
  func yields(to other: RelevantWindow) -> Bool { (kind, to) < (other.kind, other.to) }

  package var json: JSONValue {
    ["from": .string(from.rfc3339), "to": .string(to.rfc3339), "kind": .string(kind.name)]
  }

  /// `nil`: it is none.
  package init?(_ value: JSONValue) {
    guard let from = value["from"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }),
      let to = value["to"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }), from < to,
      let kind = value["kind"]?.stringValue.flatMap({ RelevanceKind(name: $0) })
    else { return nil }
    self.init(from: from, to: to, kind: kind)
  }
}

extension Timeline {
  /// The window that is open at `moment`: of several the one that says most.
  ///
  /// O(windows).
  package func window(at moment: WallTime) -> RelevantWindow? {
    var open: RelevantWindow?
    for window in windows where window.covers(moment) {
      if open.map({ $0.yields(to: window) }) ?? true { open = window }
    }
    return open
  }

  /// When the next window opens or closes.
  ///
  /// O(windows).
  package func nextWindowChange(after moment: WallTime) -> WallTime? {
    var next: WallTime?
    for window in windows {
      for date in [window.from, window.to] where date > moment {
        next = next.map { min($0, date) } ?? date
      }
    }
    return next
  }

  /// The windows from `moment` on, with open ones beginning at `moment`, to compare two timelines.
  func windowsLeft(at moment: WallTime) -> [RelevantWindow] {
    windows.compactMap { window in
      guard window.to > moment else { return nil }
      return RelevantWindow(from: max(window.from, moment), to: window.to, kind: window.kind)
    }
  }

  /// Reads `relevance`, the windows beside the entries.
  static func readWindows(_ value: JSONValue?) throws(TimelineError) -> [RelevantWindow] {
    guard let value, !value.isNull else { return [] }
    guard case .array(let items) = value else {
      throw TimelineError(
        path: "relevance",
        message:
          "relevance is \(value.typeName); expected a list of windows such as {\"from\": date, \"to\": date, \"kind\": \"scheduled\"}"
      )
    }
    guard items.count <= Limits.relevantWindowCountMax else {
      throw TimelineError(
        path: "relevance",
        message:
          "the timeline has \(items.count) relevant windows; at most \(Limits.relevantWindowCountMax) are allowed"
      )
    }
    var windows: [RelevantWindow] = []
    windows.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      windows.append(try readWindow(item, path: "relevance[\(index)]"))
    }
    return windows
  }

  private static func readWindow(
    _ value: JSONValue, path: String
  ) throws(TimelineError) -> RelevantWindow {
    guard case .object(let object) = value else {
      throw TimelineError(
        path: path,
        message: "\(path) is \(value.typeName); expected an object with from, to and kind")
    }
    let from = try readDate(object["from"], path: "\(path).from")
    let to = try readDate(object["to"], path: "\(path).to")
    guard from < to else {
      throw TimelineError(
        path: "\(path).to",
        message:
          "\(path).to is \(to.rfc3339), and its from is \(from.rfc3339); expected a later date")
    }
    guard let word = object["kind"], !word.isNull else { return RelevantWindow(from: from, to: to) }
    guard let kind = word.stringValue.flatMap({ RelevanceKind(name: $0) }) else {
      let names = RelevanceKind.allCases.map(\.name)
      let near = word.stringValue.map { nearest(to: $0, among: names, countMax: 1) } ?? []
      throw TimelineError(
        path: "\(path).kind",
        message:
          "\(path).kind is \(word.serialized.prefix(60))\(didYouMean(near)); expected one of \(names.joined(separator: ", "))"
      )
    }
    return RelevantWindow(from: from, to: to, kind: kind)
  }
}

/// The relevance that a provider declares for one timeline at a moment.
package struct DeclaredRelevance: Hashable, Sendable {
  /// By the entry in force, with its end.
  package var score: Double?
  package var scoreUntil: WallTime?
  /// The window that is open.
  package var window: RelevantWindow?

  /// Whether its score is 0 or less: then nothing lifts it, not even a window.
  package var isRefusal: Bool { score.map { $0 <= 0 } ?? false }
  package var isSilent: Bool { score == nil && window == nil }

  /// Whether the stack ranks both alike; when they end makes no difference.
  func ranksSame(as other: DeclaredRelevance) -> Bool {
    score == other.score && window?.kind == other.window?.kind
  }
}

/// The most that a kind ever declared; its declarations count as shares of it.
///
/// A window counts for the step of its kind, and a score for a part of one step. So within one
/// provider scheduled lies above default, default above informational, and informational above no
/// window; scores decide within a step. The whole of it is 1, and no provider can say more.
package struct RelevanceScale: Hashable, Sendable {
  /// The highest score; 0: none above that.
  package var score = 0.0
  /// The strongest window.
  package var window: RelevanceKind?

  package init(score: Double = 0, window: RelevanceKind? = nil) {
    self.score = score
    self.window = window
  }

  /// Raises this scale to the other where that is higher.
  package mutating func formUnion(_ other: RelevanceScale) {
    score = max(score, other.score)
    if let kind = other.window { window = max(window ?? kind, kind) }
  }

  /// The share of this scale that is declared: 0 (refused, or nothing declared) to 1.
  package func strength(of declared: DeclaredRelevance) -> Double {
    guard !declared.isRefusal, !declared.isSilent else { return 0 }
    let most = max(score, declared.score ?? 0)
    let share = declared.score.map { min(1, $0 / most) } ?? 0
    let step = declared.window?.kind.rawValue ?? 0
    let steps = max(step, window?.rawValue ?? 0)
    return (Double(step) + share) / (Double(steps) + (most > 0 ? 1 : 0))
  }
}

/// A provider's declaration, as a share of what its kind ever declared.
struct RelevanceClaim: Hashable, Sendable {
  /// The share of the highest that its kind ever declared, 0…1; 0 is a refusal.
  var strength: Double
  var declared: DeclaredRelevance
  /// The highest score that its kind ever declared.
  var most: Double
}
