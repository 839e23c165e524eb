import Downloads
import JSON
import Plugins
package import Timekeeping

/// Plugins: scripts that were written for another bar.
///
/// An interval in a person's script is the person's rule. Its runs cost no budget, have no spacing
/// and no quarantine; they begin an interval after the last one ended, and only while a surface
/// shows the widget. One that comes into view and is overdue runs at once.
extension WidgetEngine {
  /// A good answer of a provider.
  struct Answer {
    var timeline: Timeline
    /// Whether it replaces all that is shown, also by nothing.
    var isWhole = false
    /// The members that a plugin gets back with its next run.
    var state: JSONObject?
    /// The pictures that its content names.
    var pictures: [PluginPicture] = []
    /// Points of height that it wants in the expanded mode; `nil`: all that there are.
    var preferredHeight: Int64?
    /// Sentences about pictures and views that were left out.
    var pictureWarnings: [String] = []
    /// The end of the run that brought it.
    var end = PluginTurn.End.good
    /// The files that the provider wants; `nil`: the answer says nothing about them.
    var downloads: [DownloadOrder]?

    init(_ timeline: Timeline) { self.timeline = timeline }

    /// The answer with this timeline, and with its pictures.
    init(_ timeline: Timeline, of answer: ProviderAnswer) {
      self.timeline = timeline
      pictures = answer.pictures
      pictureWarnings = answer.pictureWarnings
    }
  }

  /// The declaration of a kind as a plugin; `nil`: it is none, or there is no such kind.
  func plugin(of key: TimelineKey) -> PluginDeclaration? { kinds[key.kind]?.provider.plugin }

  // MARK: When

  /// Plans the next run by the plugin's own rule.
  mutating func scheduleByRule(
    _ plugin: PluginDeclaration, _ shared: inout SharedTimeline, at now: WallTime
  ) {
    shared.plan(at: nextInStep(of: plugin, shared, at: now), .interval)
    shared.turn.due = nil
    plan(shared)
  }

  /// The next run after one that ends at `now`, in step with the moment when that one was due.
  ///
  /// A run that took less than half the interval moves no later one: a clock of `every: 1s` shows
  /// each second, although its runs take some hundred milliseconds. After a longer one, or one that
  /// began late, the interval counts from the end, as that of the other bars does. So the pause
  /// between two runs is half the interval at least.
  private func nextInStep(
    of plugin: PluginDeclaration, _ shared: SharedTimeline, at now: WallTime
  ) -> WallTime? {
    let hasOwnPause =
      switch shared.turn.end {
      case .good, .unasked: false
      case .failed: plugin.retry != nil
      case .unmet: plugin.recheck != nil
      }
    guard let due = shared.turn.due, !hasOwnPause, !plugin.isStream,
      case .every(let interval) = plugin.schedule,
      (0..<max(interval / 2, 1)).contains(now.milliseconds - due.milliseconds)
    else { return nextRun(of: plugin, shared, after: now) }
    return due.advanced(byMilliseconds: interval)
  }

  /// The next run after one that ended at `now`; `nil`: none by itself.
  func nextRun(
    of plugin: PluginDeclaration, _ shared: SharedTimeline, after now: WallTime
  ) -> WallTime? {
    if plugin.isStream {
      // While it runs, its frames come by themselves.
      guard !streams.isUnderWay(shared.key.kind) else { return nil }
      return now.advanced(
        byMilliseconds: streams.pause(shared.key.kind, restart: plugin.restart))
    }
    switch shared.turn.end {
    case .good, .unasked: break
    case .failed: if let retry = plugin.retry { return Self.moment(retry, after: now) }
    case .unmet: if let recheck = plugin.recheck { return Self.moment(recheck, after: now) }
    }
    switch plugin.schedule {
    case .every(let milliseconds): return Self.moment(milliseconds, after: now)
    case .cron(let lines):
      // Another time zone, and the change to summer time, plan all timelines anew.
      let secondsEast = Int(zoneOffset / 1000)
      return CronLine.next(of: lines, after: now) { _ in secondsEast }
    case .once, .never: return nil
    }
  }

  /// The tenth of a second nearest to an interval from now; of a short interval, its nearest tenth.
  ///
  /// The scripts of a bar then run together, and wake the processor once.
  static func moment(_ interval: Int64, after now: WallTime) -> WallTime {
    let step = min(interval / 10, Limits.intervalStep)
    guard step > 1 else { return now.advanced(byMilliseconds: interval) }
    let exact = now.milliseconds + interval
    return WallTime(milliseconds: (exact + step / 2) / step * step)
  }

