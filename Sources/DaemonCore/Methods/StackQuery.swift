import Timekeeping
import WidgetCenter

/// A request whose answer needs an order of the stack, and what is prepared for it.
struct StackQuery: Sendable {
  enum Purpose: Sendable {
    /// `stack.order`, or `stack.explain` if `explained`; `id`: only this widget.
    case order(explained: Bool, wantsIDs: Bool, id: String?)
    /// `surface.attach` of a stack; `number`: its attachment in `Surfaces`.
    case attach(number: UInt64)
  }

  let purpose: Purpose
  /// The families to order; `nil`: all.
  let families: WidgetFamilies?
  /// The moment that the client asked about; `nil`: now.
  var moment: WallTime?
  var limit: Int?
  /// The languages of who asks, for the names.
  var languages: [String] = []
  /// The bytes of the parameters, if the answer may be kept for them.
  var asked: [UInt8]?
  /// The order of `moment`, as far as it is prepared; `nil`: nothing is.
  var forecast: StackForecast?

  init(_ purpose: Purpose, families: WidgetFamilies?) {
    self.purpose = purpose
    self.families = families
  }

  var isExplained: Bool { if case .order(true, _, _) = purpose { true } else { false } }
  var wantsIDs: Bool { if case .order(_, true, _) = purpose { true } else { false } }
}
