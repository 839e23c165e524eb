import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// An answer about more widgets than one turn describes, and how far it was said.
struct LongAnswer: Sendable {
  enum Widgets: Sendable {
    case listed([String])
    /// `at`: the moment that was asked about; `nil`: the one at which it is said.
    case ranked(ArraySlice<StackPlace>, explained: Bool, at: WallTime?)

    var count: Int {
      switch self {
      case .listed(let ids): ids.count
      case .ranked(let places, _, _): places.count
      }
    }
  }

  var address: ReplyAddress
  var widgets: Widgets
  /// Members of the result before and behind `widgets`.
  var before: JSONObject
  var behind: JSONObject
  /// Who asked is no surface, and watches what it is told of for a while.
  var notesReading: Bool
  var next = 0
  var hasBegun = false
  /// A view was said: the next one follows a comma.
  var hasViews = false
  /// In a batch an answer is a part of a line: it is gathered, and leaves as a whole.
  var gathered: [UInt8] = []

  var isComplete: Bool { hasBegun && next >= widgets.count }
}

/// Answers that list widgets: at once when they are few, else a piece a turn.
///
/// The pieces of one line follow each other: what else is to be said to that client waits for its end, and a client
/// that does not read is told no more of it. So a list of ten thousand widgets holds nobody up, and is
/// never in memory as a whole.
extension Daemon {
  /// Answers with `before`, a member `widgets`, and `behind`.
  ///
  /// Lists of one client come in the order in which they were asked for: a surface that attaches twice holds, in
  /// the end, what it asked for last.
  mutating func answer(
    _ address: ReplyAddress, before: JSONObject = [:], _ widgets: LongAnswer.Widgets,
    behind: JSONObject = [:], notesReading: Bool, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    var long = LongAnswer(
      address: address, widgets: widgets, before: before, behind: behind,
      notesReading: notesReading)
    guard takesTurns(widgets.count, address) else {
      var bytes: [UInt8] = []
      appendHead(of: long, to: &bytes)
      appendViews(of: &long, countMax: widgets.count, at: now.wall, to: &bytes)
      appendTail(of: long, to: &bytes)
      answer(address) { $0 += bytes }
      noteReading(of: long, from: 0, at: now, into: &effects)
      return
    }
    // A list that nobody hears is not made.
    guard address.id != nil else { return }
    try reserveWaiting(address)
    sessions[address.connection]?.longAnswerCount += 1
    longAnswers.append(long)
  }

  /// Whether a list of `count` widgets is not said at once: it is long, or follows one that is.
  func takesTurns(_ count: Int, _ address: ReplyAddress) -> Bool {
    count > options.widgetsInPieceMax || sessions[address.connection]?.longAnswerCount ?? 0 > 0
  }

  /// Whether a piece of an answer can be said now.
  var hasLongAnswerToSay: Bool {
    longAnswers.contains { sessions[$0.address.connection]?.isBackedUp == false }
  }

  /// Says the next piece; whose answer is not complete then waits for the others'.
  mutating func continueLongAnswers(at now: Now, into effects: inout [Effect]) {
    guard !longAnswers.isEmpty else { return }
    var room = options.widgetsInPieceMax
    var waiting: [LongAnswer] = []
    while room > 0, !longAnswers.isEmpty {
      var long = longAnswers.removeFirst()
      guard let session = sessions[long.address.connection] else {
        if let batch = long.address.batch { batches[batch] = nil }
        continue
      }
      guard !session.isBackedUp, long.hasBegun || !session.isMidLine else {
        waiting.append(long)
        continue
      }
      let start = long.next
      say(&long, countMax: room, at: now, into: &effects)
      room -= max(1, long.next - start)
      if !long.isComplete { longAnswers.append(long) }
    }
    longAnswers = waiting + longAnswers
  }

  /// The daemon leaves: a line that was begun is said to its end, the others are refused.
  mutating func endLongAnswers(_ refusal: RPCError, at now: Now, into effects: inout [Effect]) {
    while !longAnswers.isEmpty {
      var long = longAnswers.removeFirst()
      if long.hasBegun {
        say(&long, countMax: .max, at: now, into: &effects)
      } else {
        releaseLongAnswer(long.address)
        refuse(long.address, refusal)
      }
    }
  }