  /// Plans the first run of a process, or of a kind that came back.
  ///
  /// `once` is once in the life of a process, as in the life of a bar; memory that starts over begins
  /// no other life.
  func resume(
    _ plugin: PluginDeclaration, _ shared: inout SharedTimeline, at now: WallTime
  ) {
    guard shared.deferred.isEmpty else { return }
    guard plugin.isStream || plugin.schedule != .never else {
      shared.plan(at: nil, .interval)
      return
    }
    switch plugin.schedule {
    case _ where plugin.isStream: shared.plan(at: now, .interval)
    case .every, .cron:
      guard let latest = nextRun(of: plugin, shared, after: now) else { break }
      shared.plan(at: min(shared.dueAt ?? now, latest), .interval)
    case .once, .never: if !shared.isKept { shared.plan(at: now, .interval) }
    }
    shared.noteIsOfBefore()
  }

  /// Whether a cause runs nothing: the plugin waits for a click, a signal or a request.
  ///
  /// Such a script may well open a menu, which nobody wants at the start of a session. Source:
  /// i3blocks' blocks without an interval, and polybar's hooks without `initial`.
  func isLeftAlone(_ key: TimelineKey, _ cause: ReloadCause) -> Bool {
    guard let plugin = plugin(of: key), !plugin.isStream, plugin.schedule == .never,
      let shared = timelines[key], !hasProblem(shared)
    else { return false }
    switch cause {
    case .placed, .configuration, .mode, .providerUpgrade, .locale, .textSize, .displaySize,
      .timeChange:
      return true
    case .intent, .link, .tap, .menu, .reload, .hostForeground, .hostBackground, .signal, .interval,
      .download, .policy, .retry:
      return false
    }
  }

  /// Shows the text of the look for a plugin that is left alone, or nothing; a new manifest brings
  /// it back.
  mutating func showUntilAsked(
    _ key: TimelineKey, _ cause: ReloadCause, receipt: ReceiptID?, at now: WallTime,
    into output: inout EngineOutput
  ) {
    if let shared = timelines[key], shared.isIdle, shared.deferred.isEmpty,
      shared.timeline == nil || cause == .providerUpgrade, let provider = kinds[key.kind]?.provider,
      case .success(var answer) = Self.judge(PluginOutput([]), by: provider, at: now)
    {
      answer.end = .unasked
      // It was no run, so no history has it.
      accept(answer, for: key, cause: cause, isRoutine: true, at: now, into: &output)
      output.dirtyTimelines.insert(key)
    }
    if let receipt { settle(receipt, .done, into: &output) }
  }

  /// Adapts the next run to a clock that was set.
  ///
  /// `isAhead`: its content is of a date to come by this clock, and is not shown.
  /// - Returns: whether the date of the next run changed.
  func followClock(
    _ plugin: PluginDeclaration, _ shared: inout SharedTimeline, isAhead: Bool, at now: WallTime
  ) -> Bool {
    guard shared.isIdle, shared.deferred.isEmpty,
      shared.dueAt == nil || shared.dueCause == .interval
    else { return false }
    let latest = isAhead ? now : nextRun(of: plugin, shared, after: now)
    guard let latest, isAhead || shared.dueAt.map({ latest < $0 }) ?? false else { return false }
    shared.plan(at: latest, .interval)
    return true
  }

  /// The moment of the next run as the journal has it; `nil`: nothing runs by itself, as a script's
  /// interval does not while nobody watches.
  func nextByItself(_ shared: SharedTimeline) -> WallTime? {
    shared.dueCause == .interval && hold(of: shared) != nil ? nil : shared.dueAt
  }

  /// Whether an interval passed while no surface showed the timeline.
  func isOverdue(_ shared: SharedTimeline, at now: WallTime) -> Bool {
    guard shared.dueCause == .interval, shared.isIdle, let dueAt = shared.dueAt else {
      return false
    }
    return dueAt <= now
  }

  // MARK: Runs

  /// All that a plugin is told of the run that begins; a click that waited for it is taken.
  func pluginRequest(_ shared: inout SharedTimeline, _ cause: ReloadCause) -> PluginRequest {
    var request = shared.takeClick() ?? PluginRequest(reason(of: cause, shared))
    request.isMenuOpen = cause == .menu
    request.variables.insert(contentsOf: Self.variables(of: shared.state), at: 0)
    return request
  }

