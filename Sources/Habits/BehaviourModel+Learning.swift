/// Learns from a use.
extension BehaviourModel {
  /// Moves weights and hit rates towards the used item.
  ///
  /// `used` is `nil` for an unknown item; the tables alone learn from it that none of the known
  /// items was used.
  mutating func compare(
    _ prediction: BehaviourPrediction, with used: Int32?, _ context: BehaviourContext
  ) {
    let place = used.flatMap { prediction.slots.firstIndex(of: $0) }
    if let place {
      let likelihoods = prediction.probabilities
      for (index, slot) in prediction.slots.enumerated() {
        let error = (index == place ? 1 : 0) - likelihoods[index]
        let slot = Int(slot)
        items.biasErrors[slot] += error * error
        items.bias[slot] += Self.biasRate * error / (items.biasErrors[slot] + 1).squareRoot()
      }
      for index in learners.indices {
        let likelihoods = BehaviourPrediction.softmax(
          prediction.sums(prediction.learnerWeights[index]))
        var expected = SIMD16<Double>.zero
        for (features, likelihood) in zip(prediction.features, likelihoods) {
          expected += features * likelihood
        }
        learners[index].follow(
          prediction.features[place] - expected, likelihood: likelihoods[place], context)
      }
    }
    for (index, cells) in prediction.cells.enumerated() {
      let hit = index == place
      hitsByRank.count(cells.rankAndAge, hit: hit)
      hitsByAge.count(Int(cells.age), hit: hit)
      hitsByRhythm.count(Int(cells.rhythm), hit: hit)
    }
  }

  /// Learns which item followed the previous one at this time of day, and how often in a row.
  mutating func learnStreak(_ slot: Int, _ context: BehaviourContext) {
    guard context.previous >= 0 else { return }
    let streak = context.previous * 24 + context.streakContext
    let expected = items.streakItems[streak]
    let length = items.streakLengths[streak]
    if expected >= 0 { hitsByStreak.count(Int(length), hit: Int(expected) == slot) }
    if Int(expected) == slot {
      items.streakLengths[streak] = min(15, length + 1)
    } else {
      items.streakItems[streak] = Int32(slot)
      items.streakLengths[streak] = 0
    }
  }

  mutating func remember(_ slot: Int, _ context: BehaviourContext) {
    let index = history.count
    let moment = context.moment
    let before = items.lastIndices[slot]
    items.use(slot, index: index, context)
    history.append(
      BehaviourHistory.Use(
        slot: Int32(slot), halfHour: Int8(moment.halfHour), weekday: Int8(moment.weekday),
        isDayOff: moment.isDayOff, time: context.now, pause: context.pause, before: before),
      startsSession: context.gap >= 1800)
    for (offset, part) in BehaviourItems.smear.enumerated() {
      allByHalfHour[context.dayOff * 48 + (moment.halfHour + offset + 42) % 48] += part
    }
    allByWeekday[moment.weekday] += 1
    if index > 0 { allByPause[context.pauseBucket] += 1 }
  }

  private static let biasRate = 0.05
}