  /// Sends a whole line, or lets it wait for the end of the one that is being said.
  mutating func send(
    _ line: [UInt8], to connection: ConnectionID, into effects: inout [Effect]
  ) {
    guard sessions[connection]?.isMidLine == true else {
      effects.append(.send(connection, line))
      return
    }
    sessions[connection]?.heldLines += line
    sessions[connection]?.heldBytes += line.count
  }

  // MARK: Pieces

  private mutating func say(
    _ long: inout LongAnswer, countMax: Int, at now: Now, into effects: inout [Effect]
  ) {
    let connection = long.address.connection
    guard let id = long.address.id else { return }
    let isPart = long.address.batch != nil
    let start = long.next
    var bytes: [UInt8] = []
    if !long.hasBegun {
      appendResult(id: id, to: &bytes, newline: false) { appendHead(of: long, to: &$0) }
      // The brace that ends the message follows with the last piece.
      bytes.removeLast()
      if !isPart { sessions[connection]?.isMidLine = true }
    }
    appendViews(of: &long, countMax: countMax, at: now.wall, to: &bytes)
    long.hasBegun = true
    if long.isComplete {
      appendTail(of: long, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
    if isPart {
      long.gathered += bytes
      sessions[connection]?.heldBytes += bytes.count
      if long.isComplete {
        sessions[connection]?.heldBytes -= long.gathered.count
        deliver(long.gathered, long.address)
      }
    } else {
      if long.isComplete {
        bytes.append(UInt8(ascii: "\n"))
        if let held = sessions[connection]?.heldLines {
          bytes += held
          sessions[connection]?.heldBytes -= held.count
        }
        sessions[connection]?.heldLines = []
        sessions[connection]?.isMidLine = false
      }
      effects.append(.send(connection, bytes))
    }
    if long.isComplete { releaseLongAnswer(long.address) }
    noteReading(of: long, from: start, at: now, into: &effects)
  }

  private mutating func releaseLongAnswer(_ address: ReplyAddress) {
    releaseWaiting(address)
    sessions[address.connection]?.longAnswerCount -= 1
  }

  private func appendHead(of long: LongAnswer, to bytes: inout [UInt8]) {
    var before = long.before
    before["widgets"] = []
    JSONValue.object(before).write(into: &bytes)
    bytes.removeLast(2)
  }

  private func appendTail(of long: LongAnswer, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "]"))
    guard !long.behind.members.isEmpty else {
      bytes.append(UInt8(ascii: "}"))
      return
    }
    let start = bytes.count
    JSONValue.object(long.behind).write(into: &bytes)
    bytes[start] = UInt8(ascii: ",")
  }

  /// The next views, each but the first of all with a comma before it; a widget that is gone meanwhile has none.
  private func appendViews(
    of long: inout LongAnswer, countMax: Int, at now: WallTime, to bytes: inout [UInt8]
  ) {
    let end = long.next + min(countMax, long.widgets.count - long.next)
    while long.next < end {
      let start = bytes.count
      if long.hasViews { bytes.append(UInt8(ascii: ",")) }
      var isThere = false
      appendJSON(to: &bytes) { writer in
        switch long.widgets {
        case .listed(let ids):
          isThere = engine.writeView(of: ids[long.next], at: now, to: &writer)
        case .ranked(let places, let explained, let moment):
          isThere = write(
            places[places.startIndex + long.next], explained: explained, at: moment ?? now,
            to: &writer)
        }
      }
      long.next += 1
      if isThere { long.hasViews = true } else { bytes.removeLast(bytes.count - start) }
    }
  }

  private mutating func noteReading(
    of long: LongAnswer, from start: Int, at now: Now, into effects: inout [Effect]
  ) {
    guard long.notesReading, start < long.next else { return }
    let isContinued = start > 0
    switch long.widgets {
    case .listed(let ids):
      noteReading(
        of: ids[start..<long.next], long.address, isContinued: isContinued, at: now, into: &effects)
    case .ranked(let places, _, _):
      let told = places[(places.startIndex + start)..<(places.startIndex + long.next)]
      noteReading(
        of: told.map(\.id), long.address, isContinued: isContinued, at: now, into: &effects)
    }
  }
}
