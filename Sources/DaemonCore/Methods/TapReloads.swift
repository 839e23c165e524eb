import WidgetCenter

/// Widgets that are reloaded when the intents that their items sent are done.
///
/// They live in memory: the intent has receipts, which survive a crash, and the reload after it was
/// promised to nobody.
struct TapReloads: Sendable {
  private struct Pending: Hashable, Sendable {
    var widget: String
    var receipts: [ReceiptID]
  }

  /// In the order of the taps, at most `Limits.tapReloadCountMax`.
  private var pending: [Pending] = []

  var isEmpty: Bool { pending.isEmpty }

  /// Keeps a widget until the receipts of an intent have ended; `false`: too many wait, or none of
  /// the receipts is under way, so that the widget is to be reloaded now.
  mutating func add(
    _ widget: String, after receipts: [ReceiptID], _ engine: borrowing WidgetEngine
  ) -> Bool {
    guard pending.count < Limits.tapReloadCountMax, Self.areUnderWay(receipts, engine) else {
      return false
    }
    pending.append(Pending(widget: widget, receipts: receipts))
    return true
  }

  /// Takes the widgets whose intents are done, each once.
  mutating func takeDone(_ engine: borrowing WidgetEngine) -> [String] {
    var done: [String] = []
    var rest: [Pending] = []
    for one in pending {
      if Self.areUnderWay(one.receipts, engine) {
        rest.append(one)
      } else if !done.contains(one.widget) {
        done.append(one.widget)
      }
    }
    pending = rest
    return done
  }

  /// Forgets the widgets whose intents the restored engine knows nothing of.
  mutating func startOver(_ engine: borrowing WidgetEngine) {
    var kept: [Pending] = []
    for one in pending where Self.areUnderWay(one.receipts, engine) { kept.append(one) }
    pending = kept
  }

  /// Returns a sentence about each reload that no receipt will bring, and about too many.
  func checkInvariants(_ engine: borrowing WidgetEngine) -> [String] {
    var wrong: [String] = []
    if pending.count > Limits.tapReloadCountMax {
      wrong.append("\(pending.count) widgets wait for intents, of \(Limits.tapReloadCountMax)")
    }
    for one in pending where !Self.areUnderWay(one.receipts, engine) {
      wrong.append("'\(one.widget)' waits for an intent that is done")
    }
    return wrong
  }

  private static func areUnderWay(
    _ receipts: [ReceiptID], _ engine: borrowing WidgetEngine
  ) -> Bool {
    for id in receipts where engine.leader(of: id)?.state == .accepted { return true }
    return false
  }
}
