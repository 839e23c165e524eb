import Habits
import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests the model of the stack, which is a function of the kept donations.
struct StackModelTests {
  private func donation(
    _ kind: String, _ act: BehaviourAct = .tap, hour: Int, claims: [StackDonation.Claim] = []
  ) -> StackDonation {
    StackDonation(
      item: kind, kind: kind, act: act,
      at: WallTime(milliseconds: 1_795_161_600_000).advanced(bySeconds: Int64(hour) * 3600),
      secondsEast: 3600, claims: claims)
  }

  private func some(_ count: Int, from first: Int = 0) -> [StackDonation] {
    (first..<first + count).map { number in
      donation(
        ["mail", "sun", "clock"][number * number % 3], number % 7 == 0 ? .dismissal : .tap,
        hour: number,
        claims: number % 4 == 0 ? [.init(item: "sun", kind: "sun", strength: 0.5)] : [])
    }
  }

  @Test func `a donation reads back as it was`() throws {
    var donation = donation(
      "mail", .intent, hour: 3, claims: [.init(item: "sun", kind: "sun", strength: 0.25)])
    donation.configuration = WidgetConfiguration(
      intent: "Show", parameters: ["city": "Rome"], key: "Show?city=Rome")
    donation.item = StackDonation.item(kind: "mail", configurationKey: "Show?city=Rome")
    let text = donation.record.serialized
    #expect(try StackDonation(record: JSONValue(parsing: text)) == donation)
    #expect(StackDonation(record: ["kind": "mail"]) == nil)
  }

  @Test func `a forgotten donation counts as if it never was`() {
    var model = StackModel()
    let mail = some(200).filter { $0.kind == "mail" }
    for donation in some(200) { _ = model.donate(donation) }
    let gone = model.forget { $0.kind == "mail" }
    #expect(gone.count == mail.count)
    #expect(model.isBehind)
    #expect(model.habits.itemCount == 0, "nothing of it is left while the rest is learned anew")
    model.catchUp()
    var other = StackModel()
    for donation in some(200) where donation.kind != "mail" { _ = other.donate(donation) }
    #expect(model.habits == other.habits)
    #expect(model.claimWeights == other.claimWeights)
    #expect(!model.habits.latestItems(.max).contains("mail"))
  }

  @Test func `a model read back from the store is the same model, also in slices`() {
    var model = StackModel()
    for donation in some(300) { _ = model.donate(donation) }
    var other = StackModel()
    other.restore(
      model.donations.enumerated().map { (number: Int64($0.offset + 1), donation: $0.element) })
    var slices = 0
    while other.isBehind {
      other.catchUp(costMax: 1_000)
      slices += 1
    }
    #expect(slices > 10)
    #expect(other == model)
  }

  @Test func `donations that come while the model learns anew are learned in their turn`() {
    var model = StackModel()
    for donation in some(100) { _ = model.donate(donation) }
    _ = model.forget { $0.act == .dismissal }
    model.catchUp(costMax: 500)
    for donation in some(20, from: 100) { _ = model.donate(donation) }
    model.catchUp()
    var other = StackModel()
    for donation in some(100) where donation.act != .dismissal { _ = other.donate(donation) }
    for donation in some(20, from: 100) { _ = other.donate(donation) }
    #expect(model.habits == other.habits)
  }

  @Test
  func `beyond the limit the oldest donations are dropped, and the model is that of the others`() {
    var model = StackModel()
    var dropped: [Int64] = []
    for number in 0...Limits.donationCountMax {
      dropped += model.donate(donation("mail", .dwell, hour: number)).dropped
    }
    #expect(dropped == Array(1...Int64(Limits.donationPruneCount)))
    #expect(model.donationCount == Limits.donationCountMax + 1 - Limits.donationPruneCount)
    #expect(model.isBehind)
  }

