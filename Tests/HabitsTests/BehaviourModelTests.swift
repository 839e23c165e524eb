import Testing
import Timekeeping

@testable import Habits

/// Tests the behaviour model: it predicts, learns, forgets and explains.
@Suite struct BehaviourModelTests {
  /// Monday, 2026-11-16, midnight UTC.
  private static let monday: Int64 = 1_794_787_200

  private func moment(_ hours: Double, offset: Int = 0) -> BehaviourMoment {
    BehaviourMoment(
      wall: WallTime(seconds: Self.monday + Int64(hours * 3600)), offsetSeconds: offset)
  }

  private func use(_ item: String, _ hours: Double, kind: String = "k") -> BehaviourDonation {
    BehaviourDonation(item: item, kind: kind, act: .open, at: moment(hours))
  }

  /// Returns the daily uses of `days` days: weather in the morning, music in the evening, mail at
  /// any time.
  private func daily(_ days: Int) -> [BehaviourDonation] {
    (0..<days).flatMap { day -> [BehaviourDonation] in
      let start = Double(day * 24)
      return [
        use("weather", start + 8), use("mail", start + 8.2 + Double(day * 7 % 5)),
        use("music", start + 19.5), use(day % 2 == 0 ? "mail" : "news", start + 20),
      ]
    }
  }

  private func order(_ model: BehaviourModel, _ hours: Double) -> [String] {
    let prediction = model.predictAll(at: moment(hours))
    return zip(model.latestItems(.max), prediction.scores).sorted { $0.1 > $1.1 }.map(\.0)
  }

  private func isFinite(_ prediction: BehaviourPrediction) -> Bool {
    !prediction.scores.contains { !$0.isFinite }
  }

  @Test func `the logarithm and the exponential are those of the C library`() {
    let pairs: [(x: Double, ln: Double)] = [
      (1, 0), (2, 0.693_147_180_559_945_3), (10, 2.302_585_092_994_046),
      (0.5, -0.693_147_180_559_945_3), (1e-9, -20.723_265_836_946_41),
      (1_794_787_200, 21.308_152_300_326_83), (1.0001, 9.999_500_033_330_834e-05),
    ]
    for (x, ln) in pairs {
      #expect(abs(BehaviourMath.ln(x) - ln) <= 1e-15 * max(1, abs(ln)) * 4, "ln \(x)")
    }
    let e = 2.718_281_828_459_045
    #expect(abs(BehaviourMath.exp(1) - e) < 1e-14)
    #expect(abs(BehaviourMath.exp(-1) - 1 / e) < 1e-15)
    #expect(BehaviourMath.exp(0) == 1)
    #expect(BehaviourMath.exp(-1000) == 0)
    for step in -60...60 {
      let x = Double(step) * 1.1
      #expect(abs(BehaviourMath.ln(BehaviourMath.exp(x)) - x) < 1e-12 * max(1, abs(x)), "x = \(x)")
    }
  }

  @Test func `a moment is read off the local clock`() {
    let midnight = moment(0)
    #expect((midnight.halfHour, midnight.weekday, midnight.isDayOff) == (0, 0, false))
    let west = moment(0, offset: -8 * 3600)
    #expect((west.halfHour, west.weekday, west.isDayOff) == (32, 6, true))
    #expect(west.day == midnight.day - 1)
    #expect(moment(25.6).halfHour == 3)
    var daysOff = DaysOff.weekends
    let isRead = daysOff.name(String(moment(9).wall.rfc3339.prefix(10)))
    #expect(isRead)
    let holiday = BehaviourMoment(wall: moment(9).wall, offsetSeconds: 0, daysOff: daysOff)
    #expect((holiday.day, holiday.weekday, holiday.isDayOff) == (midnight.day, 6, true))
    let before1970 = BehaviourMoment(wall: WallTime(milliseconds: -1), offsetSeconds: 0)
    #expect((before1970.day, before1970.halfHour, before1970.weekday) == (-1, 47, 2))
    for extreme in [Int64.min, .max] {
      let moment = BehaviourMoment(wall: WallTime(milliseconds: extreme), offsetSeconds: 3600)
      #expect((0..<48).contains(moment.halfHour))
    }
  }

