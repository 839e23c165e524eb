package import JSON
package import Timekeeping

/// Why a reload was asked for.
package enum ReloadCause: String, CaseIterable, Hashable, Sendable {
  /// The person sent an intent that this widget shows.
  case intent
  /// A link made the intent; any page or program may have opened it.
  case link
  /// The person tapped it.
  case tap
  /// The person opened its menu; only for a plugin, and it has no receipt.
  case menu
  /// It was placed just now.
  case placed
  /// Its configuration changed.
  case configuration
  /// The person expanded or collapsed it, and it has nothing to show in that mode.
  case mode
  /// The person asked for it, from a tool.
  case reload
  /// Its app asked while the person looks at it.
  case hostForeground
  /// Its provider is new: the manifest changed.
  case providerUpgrade
  /// The language or region changed.
  case locale
  /// The person reads larger or smaller text.
  case textSize
  /// A surface gives it another size.
  case displaySize
  /// The clock was set back, or the time zone changed.
  case timeChange
  /// Its app asked in the background.
  case hostBackground
  /// A signal came that its manifest names, as pkill -RTMIN+8 sends one.
  case signal
  /// The interval, or the hour, that the person wrote into a script of their own.
  case interval
  /// Files that its provider asked for are there; a part of the reload that asked for them.
  case download
  /// Its timeline's policy.
  case policy
  /// The last run failed.
  case retry

  /// Free of budget and spacing: the person, or the system, wants it now.
  ///
  /// Source: WidgetKit's exempt causes.
  package var isExempt: Bool {
    switch self {
    case .intent, .tap, .menu, .placed, .configuration, .mode, .reload, .hostForeground: true
    case .providerUpgrade, .locale, .textSize, .displaySize, .timeChange, .signal, .interval: true
    case .download: true
    case .link, .hostBackground, .policy, .retry: false
    }
  }

  /// Whether nobody asked for it, so that it can wait until somebody watches.
  package var isAutomatic: Bool {
    switch self {
    case .intent, .link, .tap, .menu, .placed, .configuration, .mode, .reload: false
    case .hostForeground, .hostBackground, .signal, .download: false
    case .interval: true
    case .policy, .retry, .providerUpgrade, .locale, .textSize, .displaySize, .timeChange: true
    }
  }

  /// A person did something just now, with a hand of their own.
  package var isPersonal: Bool {
    switch self {
    case .intent, .tap, .menu, .placed, .configuration, .mode, .reload: true
    case .link, .hostForeground, .hostBackground, .policy, .retry, .providerUpgrade: false
    case .locale, .textSize, .displaySize, .timeChange, .signal, .interval, .download: false
    }
  }

  /// How many of them in a row are a loop of the widget's own making; `nil`: none are.
  ///
  /// An interval is as short as the person wrote it. Of a person's acts there may be many more
  /// (`Limits.personalLoopRunsMax`): only a program taps for minutes without a pause. A `reload` is
  /// a program's more often than a person's.
  package var loopKind: LoopKind? {
    if self == .interval { return nil }
    return isPersonal && self != .reload ? .byPerson : .byProgram
  }

  /// Whose act a request looks like, which tells how many of them in a row are a loop.
  package enum LoopKind: Hashable, Sendable {
    case byPerson
    case byProgram
  }

  /// Whether a budgeted request also waits until the last one is long enough ago.
  ///
  /// A link pays like the others, and a person may have clicked it: a second click minutes later
  /// need not wait.
  package var keepsSpacing: Bool { self != .link }

  /// How long a request may wait for a slot.
  package enum Urgency: Int, CaseIterable, Comparable, Sendable {
    /// It is paid for from the budget, or comes again and again.
    case budgeted = 0
    /// The system, or an app in the foreground, wants it now.
    case system
    /// A person placed it, perhaps with hundreds of others: it has the slots of a person's requests,
    /// and comes behind them.
    case placed
    /// A person waits for it.
    case person

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  package var urgency: Urgency {
    if self == .interval { return .budgeted }
    if self == .placed { return .placed }
    return isPersonal ? .person : isExempt ? .system : .budgeted
  }
}

/// The answer to one reload request for one widget: its state and the reason.
package struct Receipt: Hashable, Sendable {
  /// The stage that the request has reached.
  package enum State: Hashable, Sendable {
    case accepted
    case done
    /// Another request does the work.
    case coalesced(into: ReceiptID)
    case deferred(until: WallTime, reason: String)
    case dropped(reason: String)
  }

  package var id: ReceiptID
  package var widget: String
  package var kind: String
  package var cause: ReloadCause
  package var requestedAt: WallTime
  package var state: State
  /// What the provider of a failed run last wrote to standard error; `nil`: nothing.
  package var stderr: String?
  /// Whether the provider of a run that is done said that it had nothing new.
  package var hasNoData = false

  package init(
    id: ReceiptID, widget: String, kind: String, cause: ReloadCause, requestedAt: WallTime,
    state: State = .accepted, stderr: String? = nil
  ) {
    self.id = id
    self.widget = widget
    self.kind = kind
    self.cause = cause
    self.requestedAt = requestedAt
    self.state = state
    self.stderr = stderr
  }

  /// Whether the state is final.
  package var hasEnded: Bool {
    switch state {
    case .done, .coalesced, .dropped: true
    case .accepted, .deferred: false
    }
  }
}

/// `r` and a number that never repeats in one state folder.
package struct ReceiptID: Hashable, Comparable, Sendable {
  package var number: Int64
  package init(number: Int64) { self.number = number }

  package init?(text: String) {
    guard text.first == "r", let number = Int64(text.dropFirst()),
      (1...Limits.storedNumberMax).contains(number)
    else { return nil }
    self.number = number
  }

  package var text: String { "r\(number)" }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension Receipt {
  package var json: JSONObject {
    var object: JSONObject = [
      "id": .string(id.text), "widget": .string(widget), "kind": .string(kind),
      "cause": .string(cause.rawValue), "requestedAt": .string(requestedAt.rfc3339),
    ]
    switch state {
    case .accepted: object["state"] = "accepted"
    case .done:
      object["state"] = "done"
      if hasNoData { object["noData"] = true }
    case .coalesced(let other):
      object["state"] = "coalesced"
      object["into"] = .string(other.text)
    case .deferred(let date, let reason):
      object["state"] = "deferred"
      object["until"] = .string(date.rfc3339)
      object["reason"] = .string(reason)
    case .dropped(let reason):
      object["state"] = "dropped"
      object["reason"] = .string(reason)
      object["stderr"] = stderr.map { .string($0) }
    }
    return object
  }

  package init?(json: JSONValue) {
    guard let id = json["id"]?.stringValue.flatMap({ ReceiptID(text: $0) }),
      let widget = json["widget"]?.stringValue, let kind = json["kind"]?.stringValue,
      let cause = json["cause"]?.stringValue.flatMap({ ReloadCause(rawValue: $0) }),
      let requestedAt = json["requestedAt"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
    else { return nil }
    let reason = json["reason"]?.stringValue ?? ""
    let state: State
    switch json["state"]?.stringValue {
    case "accepted": state = .accepted
    case "done": state = .done
    case "coalesced":
      guard let other = json["into"]?.stringValue.flatMap({ ReceiptID(text: $0) }) else {
        return nil
      }
      state = .coalesced(into: other)
    case "deferred":
      guard let until = json["until"]?.stringValue.flatMap({ WallTime(rfc3339: $0) }) else {
        return nil
      }
      state = .deferred(until: until, reason: reason)
    case "dropped": state = .dropped(reason: reason)
    default: return nil
    }
    self.init(
      id: id, widget: widget, kind: kind, cause: cause, requestedAt: requestedAt, state: state,
      stderr: json["stderr"]?.stringValue)
    hasNoData = json["noData"]?.boolValue == true
  }
}
