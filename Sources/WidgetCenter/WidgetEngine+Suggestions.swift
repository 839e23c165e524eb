package import Timekeeping

/// What the person often does and has not placed is suggested, when it is what they want most now.
///
/// One suggestion at most is there, whoever made it. Source: SiriKit's donations, which feed both the
/// order of a stack and suggestions for what is not in it.
extension WidgetEngine {
  /// Adds a suggestion if there is reason for one. O(items used lately + donations looked at).
  package mutating func proposeSuggestion(at now: WallTime, into output: inout EngineOutput) {
    guard !isPrivate, stackModel.habits.useCount >= Limits.suggestionUsesMin,
      !widgets.values.contains(where: \.isSuggestion)
    else { return }
    var candidates: [BehaviourCandidate] = []
    var placed: Set<String> = []
    for id in order {
      guard let widget = widgets[id], placed.insert(widget.item).inserted else { continue }
      candidates.append(BehaviourCandidate(widget.item, kind: widget.kind))
    }
    let placedCount = candidates.count
    for item in stackModel.habits.latestItems(Limits.comparedItemCountMax)
    where !placed.contains(item) && !recent.isDeclined(item, at: now) {
      candidates.append(BehaviourCandidate(item, kind: ""))
    }
    guard candidates.count > placedCount else { return }
    let moment = moment(now)
    let likelihoods = stackModel.habits.predict(candidates, at: moment).probabilities
    guard let best = likelihoods.indices.max(by: { likelihoods[$0] < likelihoods[$1] }),
      best >= placedCount, likelihoods[best] >= Limits.suggestionLikelihoodMin
    else { return }
    let item = candidates[best].item
    guard stackModel.habits.facts(of: item, at: moment).uses >= Limits.suggestionUsesMin,
      let donation = stackModel.latestDonation(of: item), let kind = kinds[donation.kind],
      donation.configuration.intent == kind.intent
    else { return }
    do throws(WidgetError) {
      let id = Self.suggestionID(kind.kind)
      _ = try add(
        kind: kind.kind, family: nil, configuration: donation.configuration, id: id,
        isSuggestion: true, cause: .placed, at: now, into: &output)
      expiries.schedule(id, at: now.advanced(byMilliseconds: Limits.suggestionWindow))
    } catch {
      // There are as many widgets as there may be: then nothing is suggested.
    }
  }
}
