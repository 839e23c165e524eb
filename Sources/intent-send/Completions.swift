import BlockingClient
import IntentProtocol
import JSON

/// What a shell offers for an argument, asked of the daemon. Without one there is nothing to offer.

let familyNames = [
  "systemSmall", "systemMedium", "systemLarge", "systemExtraLarge", "accessoryCircular",
  "accessoryRectangular", "accessoryInline",
]

/// The ids of the placed widgets.
@Sendable func completeWidgets(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completions(.widgetList, list: "widgets", member: "id")
}

/// The kinds that can be added.
@Sendable func completeKinds(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completions(.galleryList, list: "kinds", member: "kind")
}

/// The names of the intents.
@Sendable func completeIntents(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completions(.intentList, list: "intents", member: "name")
}

/// A person waits for a completion: half a second, then none.
private func completions(_ method: Method, list: String, member: String) -> [String] {
  do throws(ClientError) {
    var client = try DaemonClient(
      connectingTo: CommonOptions.usualSocketPath, timeoutMilliseconds: 200)
    let result = try client.request(method, [:], timeoutMilliseconds: 500)
    let values =
      result[list]?.arrayValue ?? result.arrayValue
      ?? result.objectValue?.members.lazy.compactMap(\.value.arrayValue).first ?? []
    return values.compactMap { $0[member]?.stringValue }
  } catch {
    // No daemon, no completions: an error message in the middle of a command line helps nobody.
    return []
  }
}
