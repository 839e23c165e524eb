import Downloads
import JSON

extension ProviderAnswer {
  /// Reads the downloads that an answer asks for; `nil`: it says nothing about them.
  static func readDownloads(_ value: JSONValue?) throws(TimelineError) -> [DownloadOrder]? {
    guard let value, !value.isNull else { return nil }
    guard let items = value.arrayValue, items.count <= DownloadLimits.ordersCountMax else {
      let problem = value.arrayValue.map { "a list of \($0.count)" } ?? value.typeName
      throw TimelineError(
        path: "downloads",
        message:
          "downloads is \(problem); expected a list of at most \(DownloadLimits.ordersCountMax), such as [{\"id\":\"feed\",\"url\":\"https://example.org/feed.json\"}]"
      )
    }
    var orders: [DownloadOrder] = []
    for (index, item) in items.enumerated() {
      let order: DownloadOrder
      do throws(DownloadMistake) {
        order = try DownloadOrder(item)
      } catch {
        let path = "downloads[\(index)]" + (error.member.isEmpty ? "" : ".\(error.member)")
        throw TimelineError(
          path: path, message: "\(path): \(error.message); expected \(error.expected)")
      }
      guard !orders.contains(where: { $0.id == order.id }) else {
        throw TimelineError(
          path: "downloads[\(index)].id",
          message:
            "downloads[\(index)].id is \(quoted(order.id)), as that of another one is; each has an id of its own"
        )
      }
      orders.append(order)
    }
    return orders
  }
}
