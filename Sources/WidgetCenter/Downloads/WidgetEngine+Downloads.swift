package import Downloads
import JSON
package import Timekeeping

/// Downloads that providers ask for: when they are carried out, and what follows.
///
/// An answer may carry `downloads`. Another program fetches them, in one process with other downloads
/// that are due. Then the provider is asked again, as a part of the same reload: that run is free.
/// Files that the provider knows already cause no run. Receipts of the reload stay open for
/// `Limits.downloadPatience`, so that a person who waits gets what the files bring.
extension WidgetEngine {
  /// The tokens of the downloads that are under way, in ascending order.
  package var fetchTokens: [FetchToken] { downloadBook.tokens }

  // MARK: Orders

  /// Takes the downloads that an answer asks for.
  ///
  /// - Returns: the receipts that end with this answer; the others end with the one for the files.
  mutating func takeOrders(
    _ orders: [DownloadOrder]?, isInterim: Bool = false, ending receipts: [ReceiptID],
    _ shared: inout SharedTimeline, at now: WallTime, into output: inout EngineOutput
  ) -> [ReceiptID] {
    guard orders != nil || shared.hasDownloads else { return receipts }
    let key = shared.key
    var downloads = shared.downloads
    let all = downloads.takeHeld() + receipts
    let window = all.isEmpty ? Limits.downloadWindow : 0
    let isTaken = downloads.take(
      orders, isInterim: isInterim, at: now.advanced(byMilliseconds: window))
    // Whoever asked now does not wait for a later try.
    if !receipts.isEmpty { downloads.hurry(at: now) }
    let isReachable = networkIsUp || !downloads.needNetwork
    let isAwaited = downloads.isPending && isReachable && !all.isEmpty
    if isAwaited {
      downloads.hold(all)
      downloadBook.wait(key, until: now.advanced(byMilliseconds: Limits.downloadPatience))
    } else {
      downloadBook.endWaiting(key)
    }
    shared.downloads = downloads
    planDownloads(shared)
    if !isTaken {
      note(
        .downloadsRefused, of: shared, .download,
        ["reason": "an answer to downloads asked for further ones too often in a row"],
        into: &output)
    }
    return isAwaited ? [] : all
  }

  private mutating func planDownloads(_ shared: SharedTimeline) {
    if case .waiting(let until) = shared.downloads.stage {
      downloadBook.plan(shared.key, at: until)
    } else {
      downloadBook.plan(shared.key, at: nil)
    }
  }

  /// Takes the receipts that wait for the files of a timeline.
  mutating func takeHeldReceipts(_ key: TimelineKey) -> [ReceiptID] {
    guard var shared = timelines[key], shared.hasDownloads else { return [] }
    let held = shared.downloads.takeHeld()
    downloadBook.endWaiting(key)
    timelines[key] = shared
    return held
  }

  private mutating func endHeldReceipts(_ key: TimelineKey, into output: inout EngineOutput) {
    for receipt in takeHeldReceipts(key) { settle(receipt, .done, into: &output) }
  }

  // MARK: Due

  /// Begins the downloads that are due, together with those that soon are.
  ///
  /// Soon is within `Limits.downloadWindow`. Ends processes that take longer than `Limits.fetchTimeout`, and receipts that waited for
  /// `Limits.downloadPatience`.
  mutating func advanceDownloads(at now: Now, into output: inout EngineOutput) {
    while let token = downloadBook.popOverdue(at: now.monotonic) {
      output.fetchCancellations.append(token)
    }
    while let key = downloadBook.popImpatient(at: now.wall) {
      endHeldReceipts(key, into: &output)
    }
    while downloadBook.hasRoom, let first = downloadBook.popDue(at: now.wall) {
      beginDownloads(first, at: now, into: &output)
      // A kind that may not use the network is told so at once, by a run.
      startRuns(at: now, into: &output)
    }
  }

