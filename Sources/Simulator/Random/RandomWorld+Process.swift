package import DaemonCore
import JSON
package import Timekeeping
import VirtualTime
package import WidgetCenter

/// The world's side of the daemon: it performs planned events and carries out effects.
extension RandomWorld {
  package func perform(_ action: Action) {
    switch action {
    case .startProcess: startProcess()
    case .loaded(let number) where number == process?.number:
      if process?.isReady == true {
        if let wrong = store.reload() { violate(wrong) }
        process?.startsOver = true
        inbox.append(.store(.loaded(store.state(journalRows: 20_000))))
      } else if isActive(.failingLoad), randomness.chance(30) {
        inbox.append(
          .store(.loadFailed(StoreFailure(code: .cannotOpen, message: "the disk is not there yet")))
        )
      } else {
        store.open()
        inbox.append(.store(.loaded(store.state(journalRows: 20_000))))
      }
    case .committed(let process, let number) where process == self.process?.number:
      finishCommit(number)
    case .closed(let number) where number == process?.number: inbox.append(.store(.closed))
    case .configuration(let number) where number == process?.number:
      process?.hasIntents = scenario.hasIntents
      lastConfigurationAt = monotonic
      inbox.append(.configuration(scenario.files()))
    case .wakeUp(let number, let alarm) where number == process?.number && alarm == process?.alarm:
      process?.armedAt = nil
      inbox.append(.wakeUp)
    case .clockNotice(let number) where number == process?.number: inbox.append(.clockChanged)
    case .outcome(let number, let token) where number == process?.number: deliverOutcome(of: token)
    case .frame(let number, let token) where number == process?.number: streamPrints(token)
    case .streamEnd(let number, let token) where number == process?.number: endStream(token)
    case .fetchEnd(let number, let token) where number == process?.number: endFetch(token)
    case .launched(let number, let token) where number == process?.number:
      process?.launches.remove(token)
      let isCommand = process?.commands.remove(token) != nil
      let fails = isActive(.failingLaunches) && randomness.chance(50)
      inbox.append(
        .launched(
          token,
          fails
            ? .failed(reason: "not-found", message: "no application is called that")
            : .started(application: "org.sim.WeatherApp", processID: 4711)))
      if isCommand, !fails { inbox.append(.commandEnded(token)) }
    case .loaded, .committed, .closed, .configuration, .wakeUp, .clockNotice, .outcome, .launched,
      .frame, .streamEnd, .fetchEnd:
      break  // Meant for a process that is no more.
    case .clientMove(let slot): moveClient(slot)
    case .deliver(let slot, let connection, let chunk): deliver(chunk, slot, connection)
    case .halfClose(let slot, let connection):
      guard clients[slot].connection == connection else { return }
      clients[slot].isHalfClosed = true
      // Half-closed connections are checked after the next turn.
      closeHalfClosed()
    case .hangUp(let slot, let connection):
      guard clients[slot].connection == connection else { return }
      endConnection(slot)
    case .read(let slot, let connection): read(slot, connection)
    case .mischief: makeMischief()
    case .diskRecovers: isDiskFull = false
    case .fallAsleep: fallAsleep()
    }
  }

  // MARK: Lives

  private func startProcess() {
    guard process == nil else { return }
    lastProcess += 1
    var options = Daemon.Options(userID: 1000, processID: 7, version: "simulated")
    options.groupsFolder = "/groups"
    if seed.isMultiple(of: 2) {
      // Few enough that lists and orders take turns, in every other world.
      options.widgetsInSliceMax = 2
      options.claimsInTurnMax = 2
      options.rankedRowsInTurnMax = 4
      options.connectionWorkMax = 8
    }
    process = Process(number: lastProcess, daemon: Daemon(options: options))
    note(.world("process \(lastProcess) starts"))
    inbox.append(.zoneChanged(secondsEast: zoneSeconds))
    inbox.append(.started)
    if !networkIsUp { inbox.append(.networkChanged(isUp: false)) }
    inbox.append(.machine(.supplyChanged(supply)))
  }

  /// Kills the process or cuts the power: the transaction under way reached the disk or did not.
  func crash() {
    guard process != nil else { return }
    statistics.crashes += 1
    let applies = randomness.chance(50)
    note(
      .world("the process crashes; a transaction under way \(applies ? "is" : "is not") on disk"))
    store.crash(applies: applies)
    endProcess()
  }

  /// Ends all connections and drops the outcomes of everything under way.
  private func endProcess() {
    process = nil
    routine.forgetAll()
    inbox = []
    for slot in clients.indices { loseConnection(slot) }
    plan(.startProcess, after: isCalm ? 100 : randomness.pause(upTo: 1_000))
  }

