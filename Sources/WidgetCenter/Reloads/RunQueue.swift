import DequeModule
import Timekeeping

/// Timelines that wait for a free slot, runs that are under way, and the deadline of each run.
///
/// A provider that hangs must hold up nobody, so a run has one of three places:
///
/// - a *slot*, of which there are `Limits.runningProviderCountMax`, for any cause;
/// - a *reserved slot*, of which there are `Limits.reservedSlotCount`, when the others are in use
///   and a person waits;
/// - a *quick slot*, of which there are `Limits.quickSlotCount`, for the interval of a script whose
///   last run was over at once: clocks and counters take no slot from others, and many that are due
///   together need fewer turns of the loop;
/// - none: after `Limits.slotInterval` a run gives its slot back and goes on as an *overlong* run.
///   There are at most `Limits.overlongRunCountMax` of these, and the oldest ends for a new one.
///
/// Timelines that a person waits for go first, then those just placed, then other exempt causes, then
/// those paid for, and the quick ones last. Runs that ask for options have slots of their own,
/// `Limits.optionRunCountMax`, since somebody waits for each of them; so have those that make
/// previews, `Limits.previewRunCountMax`, and those that perform an intent,
/// `Limits.performRunCountMax`, of which one program gets `Limits.performRunOfProgramCountMax`.
struct RunQueue: Sendable {
  private enum Place { case slot, reservedSlot, quickSlot, none }

  private struct Run {
    var key: TimelineKey
    /// The provider as it was started: its manifest may change while it runs.
    var provider: ProviderDeclaration
    var place: Place
    var startedAt: Instant
    /// Whether it is being ended for a newer overlong run.
    var makesRoom = false
  }

  /// The facts about a run that ended, for the caller.
  struct End {
    var key: TimelineKey
    /// The provider as it was started, by whose rules the run is judged.
    var provider: ProviderDeclaration
    /// Its deadline had passed, and `popOverdue` told so.
    var hasTimedOut: Bool
    /// `giveSlotsBack` ended it for a newer overlong run.
    var madeRoom: Bool
    var startedAt: Instant
  }

  /// A timeline that is taken from its queue to be started.
  struct Next: Hashable {
    var key: TimelineKey
    var isQuick = false
  }

  private var running: [RunToken: Run] = [:]
  private var optionRuns: Set<RunToken> = []
  private var previewRuns: Set<RunToken> = []
  /// The runs that perform an intent, with the kind whose program it is.
  private var performRuns: [RunToken: (kind: String, bundle: String)] = [:]
  /// The waiting timelines, in the order of asking, by the number of their cause's urgency.
  private var waiting = ReloadCause.Urgency.allCases.map { _ in Deque<TimelineKey>() }
  /// The same of those that may take a quick slot.
  private var quick = Deque<TimelineKey>()
  /// By when each run has to answer.
  private var deadlines = DeadlineQueue<RunToken, Instant>()
  /// By when each run gives its slot back.
  private var slotEnds = DeadlineQueue<RunToken, Instant>()
  /// Runs whose time in their slot is over while there is no room for another overlong one.
  private var crowded = Deque<RunToken>()
  private var lastToken: UInt64 = 0

