import DaemonCore
import JSON
import Timekeeping
import WidgetCenter

/// The world's side of the daemon: what is planned happens, and what the daemon wants done is done.
extension World {
  func perform(_ action: Action) {
    switch action {
    case .startProcess: startProcess()
    case .loaded(let number) where number == process?.number:
      if isActive(.failingLoad), randomness.chance(30) {
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
      inbox.append(.configuration(scenario.files()))
    case .wakeUp(let number, let alarm) where number == process?.number && alarm == process?.alarm:
      process?.armedAt = nil
      inbox.append(.wakeUp)
    case .clockNotice(let number) where number == process?.number: inbox.append(.clockChanged)
    case .outcome(let number, let token) where number == process?.number: deliverOutcome(of: token)
    case .launched(let number, let token) where number == process?.number:
      process?.launches.remove(token)
      let fails = isActive(.failingLaunches) && randomness.chance(50)
      inbox.append(
        .launched(
          token,
          fails
            ? .failed(reason: "not-found", message: "no application is called that")
            : .started(application: "org.sim.WeatherApp", processID: 4711)))
    case .loaded, .committed, .closed, .configuration, .wakeUp, .clockNotice, .outcome, .launched:
      break  // Meant for a process that is no more.
    case .clientMove(let slot): moveClient(slot)
    case .deliver(let slot, let connection, let chunk): deliver(chunk, slot, connection)
    case .halfClose(let slot, let connection):
      guard clients[slot].connection == connection else { return }
      clients[slot].isHalfClosed = true
      // What was asked and not closed before is looked at after the next turn.
      closeHalfClosed()
    case .hangUp(let slot, let connection):
      guard clients[slot].connection == connection else { return }
      endConnection(slot)
    case .read(let slot, let connection): read(slot, connection)
    case .mischief: makeMischief()
    case .diskRecovers: isDiskFull = false
    }
  }

  // MARK: Lives

  private func startProcess() {
    guard process == nil else { return }
    lastProcess += 1
    process = Process(
      number: lastProcess,
      daemon: Daemon(
        options: .init(
          userID: 1000, processID: 7, version: "simulated",
          // Few enough that lists take turns, in every other world.
          widgetsInPieceMax: seed.isMultiple(of: 2) ? 2 : 128)))
    note(.world("process \(lastProcess) starts"))
    inbox.append(.zoneChanged(secondsEast: zoneSeconds))
    inbox.append(.started)
    if !networkIsUp { inbox.append(.networkChanged(isUp: false)) }
  }

  /// kill -9, or the power: what was under way to the disk arrived there or did not.
  func crash() {
    guard process != nil else { return }
    statistics.crashes += 1
    let applies = randomness.chance(50)
    note(
      .world("the process crashes; a transaction under way \(applies ? "is" : "is not") on disk"))
    store.crash(applies: applies)
    endProcess()
  }

  /// Whoever was connected is not any more, and nothing that was under way will be heard of again.
  private func endProcess() {
    process = nil
    inbox = []
    for slot in clients.indices { loseConnection(slot) }
    plan(.startProcess, after: isCalm ? 100 : randomness.pause(upTo: 1_000))
  }

  // MARK: Mischief

  /// What happens to the machine, not to one client.
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
    case .suspends: jumpClock(by: randomness.between(1_000, 200_000_000), noticedAfter: 0)
    case .crashes: if randomness.chance(40) { crash() }
    case .stops:
      guard randomness.chance(40), process != nil else { return }
      inbox.append(.stopRequested)
    case .configurationChanges:
      scenario.missing = Scenario.kindNames.filter { _ in randomness.chance(20) }
      if randomness.chance(50) { scenario.version += 1 }
      if process != nil { inbox.append(.reloadRequested) }
    case .brokenConfiguration:
      scenario.broken = Scenario.kindNames.filter { _ in randomness.chance(20) }
      scenario.hasIntents = randomness.chance(80)
      if process != nil { inbox.append(.reloadRequested) }
    case .fullDisk:
      isDiskFull = true
      plan(.diskRecovers, after: randomness.pause(upTo: 3_000))
    case .networkLosses: setNetwork(isUp: randomness.chance(50))
    case .zoneChanges:
      zoneSeconds = randomness.pick([-36_000, -12_600, 0, 3_600, 7_200, 20_700, 43_200])
      if process != nil { inbox.append(.zoneChanged(secondsEast: zoneSeconds)) }
    case .evolvingKinds:
      scenario.isRenamed = randomness.chance(50)
      scenario.weatherIntent = randomness.pick(Scenario.weatherIntents)
      scenario.hasLostFamily = randomness.chance(50)
      if process != nil { inbox.append(.reloadRequested) }
    default: preconditionFailure("every mischief has its case")
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

  private func jumpClock(by milliseconds: Int64, noticedAfter delay: Int64) {
    statistics.clockJumps += 1
    let before = now.wall
    wallOffset += milliseconds
    // How long a reading counts is said in wall time.
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

  func carryOut(_ effect: Effect) {
    // Not the whole process: a copy of it counts hundreds of references.
    guard let number = process?.number else { return }
    switch effect {
    case .send(let connection, let bytes): receive(bytes, on: connection)
    case .close(let connection, _):
      guard let slot = slots[connection] else {
        violate("connection \(connection.number) was to be closed, and there is none")
        return
      }
      clients[slot].isClosing = true
      plan(.hangUp(slot, connection), after: randomness.between(0, 5))
    case .store(.load): plan(.loaded(process: number), after: randomness.pause(upTo: 20))
    case .store(.close):
      store.close()
      plan(.closed(process: number), after: randomness.between(0, 5))
    case .store(.commit(let transaction, let writes)):
      statistics.commits += 1
      store.begin(transaction, writes)
      let slow = isActive(.slowDisk) && randomness.chance(30)
      plan(
        .committed(process: number, number: transaction),
        after: slow ? randomness.between(20, 5_000) : randomness.between(1, 10))
    case .runProvider(let run): startProvider(run)
    case .cancelProvider(let token): cancelProvider(token)
    case .launch(let token, _):
      if !(self.process?.launches.insert(token).inserted ?? false) {
        violate("the launch \(token.number) was started twice")
      }
      plan(.launched(process: number, token), after: randomness.between(0, 50))
    case .wakeUp(let moment):
      self.process?.alarm += 1
      self.process?.armedAt = moment
      if let moment {
        let late: Int64 = randomness.chance(20) ? randomness.between(0, 30) : 0
        plan(
          .wakeUp(process: number, alarm: self.process?.alarm ?? 0),
          at: max(moment, monotonic).advanced(byMilliseconds: late))
      }
    case .loadConfiguration:
      plan(.configuration(process: number), after: randomness.between(0, 50))
    case .ready:
      self.process?.isReady = true
      checkPromises(after: "a restart")
    case .log(let line):
      if line.event == "store.unreadableRows"
        || line.event == "list.notRestored" && process?.hasIntents == true
      {
        let why = line.fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        violate("what the daemon stored it cannot read back: \(line.event) \(why)")
      }
    case .stop:
      statistics.stops += 1
      checkStop()
      store.crash(applies: false)
      note(.world("the process stops"))
      endProcess()
    }
    for sentence in store.violations { violate(sentence) }
  }

  private func finishCommit(_ number: UInt64) {
    guard store.underWay?.number == number else { return }
    let fails = isDiskFull || (isActive(.failingCommits) && randomness.chance(10))
    if fails {
      statistics.failedCommits += 1
      store.fail()
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
    inbox.append(.store(.committed(transaction: number)))
  }

  // MARK: Providers

  private func startProvider(_ run: ProviderRun) {
    guard let number = process?.number else { return }
    statistics.runs += 1
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
      if !provider.cause.isExempt { checkBudgetAllows(key) }
      if provider.cause.isAutomatic { checkIsWanted(key, provider.cause) }
    }
    process?.providers[run.token] = provider
    let all = process?.providers.values.map(\.run.method) ?? []
    let asked = all.count { $0 == "options" }
    if all.count - asked > WidgetCenter.Limits.runningProviderCountMax
      || asked > WidgetCenter.Limits.optionRunCountMax
    {
      violate("\(all.count) providers run at once, \(asked) of them for options")
    }
    if let delay = provider.delay {
      plan(.outcome(process: number, run.token), after: max(0, delay))
    }
  }

  private func cancelProvider(_ token: RunToken) {
    guard let number = process?.number else { return }
    guard process?.startedRuns.contains(token) == true else {
      violate("run \(token.number) was cancelled and never started")
      return
    }
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

  /// Keeps the world's own view in step with what the daemon is about to hear.
  func learn(from event: Event) {
    switch event {
    case .provider(let token, _):
      guard let provider = process?.providers.removeValue(forKey: token) else { return }
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
      process?.stopBy = monotonic.advanced(byMilliseconds: 60_000)
    case .started, .store, .configuration, .connected, .received, .disconnected, .launched, .wakeUp,
      .clockChanged, .networkChanged, .zoneChanged, .reloadRequested, .turnEnded:
      break
    }
  }
}
