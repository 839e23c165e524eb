import JSON
package import Timekeeping

/// One widget's place in the stack, with the numbers that put it there.
package struct StackPlace: Hashable, Sendable {
  package struct Contribution: Hashable, Sendable {
    package var name: String
    package var value: Double
    /// A phrase: "its provider says 60, of at most 80 so far".
    package var because: String
  }

  package var id: String
  /// The sum of the contributions.
  package var score: Double
  package var contributions: [Contribution]
}

/// The smart stack: declared relevance and recent behaviour in one order, each number explained.
///
/// - relevance: 0…1, the declared score over the highest that this *kind* has declared; scores of different
///   providers are never compared. Source: WidgetKit, `TimelineEntryRelevance`.
/// - taps, intents: up to ½ each, with fading counts.
/// - intent just sent, for fifteen minutes: 10, and 2 more for each widget that was asked for earlier. All else
///   adds up to 2 at most, so the latest is always first.
/// - a declared score ≤ 0: −10. It never rises above a widget that has something to say.
/// - a dismissal: −100. It stays below all others.
/// Equal scores keep the order of placing.
extension WidgetEngine {
  package func stack(families: Set<WidgetFamily>?, at now: WallTime) -> [StackPlace] {
    var scales: [String: Double] = [:]
    for shared in timelines.values {
      scales[shared.key.kind] = max(scales[shared.key.kind] ?? 0, shared.scoreMax)
    }
    let promotions = Set(order.compactMap { behaviour.promotion($0, at: now) }).sorted()
    var places: [(place: StackPlace, position: Int)] = []
    var newestSuggestion: (place: StackPlace, position: Int, promoted: WallTime)?
    for (position, id) in order.enumerated() {
      guard let widget = widgets[id], families?.contains(widget.family) ?? true else { continue }
      let place = place(
        widget, scale: scales[widget.kind] ?? 0, promotions: promotions, at: now)
      guard widget.isSuggestion else {
        places.append((place, position))
        continue
      }
      let promoted = behaviour.promotion(id, at: now) ?? widget.placedAt
      if newestSuggestion.map({ $0.promoted <= promoted }) ?? true {
        newestSuggestion = (place, position, promoted)
      }
    }
    if let newestSuggestion { places.append((newestSuggestion.place, newestSuggestion.position)) }
    places.sort {
      $0.place.score == $1.place.score
        ? $0.position < $1.position : $0.place.score > $1.place.score
    }
    return places.map(\.place)
  }

  /// `promotions`: when the person asked for widgets that are still promoted, earliest first.
  private func place(
    _ widget: Widget, scale: Double, promotions: [WallTime], at now: WallTime
  ) -> StackPlace {
    var contributions: [StackPlace.Contribution] = []
    func add(_ name: String, _ value: Double, _ because: String) {
      contributions.append(.init(name: name, value: (value * 1000).rounded() / 1000, because: because))
    }
    let declared = timelines[widget.timelineKey]?.timeline?.relevance(at: now)
    let promotion = behaviour.promotion(widget.id, at: now)
    if let dismissed = behaviour.dismissedUntil(widget.id, at: now) {
      add("dismissed", -100, "you sent it away; it stays down until \(dismissed.rfc3339)")
    }
    if let declared, declared.score <= 0 {
      add(
        "relevance", promotion == nil ? -10 : 0,
        "its provider says \(plain(declared.score)): not relevant until \(declared.until.rfc3339)")
    } else {
      if let declared, scale > 0 {
        add(
          "relevance", min(1, declared.score / scale),
          "its provider says \(plain(declared.score)), of at most \(plain(scale)) so far, until \(declared.until.rfc3339)")
      }
      let taps = behaviour.taps(widget.id, at: now)
      if taps >= 0.01 {
        add("taps", 0.5 * taps / (taps + 1), "you tapped it lately (\(plain(taps)) taps, halving every 6 h)")
      }
      let intents = behaviour.intents(widget.id, at: now)
      if intents >= 0.01 {
        add("intents", 0.5 * intents / (intents + 1), "you asked for it lately (\(plain(intents)) times, halving every 6 h)")
      }
    }
    if let promotion {
      let earlier = promotions.firstIndex(of: promotion) ?? 0
      add("intent just sent", Double(10 + 2 * earlier), "you asked for it at \(promotion.rfc3339)")
    }
    let score = contributions.reduce(0) { $0 + $1.value }
    return StackPlace(
      id: widget.id, score: (score * 1000).rounded() / 1000, contributions: contributions)
  }

  package mutating func recordTap(_ id: String, at now: WallTime) {
    behaviour.recordTap(id, at: now)
    if widgets[id]?.isSuggestion == true {
      expiries.schedule(id, at: now.advanced(byMilliseconds: Limits.suggestionWindow))
    }
  }

  /// `promotes`: the person asked for it just now; false for what an app reports the person did elsewhere.
  package mutating func recordIntent(_ id: String, promotes: Bool, at now: WallTime) {
    behaviour.recordIntent(id, promotes: promotes, at: now)
    if promotes, widgets[id]?.isSuggestion == true {
      expiries.schedule(id, at: now.advanced(byMilliseconds: Limits.suggestionWindow))
    }
  }

  package mutating func dismiss(
    _ id: String, at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    output.stackChanged = true
    if widget.isSuggestion {
      try remove(id, at: now, into: &output)
    } else {
      behaviour.recordDismissal(id, at: now)
      expiries.schedule(id, at: now.advanced(byMilliseconds: Limits.dismissalWindow))
    }
  }

  /// Replayed from the journal after a restart.
  package mutating func replayDismissal(_ id: String, at date: WallTime) {
    behaviour.recordDismissal(id, at: date)
  }

  /// Forgets what was learned about one widget, as its removal did.
  package mutating func forgetBehaviour(of id: String) { behaviour.forget(id) }

  /// Forgets what was learned from the person's acts.
  package mutating func forgetBehaviour() { behaviour.forgetAll() }
}

/// Two decimals at most.
private func plain(_ value: Double) -> String {
  let rounded = (value * 100).rounded() / 100
  return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int64(rounded)) : String(rounded)
}
