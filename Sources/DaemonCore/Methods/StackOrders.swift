import JSON
import Timekeeping
import WidgetCenter

/// The orders of the stack that were computed last, and answers to `stack.order` as bytes.
///
/// An order holds until one of its inputs changes, or for `Limits.stackCacheInterval`, since the
/// counts in it fade. An answer is found by the bytes of the request's parameters, so that a client
/// that repeats a request is answered before its line is parsed.
struct StackOrders: Sendable {
  private struct Order: Sendable {
    var places: [StackPlace]
    var computedAt: WallTime

    func isGood(at now: WallTime) -> Bool {
      now >= computedAt
        && now < computedAt.advanced(byMilliseconds: Limits.stackCacheInterval)
    }
  }

  /// The order of all widgets.
  private var order: Order?
  /// Orders for surfaces that show some families only.
  private var byFamilies: [WidgetFamilies: Order] = [:]
  /// Answers made from `order`.
  private var answers: [(params: [UInt8], answer: [UInt8])] = []

  /// Returns the order for these families (all, if there are none given); `nil`: no order holds.
  func places(_ families: WidgetFamilies?, at now: WallTime) -> [StackPlace]? {
    guard let order = families.map({ byFamilies[$0] }) ?? order, order.isGood(at: now) else {
      return nil
    }
    return order.places
  }

  mutating func keep(_ places: [StackPlace], _ families: WidgetFamilies?, at now: WallTime) {
    let made = Order(places: places, computedAt: now)
    guard let families else {
      answers.removeAll(keepingCapacity: true)
      order = made
      return
    }
    if byFamilies.count >= Limits.familyStackCountMax { byFamilies = [:] }
    byFamilies[families] = made
  }

  /// Returns the kept answer to these parameters; `nil`: there is none that holds.
  func answer(to params: Span<UInt8>, at now: WallTime) -> [UInt8]? {
    guard !answers.isEmpty, let order, order.isGood(at: now) else { return nil }
    for known in answers where Self.isSame(known.params, params) { return known.answer }
    return nil
  }

  /// Keeps an answer that was made from the order of all widgets.
  mutating func keep(_ answer: [UInt8], to params: [UInt8]) {
    guard params.count <= Limits.rememberedParamsBytesMax else { return }
    if answers.count >= Limits.stackAnswerCountMax { answers.removeFirst() }
    answers.append((params, answer))
  }

  /// Forgets all orders and answers, because an input of the order changed.
  mutating func forgetOrders() {
    order = nil
    byFamilies.removeAll(keepingCapacity: true)
    answers.removeAll(keepingCapacity: true)
  }

  /// Forgets the answers alone, because a widget looks different now; the order still holds.
  mutating func forgetAnswers() {
    if !answers.isEmpty { answers.removeAll(keepingCapacity: true) }
  }

  private static func isSame(_ known: [UInt8], _ params: Span<UInt8>) -> Bool {
    guard known.count == params.count else { return false }
    for index in params.indices where params[index] != known[index] { return false }
    return true
  }
}
