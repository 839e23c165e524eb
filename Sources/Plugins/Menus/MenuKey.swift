import JSON

/// The keys of parameters that any of the families knows.
///
/// Each family reads the keys of all of them: a script for one app works in the others, and an
/// unknown key would otherwise be an error of xbar alone.
enum MenuKey {
  /// Returns whether a key, in lower case, is one of them.
  static func isKnown(_ key: String) -> Bool { lowercased.contains(key) || number(key) != nil }

  /// Returns the key that was meant, as it is written; `nil`: none is near.
  static func nearest(to key: String) -> String? {
    // A short key is near to many.
    guard key.utf8.count >= 3 else { return nil }
    return JSON.nearest(to: key, among: names, countMax: 1).first
  }

  /// Returns N of `paramN`, from 0 to `PluginLimits.menuArgumentMax`; `nil` for any other key.
  static func number(_ key: String) -> Int? {
    guard key.hasPrefix("param") else { return nil }
    let digits = key.dropFirst(5)
    guard (1...3).contains(digits.utf8.count), digits.allSatisfy(\.isASCIIDigit),
      let number = Int(digits), number <= PluginLimits.menuArgumentMax
    else { return nil }
    return number
  }

  private static let names =
    [
      // All three families.
      "color", "href", "bash", "shell", "terminal", "refresh", "size", "font", "image",
      "templateImage", "dropdown", "alternate", "length", "trim", "ansi", "emojize",
      // xbar.
      "disabled", "key",
      // SwiftBar.
      "shortcut", "checked", "tooltip", "badge", "stdin", "symbolize", "sfimage", "sfcolor",
      "sfsize",
      "sfconfig", "sfvalue", "md", "fold", "valign", "webview", "webvieww", "webviewh", "zoom",
      "width", "height",
      // Argos and kargos.
      "iconName", "useMarkup", "unescape", "eval", "imageWidth", "imageHeight", "imageURL",
      "onclick", "wheelUp", "wheelDown", "kargos.fa_icon",
    ]
  private static let lowercased = Set(
    names.map { $0.lowercased() } + (1...10).map { "sfcolor\($0)" })
}