  @Test func `dismissals are followed as if they were counted each time`() {
    var model = StackModel()
    let acts: [BehaviourAct] = [.tap, .dismissal, .dismissal, .dwell]
    for number in 0..<2_600 {
      // The numbers are mixed, and the same in each run.
      let mixed = number &* 2_654_435_761
      let act = acts[(mixed >> 7) & 3]
      let kind = "k\((mixed >> 11) % (number % 100 == 0 ? 400 : 40))"
      _ = model.donate(donation(kind, act, hour: number))
      if number % 50 == 49 { _ = model.forget { $0.kind == "k\(number % 40)" } }
      guard number % 3 == 0 else { continue }
      var counted: [String: StackModel.SentAway] = [:]
      for old in model.donations.suffix(Limits.searchedDonationCountMax) {
        if old.act == .dismissal {
          counted[old.item] = .init(count: (counted[old.item]?.count ?? 0) + 1, last: old.at)
        } else if old.act.isUse {
          counted[old.item] = nil
        }
      }
      guard model.sentAway() == counted else {
        Issue.record("after donation \(number)")
        return
      }
    }
  }

  @Test func `in private mode nothing is stored or learned`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock")
    var output = EngineOutput()
    driver.engine.setPrivate(true, at: driver.now.wall, into: &output)
    #expect(output.settings["private"] == ["on": true, "at": "2026-11-20T08:00:00Z"])
    driver.act(.tap, "clock")
    #expect(driver.engine.stackModel.donationCount == 0)
    driver.engine.setPrivate(false, at: driver.now.wall, into: &output)
    driver.act(.tap, "clock")
    #expect(driver.engine.stackModel.donationCount == 1)
  }

  // MARK: Suggestions

  @Test
  func
    `an intent that is often used and not placed is suggested, and once dismissed not for a day`()
    throws
  {
    let kind = EngineDriver.kind("weather", intent: "ShowWeather")
    var driver = EngineDriver(kinds: [kind, EngineDriver.kind("clock")])
    _ = try driver.place("clock")
    func done(_ driver: inout EngineDriver, _ city: String) -> [String] {
      driver.transcript { engine, now, output in
        engine.donate(
          .intent, kind: "weather", configuration: EngineDriver.city(city), at: now, into: &output)
        engine.proposeSuggestion(at: now, into: &output)
      }
    }
    #expect(done(&driver, "Oslo").isEmpty)
    _ = driver.pass(3600)
    #expect(done(&driver, "Oslo").isEmpty)
    _ = driver.pass(3600)
    #expect(done(&driver, "Oslo").contains { $0.contains("suggestion:weather") })
    #expect(
      driver.engine.widgets["suggestion:weather"]?.configuration.key
        == EngineDriver.city("Oslo").key)
    _ = try driver.dismiss("suggestion:weather")
    #expect(done(&driver, "Oslo").isEmpty)
    _ = driver.pass(86_400)
    #expect(done(&driver, "Oslo").contains { $0.contains("suggestion:weather") })
  }

  @Test func `a suggestion stays exactly as long as it is the most wanted`()
    throws
  {
    let kind = EngineDriver.kind("weather", intent: "ShowWeather")
    var driver = EngineDriver(kinds: [kind, EngineDriver.kind("clock")])
    for _ in 1...4 {
      _ = driver.transcript { engine, now, output in
        engine.donate(
          .intent, kind: "weather", configuration: EngineDriver.city("Oslo"), at: now, into: &output
        )
        engine.proposeSuggestion(at: now, into: &output)
      }
    }
    let placedAt = try #require(driver.engine.widgets["suggestion:weather"]?.placedAt)
    _ = driver.pass(3 * 3600)
    #expect(driver.engine.widgets["suggestion:weather"]?.placedAt == placedAt)
    // The person places the widget: nothing is left to suggest.
    _ = try driver.place("weather", EngineDriver.city("Oslo"))
    _ = driver.pass(2 * 3600)
    #expect(driver.engine.widgets.values.count { $0.isSuggestion } == 0)
  }

  @Test func `a placed widget is not suggested`() throws {
    let kind = EngineDriver.kind("weather", intent: "ShowWeather")
    var driver = EngineDriver(kinds: [kind])
    _ = try driver.place("weather", EngineDriver.city("Oslo"))
    for _ in 1...6 {
      driver.act(.tap, "weather")
      _ = driver.pass(3600)
    }
    #expect(driver.engine.widgets.count == 1)
  }
}