  private mutating func beginDownloads(
    _ first: TimelineKey, at now: Now, into output: inout EngineOutput
  ) {
    let token = downloadBook.nextToken
    var request = FetchRequest(token: token, items: [])
    var items: [DownloadBook.Item] = []
    let soon = now.wall.advanced(byMilliseconds: Limits.downloadWindow)
    var next: TimelineKey? = first
    while let key = next {
      if let kind = ready(key, at: now, into: &output), var shared = timelines[key] {
        shared.downloads.begin(token)
        timelines[key] = shared
        for (index, order) in shared.downloads.orders.enumerated() {
          items.append(DownloadBook.Item(key: key, index: index))
          request.items.append(
            FetchRequest.Item(
              name: String(request.items.count), kind: kind.kind, bundle: kind.bundle, order: order,
              folderBytesMax: kind.downloadBytesMax, isPublicOnly: kind.origin == .installed,
              mayCost: kind.mayDownloadMetered))
        }
      }
      let isFull = items.count + DownloadLimits.ordersCountMax > Limits.downloadsAtOnceMax
      next = isFull ? nil : downloadBook.popDue(at: soon)
    }
    guard !items.isEmpty else { return }
    downloadBook.begin(
      token, items, until: now.monotonic.advanced(byMilliseconds: Limits.fetchTimeout))
    output.fetches.append(request)
  }

  /// Returns the kind of a timeline whose downloads may begin; `nil`: they may not, or not yet.
  private mutating func ready(
    _ key: TimelineKey, at now: Now, into output: inout EngineOutput
  ) -> WidgetKind? {
    guard var shared = timelines[key], case .waiting = shared.downloads.stage else { return nil }
    guard let kind = kinds[key.kind], kind.hasProvider else {
      // When the kind comes back, its widgets are reloaded.
      _ = shared.downloads.take(nil, isInterim: false, at: now.wall)
      timelines[key] = shared
      output.dirtyTimelines.insert(key)
      endHeldReceipts(key, into: &output)
      return nil
    }
    guard kind.mayDownload else {
      let error = Self.notAllowed
      arrive(
        key, shared.downloads.orders.map { DownloadResult(id: $0.id, file: nil, error: error) },
        at: now, into: &output)
      return nil
    }
    if !networkIsUp, shared.downloads.needNetwork, !shared.downloads.hasWaitedForNetwork {
      // They wait once, and are then tried anyway: the news about the network may be wrong.
      shared.downloads.waitForNetwork(
        until: now.wall.advanced(byMilliseconds: Limits.networkPatience))
      timelines[key] = shared
      planDownloads(shared)
      endHeldReceipts(key, into: &output)
      return nil
    }
    return kind
  }

  /// Makes all downloads that wait due: the network is back, or the clock was set.
  mutating func hurryDownloads(at now: WallTime) {
    for key in downloadBook.waitingKeys {
      guard var shared = timelines[key] else { continue }
      shared.downloads.hurry(at: now)
      timelines[key] = shared
      planDownloads(shared)
    }
    let latest = now.advanced(byMilliseconds: Limits.downloadPatience)
    for key in timelines.keys where downloadBook.waits(key, beyond: latest) {
      downloadBook.endWaiting(key)
      downloadBook.wait(key, until: latest)
    }
  }

  /// Takes up what the last process did not finish.
  mutating func resumeDownloads(of shared: SharedTimeline) {
    if shared.hasDownloads { planDownloads(shared) }
  }

  // MARK: Outcomes

  /// Takes the outcome of a process that downloaded.
  ///
  /// Tokens that are not under way are ignored: a second outcome changes nothing.
  package mutating func fetched(
    _ token: FetchToken, _ outcome: FetchOutcome, at now: Now, into output: inout EngineOutput
  ) {
    guard let items = downloadBook.end(token) else { return }
    var byName: [String: DownloadResult] = [:]
    if case .ended(let results) = outcome {
      for result in results { byName[result.id] = result }
    }
    var results: [TimelineKey: [DownloadResult]] = [:]
    var keys: [TimelineKey] = []
    for (number, item) in items.enumerated() {
      guard let shared = timelines[item.key], shared.downloads.stage == .fetching(token) else {
        continue
      }
      if results[item.key] == nil { keys.append(item.key) }
      let id = shared.downloads.orders[item.index].id
      var result =
        byName[String(number)]
        ?? DownloadResult(id: id, file: nil, error: Self.missingResult(outcome))
      result.id = id
      results[item.key, default: []].append(result)
    }
    for key in keys { arrive(key, results[key] ?? [], at: now, into: &output) }
    startRuns(at: now, into: &output)
    advanceDownloads(at: now, into: &output)
  }

