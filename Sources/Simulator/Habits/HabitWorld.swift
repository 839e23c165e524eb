import Habits
import JSON
import Timekeeping
import WidgetCenter

/// Simulates weeks of a person with habits, and of a provider that wants the top of the stack.
///
/// Five times a day the person uses their usual widget of that hour, except one time in eight. Most
/// of the time, providers claim relevance when their widget is used; one always claims, in one of
/// several ways. After four weeks all habits change. The engine alone decides the order.
package struct HabitWorld {
  /// How a provider tries to buy the top.
  package enum Shout: String, CaseIterable, Sendable {
    /// The same high score, always.
    case constant
    /// Each hour more than ever before.
    case growing
    /// Chance decides how much.
    case random
    /// Just before each time the person looks.
    case spying
  }

  package struct Report: Sendable {
    package var seed: UInt64
    package var shout: Shout
    /// Percent of uses, after the first week, before which the one that shouts was on top.
    package var shoutedToTop = 0
    /// The percentage of uses whose widget was on top in the fourth week.
    ///
    /// The next members hold those of the week after the change of habits, and of the week after
    /// that.
    package var foreseenBefore = 0
    package var foreseenInBetween = 0
    package var foreseenAfter = 0

    /// The broken rules, in sentences.
    package var violations: [String] {
      var found: [String] = []
      if shoutedToTop > 5 {
        found.append("who shouts (\(shout.rawValue)) was on top before \(shoutedToTop) % of uses")
      }
      if foreseenBefore < 60 {
        found.append("only \(foreseenBefore) % of a month's habit were foreseen")
      }
      // Of 35 uses, so chance alone moves it by some six.
      if foreseenAfter < 55 {
        found.append(
          "a week after habits changed \(foreseenAfter) % were foreseen, \(foreseenBefore) % before"
        )
      }
      return found
    }
  }

  private var randomness: Randomness
  private var engine = WidgetEngine()
  private var now = Now(
    monotonic: Instant(nanoseconds: 1_000_000_000), wall: WallTime(seconds: 1_795_392_000))
  private var report: Report

  private static let names = (0..<8).map { "habit\($0)" }
  private static let shouter = "shouter"
  /// Local hours of the day at which something is used.
  private static let hours: [Int64] = [7, 9, 12, 18, 22]

  package init(seed: UInt64) {
    randomness = Randomness(seed: seed)
    report = Report(
      seed: seed, shout: Shout.allCases[Int(seed % UInt64(Shout.allCases.count))])
  }

  package mutating func run() -> Report {
    furnish()
    var habits = shuffled().prefix(Self.hours.count)
    var tops = 0
    var hits = [Int](repeating: 0, count: 7)
    for day in 0..<42 {
      if day == 28 {
        // Each hour gets another widget.
        let old = habits
        repeat {
          habits = shuffled().prefix(Self.hours.count)
        } while zip(old, habits).contains { $0 == $1 }
      }
      for (index, hour) in Self.hours.enumerated() {
        let minute = randomness.between(0, 50)
        pass(to: Int64(day) * 86_400 + hour * 3_600 + minute * 60)
        let used = randomness.chance(12) ? randomness.pick(Self.names) : Array(habits)[index]
        claim(used: used, day: day)
        let top = engine.stack(families: nil, at: now.wall).first?.id
        if top == used { hits[day / 7] += 1 }
        if day >= 7, top == Self.shouter { tops += 1 }
        var output = EngineOutput()
        engine.record(.tap, of: used, at: now.wall, into: &output)
      }
    }
    let week = 7 * Self.hours.count
    report.shoutedToTop = tops * 100 / (5 * week)
    report.foreseenBefore = hits[3] * 100 / week
    report.foreseenInBetween = hits[4] * 100 / week
    report.foreseenAfter = hits[5] * 100 / week
    return report
  }

  private mutating func furnish() {
    let kinds = (Self.names + [Self.shouter]).map { name in
      WidgetKind(
        kind: name, name: name, families: [.systemSmall], intent: nil,
        provider: ProviderDeclaration(exec: ["./provider"]), reload: ReloadRules())
    }
    var output = EngineOutput()
    engine.setKinds(kinds, at: now.wall, into: &output)
    for kind in kinds {
      do throws(WidgetError) {
        _ = try engine.add(
          kind: kind.kind, family: nil, configuration: .none, id: kind.kind, at: now.wall,
          into: &output)
      } catch {
        preconditionFailure("an empty engine takes nine widgets: \(error.message)")
      }
    }
  }

  private mutating func shuffled() -> [String] {
    var names = Self.names
    for index in names.indices.reversed() { names.swapAt(index, randomness.below(index + 1)) }
    return names
  }

  private mutating func pass(to second: Int64) {
    let wall = WallTime(seconds: 1_795_392_000 + second)
    now = Now(
      monotonic: now.monotonic.advanced(byMilliseconds: max(0, wall.milliseconds(since: now.wall))),
      wall: wall)
  }

  /// Makes the claims of this moment: most right ones, a few wrong ones, and that of the provider
  /// that always claims.
  private mutating func claim(used: String, day: Int) {
    for name in Self.names where randomness.chance(name == used ? 70 : 8) {
      push(name, score: Double(randomness.between(40, 100)), seconds: 1_800)
    }
    let score: Double =
      switch report.shout {
      case .constant, .spying: 1_000
      case .growing: 1_000 * Double(day + 1)
      case .random: Double(randomness.between(1, 1_000_000))
      }
    push(Self.shouter, score: score, seconds: report.shout == .spying ? 600 : 86_400)
  }

  private mutating func push(_ id: String, score: Double, seconds: Double) {
    let timeline = Timeline(
      entries: [
        TimelineEntry(
          date: now.wall, relevance: Relevance(score: score, duration: seconds),
          content: ["title": .string(id)])
      ], policy: .never)
    var output = EngineOutput()
    do throws(WidgetError) {
      _ = try engine.push(timeline, to: id, cause: .reload, at: now.wall, into: &output)
    } catch {
      preconditionFailure("\(id) was placed: \(error.message)")
    }
  }
}
