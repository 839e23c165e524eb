import Timekeeping

/// Plugins that stay running: at most one process a kind, beside the slots of runs.
///
/// ```
///          somebody watches, or asks             nobody watches for `streamLinger`
///   down ────────────────────────────► running ──────────────────────────────────► ending
///    ▲  ◄──── it ended by itself ────────┘  a reload, a signal, another manifest ──►  │
///    └────────────────────────────── its end ◄────────────────────────────────────────┘
/// ```
/// A kind that is down is started by the due date of its timelines, as a run is; so the pause after
/// an end holds, and a kind that nobody watches is not started.
struct PluginStreams: Sendable {
  /// The process of a kind, from the decision to start it until its end arrives.
  struct Stream: Sendable {
    let token: RunToken
    let kind: String
    /// The provider as it was started.
    let provider: ProviderDeclaration
    let startedAt: Instant
    /// The same moment, for people.
    let since: WallTime
    /// The newest frame; `nil`: none came yet.
    fileprivate(set) var frame: [UInt8]?
    /// Whether it was told to end.
    fileprivate(set) var isEnding = false
    /// Whether somebody wants it again after that.
    fileprivate(set) var isWantedAgain = false
    /// When it is told to end, because nobody watches; `nil`: somebody does.
    fileprivate(set) var leaveAt: Instant?
    /// When the requests that wait for a frame are answered without one; `nil`: none waits.
    fileprivate(set) var answerBy: Instant?
    /// Since when it prints faster than it is read; `nil`: it does not.
    fileprivate(set) var floodsSince: WallTime?
    /// Whether lines of clicks were left out, because it does not read them.
    fileprivate(set) var readsNoInput = false
    /// Frames that were not shown, because a newer one came before their turn.
    fileprivate(set) var omittedFrameCount: Int64 = 0
    /// When the first of them was left out; `nil`: none was.
    fileprivate(set) var omittedSince: WallTime?
  }

  /// The timelines of a kind that want its stream.
  struct Request: Sendable {
    let kind: String
    var keys: Set<TimelineKey> = []
    /// Whether a process that runs is to be replaced.
    var replaces = false
    /// The most urgent cause among the requests.
    var cause: ReloadCause
  }

  private var byKind: [String: Stream] = [:]
  private var requests: [String: Request] = [:]
  /// Ends in a row that came soon after the start, by kind; none: not there.
  private var quickEnds: [String: Int] = [:]
  /// The timelines of a kind, for the frames; forgotten when timelines come or go.
  private var keys: [String: [TimelineKey]] = [:]
  /// Whether it has to be judged anew which streams somebody wants.
  private var needsLook = false

  // MARK: Reading

  var count: Int { byKind.count }
  /// The tokens of all processes, in ascending order.
  var tokens: [RunToken] { byKind.values.map(\.token).sorted() }
  /// The kinds that have a process, in ascending order.
  var kinds: [String] { byKind.keys.sorted() }

  subscript(kind: String) -> Stream? { byKind[kind] }

  /// The stream with this token; `nil`: it ended, or the token is of something else.
  func stream(of token: RunToken) -> Stream? {
    byKind.isEmpty ? nil : byKind.values.first { $0.token == token }
  }

  /// Whether the kind has a process, or is about to have one.
  func isUnderWay(_ kind: String) -> Bool { byKind[kind] != nil || requests[kind] != nil }

  /// Whether there is something to decide.
  func isDue(at now: Instant) -> Bool {
    needsLook || !requests.isEmpty || nextMoment.map { $0 <= now } ?? false
  }

  /// The next moment at which there is something to decide.
  func nextDeadline(at now: Instant) -> Instant? {
    needsLook || !requests.isEmpty ? now : nextMoment
  }

  private var nextMoment: Instant? {
    guard !byKind.isEmpty else { return nil }
    return byKind.values.lazy.filter { !$0.isEnding }
      .flatMap { [$0.leaveAt, $0.answerBy].compactMap(\.self) }.min()
  }

  /// Milliseconds from an end to the next start, after the ends so far.
  ///
  /// `restart`: the least of them, milliseconds; `nil`: `Limits.streamPauseFirst`.
  func pause(_ kind: String, restart: Int64?) -> Int64 {
    let least = restart ?? Limits.streamPauseFirst
    let doublings = min(max((quickEnds[kind] ?? 0) - 1, 0), 32)
    let most = max(least, Limits.streamPauseMax)
    // The least may be a year, which does not double 32 times.
    return least > most >> Int64(doublings) ? most : least << Int64(doublings)
  }

  func quickEndCount(_ kind: String) -> Int { quickEnds[kind] ?? 0 }

  // MARK: Requests

  /// Notes that a timeline wants the stream of its kind.
  mutating func request(_ key: TimelineKey, _ cause: ReloadCause, replaces: Bool) {
    var request = requests[key.kind] ?? Request(kind: key.kind, cause: cause)
    request.keys.insert(key)
    request.replaces = request.replaces || replaces
    if cause.urgency > request.cause.urgency { request.cause = cause }
    requests[key.kind] = request
  }

