package import Downloads
package import JSON
package import Timekeeping

/// The downloads of one timeline: what its provider asked for, how far that is, and what it knows.
///
/// ```
///          an answer asks          they are due             something is new
///   none ────────────────► waiting ───────────► fetching ───────────────────► here
///    ▲                        ▲                    │ │                         │ a run is told
///    │                        └──── try again ─────┘ │                         ▼
///    └──────────── nothing is new ◄──────────────────┘◄──── its answer ────── told
/// ```
package struct TimelineDownloads: Hashable, Sendable {
  package enum Stage: Hashable, Sendable {
    /// Nothing is wanted.
    case none
    /// Not before this moment.
    case waiting(until: WallTime)
    case fetching(FetchToken)
    /// The results are there, and the next run is told of them.
    case here
    /// A run was told of them and has not answered yet.
    case told
  }

  /// The last orders, also after they were carried out.
  package private(set) var orders: [DownloadOrder] = []
  package private(set) var stage = Stage.none
  /// By id: what the provider last answered for, which is a file's path or the name of an error.
  package private(set) var known: [String: String] = [:]
  package private(set) var results: [DownloadResult] = []
  /// How often in a row an answer to downloads asked for further ones.
  package private(set) var roundCount = 0
  /// How often in a row they are to be tried again.
  private(set) var failureCount = 0
  /// Why they are to be tried again; `nil`: nothing went wrong.
  package private(set) var trouble: String?
  /// Whether they waited for the network once already.
  private(set) var hasWaitedForNetwork = false
  /// Whether a run that was told of the results crashed, or gave no answer.
  private var hasLostRun = false
  /// Whether the answer that asked said `noData`: nobody has looked yet whether that is so.
  private(set) var isInterim = false
  /// Receipts that are ended when the provider has answered for the files.
  private(set) var held: [ReceiptID] = []

  package init() {}

  /// Whether something is to be done.
  package var isPending: Bool { stage != .none }

  /// Whether a network is needed for them.
  package var needNetwork: Bool { !orders.allSatisfy(\.url.isOnThisMachine) }

  /// Why files that are wanted are not there, and when they are tried again: `error` and `next`;
  /// `nil`: nothing went wrong.
  var troubleView: JSONValue? {
    guard let trouble, case .waiting(let moment) = stage else { return nil }
    return ["error": .string(trouble), "next": .string(moment.rfc3339)]
  }

  // MARK: Orders

  /// Takes the downloads that an answer asks for; `nil`, and an empty list: none.
  ///
  /// The same orders stay under way. Others leave their process running, whose outcome is ignored.
  /// `isInterim`: the answer said that nothing is new.
  ///
  /// - Returns: false if this answer was one too many in a row of answers to downloads; it gets none.
  mutating func take(_ new: [DownloadOrder]?, isInterim: Bool, at due: WallTime) -> Bool {
    let isFurther = stage == .told
    if isFurther { noteTold() }
    self.isInterim = isInterim
    guard let new, !new.isEmpty else {
      trouble = nil
      stage = .none
      roundCount = 0
      return true
    }
    roundCount = isFurther ? roundCount + 1 : 0
    guard roundCount <= Limits.downloadRoundCountMax else {
      stage = .none
      roundCount = 0
      return false
    }
    if new == orders {
      switch stage {
      case .waiting, .fetching, .here: return true
      case .none, .told: break
      }
    }
    orders = new
    known = known.filter { id, _ in new.contains { $0.id == id } }
    results = []
    failureCount = 0
    trouble = nil
    hasWaitedForNetwork = false
    stage = .waiting(until: due)
    return true
  }

  /// Keeps receipts until the provider has answered for the files.
  mutating func hold(_ receipts: [ReceiptID]) { held += receipts }

  mutating func takeHeld() -> [ReceiptID] {
    defer { held = [] }
    return held
  }

  // MARK: Fetching

  mutating func begin(_ token: FetchToken) { stage = .fetching(token) }

  /// Puts them off, once, because there is no network.
  mutating func waitForNetwork(until: WallTime) {
    hasWaitedForNetwork = true
    stage = .waiting(until: until)
  }

  /// Makes them due.
  mutating func hurry(at now: WallTime) {
    if case .waiting = stage { stage = .waiting(until: now) }
  }

  /// The next step after results.
  enum Arrival: Hashable, Sendable {
    /// The provider is asked again.
    case tell
    case unchanged
    case again(at: WallTime)
  }

  /// Takes the results of all orders.
  ///
  /// A download that may succeed later is tried again, unless there is news of another one: then the
  /// provider is told of all, and decides.
  mutating func arrive(_ new: [DownloadResult], at now: WallTime) -> Arrival {
    hasLostRun = false
    trouble = nil
    results = new.map { result in
      var judged = result
      // The provider has shown the old copy already; beside an error it would look like a new one.
      if judged.error != nil { judged.file = nil }
      judged.file?.isUnchanged = known[result.id] == Self.name(of: result)
      return judged
    }
    if results.contains(where: isNews) {
      stage = .here
      return .tell
    }
    let temporary = results.compactMap { $0.error.flatMap { $0.isTemporary ? $0 : nil } }
    guard !temporary.isEmpty else {
      stage = .none
      failureCount = 0
      return .unchanged
    }
    trouble = temporary[0].message
    failureCount = min(failureCount + 1, Limits.failureCountMax)
    let doublings = Int64(min(failureCount - 1, 16))
    let own = now.advanced(
      byMilliseconds: min(Limits.downloadRetryFirst << doublings, Limits.downloadRetryMax))
    // All are tried when the first of them may succeed, and never before our own moment. Files that
    // are there are not sent again.
    let asked = temporary.map { $0.retryAt ?? own }.min() ?? own
    let moment = max(own, asked)
    stage = .waiting(until: moment)
    return .again(at: moment)
  }

  /// Whether the provider does not know a result, and something can be done with it.
  private func isNews(_ result: DownloadResult) -> Bool {
    if result.error?.isTemporary == true { return false }
    let always = orders.first { $0.id == result.id }?.ifChanged == false
    return always || known[result.id] != Self.name(of: result)
  }

  /// The name of what a provider is told: a file's path depends on its bytes.
  private static func name(of result: DownloadResult) -> String {
    if let error = result.error { return "error:\(error.code.rawValue):\(error.status ?? 0)" }
    return result.file?.path ?? ""
  }

  // MARK: Runs

  /// Returns the results for a run that begins; empty: it is told of none.
  mutating func tellRun() -> [DownloadResult] {
    guard stage == .here || stage == .told else { return [] }
    stage = .told
    return results
  }

  /// The run that was told failed.
  ///
  /// A provider that says so itself (`isReported`) has seen the results, and asks again with its next
  /// answer. A run that was lost is told once more; the one after it begins anew, since a file may be
  /// what its program cannot bear.
  mutating func runFailed(isReported: Bool) {
    guard stage == .told else { return }
    if isReported || hasLostRun {
      results = []
      stage = .none
      roundCount = 0
      hasLostRun = false
    } else {
      stage = .here
      hasLostRun = true
    }
  }

  /// The run that was told answered: what it was told is known.
  private mutating func noteTold() {
    for result in results where result.error?.isTemporary != true {
      known[result.id] = Self.name(of: result)
    }
    results = []
    stage = .none
  }

  // MARK: Stored form

  /// The record for the store; `nil`: there is none.
  ///
  /// The next process begins pending downloads again.
  package var record: JSONValue? {
    guard !orders.isEmpty else { return nil }
    var object: JSONObject = ["orders": .array(orders.map(\.json)), "pending": .bool(isPending)]
    if !known.isEmpty {
      object["known"] = .object(
        JSONObject(
          known.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value)) }))
    }
    if isInterim { object["interim"] = true }
    if roundCount > 0 { object["rounds"] = .int(Int64(roundCount)) }
    return .object(object)
  }

  /// Reads what `record` wrote; `nil` if it is something else.
  ///
  /// Downloads that were pending are due at `now`.
  package init?(record: JSONValue?, at now: WallTime) {
    guard let object = record?.objectValue, let list = object["orders"]?.arrayValue,
      (1...DownloadLimits.ordersCountMax).contains(list.count)
    else { return nil }
    for json in list {
      do throws(DownloadMistake) {
        orders.append(try DownloadOrder(json))
      } catch {
        // Another version wrote it: the next answer asks again.
        return nil
      }
    }
    for member in object["known"]?.objectValue?.members ?? [] {
      known[member.key] = member.value.stringValue
    }
    roundCount = Int(clamping: object["rounds"]?.intValue ?? 0)
    isInterim = object["interim"]?.boolValue == true
    if object["pending"]?.boolValue == true { stage = .waiting(until: now) }
  }
}
