package import JSON
import PlainText
package import Plugins

/// A file in a plugins folder as a kind of its own, without a manifest.
extension WidgetKind {
  /// Returns the kind that a file offers, `nil` if it is no plugin; and what is wrong with it.
  ///
  /// Its folder or its tags choose its family, else it is read as xbar reads it. Its name, or
  /// `<swiftbar.schedule>`, says when it runs.
  package static func read(_ source: PluginSource) -> (kind: WidgetKind?, issues: [DocumentIssue]) {
    let tags = PluginTags(source.tags)
    let format =
      source.package == nil ? source.format ?? tags.format ?? .xbar : PluginFormat.swiftbar
    let file = source.path.split(separator: "/").last.map(String.init) ?? ""
    func issue(_ line: Int, _ message: String, _ expected: String = "") -> DocumentIssue {
      DocumentIssue(
        severity: .warning, file: source.path, line: line, message: message, expected: expected)
    }
    let name: PluginFileName
    switch PluginFileName.read(source.name, format) {
    case .success(let read): name = read
    case .failure(.nameless):
      return (nil, [issue(0, "no letter of the file's name can name a widget", "cpu.5s.sh")])
    // Such files belong into a folder of plugins and are none.
    case .failure(.hidden), .failure(.turnedOff), .failure(.values), .failure(.text):
      return (nil, [])
    }
    var plugin = PluginDeclaration(
      format, tags.schedule.isEmpty ? name.schedule : .cron(tags.schedule))
    plugin.isStream = tags.isStream
    plugin.hasTrailingSeparator = tags.hasTrailingSeparator
    if format == .swiftbar, tags.isAlwaysVisible { plugin.emptyTitle = tags.title ?? name.name }
    plugin.runsWhenOpened = name.runsWhenOpened || tags.runsWhenOpened
    let folder = source.path.dropLast(file.count + 1)
    var variables = PluginVariables(
      file: source.path, folder: String(folder), cacheFolder: "", dataFolder: "")
    variables.tags = tags
    variables.values = source.values
    var provider = ProviderDeclaration(
      exec: [source.path], directory: folder.isEmpty ? "/" : String(folder),
      environment: variables.chosen.sorted { $0.key < $1.key }
        .map { .init(name: $0.key, value: $0.value) })
    provider.plugin = plugin
    let kind = WidgetKind(
      kind: name.name, name: tags.title ?? name.name, description: tags.summary ?? "",
      families: [.systemSmall, .accessoryInline], provider: provider, file: source.path)
    var issues = name.warning.map { [issue(0, $0)] } ?? []
    issues += tags.warnings.map { issue($0.line ?? 0, $0.message) }
    issues += slips(in: source.values, tags).map { issue(0, $0) }
    return (kind.held(by: nil), issues)
  }

  /// Says of each value of a person that the script names no variable for it, if it looks like one
  /// that has none.
  ///
  /// Other values are for variables that the script reads without a tag.
  private static func slips(in values: JSONObject, _ tags: PluginTags) -> [String] {
    let names = tags.variables.map(\.name)
    return values.members.compactMap { member in
      guard !names.contains(member.key),
        let meant = nearest(to: member.key, among: names, countMax: 1).first, values[meant] == nil
      else { return nil }
      return "its values have '\(printable(member.key))', which no tag of the script names"
        + didYouMean([meant])
    }
  }
}
