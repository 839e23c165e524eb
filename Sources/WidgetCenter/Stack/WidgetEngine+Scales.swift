import JSON

/// The most that each kind ever declared, kept for years and over restarts.
///
/// A score has a meaning only beside other scores of the same provider, also those of widgets that
/// are gone. So the highest score of a kind outlives its widgets, in the setting `scales`. Source:
/// WidgetKit, `TimelineEntryRelevance`: scores are relative to the provider's current and past
/// entries.
struct RelevanceScales: Hashable, Sendable {
  private var byKind: [String: RelevanceScale] = [:]
  /// Changed since it was last written down.
  private var isUnsaid = false

  subscript(kind: String) -> RelevanceScale { byKind[kind] ?? RelevanceScale() }

  var count: Int { byKind.count }

  /// Notes the scores of a timeline of `kind`.
  ///
  /// - Returns: whether they are higher than any that the kind declared before.
  mutating func note(_ scale: RelevanceScale, of kind: String) -> Bool {
    var most = self[kind]
    most.formUnion(scale)
    guard most != self[kind] else { return false }
    byKind[kind] = most
    isUnsaid = true
    return true
  }

  /// Forgets kinds.
  mutating func forget(_ isForgotten: (String) -> Bool) {
    let kept = byKind.filter { !isForgotten($0.key) }
    guard kept.count < byKind.count else { return }
    byKind = kept
    isUnsaid = true
  }

  /// The kinds, in order of their names.
  var kinds: [String] { byKind.keys.sorted() }

  /// Takes the news that the scales changed; `false` until they change again.
  mutating func takeNews() -> Bool {
    defer { isUnsaid = false }
    return isUnsaid
  }

  // MARK: Stored form

  init() {}

  /// `{"weather":{"score":80.0,"window":"scheduled"}}`.
  var json: JSONValue {
    var object: JSONObject = [:]
    for kind in kinds {
      let scale = self[kind]
      var member: JSONObject = ["score": .double(scale.score)]
      if let window = scale.window { member["window"] = .string(window.name) }
      object[kind] = .object(member)
    }
    return .object(object)
  }

  /// `nil` when the value is no record of scales.
  init?(_ value: JSONValue) {
    guard let members = value.objectValue?.members else { return nil }
    for member in members {
      guard let score = member.value["score"]?.doubleValue,
        (0...Limits.relevanceScoreMax).contains(score)
      else { return nil }
      var window: RelevanceKind?
      if let name = member.value["window"]?.stringValue {
        guard let kind = RelevanceKind(name: name) else { return nil }
        window = kind
      }
      byKind[member.key] = RelevanceScale(score: score, window: window)
    }
  }
}

extension WidgetEngine {
  /// Takes what a timeline declared into the scale of its kind.
  ///
  /// Suggestions of private mode leave no trace here; only their own timelines know.
  ///
  /// - Returns: whether the scale grew, so that the other widgets of the kind declare a smaller
  ///   share.
  @discardableResult
  mutating func noteScale(_ shared: SharedTimeline) -> Bool {
    // An expanded timeline decides no place in the stack.
    guard shared.key.mode == .compact, !privateMode.madeAll(shared.widgets),
      scales.note(shared.scale, of: shared.key.kind)
    else { return false }
    if scales.count > Limits.scaleCountMax { forgetOldScales() }
    return true
  }

  /// Forgets the highest scores of kinds that no widget is of; `kind`: of that one alone.
  ///
  /// The scores tell which widgets there were, so they go with the history of acts.
  package mutating func forgetScales(ofKind kind: String? = nil) {
    let placed = Set(widgets.values.map(\.kind))
    scales.forget { ($0 == kind ?? $0) && !placed.contains($0) }
  }

  /// Whether a manifest offers a kind, a widget is of it, or something is remembered of it.
  package func knows(_ kind: String) -> Bool {
    kinds[kind] != nil || scales.kinds.contains(kind)
      || widgets.values.contains { $0.kind == kind }
  }

  /// Forgets half of the kinds without a widget: first those that no manifest offers, by name.
  private mutating func forgetOldScales() {
    let placed = Set(timelines.keys.map(\.kind))
    let gone = scales.kinds.filter { !placed.contains($0) }
    guard gone.count > Limits.scaleCountMax else { return }
    let unoffered = gone.filter { kinds[$0] == nil }
    let first = Set((unoffered + gone.filter { kinds[$0] != nil }).prefix(gone.count / 2))
    scales.forget { first.contains($0) }
  }
}