  private func reason(of cause: ReloadCause, _ shared: SharedTimeline) -> PluginRequest.Reason {
    if shared.fetchedAt == nil, shared.consecutiveFailures == 0 { return .firstLook }
    return PluginRequest.Reason(cause)
  }

  /// The members of a state as variables; those that cannot be one are left out.
  private static func variables(of state: JSONObject?) -> [ProviderDeclaration.Variable] {
    guard let state else { return [] }
    var variables: [ProviderDeclaration.Variable] = []
    for member in state.members where PluginVariable.isName(member.key) {
      let text = member.value.stringValue ?? (member.value.isNull ? "" : member.value.serialized)
      guard !text.utf8.contains(0), variables.count < Limits.pluginStateCountMax else { continue }
      variables.append(.init(name: member.key, value: text))
    }
    return variables
  }

  /// Takes the outcome of a plugin's run that ended by itself, as `runEnded` does.
  package mutating func runPrinted(
    _ token: RunToken, _ printed: PluginOutput, at now: Now, into output: inout EngineOutput
  ) {
    guard let ended = runs.end(token) else {
      return streamEnded(token, .success(printed), at: now, into: &output)
    }
    let key = ended.key
    guard let shared = timelines[key], case .running(let current, let cause) = shared.run,
      current == token
    else { return }
    let read = Self.judge(printed, by: Self.looking(ended.provider, in: shared), at: now.wall)
    let time = now.monotonic.milliseconds(since: ended.startedAt)
    timelines[key]?.turn.isQuick = time <= Limits.quickRunMax
    take(RunResult(read), of: ended, cause: cause, at: now, into: &output)
  }

  // MARK: Looks

  /// Returns the provider with the template that a click on the timeline chose.
  func looking(_ provider: ProviderDeclaration, on key: TimelineKey) -> ProviderDeclaration {
    timelines[key].map { Self.looking(provider, in: $0) } ?? provider
  }

  /// Returns the provider with the template that a click on `shared` chose.
  private static func looking(
    _ provider: ProviderDeclaration, in shared: SharedTimeline
  ) -> ProviderDeclaration {
    guard shared.turn.showsAlternate, let alternate = provider.plugin?.look?.alternate
    else { return provider }
    var provider = provider
    provider.plugin?.look?.format = alternate
    return provider
  }

  /// Shows the other template of a widget's look from its next run or frame on; the caller asks for
  /// it.
  package mutating func turnLook(of id: String) {
    guard let key = widgets[id]?.timelineKey else { return }
    timelines[key]?.turn.showsAlternate.toggle()
  }

  /// Reads the output of a plugin by the rules of its family: an entry for now, or none where it is
  /// hidden.
  package static func readPrinted(
    _ output: PluginOutput, by provider: ProviderDeclaration, at now: WallTime
  ) -> Result<Timeline, ProviderFailure> {
    judge(output, by: provider, at: now).map(\.timeline)
  }

  static func judge(
    _ output: PluginOutput, by provider: ProviderDeclaration, at now: WallTime
  ) -> Result<Answer, ProviderFailure> {
    var look = provider.plugin?.look
    if output.isUnmet {
      look?.text = nil
      look?.shortText = nil
    }
    switch PluginReader.judge(
      output.bytes, provider.plugin?.format ?? .text, exitStatus: output.exitStatus, look: look)
    {
    case .failed:
      return .failure(
        ProviderFailure(.exited(code: output.exitStatus), diagnostics: output.diagnostics))
    case .shows(let reading):
      var frame = reading.frame
      if frame.isHidden, !output.isUnmet, let title = provider.plugin?.emptyTitle {
        frame.titles = [PluginItem(title)]
      }
      let entries = frame.isHidden ? [] : [TimelineEntry(date: now, content: frame.content)]
      var answer = Answer(Timeline(entries: entries, policy: .never))
      answer.timeline.isPrinted = true
      answer.isWhole = true
      answer.end =
        output.isUnmet
        ? .unmet
        : PluginReader.isGood(output.exitStatus, provider.plugin?.format ?? .text) ? .good : .failed
      answer.state = frame.state
      if !frame.isHidden { answer.pictures = frame.pictures }
      return .success(answer)
    }
  }

  // MARK: Signals

  /// The widgets whose plugin runs at a signal, in the order of placing.
  ///
  /// O(widgets).
  package func widgets(withSignal signal: Int) -> [String] {
    order.filter { id in
      widgets[id].map { kinds[$0.kind]?.provider.plugin?.signal == signal } ?? false
    }
  }
}
