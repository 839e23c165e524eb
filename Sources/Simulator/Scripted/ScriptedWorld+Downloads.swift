import DaemonCore
import Downloads
import JSON
import Timekeeping
import VirtualTime
package import WidgetCenter

/// Downloads of a scenario: each kind has a list of outcomes, of which the last one is repeated.
extension ScriptedWorld {
  package func fetch(_ request: FetchRequest) {
    var takes: Int64 = 0
    var isMissing = false
    var fetches: [String: ScenarioDocument.Fetch] = [:]
    var results: [DownloadResult] = []
    for item in request.items {
      note(
        "fetch",
        [
          "kind": .string(item.kind), "fetch": .int(Int64(request.token.number)),
          "id": .string(item.order.id), "url": .string(item.order.url.text),
          "publicOnly": .bool(item.isPublicOnly), "metered": .bool(item.mayCost),
        ])
      let fetch = fetches[item.kind] ?? nextFetch(of: item.kind)
      fetches[item.kind] = fetch
      takes = max(takes, fetch.takes)
      isMissing = isMissing || fetch.isMissing
      results.append(result(of: item, fetch))
    }
    let outcome = isMissing ? FetchOutcome.noProgram : .ended(results)
    clock.plan(.event(life: life, .fetched(request.token, outcome)), after: takes)
  }

  private func nextFetch(of kind: String) -> ScenarioDocument.Fetch {
    let all = document.kinds.first { $0.name == kind }?.fetches ?? []
    let number = fetched[kind, default: 0]
    fetched[kind] = number + 1
    return all.isEmpty ? ScenarioDocument.Fetch() : all[min(number, all.count - 1)]
  }

  private func result(
    of item: FetchRequest.Item, _ fetch: ScenarioDocument.Fetch
  ) -> DownloadResult {
    guard let content = fetch.files[item.order.id] else {
      return DownloadResult(
        id: item.name, file: nil,
        error: DownloadError(
          fetch.code, "the scenario says so", hint: "look at the scenario", status: fetch.status,
          retryAt: fetch.retryAfter.map { clock.now.wall.advanced(byMilliseconds: $0) }))
    }
    return DownloadResult(
      id: item.name,
      file: .init(
        path: "/cache/\(item.kind)/downloads/\(item.order.id)-\(content)", status: 200,
        isUnchanged: false, byteCount: 3, date: clock.now.wall))
  }
}