  /// Takes all requests, in the order of the kinds.
  mutating func takeRequests() -> [Request] {
    guard !requests.isEmpty else { return [] }
    defer { requests = [:] }
    return requests.values.sorted { $0.kind < $1.kind }
  }

  /// Notes that other timelines are watched, or that their requests changed.
  mutating func lookSoon() { needsLook = needsLook || !byKind.isEmpty }

  mutating func noteLook() { needsLook = false }

  // MARK: Timelines

  /// The timelines of a kind in a stable order; `find` is asked once until they change.
  mutating func keys(of kind: String, _ find: () -> [TimelineKey]) -> [TimelineKey] {
    if let known = keys[kind] { return known }
    let found = find()
    keys[kind] = found
    return found
  }

  /// Notes that a timeline of this kind came or went.
  mutating func timelinesChanged(_ kind: String) {
    keys[kind] = nil
    lookSoon()
  }

  // MARK: Processes

  mutating func start(
    _ kind: String, _ token: RunToken, _ provider: ProviderDeclaration, at now: Now
  ) {
    assert(byKind[kind] == nil, "a kind has one process")
    byKind[kind] = Stream(
      token: token, kind: kind, provider: provider, startedAt: now.monotonic, since: now.wall)
    needsLook = true
  }

  mutating func noteFrame(_ frame: [UInt8], of kind: String) {
    byKind[kind]?.frame = frame
    byKind[kind]?.answerBy = nil
  }

  /// Notes something about a process; `false`: it was said already, or is no news for the log.
  mutating func note(_ notice: StreamNotice, of kind: String, at now: WallTime) -> Bool {
    guard var stream = byKind[kind] else { return false }
    defer { byKind[kind] = stream }
    switch notice {
    case .floods:
      guard stream.floodsSince == nil else { return false }
      stream.floodsSince = now
      return true
    case .readsNoInput:
      defer { stream.readsNoInput = true }
      return !stream.readsNoInput
    case .leftOut(let frameCount):
      stream.omittedFrameCount = max(stream.omittedFrameCount, frameCount)
      if stream.omittedSince == nil { stream.omittedSince = now }
      return false
    }
  }

  mutating func setLeave(at moment: Instant?, _ kind: String) { byKind[kind]?.leaveAt = moment }
  mutating func setAnswer(by moment: Instant?, _ kind: String) { byKind[kind]?.answerBy = moment }

  /// Notes that a process is told to end, and whether its kind is wanted again after that.
  mutating func noteEnding(_ kind: String, isWantedAgain: Bool) {
    byKind[kind]?.isEnding = true
    byKind[kind]?.isWantedAgain = isWantedAgain
  }

  mutating func wantAgain(_ kind: String) { byKind[kind]?.isWantedAgain = true }

  /// Takes a process that ended; `nil`: it is known no more.
  mutating func end(_ token: RunToken) -> Stream? {
    guard let stream = stream(of: token) else { return nil }
    byKind[stream.kind] = nil
    if byKind.isEmpty { keys = [:] }
    return stream
  }

  /// Counts an end that came soon after the start; one that did not begins the count anew.
  mutating func noteEnd(_ kind: String, isQuick: Bool) {
    quickEnds[kind] = isQuick ? min((quickEnds[kind] ?? 0) + 1, Limits.failureCountMax) : nil
  }

  /// Forgets the ends of kinds that are not offered any more.
  mutating func forgetEnds(except isOffered: (String) -> Bool) {
    quickEnds = quickEnds.filter { isOffered($0.key) }
  }

  /// Takes over the processes of the engine before; `unstarted` never began.
  mutating func takeOver(from before: PluginStreams, unstarted: Set<RunToken>) {
    byKind = before.byKind.filter { !unstarted.contains($0.value.token) }
    quickEnds = before.quickEnds
    needsLook = !byKind.isEmpty
  }

  /// A sentence for everything that is wrong; empty where all is sound.
  func checkInvariants() -> [String] {
    var wrong: [String] = []
    if Set(tokens).count != byKind.count { wrong.append("two streams have one token") }
    if byKind.contains(where: { $0.key != $0.value.kind }) {
      wrong.append("a stream is kept under another kind")
    }
    if byKind.count > Limits.streamCountMax {
      wrong.append("\(byKind.count) streams run, of \(Limits.streamCountMax) at most")
    }
    return wrong
  }
}

/// Something about a running stream that its author should know.
package enum StreamNotice: Hashable, Sendable {
  /// It prints faster than it is read, and waits meanwhile; said once a process.
  case floods
  /// It does not read its standard input: lines of clicks were left out; said once a process.
  case readsNoInput
  /// Frames were not shown, because newer ones came before their turn: so many since its start.
  case leftOut(frameCount: Int64)
}