  /// Timelines whose provider runs now, in a slot or without one.
  var runningCount: Int { running.count }
  /// Slots in use, without the reserved ones.
  var slotCount: Int { count(.slot) }
  /// Reserved slots in use.
  var reservedSlotCount: Int { count(.reservedSlot) }
  /// Quick slots in use.
  var quickSlotCount: Int { count(.quickSlot) }
  /// Runs that gave their slot back.
  var overlongCount: Int { count(.none) }
  /// Places in the queues; a timeline that became urgent while it waited stands in two.
  var waitingCount: Int { waiting.reduce(quick.count) { $0 + $1.count } }
  /// The tokens of all runs under way, in ascending order.
  var tokens: [RunToken] {
    (Array(running.keys) + optionRuns + previewRuns + performRuns.keys).sorted()
  }
  /// The tokens of the runs that ask for options.
  var optionTokens: Set<RunToken> { optionRuns }
  /// The tokens of the runs that make previews.
  var previewTokens: Set<RunToken> { previewRuns }
  /// The tokens of the runs that perform an intent.
  var performTokens: Set<RunToken> { Set(performRuns.keys) }
  /// The timelines whose provider runs now, in ascending order.
  var runningKeys: [TimelineKey] { running.values.map(\.key).sorted() }
  /// The timelines that wait for a slot, each once.
  ///
  /// O(waiting).
  var waitingKeys: Set<TimelineKey> { waiting.reduce(into: Set(quick)) { $0.formUnion($1) } }

  /// Few runs are under way, so they are counted rather than kept count of.
  private func count(_ place: Place) -> Int { running.values.count { $0.place == place } }

  /// The timeline that a run is for; `nil` when the token is not running or asks for options.
  func key(of token: RunToken) -> TimelineKey? { running[token]?.key }

  /// Whether a timeline waits for a slot, among those of this urgency.
  ///
  /// O(waiting).
  func waits(_ key: TimelineKey, _ urgency: ReloadCause.Urgency) -> Bool {
    waiting[urgency.rawValue].contains(key) || urgency == .budgeted && quick.contains(key)
  }

  /// Forgets every timeline that waits for a slot; the runs under way go on.
  mutating func forgetWaiting() {
    for urgency in waiting.indices { waiting[urgency].removeAll() }
    quick.removeAll()
  }

  /// Whether a timeline that waits with this urgency may run now.
  func hasRoom(for urgency: ReloadCause.Urgency) -> Bool {
    slotCount < Limits.runningProviderCountMax
      || urgency >= .placed && reservedSlotCount < Limits.reservedSlotCount
  }

  /// Puts a timeline at the end of the queue of its urgency.
  mutating func enqueue(_ key: TimelineKey, _ urgency: ReloadCause.Urgency) {
    waiting[urgency.rawValue].append(key)
  }

  /// Puts a timeline whose interval is due, and whose last run was over at once, behind its likes.
  mutating func enqueueQuick(_ key: TimelineKey) { quick.append(key) }

  /// Takes the timeline that runs next; `nil` when no slot is free for any that waits.
  ///
  /// The caller drops a timeline that is no longer queued: it stood in two queues, or is gone.
  mutating func popNext() -> Next? {
    for urgency in ReloadCause.Urgency.allCases.reversed()
    where !waiting[urgency.rawValue].isEmpty && hasRoom(for: urgency) {
      if let key = waiting[urgency.rawValue].popFirst() { return Next(key: key) }
    }
    guard !quick.isEmpty, hasQuickSlot || hasRoom(for: .budgeted), let key = quick.popFirst()
    else { return nil }
    return Next(key: key, isQuick: true)
  }

  private var hasQuickSlot: Bool { quickSlotCount < Limits.quickSlotCount }

  /// Starts a run of a timeline, which has to answer by `deadline`: a quick one in a quick slot; any
  /// in a slot, else in a reserved one.
  mutating func start(
    _ key: TimelineKey, _ provider: ProviderDeclaration, isQuick: Bool = false, at now: Instant,
    until deadline: Instant
  ) -> RunToken {
    let place: Place =
      isQuick && hasQuickSlot
      ? .quickSlot : slotCount < Limits.runningProviderCountMax ? .slot : .reservedSlot
    precondition(
      place != .reservedSlot || hasRoom(for: .person), "a run starts without a free slot")
    let token = makeToken(until: deadline)
    running[token] = Run(key: key, provider: provider, place: place, startedAt: now)
    let slotEnd = now.advanced(byMilliseconds: Limits.slotInterval)
    // A run that has to answer earlier is ended then, slot and all.
    if slotEnd < deadline { slotEnds.schedule(token, at: slotEnd) }
    return token
  }

