import JSON

/// A request in a URL of a menu-bar plugin host, mapped to something that a widget can do.
///
/// ```
/// swiftbar://refreshallplugins                      reload every widget
/// swiftbar://refreshplugin?name=weather             reload the widgets of a kind
/// xbar://app.xbarapp.com/refreshPlugin?path=…       the same
/// bitbar://refreshPlugin?name=*                     every widget
/// ```
///
/// Hosts and verbs in any case. Everything else that those hosts take is refused with what to do
/// instead; a URL that brings code along (`addplugin`, `openPlugin`) always.
package enum PluginHostURL: Hashable, Sendable {
  case reloadAll
  /// `ignored`: names of query items that would have gone into the plugin's environment.
  ///
  /// No text of a URL ever gets into that environment.
  case reload(Target, ignored: [String])

  /// The kind that a URL means.
  package enum Target: Hashable, Sendable {
    /// A kind's id, its name, or the name or path of its file.
    case named(String)
    /// The n-th kind in the order of ids, from 0.
    case index(Int)
  }

  package static let schemes: Set<String> = ["swiftbar", "xbar", "bitbar"]

  private static let verbs: [String: Answer] = [
    "refreshallplugins": .reloadAll, "refreshplugin": .reload,
    "addplugin": .refuse(code), "openplugin": .refuse(code),
    "enableplugin": .refuse(placing), "disableplugin": .refuse(placing),
    "toggleplugin": .refuse(placing),
    "notify": .refuse("notifications are not shown from here; send one with notify-send"),
    "setephemeralplugin": .refuse(
      "content does not come by URL; hand a placed widget its timeline with 'intent-send push ID FILE'"
    ),
    "copysystemreport": .refuse(report), "opensystemreport": .refuse(report),
  ]

  private enum Answer {
    case reloadAll, reload
    case refuse(String)
  }

  private static let code =
    "it would fetch code and run it; save the plugin yourself, look at it, and name it in a manifest in widgets/"
  private static let placing =
    "a widget is placed or it is not; place one with 'intent-send add KIND', take it away with 'intent-send remove ID'"
  private static let report = "see 'intent-send status'"

  /// Reads a URL of one of `schemes`.
  static func parse(_ url: ProfiledURL) -> Result<PluginHostURL, RouterError> {
    var words = [url.host].compactMap { $0 } + url.pathSegments
    if words.last == "" { words.removeLast() }
    // xbar writes a host that is not a place before its verb.
    if url.scheme == "xbar", words.count > 1, words[0].lowercased() == "app.xbarapp.com" {
      words.removeFirst()
    }
    let name = words.count == 1 ? words[0] : words.joined(separator: "/")
    switch verbs[name.lowercased()] {
    case .none:
      return .failure(
        .unknown(.unsupportedVerb, "verb of \(url.scheme)", name, among: verbs.keys.sorted()))
    case .refuse(let advice):
      return .failure(
        RouterError(
          .unsupportedVerb, "'\(url.scheme)' cannot '\(name.lowercased())' here: \(advice)")
      )
    case .reloadAll: return .success(.reloadAll)
    case .reload: return target(url)
    }
  }

  private static func target(_ url: ProfiledURL) -> Result<PluginHostURL, RouterError> {
    let names = ["plugin", "name", "path", "index"]
    let given = url.queryItems.filter { names.contains($0.name.lowercased()) }
    guard given.count == 1, let item = given.first, !item.value.isEmpty else {
      return .failure(
        RouterError(
          .invalidParameter,
          "'\(url.scheme)' says \(given.count > 1 ? "twice" : "not") which plugin to refresh; name it once, as refreshplugin?name=NAME"
        ))
    }
    let ignored = url.queryItems.map(\.name).filter { !names.contains($0.lowercased()) }
    if item.name.lowercased() == "index" {
      guard let index = Int(item.value), (0...Limits.barIndexMax).contains(index) else {
        return .failure(
          RouterError(
            .invalidParameter,
            "the index \(quoted(item.value)) is none; write a number from 0 to \(Limits.barIndexMax)"
          ))
      }
      return .success(.reload(.index(index), ignored: ignored))
    }
    return .success(
      item.value == "*" ? .reloadAll : .reload(.named(item.value), ignored: ignored))
  }
}
