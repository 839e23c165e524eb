import DaemonCore
import Timekeeping
package import WidgetCenter

/// Plugins that stay running, in a random world.
extension RandomWorld {
  /// Milliseconds for which a process may run although no surface shows its kind and no request
  /// waits: the ten seconds that it is kept, and the delays of wake-ups.
  private static let lingerMax: Int64 = 20_000

  func startStream(_ run: ProviderRun) {
    guard let number = process?.number else { return }
    if process?.isStopping == true, process?.stopsInThisTurn == false {
      violate("the stream \(run.token.number) was started while the daemon stops")
    }
    if process?.startedRuns.insert(run.token).inserted == false {
      violate("the stream \(run.token.number) was started twice")
      return
    }
    if process?.streams.values.contains(where: { $0.run.kind == run.kind }) == true {
      violate("two processes of \(run.kind) run at once")
    }
    let stream = FakeStream.behave(
      run, faults: activeFaults, troublePercent: span == nil ? 40 : 10, at: monotonic, &randomness)
    process?.streams[run.token] = stream
    if process?.streams.count ?? 0 > WidgetCenter.Limits.streamCountMax {
      violate("\(process?.streams.count ?? 0) streams run at once")
    }
    plan(
      .frame(process: number, run.token),
      after: stream.pause(isCalm: isCalm || span != nil, &randomness))
  }

  /// Tells the stream to end; returns whether there is one with this token.
  func cancelStream(_ token: RunToken) -> Bool {
    guard let number = process?.number, let stream = process?.streams[token] else { return false }
    guard !stream.isCancelled else { return true }
    process?.streams[token]?.isCancelled = true
    // It may need its time to end, and print meanwhile.
    plan(.streamEnd(process: number, token), after: randomness.between(0, 700))
    return true
  }

  /// The stream prints, or ends by itself.
  func streamPrints(_ token: RunToken) {
    guard let number = process?.number, var stream = process?.streams[token], !stream.hasEnded
    else { return }
    guard !stream.isMute || isCalm else {
      return plan(.frame(process: number, token), after: 60_000)
    }
    if let most = stream.frameCountMax, stream.frameCount >= most, !isCalm {
      return endStream(token)
    }
    stream.frameCount += 1
    process?.streams[token] = stream
    inbox.append(.streamFrame(token, stream.frame(faults: activeFaults, &randomness)))
    if isActive(.floodingProviders), randomness.chance(30) {
      inbox.append(.streamNotice(token, .floods))
      inbox.append(.streamNotice(token, .leftOut(frameCount: Int64(stream.frameCount))))
    }
    plan(
      .frame(process: number, token),
      after: stream.pause(isCalm: isCalm || span != nil, &randomness))
  }

  func endStream(_ token: RunToken) {
    guard let stream = process?.streams[token], !stream.hasEnded else { return }
    process?.streams[token]?.hasEnded = true
    let outcome = stream.outcome(&randomness)
    inbox.append(.provider(token, outcome))
    if isActive(.doubleOutcomes), randomness.chance(20) { inbox.append(.provider(token, outcome)) }
  }

  package func tell(_ token: RunToken, _ line: [UInt8]) {
    if process?.startedRuns.contains(token) != true {
      violate("a line was written to the stream \(token.number), which never started")
    }
    if line.last != 0x0A || line.dropLast().contains(0x0A) {
      violate("what was written to the stream \(token.number) is not one line")
    }
  }

  /// Notes content that a frame brings, and that nobody was promised.
  func noteFrame(_ token: RunToken, _ frame: [UInt8]) {
    guard let stream = process?.streams[token] else { return }
    let kind = stream.run.kind
    let read = WidgetEngine.readPrinted(
      PluginOutput(frame), by: stream.run.provider, at: WallTime(milliseconds: 0))
    guard case .success = read else { return }
    let keys =
      process?.daemon.lendEngine { engine -> [TimelineKey] in
        guard engine.listener(kind)?.token == token else { return [] }
        return engine.timelines.keys.filter { $0.kind == kind }
      } ?? []
    for key in keys { routine.took(key, at: monotonic) }
  }

  /// A stream runs while a visible surface shows its kind, or a request waits for a frame.
  func checkStreamsAreWanted() {
    guard process?.isReady == true, let streams = process?.streams, !streams.isEmpty else { return }
    noteVisibility()
    for (token, stream) in streams where !stream.isCancelled && !stream.hasEnded {
      let isWanted =
        lastVisibleAt == monotonic
        // Until the store is read anew, nothing is judged.
        || process?.daemon.isStartingOver == true
        || process?.daemon.lendEngine { engine in
          engine.timelines.contains { $0.key.kind == stream.run.kind && !$0.value.waiting.isEmpty }
        } == true
      process?.streams[token]?.isWanted = isWanted
      if isWanted || stream.isWanted {
        process?.streams[token]?.wantedAt = monotonic
      } else if monotonic.milliseconds(since: stream.wantedAt) > Self.lingerMax {
        violate("\(stream.run.kind) runs on, while nobody watches it or waits for it")
      }
    }
  }
}