  /// Starts a run that asks for options; `nil` when `Limits.optionRunCountMax` ask already.
  mutating func startOptions(until deadline: Instant) -> RunToken? {
    guard optionRuns.count < Limits.optionRunCountMax else { return nil }
    let token = makeToken(until: deadline)
    optionRuns.insert(token)
    return token
  }

  /// Whether one more run may make a preview.
  var hasPreviewSlot: Bool { previewRuns.count < Limits.previewRunCountMax }

  /// Starts a run that makes a preview, in a slot that has to be free.
  mutating func startPreview(until deadline: Instant) -> RunToken {
    precondition(hasPreviewSlot, "a preview is made without a free slot")
    let token = makeToken(until: deadline)
    previewRuns.insert(token)
    return token
  }

  /// Takes the slots of runs whose time in them is over; such a run goes on without one.
  ///
  /// Where there is no room for one more overlong run, it keeps its slot until the oldest of them
  /// has ended.
  ///
  /// - Returns: the overlong runs that the shell has to end.
  mutating func giveSlotsBack(at now: Instant) -> [RunToken] {
    var ending: [RunToken] = []
    while let token = slotEnds.popDue(at: now) {
      if overlongCount < Limits.overlongRunCountMax {
        running[token]?.place = .none
      } else {
        crowded.append(token)
        guard crowded.count > running.values.count(where: \.makesRoom) else { continue }
        // Tokens ascend with the starts.
        let oldest = running.filter { $0.value.place == .none && !$0.value.makesRoom }.keys.min()
        guard let oldest else { continue }
        running[oldest]?.makesRoom = true
        ending.append(oldest)
      }
    }
    return ending
  }

  /// Starts a run that performs an intent, by the program of a kind; throws when as many as may run
  /// at once do so already.
  mutating func startPerform(
    _ kind: String, of bundle: String, until deadline: Instant
  ) throws(TooManyPerforms) -> RunToken {
    let ofProgram = Limits.performRunOfProgramCountMax
    guard performRuns.values.count(where: { $0.bundle == bundle }) < ofProgram else {
      throw TooManyPerforms(max: ofProgram, isOfProgram: true)
    }
    guard performRuns.count < Limits.performRunCountMax else {
      throw TooManyPerforms(max: Limits.performRunCountMax, isOfProgram: false)
    }
    let token = makeToken(until: deadline)
    performRuns[token] = (kind, bundle)
    return token
  }

  /// The runs that perform an intent for a kind of these, in ascending order.
  func performTokens(where isOf: (_ kind: String) -> Bool) -> [RunToken] {
    performRuns.filter { isOf($0.value.kind) }.keys.sorted()
  }

  /// Ends the run of a timeline; `nil` when the token is not running, as after a second answer.
  mutating func end(_ token: RunToken) -> End? {
    guard let run = running.removeValue(forKey: token) else { return nil }
    slotEnds.cancel(token)
    crowded.removeAll { $0 == token }
    if run.place == .none, let next = crowded.popFirst() { running[next]?.place = .none }
    return End(
      key: run.key, provider: run.provider, hasTimedOut: takeDeadline(of: token),
      madeRoom: run.makesRoom, startedAt: run.startedAt)
  }

  /// Ends a run that asked for options.
  ///
  /// - Returns: whether its deadline had passed; `nil` when the token is no such run.
  mutating func endOptions(_ token: RunToken) -> Bool? {
    guard optionRuns.remove(token) != nil else { return nil }
    return takeDeadline(of: token)
  }

  /// Ends a run that made a preview.
  ///
  /// - Returns: whether its deadline had passed; `nil` when the token is no such run.
  mutating func endPreview(_ token: RunToken) -> Bool? {
    guard previewRuns.remove(token) != nil else { return nil }
    return takeDeadline(of: token)
  }

