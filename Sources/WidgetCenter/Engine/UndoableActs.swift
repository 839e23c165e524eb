package import JSON
package import Timekeeping

/// When a widget was last asked for and sent away, as far as that still counts.
package struct RecentStanding: Hashable, Sendable {
  package var promotedAt: WallTime?
  package var dismissedAt: WallTime?

  package init(promotedAt: WallTime? = nil, dismissedAt: WallTime? = nil) {
    self.promotedAt = promotedAt
    self.dismissedAt = dismissedAt
  }
}

/// A widget that the person took away, with everything that brings it back as it was.
struct RemovedWidget: Hashable, Sendable {
  var widget: Widget
  /// The record of its timeline as the store keeps it; `nil` if another widget goes on with the
  /// timeline, or if it is longer than `Limits.undoTimelineBytesMax`.
  var timeline: String?
  var standing: RecentStanding
}

/// The latest removals and dismissals of the person, which can be undone for a while.
///
/// They are one setting in the store, so they survive a restart. Acts of private mode live in
/// memory only, and go when the mode ends.
struct UndoableActs: Sendable {
  struct Act: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case removal([RemovedWidget])
      /// A placed widget was sent down; `donation` is the number of the donation that noted it.
      case dismissal(id: String, RecentStanding, donation: Int64?)
      /// A suggestion was sent away, which removed it.
      case refusal(RemovedWidget, donation: Int64?)
    }

    var kind: Kind
    var at: WallTime
    var isPrivate: Bool
  }

  /// Oldest first.
  private var acts: [Act] = []

  /// Keeps an act; the oldest goes when there are too many.
  mutating func add(_ act: Act) {
    acts.append(act)
    if acts.count > Limits.undoableActCountMax { acts.removeFirst() }
    forgetLongTimelines()
  }

  /// Takes the latest act; `nil` if there is none.
  mutating func takeLast() -> Act? { acts.popLast() }

  /// The latest act, if it can still be undone.
  func last(at now: WallTime) -> Act? {
    acts.last.flatMap { now < Self.end(of: $0) ? $0 : nil }
  }

  /// When the oldest act can no longer be undone.
  var nextEnd: WallTime? {
    acts.map(Self.end).min()
  }

  /// Forgets the acts whose time is over; returns whether there were any.
  mutating func expire(at now: WallTime) -> Bool {
    forget { now >= Self.end(of: $0) }
  }

  private static func end(of act: Act) -> WallTime {
    act.at.advanced(byMilliseconds: Limits.undoWindow)
  }

  /// Forgets the acts for which `isForgotten` is true; returns whether there were any.
  mutating func forget(_ isForgotten: (Act) -> Bool) -> Bool {
    let count = acts.count
    acts.removeAll(where: isForgotten)
    return acts.count < count
  }

  /// After the clock was set back: no act lies in the future.
  ///
  /// Returns whether one did.
  mutating func clockChanged(at now: WallTime) -> Bool {
    var hasChanged = false
    for index in acts.indices where acts[index].at > now {
      acts[index].at = now
      hasChanged = true
    }
    return hasChanged
  }

  /// Keeps the timelines of the latest acts as far as they fit; others are loaded anew when their
  /// widget comes back.
  private mutating func forgetLongTimelines() {
    var room = Limits.undoTimelinesBytesMax
    for index in acts.indices.reversed() {
      acts[index].kind.mapWidgets { removed in
        room -= removed.timeline?.utf8.count ?? 0
        if room < 0 { removed.timeline = nil }
      }
    }
  }

  // MARK: What the store keeps

  var json: JSONValue {
    .array(acts.filter { !$0.isPrivate }.map { .object($0.json) })
  }

  /// Takes what the store kept; `false` when it cannot be read.
  mutating func restore(_ value: JSONValue) -> Bool {
    guard let rows = value.arrayValue, rows.count <= Limits.undoableActCountMax else {
      return false
    }
    let read = rows.compactMap { Act(json: $0) }
    guard read.count == rows.count else { return false }
    acts = read
    return true
  }
}

extension UndoableActs.Act.Kind {
  fileprivate mutating func mapWidgets(_ change: (inout RemovedWidget) -> Void) {
    switch self {
    case .removal(var widgets):
      for index in widgets.indices { change(&widgets[index]) }
      self = .removal(widgets)
    case .refusal(var widget, let donation):
      change(&widget)
      self = .refusal(widget, donation: donation)
    case .dismissal: break
    }
  }
}

// MARK: - Records

extension UndoableActs.Act {
  fileprivate var json: JSONObject {
    var object: JSONObject = ["at": .string(at.rfc3339)]
    switch kind {
    case .removal(let widgets):
      object["act"] = "removal"
      object["widgets"] = .array(widgets.map { .object($0.json) })
    case .dismissal(let id, let standing, let donation):
      object["act"] = "dismissal"
      object["id"] = .string(id)
      standing.write(to: &object)
      object["donation"] = donation.map { .int($0) }
    case .refusal(let widget, let donation):
      object["act"] = "refusal"
      object["widgets"] = [.object(widget.json)]
      object["donation"] = donation.map { .int($0) }
    }
    return object
  }

  fileprivate init?(json: JSONValue) {
    guard let at = json["at"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }) else { return nil }
    let widgets = (json["widgets"]?.arrayValue ?? []).compactMap { RemovedWidget(json: $0) }
    guard widgets.count == json["widgets"]?.arrayValue?.count ?? 0 else { return nil }
    let donation = json["donation"]?.intValue
    switch json["act"]?.stringValue {
    case "removal": kind = .removal(widgets)
    case "dismissal":
      guard let id = json["id"]?.stringValue else { return nil }
      kind = .dismissal(id: id, RecentStanding(json), donation: donation)
    case "refusal":
      guard let widget = widgets.first else { return nil }
      kind = .refusal(widget, donation: donation)
    default: return nil
    }
    self.at = at
    isPrivate = false
  }
}

extension RemovedWidget {
  fileprivate var json: JSONObject {
    var object: JSONObject = ["id": .string(widget.id), "widget": widget.record]
    object["timeline"] = timeline.map { .string($0) }
    standing.write(to: &object)
    return object
  }

  fileprivate init?(json: JSONValue) {
    guard let id = json["id"]?.stringValue, let record = json["widget"],
      let widget = Widget(id: id, record: record)
    else { return nil }
    self.widget = widget
    timeline = json["timeline"]?.stringValue
    standing = RecentStanding(json)
  }
}

extension RecentStanding {
  /// Writes the members `promotedAt` and `dismissedAt`, each only if there is one.
  package func write(to object: inout JSONObject) {
    object["promotedAt"] = promotedAt.map { .string($0.rfc3339) }
    object["dismissedAt"] = dismissedAt.map { .string($0.rfc3339) }
  }

  package init(_ json: JSONValue) {
    func date(_ name: String) -> WallTime? {
      json[name]?.stringValue.flatMap { WallTime(rfc3339: $0) }
    }
    self.init(promotedAt: date("promotedAt"), dismissedAt: date("dismissedAt"))
  }
}
