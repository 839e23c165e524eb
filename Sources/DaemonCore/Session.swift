import IntentProtocol
package import JSONRPC
import Timekeeping
package import WidgetCenter

/// One client's connection: its unfinished line, what it waits for, and what it is (a surface, a host app).
package struct Session: Sendable {
  package let peer: Peer
  package var framer = LineFramer(frameBytesMax: WireLimits.frameBytesMax)
  /// The client does not read: requests are refused and updates held back until it has.
  package var isBackedUp = false
  /// Bytes of finished answers that wait for the disk, for the rest of their batch or for the end of a long answer.
  var heldBytes = 0
  /// Lists of widgets that it waits for.
  var longAnswerCount = 0
  /// One of these was begun: whole lines wait in `heldLines` for its end.
  var isMidLine = false
  var heldLines: [UInt8] = []
  /// Bytes of answers in the turn `saidTurn`: the shell has not counted them yet.
  private var saidBytes = 0
  private var saidTurn: UInt64 = 0
  /// Requests whose answer waits for a run or a launch.
  package var waitingCount = 0
  package var surface: Surface?
  package var app: HostApp?
  /// When its reading of the stack was noted last.
  var readStackAt: Instant?

  package init(peer: Peer) { self.peer = peer }

  /// What was said to it in this turn, before the bytes being heard now.
  func saidBytes(turn: UInt64) -> Int { saidTurn == turn ? saidBytes : 0 }

  /// Whether it can be answered now, and was noted as reading the stack not long ago.
  ///
  /// Mutating so that it is looked at in place: to read a member of a value in a dictionary copies all of it.
  mutating func mayReadAgain(turn: UInt64, pending: Int, at now: Instant) -> Bool {
    guard !isFull(turn: turn, pending: pending), let readStackAt else { return false }
    return now < readStackAt.advanced(byMilliseconds: Limits.stackCacheInterval)
  }

  /// Whether it has to read before it is told more; `pending`: bytes that are being said to it.
  ///
  /// Mutating for the same reason.
  mutating func isFull(turn: UInt64, pending: Int) -> Bool {
    isBackedUp || saidBytes(turn: turn) + pending + heldBytes > WireLimits.queuedBytesMax
  }

  mutating func noteSaid(_ count: Int, turn: UInt64) {
    saidBytes = saidBytes(turn: turn) + count
    saidTurn = turn
  }

  /// The surface, when it can be told something now and has something to be told: to be put back.
  ///
  /// What stays here holds none of its lists, so that they change in place.
  mutating func takeNews() -> Surface? {
    guard !isBackedUp, longAnswerCount == 0, surface?.hasNews == true else { return nil }
    let taken = surface
    surface?.changed = []
    surface?.removed = []
    surface?.shown = []
    surface?.lastStack = []
    return taken
  }
}

/// A client that shows widgets.
package struct Surface: Hashable, Sendable {
  package var id: String
  /// Since when it is visible; `nil` while it is hidden.
  var visibleSince: Instant?
  /// `nil`: every family.
  package var families: WidgetFamilies?
  /// `nil`: every widget.
  package var widgets: Set<String>?
  package var isStack: Bool
  package var isVisible: Bool
  /// Widgets that changed since the last update went out.
  package var changed: Set<String> = []
  package var removed: Set<String> = []
  /// Widgets it was told of and not told to remove.
  package var shown: Set<String> = []
  package var stackChanged = false
  /// The order it was last told.
  package var lastStack: [String] = []

  /// Whether it shows a widget that there is.
  func shows(_ id: String, of family: WidgetFamily) -> Bool {
    (families?.contains(family) ?? true) && (widgets?.contains(id) ?? true)
  }

  /// It is looked at, and was not told everything yet.
  var hasNews: Bool {
    isVisible && (!changed.isEmpty || !removed.isEmpty || (isStack && stackChanged))
  }
}

/// A client that owns kinds.
package struct HostApp: Hashable, Sendable {
  /// Its desktop id.
  package var id: String
  package var isForeground: Bool
}

/// Where an answer goes.
package struct ReplyAddress: Hashable, Sendable {
  package var connection: ConnectionID
  /// `nil`: a notification, nobody waits.
  package var id: RequestID?
  /// The batch that the answer is a part of.
  package var batch: UInt64?
}