  /// Ends a run that performed an intent.
  ///
  /// - Returns: whether its deadline had passed; `nil` when the token is no such run.
  mutating func endPerform(_ token: RunToken) -> Bool? {
    guard performRuns.removeValue(forKey: token) != nil else { return nil }
    return takeDeadline(of: token)
  }

  /// Returns the token of a process that stays running, which has no place and no deadline here.
  mutating func makeStreamToken() -> RunToken {
    lastToken += 1
    return RunToken(lastToken)
  }

  /// Takes a run whose deadline is at or before `now`; the run goes on until its outcome arrives.
  mutating func popOverdue(at now: Instant) -> RunToken? {
    guard let token = deadlines.popDue(at: now) else { return nil }
    assert(
      running[token] != nil || optionRuns.contains(token) || previewRuns.contains(token)
        || performRuns[token] != nil,
      "a deadline outlived its run")
    return token
  }

  /// The earliest moment at which a run has to answer, or gives its slot back.
  mutating func nextDeadline() -> Instant? {
    [deadlines.next(), slotEnds.next()].compactMap(\.self).min()
  }

  private mutating func makeToken(until deadline: Instant) -> RunToken {
    lastToken += 1
    let token = RunToken(lastToken)
    deadlines.schedule(token, at: deadline)
    return token
  }

  /// Forgets the deadline of a run; `true` when it had passed and was taken by `popOverdue`.
  private mutating func takeDeadline(of token: RunToken) -> Bool {
    let hasPassed = deadlines.moment(of: token) == nil
    deadlines.cancel(token)
    return hasPassed
  }

  /// A sentence for everything that is wrong; empty in a sound queue.
  func checkInvariants() -> [String] {
    var wrong: [String] = []
    func check(_ count: Int, _ most: Int, _ what: String) {
      if count > most { wrong.append("\(count) \(what), of \(most) at most") }
    }
    check(slotCount, Limits.runningProviderCountMax, "slots are in use")
    check(reservedSlotCount, Limits.reservedSlotCount, "reserved slots are in use")
    check(quickSlotCount, Limits.quickSlotCount, "quick slots are in use")
    check(overlongCount, Limits.overlongRunCountMax, "runs have no slot")
    check(optionRuns.count, Limits.optionRunCountMax, "providers are asked for options")
    check(previewRuns.count, Limits.previewRunCountMax, "providers make previews")
    check(performRuns.count, Limits.performRunCountMax, "intents are performed")
    for (bundle, ofIt) in Dictionary(grouping: performRuns.values, by: \.bundle) {
      check(ofIt.count, Limits.performRunOfProgramCountMax, "intents are performed by \(bundle)")
    }
    if Set(runningKeys).count != running.count { wrong.append("a timeline runs twice") }
    if !optionRuns.isDisjoint(with: running.keys) {
      wrong.append("a run is for a timeline and for options")
    }
    if !crowded.isEmpty, overlongCount < Limits.overlongRunCountMax {
      wrong.append("a run keeps its slot although there is room without one")
    }
    if crowded.count > running.values.count(where: \.makesRoom) {
      wrong.append("\(crowded.count) runs need room, and fewer others end for them")
    }
    if !previewRuns.isDisjoint(with: running.keys) || !previewRuns.isDisjoint(with: optionRuns) {
      wrong.append("a run makes a preview and is for something else")
    }
    let performs = performTokens
    if !performs.isDisjoint(with: running.keys) || !performs.isDisjoint(with: optionRuns)
      || !performs.isDisjoint(with: previewRuns)
    {
      wrong.append("a run performs an intent and is for something else")
    }
    check(
      deadlines.count,
      running.count + optionRuns.count + previewRuns.count + performRuns.count, "deadlines")
    check(slotEnds.count, slotCount + reservedSlotCount + quickSlotCount, "ends of slots")
    return wrong
  }
}
