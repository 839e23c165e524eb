/// An application as its `.desktop` file describes it.
///
/// It has only the keys that opening needs. Menu keys (`NoDisplay`, `OnlyShowIn`, `NotShowIn`) are
/// not read: an entry that no menu shows may still open a URL. Source: Desktop Entry Specification
/// 1.5.
package struct DesktopEntry: Hashable, Sendable {
  /// The entry's path below `applications/`, with `-` for `/`, ending in `.desktop`.
  package var id: String
  /// The absolute path of the file.
  package var path: String
  /// `Name` in the person's language; `nil` when the entry has none.
  package var name: String?
  /// `Exec` after string escapes and before unquoting; `nil` when absent.
  package var exec: String?
  /// A program without which the entry is not used; `nil` when absent or empty.
  package var tryExec: String?
  /// `Icon`; `nil` when absent or empty.
  package var icon: String?
  /// `Path`: the folder in which the program starts; `nil` when absent or empty.
  ///
  /// The reader does not check that it exists.
  package var workingDirectory: String?
  /// Whether the person removed the entry: it then does not exist in this directory and in later
  /// ones.
  package var isHidden: Bool
  package var isTerminal: Bool
  package var isDBusActivatable: Bool
  package var startupNotify: Bool
  /// The MIME types, in lower case and in the file's order.
  package var mimeTypes: [String]

  /// Reads one desktop file.
  ///
  /// A hidden entry needs no other key to be valid. `locales` are the names to look for in
  /// `Name[…]`, best first; see `localeNames`.
  package static func parse(
    _ bytes: [UInt8], id: String, path: String, locales: [String] = []
  ) -> Result<DesktopEntry, LaunchRefusal> {
    KeyFile.parse(bytes, path: path).flatMap { file in
      let group = "Desktop Entry"
      guard file.firstGroup == group else {
        return .failure(
          LaunchRefusal(.noHandler, "\(path) is no desktop entry: [\(group)] must come first"))
      }
      let isHidden = file.boolean("Hidden", in: group)
      let type = file.string("Type", in: group)
      guard type == "Application" || isHidden else {
        return .failure(
          LaunchRefusal(
            .noHandler,
            "\(path) is no application: its Type is '\(type ?? "")', expected 'Application'"))
      }
      func nonEmpty(_ key: String) -> String? {
        file.string(key, in: group).flatMap { $0.isEmpty ? nil : $0 }
      }
      let name = locales.lazy.compactMap { nonEmpty("Name[\($0)]") }.first
      return .success(
        DesktopEntry(
          id: id, path: path, name: name ?? nonEmpty("Name"), exec: nonEmpty("Exec"),
          tryExec: nonEmpty("TryExec"), icon: nonEmpty("Icon"), workingDirectory: nonEmpty("Path"),
          isHidden: isHidden, isTerminal: file.boolean("Terminal", in: group),
          isDBusActivatable: file.boolean("DBusActivatable", in: group),
          startupNotify: file.boolean("StartupNotify", in: group),
          mimeTypes: file.list("MimeType", in: group).map { $0.lowercased() }))
    }
  }

  /// Returns the names to look for in `Name[…]`, best first.
  ///
  /// `locale` is the locale of messages (`de_AT.UTF-8@euro`), `language` the colon-separated list
  /// `LANGUAGE`, which the locales C and POSIX switch off.
  package static func localeNames(locale: String?, language: String?) -> [String] {
    let locale = locale ?? ""
    guard !locale.isEmpty, !["C", "POSIX"].contains(locale.prefix { $0 != "." }) else { return [] }
    var names: [String] = []
    let wishes = (language ?? "").split(separator: ":") + [Substring(locale)]
    // Bounded, because the variable may have any length; a person lists a few.
    for wish in wishes.prefix(16) {
      let base = wish.prefix { $0 != "." && $0 != "@" }
      let modifier = wish.firstIndex(of: "@").map { wish[$0...] } ?? ""
      let tongue = base.prefix { $0 != "_" }
      for name in [base + modifier, base, tongue + modifier, tongue]
      where !name.isEmpty && !names.contains(String(name)) {
        names.append(String(name))
      }
    }
    return names
  }
}
