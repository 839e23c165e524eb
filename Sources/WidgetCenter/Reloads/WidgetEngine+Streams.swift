package import JSON
import Plugins
package import Timekeeping

/// Streams: plugins that stay running, and whose frames are shown as they come.
///
/// A kind has one process, whatever shows it: its program is told of no configuration and no size.
/// The process runs while a visible surface shows a widget of the kind, or a request waits for its
/// first frame. A frame costs no budget, no history and no transaction. See `PluginStreams`.
extension WidgetEngine {
  /// Whether plugins of this kind stay running.
  func isStream(_ kind: String) -> Bool { kinds[kind]?.provider.isStream == true }

  // MARK: Starting

  /// Lets a timeline, which is idle, wait for the stream of its kind.
  mutating func join(
    _ shared: inout SharedTimeline, _ cause: ReloadCause, receipt: ReceiptID?,
    into output: inout EngineOutput
  ) {
    shared.waitForFrame()
    deadlines.planReload(of: shared.number, at: nil)
    if let receipt, let leader = shared.wait(receipt) {
      settle(receipt, .coalesced(into: leader), into: &output)
    }
    streams.request(shared.key, cause, replaces: replaces(shared.key.kind, cause))
  }

  /// Whether a request begins anew with another process: a person who reloads, a script that
  /// signals, and an item with `refresh` of xbar, SwiftBar and Argos.
  ///
  /// A tap on a module of another bar leaves a process that runs as it is: Waybar runs a module again
  /// after a click only if it does not stay running.
  private func replaces(_ kind: String, _ cause: ReloadCause) -> Bool {
    switch cause {
    case .reload, .signal: true
    case .tap: kinds[kind]?.provider.plugin?.format.isMenu == true
    case .intent, .link, .menu, .placed, .configuration, .mode, .hostForeground, .hostBackground,
      .download, .providerUpgrade, .locale, .textSize, .displaySize, .timeChange, .interval,
      .policy, .retry:
      false
    }
  }

  /// Starts and ends the streams that are due.
  mutating func advanceStreams(at now: Now, into output: inout EngineOutput) {
    while streams.isDue(at: now.monotonic) {
      streams.noteLook()
      for request in streams.takeRequests() { answer(request, at: now, into: &output) }
      for kind in streams.kinds { reconsider(kind, at: now, into: &output) }
    }
  }

  private mutating func answer(
    _ request: PluginStreams.Request, at now: Now, into output: inout EngineOutput
  ) {
    let kind = request.kind
    guard isStream(kind) else {
      for key in request.keys.sorted() {
        dropWaiting(key, "no manifest offers \(kind) as a stream any more", into: &output)
      }
      return
    }
    // Somebody asked: the pause after failures begins anew.
    if request.replaces || request.cause.isPersonal { streams.noteEnd(kind, isQuick: false) }
    guard let stream = streams[kind] else { return start(kind, request.cause, at: now, &output) }
    if stream.isEnding { return streams.wantAgain(kind) }
    if request.replaces { return end(stream, isWantedAgain: true, into: &output) }
    guard let frame = stream.frame else { return }
    for key in request.keys.sorted() {
      show(frame, of: stream.provider, on: key, at: now.wall, into: &output)
    }
  }

  private mutating func start(
    _ kind: String, _ cause: ReloadCause, at now: Now, _ output: inout EngineOutput
  ) {
    guard let declared = kinds[kind] else { return }
    guard streams.count < Limits.streamCountMax else {
      let reason =
        "\(Limits.streamCountMax) plugins that stay running run already; remove some from the"
        + " surfaces"
      streams.noteEnd(kind, isQuick: true)
      return rest(kind, failure: reason, at: now.wall, into: &output)
    }
    let keys = keys(ofStream: kind)
    let token = runs.makeStreamToken()
    streams.start(kind, token, declared.provider, at: now)
    counters[kind, default: KindCounters()].runs += 1
    var run = ProviderRun(
      token: token, kind: kind, family: keys.first?.family ?? declared.families[0],
      provider: declared.provider, request: [])
    let isFirst = keys.allSatisfy { timelines[$0]?.fetchedAt == nil }
    run.plugin = PluginRequest(isFirst ? .firstLook : .init(cause))
    output.runs.append(run)
  }

  /// The timelines of a kind, in ascending order.
  mutating func keys(ofStream kind: String) -> [TimelineKey] {
    let timelines = timelines
    return streams.keys(of: kind) { timelines.keys.filter { $0.kind == kind }.sorted() }
  }

  // MARK: Ending