  /// The error of a kind that may not use the network.
  package static let notAllowed = DownloadError(
    .notAllowed, "the kind was not granted the network",
    hint: "ask for it in the manifest (needs: network), and grant it: intent-send permissions")

  /// The error of a download without a result.
  package static func missingResult(_ outcome: FetchOutcome) -> DownloadError {
    switch outcome {
    case .ended:
      DownloadError(.cut, "the download did not come to an end", hint: "it is tried again")
    case .failed(let reason):
      DownloadError(
        .cut, "the download did not come to an end: \(reason)", hint: "it is tried again")
    case .noProgram:
      DownloadError(
        .noProgram, "intent-fetch is not installed",
        hint: "install the package intentd-fetch, or put intent-fetch beside intentd")
    }
  }

  private mutating func arrive(
    _ key: TimelineKey, _ results: [DownloadResult], at now: Now, into output: inout EngineOutput
  ) {
    guard var shared = timelines[key] else { return }
    let arrival = shared.downloads.arrive(results, at: now.wall)
    // Nothing is new, as its provider said before anybody had looked.
    if arrival == .unchanged, shared.downloads.isInterim { shared.confirm(at: now.wall) }
    timelines[key] = shared
    planDownloads(shared)
    // No receipt depends on this write; after a crash the files are fetched again.
    output.unhurriedTimelines.insert(key)
    let errors = results.compactMap(\.error)
    var fields: JSONObject = [
      "files": .int(Int64(results.count - errors.count)), "failed": .int(Int64(errors.count)),
    ]
    if let error = errors.first { fields["reason"] = .string(error.message) }
    switch arrival {
    case .tell: break
    case .unchanged: fields["unchanged"] = true
    case .again(let moment): fields["next"] = .string(moment.rfc3339)
    }
    note(.downloadsDone, of: shared, .download, fields, into: &output)
    switch arrival {
    case .tell: ask(key, .download, receipt: nil, at: now.wall, into: &output)
    case .unchanged, .again: endHeldReceipts(key, into: &output)
    }
    refreshShown(key, at: now.wall, into: &output)
  }

  // MARK: Rules that hold

  /// Sentences for everything that is wrong with downloads; none in a sound engine.
  func checkDownloads() -> [String] {
    var wrong: [String] = []
    if downloadBook.activeCount > Limits.fetchCountMax {
      wrong.append("\(downloadBook.activeCount) processes download")
    }
    for (key, shared) in timelines where shared.hasDownloads {
      let downloads = shared.downloads
      switch downloads.stage {
      case .waiting(let until):
        if downloadBook.dueMoment(of: key) != until {
          wrong.append("downloads of \(key.kind) wait, and nobody wakes for them")
        }
      case .fetching(let token):
        if !downloadBook.isActive(token) {
          wrong.append("downloads of \(key.kind) wait for a process that has ended")
        }
      case .told:
        if shared.isIdle { wrong.append("a provider of \(key.kind) was told of files, and ended") }
      case .here, .none: break
      }
      if case .waiting = downloads.stage {
      } else if downloadBook.dueMoment(of: key) != nil {
        wrong.append("downloads of \(key.kind) are due that nobody wants")
      }
      if !downloads.held.isEmpty, !downloads.isPending {
        wrong.append("receipts of \(key.kind) wait for downloads that nobody wants")
      }
      if downloads.orders.count > DownloadLimits.ordersCountMax {
        wrong.append("\(downloads.orders.count) downloads of \(key.kind)")
      }
    }
    return wrong
  }
}

extension WidgetKind {
  /// Whether its widgets may have files fetched: what is in a box only with the network granted.
  package var mayDownload: Bool {
    switch provider.containment {
    case .open: true
    case .boxed(let permissions): permissions.network
    }
  }

  /// Bytes that its files may have together: half of its cache, so that the rest is left for what its
  /// program keeps there.
  package var downloadBytesMax: Int64 {
    min(DownloadLimits.kindCacheBytesMax, Int64(clamping: provider.allowance.cacheBytesMax / 2))
  }
}
