import DaemonCore
import DaemonRuntime
import Downloads
import EventLoop
import JSON
import Timekeeping
import WidgetCenter

/// Fetches the files that an answer asks for, as the daemon does, but once, at once, and over a network
/// that costs, too.
struct TrialDownloads {
  let loop: Loop
  let launcher: ProviderLauncher
  let options: RuntimeOptions
  /// The folder above the caches of the kinds.
  let cacheFolder: String

  /// Returns the results of the orders in an answer; empty: it asks for nothing.
  ///
  /// Runs the loop, which is stopped when they are there.
  func results(for outcome: ProviderOutcome?, of kind: WidgetKind) -> [DownloadResult] {
    guard case .answered(let bytes, _) = outcome,
      case .success(let answer) = WidgetEngine.readAnswer(bytes),
      let orders = answer.downloads, !orders.isEmpty
    else { return [] }
    guard kind.mayDownload else {
      return orders.map {
        DownloadResult(id: $0.id, file: nil, error: WidgetEngine.notAllowed)
      }
    }
    let items = orders.enumerated().map { index, order in
      FetchRequest.Item(
        name: String(index), kind: kind.kind, bundle: kind.bundle, order: order,
        folderBytesMax: kind.downloadBytesMax, isPublicOnly: kind.origin == .installed,
        mayCost: true)
    }
    var fetched: FetchOutcome?
    var isWaiting = false
    let runner = FetchRunner(
      loop: loop, supervisor: launcher.supervisor, options: options, cacheFolder: cacheFolder
    ) { [unowned loop] event in
      if case .fetched(_, let outcome) = event { fetched = outcome }
      // A loop that does not run keeps the order to stop for its next run.
      if isWaiting { loop.stop() }
    }
    runner.start(FetchRequest(token: FetchToken(1), items: items))
    isWaiting = true
    if fetched == nil { loop.runUntilStopped() }
    runner.close()
    return orders.enumerated().map { index, order in
      var found: DownloadResult?
      if case .ended(let results) = fetched {
        found = results.first { $0.id == String(index) }
      }
      var result =
        found
        ?? DownloadResult(
          id: order.id, file: nil,
          error: WidgetEngine.missingResult(fetched ?? .failed("it was interrupted")))
      result.id = order.id
      if result.error != nil { result.file = nil }
      result.file?.isUnchanged = false
      return result
    }
  }
}