  /// Ends a stream that nobody wants, and answers requests that have waited long enough.
  private mutating func reconsider(
    _ kind: String, at now: Now, into output: inout EngineOutput
  ) {
    guard let stream = streams[kind], !stream.isEnding else { return }
    let keys = keys(ofStream: kind)
    if let moment = stream.answerBy, moment <= now.monotonic {
      streams.setAnswer(by: nil, kind)
      let patience = DurationText.write(stream.provider.timeout)
      for key in keys where timelines[key]?.isIdle == true {
        dropWaiting(
          key,
          "the plugin printed nothing within \(patience); it stays running, and its next frame is"
            + " shown when it comes", into: &output)
      }
    }
    let isAwaited = isAwaited(keys)
    if !isAwaited {
      streams.setAnswer(by: nil, kind)
    } else if streams[kind]?.answerBy == nil {
      streams.setAnswer(
        by: now.monotonic.advanced(byMilliseconds: stream.provider.timeout), kind)
    }
    if isAwaited || isShown(keys) {
      streams.setLeave(at: nil, kind)
    } else if let leaveAt = stream.leaveAt {
      if leaveAt <= now.monotonic { end(stream, isWantedAgain: false, into: &output) }
    } else {
      streams.setLeave(
        at: now.monotonic.advanced(byMilliseconds: Limits.streamLinger), kind)
    }
  }

  /// Whether requests wait for a frame on one of these timelines.
  private func isAwaited(_ keys: [TimelineKey]) -> Bool {
    keys.contains { timelines[$0].map { $0.isIdle && !$0.waiting.isEmpty } ?? false }
  }

  /// Whether a visible surface shows one of these timelines.
  private func isShown(_ keys: [TimelineKey]) -> Bool {
    guard !viewing.watches.isEmpty else { return false }
    return keys.contains { timelines[$0].map(viewing.watches.covers) ?? false }
  }

  private mutating func end(
    _ stream: PluginStreams.Stream, isWantedAgain: Bool, into output: inout EngineOutput
  ) {
    streams.noteEnding(stream.kind, isWantedAgain: isWantedAgain)
    output.cancellations.append(stream.token)
  }

  /// Ends the streams that show personal data, while the session is locked.
  mutating func endMaskedStreams(into output: inout EngineOutput) {
    for kind in streams.kinds where isMasked(kind) {
      if let stream = streams[kind], !stream.isEnding {
        end(stream, isWantedAgain: false, into: &output)
      }
    }
  }

  /// Ends the streams whose kinds are gone, or are offered with another provider.
  mutating func streamsFollowKinds(into output: inout EngineOutput) {
    let offered = kinds
    streams.forgetEnds { offered[$0] != nil }
    for kind in streams.kinds {
      guard let stream = streams[kind], kinds[kind]?.provider != stream.provider else { continue }
      if !stream.isEnding { end(stream, isWantedAgain: false, into: &output) }
      guard !isStream(kind) else { continue }
      for key in keys(ofStream: kind) where timelines[key]?.isIdle == true {
        dropWaiting(key, "its manifest offers no stream any more; ask again", into: &output)
      }
    }
    streams.lookSoon()
  }

  /// Takes the end of a stream; tokens that are of no stream are ignored.
  mutating func streamEnded(
    _ token: RunToken, _ outcome: Result<PluginOutput, ProviderFailure>, at now: Now,
    into output: inout EngineOutput
  ) {
    guard let stream = streams.end(token) else { return }
    let kind = stream.kind
    if stream.isEnding {
      // It was told to: its status says nothing.
      let keys = keys(ofStream: kind)
      if isStream(kind), !isMasked(kind),
        stream.isWantedAgain || isAwaited(keys) || isShown(keys)
      {
        start(kind, .reload, at: now, &output)
      } else {
        rest(kind, pause: 0, at: now.wall, into: &output)
      }
      return advanceStreams(at: now, into: &output)
    }
    let plugin = stream.provider.plugin
    let lived = now.monotonic.milliseconds(since: stream.startedAt)
    let isQuick = lived < Limits.streamSteadyInterval
    switch outcome {
    case .success(let printed)
    where printed.exitStatus == 0 && plugin?.mayEnd == true
      && (stream.frame != nil || plugin?.endsForGood == true):
      // The person, or the bar, said that it ends, and when it begins again.
      let keepsPause = plugin?.restart != nil || plugin?.format == .polybar
      streams.noteEnd(kind, isQuick: isQuick && !keepsPause)
      rest(kind, isOver: plugin?.endsForGood == true, at: now.wall, into: &output)
      if printed.isUnmet {
        for key in keys(ofStream: kind) { timelines[key]?.turn.end = .unmet }
      }
    case .success(let printed):
      streams.noteEnd(kind, isQuick: isQuick)
      let stderr = ProviderFailure(
        .exited(code: printed.exitStatus), diagnostics: printed.diagnostics
      ).stderr
      rest(
        kind,
        failure: "the plugin is to stay running, and ended with exit code \(printed.exitStatus)",
        stderr: stderr, at: now.wall, into: &output)
    case .failure(let failure):
      streams.noteEnd(kind, isQuick: isQuick)
      rest(kind, failure: failure.message, stderr: failure.stderr, at: now.wall, into: &output)
    }
    advanceStreams(at: now, into: &output)
  }

