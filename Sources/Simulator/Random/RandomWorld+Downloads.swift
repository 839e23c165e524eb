import DaemonCore
import Downloads
import JSON
import Timekeeping
package import WidgetCenter

/// Downloads that a random world carries out, well or not.
struct FakeFetch: Sendable {
  var request: FetchRequest
  var startedAt: Instant
  var isCancelled = false
}

extension RandomWorld {
  /// Milliseconds after which the daemon must have given up a process that downloads.
  static let fetchPatience = WidgetCenter.Limits.fetchTimeout + 10_000

  package func fetch(_ request: FetchRequest) {
    guard let number = process?.number else { return }
    if process?.isStopping == true, process?.stopsInThisTurn == false {
      violate("downloads \(request.token.number) were started while the daemon stops")
    }
    if process?.startedFetches.insert(request.token).inserted == false {
      violate("downloads \(request.token.number) were started twice")
      return
    }
    process?.fetches[request.token] = FakeFetch(request: request, startedAt: now.monotonic)
    if process?.fetches.count ?? 0 > WidgetCenter.Limits.fetchCountMax {
      violate("\(process?.fetches.count ?? 0) processes download at once")
    }
    if request.items.isEmpty || request.items.count > WidgetCenter.Limits.downloadsAtOnceMax {
      violate("a process gets \(request.items.count) downloads")
    }
    if Set(request.items.map(\.name)).count != request.items.count {
      violate("two downloads of a process have the same name")
    }
    for item in request.items {
      let isAllowed = process?.daemon.lendEngine { engine in
        engine.kinds[item.kind].map { kind in
          kind.mayDownload && kind.hasProvider && item.mayCost == kind.mayDownloadMetered
            && (kind.origin != .installed || item.isPublicOnly)
        }
      }
      if (isAllowed ?? nil) != true {
        violate("a download of \(item.kind) was started that it may not have")
      }
    }
    let hangs = isActive(.hangingProviders) && randomness.chance(20)
    if !hangs {
      plan(.fetchEnd(process: number, request.token), after: randomness.pause(upTo: 20_000))
    }
  }

  package func cancelFetch(_ token: FetchToken) {
    guard let number = process?.number, process?.fetches[token]?.isCancelled == false else {
      return
    }
    process?.fetches[token]?.isCancelled = true
    plan(.fetchEnd(process: number, token), after: randomness.between(0, 20))
  }

  /// Ends a process that downloads, with an outcome that is drawn now.
  func endFetch(_ token: FetchToken) {
    guard let fetch = process?.fetches[token] else { return }
    let outcome: FetchOutcome
    if fetch.isCancelled {
      outcome = .failed("it took too long")
    } else if isActive(.dyingProviders), randomness.chance(20) {
      outcome = randomness.pick([.noProgram, .failed("it was killed"), .ended([])])
    } else {
      outcome = .ended(
        fetch.request.items.compactMap { item in
          isActive(.wrongAnswers) && randomness.chance(10) ? nil : result(of: item)
        })
    }
    inbox.append(.fetched(token, outcome))
    if isActive(.doubleOutcomes), randomness.chance(20) {
      inbox.append(.fetched(token, outcome))
    }
  }

  private func result(of item: FetchRequest.Item) -> DownloadResult {
    if isActive(.failingLaunches) || isActive(.networkLosses), randomness.chance(40) {
      let code = randomness.pick(DownloadError.Code.allCases)
      let moments: [WallTime?] = [
        nil, now.wall.advanced(byMilliseconds: randomness.between(-60_000, 86_400_000)),
      ]
      return DownloadResult(
        id: item.name, file: nil,
        error: DownloadError(
          code, "it failed", hint: "wait", status: randomness.pick([nil, 404, 429, 503]),
          retryAt: randomness.pick(moments)))
    }
    let file = DownloadResult.File(
      path: "/cache/\(item.kind)/downloads/\(item.order.id)-\(randomness.below(3))",
      status: randomness.pick([200, 304]), isUnchanged: randomness.chance(50),
      byteCount: randomness.between(0, 1_000), date: now.wall)
    guard randomness.chance(10) else { return DownloadResult(id: item.name, file: file) }
    // The last good copy, beside the reason why there is no newer one.
    return DownloadResult(
      id: item.name, file: file, error: DownloadError(.unreachable, "it failed", hint: "wait"))
  }

  /// Checks that the daemon gives up what takes too long.
  func checkFetches() {
    for (token, fetch) in process?.fetches ?? [:]
    where !fetch.isCancelled
      && now.monotonic.milliseconds(since: fetch.startedAt) > Self.fetchPatience
    {
      violate("downloads \(token.number) were not given up after \(Self.fetchPatience) ms")
    }
  }

  /// Notes the end of a process that downloads, before the daemon gets it.
  func learn(ofFetched token: FetchToken) { process?.fetches[token] = nil }
}
