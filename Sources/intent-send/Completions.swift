import BlockingClient
import IntentProtocol
import JSON

// Completes arguments in a shell with names from the daemon; without a daemon there are none.

/// The families of widgets, which a shell offers.
///
/// A test compares them with the daemon's `WidgetFamily`, whose module no client imports.
let familyNames = [
  "systemSmall", "systemMedium", "systemLarge", "systemExtraLarge", "systemExtraLargePortrait",
  "accessoryCircular", "accessoryRectangular", "accessoryInline", "accessoryCorner",
]

/// Returns a family as the daemon calls it, whatever its case: `systemmedium`, `medium`.
///
/// Another name stays as it is, and the daemon says what is wrong with it.
@Sendable func canonicalFamily(_ name: String) -> String {
  let wanted = name.lowercased()
  let found =
    familyNames.first { $0.lowercased() == wanted }
    ?? familyNames.first { ["system" + wanted, "accessory" + wanted].contains($0.lowercased()) }
  return found ?? name
}

/// Returns the ids of the placed widgets.
@Sendable func completeWidgets(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completions(.widgetList, list: "widgets", member: "id")
}

/// Returns the kinds that can be added.
@Sendable func completeKinds(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completions(.galleryList, list: "kinds", member: "kind")
}

/// Returns the names of the intents.
@Sendable func completeIntents(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completions(.intentList, list: "intents", member: "name")
}

/// Asks the daemon for names; returns none after half a second, because a person waits.
private func completions(_ method: Method, list: String, member: String) -> [String] {
  do throws(ClientError) {
    var client = try DaemonClient(
      connectingTo: CommonOptions.usualSocketPath, timeoutMilliseconds: 200)
    let result = try client.request(method, [:], timeoutMilliseconds: 500)
    let names = result[list]?.arrayValue?.compactMap { $0[member]?.stringValue } ?? []
    return names.filter(isInertWord)
  } catch {
    // Return no completions: an error message would stand in the middle of the person's command
    // line.
    return []
  }
}

/// Returns whether a shell takes `name` for itself, without quotes.
///
/// `compgen -W` of bash expands the words that it is given, so that a kind called `$(reboot)` would
/// run with the next press of the tab key. No other name is offered.
func isInertWord(_ name: String) -> Bool {
  name.first != "-"
    && name.unicodeScalars.allSatisfy {
      switch $0 {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", ":", "/", "@", "+", "=", ",", "%": true
      default: $0.properties.isAlphabetic && !$0.properties.isDefaultIgnorableCodePoint
      }
    }
}