  // MARK: Mischief

  /// Plans an event of the machine, such as a clock jump.
  private func makeMischief() {
    guard !isCalm else { return }
    plan(.mischief, after: randomness.pause(upTo: mischiefPace))
    let possible: [Fault] = [
      .clockForwards, .clockBackwards, .suspends, .crashes, .stops, .configurationChanges,
      .brokenConfiguration, .fullDisk, .networkLosses, .zoneChanges, .evolvingKinds,
    ]
    let drawn = possible.filter(isActive)
    guard !drawn.isEmpty else { return }
    switch randomness.pick(drawn) {
    case .clockForwards: jumpClock(by: jump(), noticedAfter: randomness.between(0, 50))
    case .clockBackwards: jumpClock(by: -jump(), noticedAfter: randomness.between(0, 50))
    case .suspends:
      let length = randomness.between(1_000, 200_000_000)
      if randomness.chance(50), process != nil {
        announceSleep(for: length)
      } else {
        jumpClock(by: length, noticedAfter: 0)
      }
    case .crashes: if randomness.chance(40) { crash() }
    case .stops:
      guard randomness.chance(40), process != nil else { return }
      inbox.append(.stopRequested)
    case .configurationChanges:
      scenario.missing = Scenario.kindNames.filter { _ in randomness.chance(20) }
      if randomness.chance(50) { scenario.version += 1 }
      tellOfFiles()
    case .brokenConfiguration:
      scenario.broken = Scenario.kindNames.filter { _ in randomness.chance(20) }
      scenario.hasIntents = randomness.chance(80)
      tellOfFiles()
    case .fullDisk:
      isDiskFull = true
      plan(.diskRecovers, after: randomness.pause(upTo: 3_000))
    case .networkLosses:
      if randomness.chance(30) {
        setSupply(
          MachineSupply(
            isOnBattery: randomness.chance(50), batteryPercent: Double(randomness.between(1, 100)),
            isMetered: randomness.chance(30)))
      } else {
        setNetwork(isUp: randomness.chance(50))
      }
    case .zoneChanges:
      zoneSeconds = randomness.pick([-36_000, -12_600, 0, 3_600, 7_200, 20_700, 43_200])
      if process != nil { inbox.append(.zoneChanged(secondsEast: zoneSeconds)) }
    case .evolvingKinds:
      scenario.isRenamed = randomness.chance(50)
      scenario.weatherIntent = randomness.pick(Scenario.weatherIntents)
      scenario.hasLostFamily = randomness.chance(50)
      scenario.isBundled = randomness.chance(50)
      scenario.hasLostMode = randomness.chance(30)
      tellOfFiles()
    default: preconditionFailure("every mischief has its case")
    }
  }

  /// Tells the daemon of changed files: by SIGHUP, or as the watch of files does, in turns.
  private func tellOfFiles() {
    changedFilesCount += 1
    if process != nil {
      inbox.append(changedFilesCount % 2 == 0 ? .reloadRequested : .filesChanged)
    }
  }

  func setNetwork(isUp: Bool) {
    networkIsUp = isUp
    note(.world("the network is \(isUp ? "up" : "down")"))
    if process != nil { inbox.append(.networkChanged(isUp: isUp)) }
  }

  /// NTP's seconds, daylight saving's hour, a battery that forgot the year.
  private func jump() -> Int64 {
    randomness.pick([
      randomness.between(1, 2_000), 3_600_000, randomness.between(1, 86_400_000), 31_536_000_000,
    ])
  }

  func jumpClock(by milliseconds: Int64, noticedAfter delay: Int64) {
    statistics.clockJumps += 1
    let before = now.wall
    clock.setWall(by: milliseconds)
    // The time for which a read counts is measured on the wall clock.
    if lastReadingAt != nil { lastReadingAt = monotonic }
    if milliseconds < 0 {
      latestWall = max(latestWall, before)
      wallBeforeJump = (max(before, wallBeforeJump?.wall ?? before), monotonic)
      for key in (process?.budgets.keys).map(Array.init) ?? [] {
        process?.budgets[key]?.clockSet(from: before, backTo: now.wall)
      }
    }
    note(.world("the wall clock jumps by \(milliseconds) ms"))
    if let process { plan(.clockNotice(process: process.number), after: delay) }
  }

  // MARK: Effects

  package func close(_ connection: ConnectionID, reason: String) {
    guard let slot = slots[connection] else {
      violate("connection \(connection.number) was to be closed, and there is none")
      return
    }
    clients[slot].isClosing = true
    plan(.hangUp(slot, connection), after: randomness.between(0, 5))
  }

