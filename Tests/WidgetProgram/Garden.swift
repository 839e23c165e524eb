import AppIntents
import SwiftUI
import WidgetKit

/// An entity with numbers for identifiers, whose query names a default.
struct Bed: AppEntity {
  var id: Int
  var name: String
  static var typeDisplayRepresentation: TypeDisplayRepresentation = "Bed"
  static var defaultQuery = BedQuery()
  var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(name)") }
}

struct BedQuery: EntityQuery {
  static let all = [Bed(id: 1, name: "North"), Bed(id: 2, name: "South")]
  func entities(for identifiers: [Int]) async throws -> [Bed] {
    Self.all.filter { identifiers.contains($0.id) }
  }
  func suggestedEntities() async throws -> [Bed] { Self.all }
  func defaultResult() async -> Bed? { Self.all.first }
}

enum Way: String, AppEnum {
  case slowly, fast
  static var typeDisplayRepresentation: TypeDisplayRepresentation = "Way"
  static var caseDisplayRepresentations: [Way: DisplayRepresentation] = [
    .slowly: "Slowly", .fast: "Fast",
  ]
}

/// Would move the default bed if a wrong name were taken for none.
struct MoveBed: AppIntent {
  static var title: LocalizedStringResource = "Move bed"
  @Parameter(title: "Bed") var bed: Bed
  @Parameter(title: "Way", default: .slowly) var way: Way
  @Parameter(title: "Others") var others: [Bed]?
  func perform() async throws -> some IntentResult & ProvidesDialog {
    .result(dialog: "Moved \(bed.name) \(way.rawValue).")
  }
}

/// Needs a yes.
struct ClearBeds: AppIntent {
  static var title: LocalizedStringResource = "Clear the beds"
  func perform() async throws -> some IntentResult & ProvidesDialog {
    try await requestConfirmation()
    return .result(dialog: "They are empty.")
  }
}

/// Has a person who must be chosen, and a bed that need not.
struct Tend: WidgetConfigurationIntent {
  static var title: LocalizedStringResource = "Tend"
  @Parameter(title: "Gardener") var gardener: Person
  @Parameter(title: "Bed") var bed: Bed
}

struct TendProvider: AppIntentTimelineProvider {
  func placeholder(in context: Context) -> Moment { Moment(date: Date()) }
  func snapshot(for configuration: Tend, in context: Context) async -> Moment {
    Moment(date: Date(), text: configuration.gardener.id)
  }
  func timeline(for configuration: Tend, in context: Context) async -> Timeline<Moment> {
    let text = "\(configuration.gardener.id) in \(configuration.bed.name)"
    return Timeline(entries: [Moment(date: Date(), text: text)], policy: .never)
  }
}

struct Garden: Widget {
  var body: some WidgetConfiguration {
    AppIntentConfiguration(kind: "garden", intent: Tend.self, provider: TendProvider()) { entry in
      Text(entry.text)
    }
  }
}