  @Test func `counts fade as if each were faded by hand`() {
    var counts = FadingCounts()
    counts.append()
    counts.append()
    counts.add(0)
    counts.fade(0.25)
    counts.add(1)
    counts.fade(0.25)
    counts.add(0)
    // Slot 0 has e^(−½) + 1, slot 1 has e^(−¼).
    #expect(abs(counts[0] - 1.606_530_659_712_633_4) < 1e-12)
    #expect(abs(counts[1] - 0.778_800_783_071_404_9) < 1e-12)
    #expect(abs(counts.sum - 2.385_331_442_784_038) < 1e-12)
    // Fade past the point at which all counts are scaled anew.
    for _ in 0..<2_000 { counts.fade(0.25) }
    #expect(counts[0] >= 0 && counts[0] < 1e-100)
    counts.add(1)
    #expect(abs(counts[1] - 1) < 1e-12)
    counts.fade(1e9)
    #expect(counts.sum == 0)
  }

  @Test func `after one use the features have the values of the formulas`() {
    var model = BehaviourModel()
    model.learn(use("a", 9))
    let features = model.predictAll(at: moment(10)).features[0]
    // The only item has every use, so each of its shares is 1 and each logarithm 0.
    for feature in [
      BehaviourFeature.share, .shareThisWeek, .shareLately, .follows, .rank, .session,
    ] {
      #expect(abs(features[feature.rawValue]) < 1e-12, "\(feature)")
    }
    // The one use was on this weekday, of share (1 + ½) / (1 + 3½) = ⅓: (1 / ⅓ + 2) / (1 + 2).
    #expect(abs(features[BehaviourFeature.weekday.rawValue] - 0.510_825_623_765_990_7) < 1e-9)
    // No pause was seen yet, so none is of this length: (0 + 2) / (1 + 2).
    #expect(abs(features[BehaviourFeature.pause.rawValue] + 0.405_465_108_108_164_4) < 1e-9)
    // The hit rate of the item used last, an hour ago: (0.9 + 2 · 0.02) / (2 + 2).
    #expect(abs(features[BehaviourFeature.sinceLastUse.rawValue] - BehaviourMath.ln(0.235)) < 1e-9)
  }

  @Test func `habits are learned: mornings, evenings and what follows`() {
    let model = BehaviourModel.rebuilt(from: daily(21))
    #expect(order(model, 21 * 24 + 8).first == "weather")
    #expect(order(model, 21 * 24 + 19.5).first == "music")
    var evening = model
    evening.learn(use("weather", 21 * 24 + 8))
    #expect(order(evening, 21 * 24 + 8.2).first == "mail")
  }

  @Test func `a habit that ended gives way within a week`() {
    var model = BehaviourModel.rebuilt(from: daily(28))
    #expect(order(model, 28 * 24 + 8).first == "weather")
    for day in 28..<35 { model.learn(use("trains", Double(day * 24) + 8)) }
    #expect(order(model, 35 * 24 + 8).first == "trains")
  }

