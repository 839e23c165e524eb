import Documents
import Foundation
import IntentRouter
import JSON
import WidgetCenter

@testable import DaemonCore

/// The project's folder.
let projectFolder = URL(filePath: #filePath).resolvingSymlinksInPath()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .path(percentEncoded: false)

extension Harness {
  /// The intents that ship, and four kinds of widgets.
  static let configuration = ConfigurationFiles(catalog: shippedIntents, manifests: manifests)

  static let shippedIntents: [CatalogSource] = {
    let root = projectFolder + "Intents"
    let paths = (FileManager.default.subpaths(atPath: root) ?? []).sorted()
    return paths.compactMap { path in
      guard let kind = CatalogSource.Kind(path: path),
        let data = FileManager.default.contents(atPath: "\(root)/\(path)"),
        let document = readYAML(String(decoding: data, as: UTF8.self), file: path).value
      else { return nil }
      return CatalogSource(file: path, document: document, kind: kind)
    }
  }()

  /// Four kinds: one configured by an intent and owned by an app, one without an app, and two that
  /// only have content.
  static let manifests = [
    manifest(
      "weather.yaml",
      """
      kind: org.example.weather
      name: Weather
      description: Now and the next hours
      families: [systemSmall, systemMedium, accessoryInline]
      intent: ShowWeather
      provider: {exec: [./weather]}
      url: weather://city/{city}
      app: org.example.Weather
      """),
    manifest(
      "agenda.yaml",
      """
      kind: org.example.agenda
      name: Agenda
      families: [systemSmall]
      modes: [compact, expanded]
      intent: ShowAgenda
      provider: {exec: [./agenda]}
      url: https://calendar.example/today
      """),
    manifest(
      "clock.yaml",
      """
      kind: org.example.clock
      name: Clock
      families: [systemSmall, accessoryInline]
      provider: {exec: [./clock]}
      """),
    manifest(
      "news.yaml",
      """
      kind: org.example.news
      name: News
      families: [systemMedium]
      provider: {exec: [./news]}
      """),
  ]

  static func manifest(_ file: String, _ text: String) -> ManifestSource {
    let document = readYAML(text, file: file)
    precondition(document.issues.isEmpty, "\(document.issues)")
    return ManifestSource(
      file: file, directory: "/widgets", document: document.value ?? LocatedValue(.null, line: 1))
  }

  /// Returns a timeline with one entry at 08:00; `more` has further members of the entry.
  static func timeline(_ content: String, _ more: String = "", policy: String = #""never""#)
    -> String
  {
    #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":\#(content)\#(more)}],"policy":\#(policy)}"#
  }

  /// Returns JSON without the numbers of what widgets show, which each daemon gives anew.
  static func withoutRevisions(_ json: String) -> String {
    json.replacing(/"revision":[0-9]+,/, with: "")
  }

  /// Answers each run at once with the text of its kind.
  static func texts(_ run: ProviderRun) -> ProviderOutcome? {
    .answered(Array(timeline(#"{"text":"\#(run.kind)"}"#).utf8))
  }
}
