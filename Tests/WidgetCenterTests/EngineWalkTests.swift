import Testing
import Timekeeping

@testable import WidgetCenter

/// A small generator whose whole state is its seed.
///
/// Source: Steele, Lea, Flood, SplitMix64 (2014).
struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Random events in random order.
///
/// The driver checks the engine's invariants after each event, and after a calm phase every request
/// has ended.
@Suite struct EngineWalkTests {
  @Test(arguments: Array(1...20) as [UInt64])
  func `in any order of events, every request ends and nothing is left running`(_ seed: UInt64)
    throws
  {
    var random = Random(state: seed)
    let kinds = ["a", "b", "c", "d", "e", "f"].map {
      EngineDriver.kind($0, intent: "Show", spacing: 60, perDay: 480)
    }
    let cities = ["Rome", "Oslo"].map { EngineDriver.city($0) }
    var driver = EngineDriver(kinds: kinds)
    let policies = [#""never""#, #""atEnd""#, #"{"after":"2026-11-20T09:00:00Z"}"#]
    for _ in 0..<400 {
      let kind = kinds[Int(random.next() % 6)]
      let id = driver.engine.order.randomElement(using: &random)
      let isOffered = driver.engine.kinds[kind.kind] != nil
      let token = driver.engine.runningTokens.randomElement(using: &random)?.number ?? 0
      let city = cities[Int(random.next() % 2)]
      switch random.next() % 16 {
      case 0, 1: if isOffered { _ = try driver.place(kind.kind, city) }
      case 2: if isOffered { _ = try driver.suggest(kind, city) }
      case 3: if let id { _ = try driver.remove(id) }
      case 4:
        if let id, let widget = driver.engine.widgets[id], driver.engine.kinds[widget.kind] != nil {
          _ = try driver.configure(
            id, family: [nil, .accessoryInline][Int(random.next() % 2)], city)
        }
      case 5, 6, 7:
        let cause = [ReloadCause.reload, .hostBackground, .hostBackground, .intent][
          Int(random.next() % 4)]
        if let id { _ = try driver.reload(id, cause) }
      case 8: if let id { _ = try driver.push(id, ReloadTests.answer("pushed")) }
      case 9: _ = driver.fail(token, .exited(code: 1))
      case 10: _ = driver.fail(token, .cancelled)
      case 11, 12, 13:
        let policy = policies[Int(random.next() % 3)]
        _ = driver.answer(token, ReloadTests.answer("\(random.next() % 3)", policy: policy))
      case 14: _ = driver.pass(Int64(random.next() % 400))
      default:
        let left = random.next() % 2 == 0 ? kinds : kinds.filter { _ in random.next() % 3 > 0 }
        _ = driver.setKinds(left)
      }
    }

    _ = driver.setKinds(kinds)
    for id in driver.engine.order { _ = try driver.reload(id, .reload) }
    for _ in 0..<3 {
      while let token = driver.engine.runningTokens.first {
        _ = driver.answer(token.number, ReloadTests.answer("calm"))
      }
      _ = driver.pass(7_200)
      while let token = driver.engine.runningTokens.first {
        _ = driver.answer(token.number, ReloadTests.answer("calm"))
      }
    }
    #expect(driver.engine.runningCount == 0)
    #expect(driver.engine.queuedCount == 0)
    for receipt in driver.engine.receipts.values {
      #expect(receipt.hasEnded, "seed \(seed): \(receipt)")
    }
    for id in driver.engine.order { #expect(driver.text(id) == "calm", "seed \(seed): \(id)") }
  }
}