  @Test func `contributions add up to the score, by feature and by cause`() {
    var model = BehaviourModel.rebuilt(from: daily(14))
    model.learn("news", kind: "k", .dismissal, at: moment(14 * 24 + 1))
    let candidates = (model.latestItems(.max) + ["never"]).map { BehaviourCandidate($0, kind: "k") }
    let prediction = model.predict(candidates, at: moment(14 * 24 + 8))
    var total = 0.0
    for index in candidates.indices {
      let why = prediction.explanation(at: index)
      let byFeature = why.contributions.reduce(why.own) { $0 + $1.value }
      #expect(abs(byFeature - why.score) < 1e-9)
      #expect(abs(why.causes.reduce(0) { $0 + $1.value } - why.score) < 1e-9)
      #expect(why.contributions.map(\.feature) == BehaviourFeature.allCases)
      #expect(
        abs(
          why.score - prediction.explanation(at: 0).score
            - (prediction.scores[index] - prediction.scores[0])) < 1e-9)
      total += why.score
    }
    #expect(abs(total) < 1e-9)
    #expect(abs(prediction.probabilities.reduce(0, +) - 1) < 1e-12)
  }

  @Test func `the same donations give an equal model`() {
    #expect(BehaviourModel.rebuilt(from: daily(20)) == BehaviourModel.rebuilt(from: daily(20)))
    #expect(BehaviourModel.rebuilt(from: daily(20)) != BehaviourModel.rebuilt(from: daily(21)))
  }

  @Test func `a forgotten donation leaves no trace`() {
    let secret = (0..<9).map { use("secret", Double($0 * 24) + 12) }
    let all = (daily(10) + secret).sorted { $0.moment.wall < $1.moment.wall }
    let remaining = BehaviourModel.rebuilt(from: all.filter { $0.item != "secret" })
    let never = BehaviourModel.rebuilt(from: daily(10).sorted { $0.moment.wall < $1.moment.wall })
    #expect(remaining == never)
    #expect(BehaviourModel.rebuilt(from: all) != never)
    #expect(remaining.facts(of: "secret", at: moment(240)).uses == 0)
  }

  @Test func `an unused item is reachable, and more so if its kind is used`() {
    let model = BehaviourModel.rebuilt(from: daily(10))
    let prediction = model.predict(
      [
        BehaviourCandidate("music", kind: "k"), BehaviourCandidate("new", kind: "k"),
        BehaviourCandidate("other", kind: "unknown"),
      ], at: moment(240 + 19.5))
    #expect(isFinite(prediction))
    #expect(prediction.scores[0] > prediction.scores[1])
    #expect(prediction.scores[1] > prediction.scores[2])
    #expect(prediction.probabilities[2] > 1e-6)
    #expect(
      BehaviourModel().predict([BehaviourCandidate("a", kind: "k")], at: moment(0)).scores.count
        == 1)
    #expect(BehaviourModel().predictAll(at: moment(0)).scores == [])
  }

  @Test func `a dismissal lowers an item, and it comes back with use`() {
    var model = BehaviourModel.rebuilt(from: daily(10))
    let at = moment(240 + 19.5)
    let before = model.rank(of: "music", at: at)
    #expect(before == 1)
    for _ in 0..<100 { model.learn("music", kind: "k", .dismissal, at: at) }
    #expect(model.rank(of: "music", at: at) ?? 0 > 1)
    for day in 10..<60 { model.learn(use("music", Double(day * 24) + 19.5)) }
    #expect(model.rank(of: "music", at: moment(60 * 24 + 19.5)) == 1)
    var looked = BehaviourModel.rebuilt(from: daily(10))
    looked.learn("music", kind: "k", .dwell, at: at)
    #expect(looked.useCount == 40)
  }

  @Test func `the item used last is no candidate where repeats are collapsed`() {
    var model = BehaviourModel(collapsesRepeats: true)
    for (index, item) in ["a", "b", "a", "b", "c"].enumerated() {
      model.learn(use(item, Double(index)))
    }
    #expect(model.rank(of: "c", at: moment(5)) == nil)
    #expect(model.predictAll(at: moment(5)).scores.count == 2)
    #expect(BehaviourModel.rebuilt(from: [use("c", 1)]).rank(of: "c", at: moment(5)) == 1)
  }

  @Test func `the item not used for the longest time makes room for a new one`() {
    var items = BehaviourItems()
    var history = BehaviourHistory()
    for (index, name) in ["a", "b", "c"].enumerated() {
      let slot = items.add(name)
      let context = BehaviourContext(of: BehaviourModel(), at: moment(Double(index)))
      items.use(slot, index: index, context)
      history.append(
        .init(
          slot: Int32(slot), halfHour: 0, weekday: 0, isDayOff: false, time: 0, pause: 1, before: -1
        ),
        startsSession: false)
    }
    items.streakItems[1 * 24] = 0
    let evicted = items.evictOldest()
    history.forget(evicted)
    #expect((evicted, items.slots["a"], items.streakItems[24]) == (0, nil, -1))
    #expect((0..<3).map { history[$0].slot } == [-1, 1, 2])
    #expect(items.add("d") == 0)
    #expect((items.counts[0], items.lastIndices[0], items.ranks[0]) == (0, -1, 2))
    #expect(items.byHalfHour[..<96].allSatisfy { $0 == 0 })
    #expect(items.names == ["d", "b", "c"])
  }

  @Test func `a history longer than its ring is walked without its lost part`() {
    var model = BehaviourModel()
    let count = Limits.historyCountMax + 50
    for index in 0..<count { model.learn(use(index % 3 == 0 ? "a" : "b", Double(index) / 4)) }
    #expect(model.useCount == count)
    #expect(model.history.oldest == 50)
    #expect(isFinite(model.predictAll(at: moment(Double(count) / 4))))
    #expect(model.facts(of: "a", at: moment(Double(count) / 4)).uses == count / 3 + 1)
  }

  @Test func `a clock set back, and a long absence, do no harm`() {
    var model = BehaviourModel.rebuilt(from: daily(5))
    model.learn(use("mail", 2))
    model.learn(use("mail", 24 * 365 * 20))
    model.learn(use("music", 24 * 365 * 20))
    #expect(isFinite(model.predictAll(at: moment(0))))
    #expect(isFinite(model.predictAll(at: moment(24 * 365 * 90))))
  }

  @Test func `the facts are the ones that a person would name`() {
    // Uses on the weekdays of two weeks, except the last Wednesday.
    let days = [0, 1, 2, 3, 4, 7, 8, 10, 11].map { use("weather", Double($0 * 24) + 8) }
    var model = BehaviourModel.rebuilt(from: days)
    let monday = moment(14 * 24 + 8)
    let facts = model.facts(of: "weather", at: monday)
    #expect((facts.uses, facts.daysUsed, facts.daysLooked) == (9, 4, 5))
    #expect(facts.sentence == "you used it on 4 of the last 5 weekday mornings")
    for day in 14..<18 {
      model.learn(use("mail", Double(day * 24) + 12))
      model.learn(use("news", Double(day * 24) + 13))
    }
    model.learn(use("mail", 18 * 24 + 20))
    #expect(
      model.facts(of: "news", at: moment(18 * 24 + 21)).sentence
        == "you used it 4 of the last 4 times after mail")
    #expect(model.facts(of: "never", at: monday).sentence == nil)
  }

  @Test func `sixteen logarithms are the ones that each lane has alone`() {
    var x = 1e-9
    while x < 1e9 {
      let many = BehaviourMath.ln(SIMD16(repeating: x))
      #expect(many[0] == BehaviourMath.ln(x) && many[15] == many[0])
      x *= 1.003
    }
  }

  @Test func `the causes of many widgets are the explanations of each`() {
    var model = BehaviourModel()
    let now = BehaviourMoment(wall: WallTime(seconds: 1_795_161_600), offsetSeconds: 0)
    for number in 0..<40 {
      let moment = BehaviourMoment(
        wall: now.wall.advanced(bySeconds: Int64(number) * 3_000), offsetSeconds: 0)
      model.learn("item\(number * number % 7)", kind: "k", .tap, at: moment)
    }
    model.learn("item1", kind: "k", .dismissal, at: now)
    let items = model.latestItems(.max) + ["never", "never of another kind"]
    let kinds = ["k", "other"]
    let kindsOfItems = items.indices.map { Int32($0 == items.count - 1 ? 1 : 0) }
    let later = BehaviourMoment(wall: now.wall.advanced(bySeconds: 200_000), offsetSeconds: 0)
    let causes = model.causes(
      of: items.map { model.slot(of: $0) }, counts: items.map { _ in 1 }, kinds: kinds,
      kindsOfItems: kindsOfItems, in: BehaviourSituation(of: model, at: later))
    let prediction = model.predict(
      zip(items, kindsOfItems).map { BehaviourCandidate($0, kind: kinds[Int($1)]) }, at: later)
    for index in items.indices {
      for (cause, value) in prediction.explanation(at: index).causes {
        #expect(abs(causes[index][cause.rawValue] - value) < 1e-9)
      }
    }
  }
}