  package func openStore() {
    guard let number = process?.number else { return }
    plan(.loaded(process: number), after: randomness.pause(upTo: 20))
  }

  package func closeStore() {
    guard let number = process?.number else { return }
    store.close()
    plan(.closed(process: number), after: randomness.between(0, 5))
  }

  package func commit(_ transaction: UInt64, _ writes: [StoreWrite]) {
    guard let number = process?.number else { return }
    statistics.commits += 1
    store.begin(transaction, writes)
    routine.begin(writes)
    let slow = isActive(.slowDisk) && randomness.chance(30)
    plan(
      .committed(process: number, number: transaction),
      after: slow ? randomness.between(20, 5_000) : randomness.between(1, 10))
  }

  package func launch(_ request: LaunchRequest, _ token: LaunchToken) {
    guard let number = process?.number else { return }
    if process?.launches.insert(token).inserted != true {
      violate("the launch \(token.number) was started twice")
    }
    if case .command = request.target { process?.commands.insert(token) }
    plan(.launched(process: number, token), after: randomness.between(0, 50))
  }

  /// A wake-up that may be late; one that is replaced meanwhile comes to nothing.
  package func arm(wakeUpAt moment: Instant?) {
    guard let number = process?.number else { return }
    process?.alarm += 1
    process?.armedAt = moment
    guard let moment else { return }
    let late: Int64 = randomness.chance(20) ? randomness.between(0, Self.wakeUpDelayMax) : 0
    clock.plan(
      .wakeUp(process: number, alarm: process?.alarm ?? 0),
      at: max(moment, monotonic).advanced(byMilliseconds: late))
  }

  package func readConfiguration() {
    guard let number = process?.number else { return }
    plan(.configuration(process: number), after: randomness.between(0, 50))
  }

  package func becomeReady() {
    process?.isReady = true
    checkRestored()
    checkPromises(after: "a restart")
    pushes.restarted()
    setValues.restarted()
    checkOldLooksOld()
  }

  /// The daemon reads back whatever it stored, but for lists of a configuration without intents.
  private func checkRestored() {
    guard let losses = process?.daemon.restoreLosses else { return }
    if losses.unreadableRowCount > 0 {
      violate("the daemon cannot read back \(losses.unreadableRowCount) rows that it stored")
    }
    if let list = losses.lists.first, process?.hasIntents == true {
      violate("the daemon cannot read back the list \(list) that it stored")
    }
  }

  package func stop(_ reason: StopReason) {
    statistics.stops += 1
    checkStop()
    store.crash(applies: false)
    note(.world("the process stops"))
    endProcess()
  }

  private func finishCommit(_ number: UInt64) {
    guard store.underWay?.number == number else { return }
    // After each failure the daemon starts over from the whole store. In a world of days one of a
    // hundred is hundreds of them; one of ten took half of the world's time.
    let failurePercentage = span == nil ? 10 : 1
    let fails = isDiskFull || (isActive(.failingCommits) && randomness.chance(failurePercentage))
    if fails {
      statistics.failedCommits += 1
      store.fail()
      routine.failed(at: monotonic)
      inbox.append(
        .store(
          .commitFailed(
            transaction: number,
            StoreFailure(
              code: isDiskFull ? .diskFull : .system, message: "the disk did not take it"))))
      return
    }
    var lost: Int?
    if sabotage == .loseWrite, sabotageCountdown >= 0 {
      lost = store.underWay?.writes.firstIndex { write in
        if case .put(.widget, let key, _) = write { !key.hasPrefix("suggestion:") } else { false }
      }
      if lost != nil { sabotageCountdown = -1 }
    }
    store.finish(lost: lost)
    routine.committed()
    inbox.append(.store(.committed(transaction: number)))
  }

  // MARK: Providers

