import IntentRouter
import Timekeeping
import WidgetCenter

/// Who is called back, decided before anything is done.
struct CallbackTicket: Hashable, Sendable {
  enum Target: Hashable, Sendable {
    /// The app that asks: it, and whoever has its desktop entry.
    case application(String)
    /// Whoever the person chose for the callback's scheme.
    case chosen
  }

  var target: Target
  var success: ProfiledURL?
  var error: ProfiledURL?
  var cancel: ProfiledURL?
}

/// How it went, for the one callback that is opened.
enum CallbackOutcome: Hashable, Sendable {
  case success([ProfiledURL.QueryItem])
  case error(code: Int, message: String)
  case cancel

  var name: String {
    switch self {
    case .success: "success"
    case .error: "error"
    case .cancel: "cancel"
    }
  }
}

/// A callback that waits for the reloads of its intent.
struct PendingCallback: Hashable, Sendable {
  var ticket: CallbackTicket
  var intent: String
  var receipts: [ReceiptID]
  /// The widget whose entry is the result.
  var widget: String?
}

/// What is on its way back to other apps.
struct Callbacks: Sendable {
  /// In the order they were asked for, at most `Limits.callbackCountMax`.
  var pending: [PendingCallback] = []
  /// Outcomes by launch under way: one word each, for the journal.
  var launches: [LaunchToken: String] = [:]
  var pacing = LinkPacing()
}

/// A bucket for what any link may set going: five a second, ten at once.
///
/// So no page can start applications or providers in a row. Source: the policy for taps.
struct LinkPacing: Hashable, Sendable {
  /// Nanoseconds for one more.
  private static let interval: Int64 = 200_000_000
  /// Links at once.
  static let burst: Int64 = 10

  /// When the bucket is full again.
  private var fullAt: Instant?

  /// Takes one; `false` when there is none left.
  mutating func take(at now: Instant) -> Bool {
    let full = max(fullAt ?? now, now)
    let next = full.nanoseconds + Self.interval
    guard next - now.nanoseconds <= Self.burst * Self.interval else { return false }
    fullAt = Instant(nanoseconds: next)
    return true
  }
}