  /// Lets a kind rest until its next start, `pause` milliseconds from now; `nil`: as its ends say.
  ///
  /// `failure` says why it is down, if that is one: its content is stale then. `isOver`: only a
  /// request starts it again.
  private mutating func rest(
    _ kind: String, failure: String? = nil, stderr: String? = nil, pause: Int64? = nil,
    isOver: Bool = false, at now: WallTime, into output: inout EngineOutput
  ) {
    let restart = kinds[kind]?.provider.plugin?.restart
    let pause = pause ?? streams.pause(kind, restart: restart)
    let next = now.advanced(byMilliseconds: pause)
    // One that ends again and again is told of ever more seldom.
    var isTold = streams.quickEndCount(kind).nonzeroBitCount > 1
    if failure != nil { counters[kind, default: KindCounters()].failures += 1 }
    for key in keys(ofStream: kind) {
      // A run from before the kind was a stream, or after it was one, plans for itself.
      guard var shared = timelines[key], shared.isIdle else { continue }
      if let failure { shared.fail(failure, stderr: stderr, .interval, at: now) }
      if shared.deferred.isEmpty { shared.plan(at: isOver ? nil : next, .interval) }
      timelines[key] = shared
      plan(shared)
      output.routineTimelines.insert(key)
      dropWaiting(
        key, failure ?? "the plugin ended before it printed", stderr: stderr, into: &output)
      if let failure, !isTold {
        isTold = true
        var fields: JSONObject = [
          "reason": .string(failure), "failures": .int(Int64(shared.consecutiveFailures)),
          "next": .string(next.rfc3339),
        ]
        fields["stderr"] = stderr.map { .string($0) }
        note(.reloadFailed, of: shared, .interval, fields, into: &output)
      }
      refreshShown(key, at: now, into: &output)
    }
  }

  // MARK: Frames

  /// Takes a frame; tokens that are of no stream are ignored.
  package mutating func streamPrinted(
    _ token: RunToken, _ frame: [UInt8], at now: Now, into output: inout EngineOutput
  ) {
    guard let stream = streams.stream(of: token), !stream.isEnding else { return }
    streams.noteFrame(frame, of: stream.kind)
    noteSuccess(stream.kind, at: now.wall, into: &output)
    for key in keys(ofStream: stream.kind) {
      show(frame, of: stream.provider, on: key, at: now.wall, into: &output)
    }
    // Requests that waited have their answer, so the stream may be wanted no longer.
    streams.lookSoon()
    advanceStreams(at: now, into: &output)
  }

  private mutating func show(
    _ frame: [UInt8], of provider: ProviderDeclaration, on key: TimelineKey, at now: WallTime,
    into output: inout EngineOutput
  ) {
    guard
      case .success(let answer) = Self.judge(
        PluginOutput(frame), by: looking(provider, on: key), at: now)
    else { return }
    // A request that waits for the frame is told of it, so it has to last.
    let isAwaited = timelines[key]?.waiting.isEmpty == false
    accept(answer, for: key, cause: .interval, isRoutine: true, at: now, into: &output)
    if isAwaited { output.dirtyTimelines.insert(key) } else { output.routineTimelines.insert(key) }
    withdrawIfEmpty(key, at: now, into: &output)
  }

  // MARK: For the core

  /// The kind of a stream, and whether the log should say this; `nil`: the token is of no stream.
  package mutating func noteStream(
    _ token: RunToken, _ notice: StreamNotice, at now: WallTime
  ) -> (kind: String, isNews: Bool)? {
    guard let stream = streams.stream(of: token) else { return nil }
    return (stream.kind, streams.note(notice, of: stream.kind, at: now))
  }

  /// The frames of a kind's process that were left out, as clients see it; `nil`: none was, or none
  /// runs.
  func omissions(_ kind: String) -> JSONObject? {
    guard let stream = streams[kind], let since = stream.omittedSince ?? stream.floodsSince else {
      return nil
    }
    var view: JSONObject = [
      "count": .int(stream.omittedFrameCount), "since": .string(since.rfc3339),
    ]
    view["floodsSince"] = stream.floodsSince.map { .string($0.rfc3339) }
    return view
  }

  /// The kinds whose process prints faster than it is read, at most `countMax`, in ascending order.
  package func floodingView(countMax: Int) -> [JSONValue] {
    let kinds = streams.kinds.filter { streams[$0]?.floodsSince != nil }
    return kinds.prefix(countMax).map { kind in
      var view: JSONObject = ["kind": .string(kind)]
      view.members += omissions(kind)?.members ?? []
      return .object(view)
    }
  }

  /// Since when the process of a kind runs; `nil`: none does, or it is being ended.
  func runningSince(_ kind: String) -> WallTime? {
    streams[kind].flatMap { $0.isEnding ? nil : $0.since }
  }

  /// The process of a kind that can be told something, and its newest frame; `nil`: none runs.
  package func listener(_ kind: String) -> (token: RunToken, frame: [UInt8]?)? {
    guard let stream = streams[kind], !stream.isEnding else { return nil }
    return (stream.token, stream.frame)
  }

  /// Streams that run, those that are being ended included.
  package var streamCount: Int { streams.count }
}