  package func start(_ run: ProviderRun) {
    guard let number = process?.number else { return }
    statistics.runs += 1
    if run.provider.isStream { return startStream(run) }
    if process?.isStopping == true, process?.stopsInThisTurn == false {
      violate("run \(run.token.number) was started while the daemon stops")
    }
    if process?.startedRuns.insert(run.token).inserted == false {
      violate("run \(run.token.number) was started twice")
      return
    }
    var provider = FakeProvider.behave(
      run, faults: activeFaults, troublePercent: span == nil ? 40 : 10, at: now, &randomness)
    let cause = process?.daemon.lendEngine { engine in
      // By index: a copy of a timeline counts its references.
      for index in engine.timelines.indices {
        if case .running(run.token, let cause) = engine.timelines.values[index].run {
          return (engine.timelines.keys[index], cause)
        }
      }
      return nil as (TimelineKey, ReloadCause)?
    }
    if let (key, cause) = cause ?? nil {
      provider.key = key
      provider.cause = cause
    }
    if let key = provider.key {
      if process?.providers.values.contains(where: { $0.key == key }) == true {
        violate("two runs for \(run.kind) \(run.family) are under way at once")
      }
      if !provider.cause.isExempt { checkBudgetAllows(key, provider.cause) }
      if provider.cause.isAutomatic { checkIsWanted(key, provider.cause) }
    }
    process?.providers[run.token] = provider
    let all = process?.providers.values.map(\.run.method) ?? []
    let asked = all.count { $0 == "options" }
    let previews = all.count { FakeProvider.previewMethods.contains($0) }
    let performed = all.count { $0 == "perform" }
    if run.method == "perform" { checkPerformsOnce(run) }
    if all.count - asked - previews - performed > WidgetCenter.Limits.runCountMax
      || asked > WidgetCenter.Limits.optionRunCountMax
      || previews > WidgetCenter.Limits.previewRunCountMax
      || performed > WidgetCenter.Limits.performRunCountMax
    {
      violate(
        "\(all.count) providers run at once, \(asked) of them for options, \(previews) for"
          + " previews and \(performed) that perform an intent")
    }
    if FakeProvider.previewMethods.contains(run.method), provider.key != nil {
      violate("the preview of \(run.kind) is a reload of its timeline")
    }
    if let delay = provider.delay {
      plan(.outcome(process: number, run.token), after: max(0, delay))
    }
  }

  /// Code behind an intent runs once, over all crashes and however often its request is sent.
  private func checkPerformsOnce(_ run: ProviderRun) {
    statistics.performed += 1
    guard let bell = parsed(run.request)?["intent"]?["parameters"]?["bell"]?.stringValue else {
      return
    }
    if !performedBells.insert(bell).inserted { violate("Ring(\(bell)) was performed twice") }
  }

  package func cancel(_ token: RunToken) {
    guard let number = process?.number else { return }
    guard process?.startedRuns.contains(token) == true else {
      violate("run \(token.number) was cancelled and never started")
      return
    }
    if cancelStream(token) { return }
    guard let provider = process?.providers[token], !provider.isCancelled else { return }
    process?.providers[token]?.isCancelled = true
    if provider.ignoresCancel { return }
    process?.providers[token]?.outcome = .failed(ProviderFailure(.cancelled))
    plan(.outcome(process: number, token), after: randomness.between(0, 20))
  }

  private func deliverOutcome(of token: RunToken) {
    guard let provider = process?.providers[token], !provider.isDelivered else { return }
    process?.providers[token]?.isDelivered = true
    inbox.append(.provider(token, provider.outcome))
    if provider.answersTwice { inbox.append(.provider(token, provider.outcome)) }
  }

  /// Notes an outcome that the daemon takes and that nobody was promised.
  private func noteRoutine(_ provider: FakeProvider, _ token: RunToken) {
    guard provider.cause == .interval, let key = provider.key,
      process?.daemon.lendEngine({ engine in
        guard let shared = engine.timelines[key] else { return false }
        return shared.run == .running(token, cause: .interval) && !shared.isAbandoned
      }) == true
    else { return }
    routine.took(key, at: monotonic)
  }

  /// Updates the world's own view by an event before the daemon gets it.
  func learn(from event: Event) {
    switch event {
    case .provider(let token, _):
      if let stream = process?.streams.removeValue(forKey: token) {
        if !stream.isCancelled { statistics.failedRuns += 1 }
        return
      }
      guard let provider = process?.providers.removeValue(forKey: token) else { return }
      noteRoutine(provider, token)
      guard provider.isGood else {
        statistics.failedRuns += 1
        return
      }
      if !provider.cause.isExempt, let key = provider.key { process?.arrived.append(key) }
    case .backedUp(let connection):
      if let slot = slots[connection] { clients[slot].isKnownBackedUp = true }
    case .drained(let connection):
      if let slot = slots[connection] { clients[slot].isKnownBackedUp = false }
    case .stopRequested:
      guard process?.isStopping == false else { return }
      process?.isStopping = true
      process?.stopsInThisTurn = true
      process?.stopBy = monotonic.advanced(byMilliseconds: Self.stopPatience)
    case .streamFrame(let token, let frame): noteFrame(token, frame)
    case .fetched(let token, _): learn(ofFetched: token)
    case .started, .store, .configuration, .connected, .received, .queued, .disconnected, .launched,
      .commandEnded, .streamNotice, .wakeUp,
      .clockChanged, .networkChanged, .zoneChanged, .machine, .reloadRequested, .filesChanged,
      .watching,
      .programReplaced, .turnEnded:
      break
    }
  }
}
