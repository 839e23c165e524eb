import Intents
import WidgetKit

// The part of Intents and AppIntents that widgets use.

private func sirikit() async throws {
  let intent = INIntent()
  let _: String? = intent.identifier
  let _: String? = intent.intentDescription
  intent.suggestedInvocationPhrase = "words"
  let copy = intent.copy() as? INIntent
  let interaction = INInteraction(intent: intent, response: nil)
  interaction.identifier = "one"
  interaction.groupIdentifier = "group"
  interaction.dateInterval = DateInterval(start: .now, duration: 1)
  interaction.donate { (error: (any Error)?) in print(error as Any) }
  interaction.donate(completion: nil)
  try await interaction.donate()
  INInteraction.deleteAll(completion: nil)
  INInteraction.delete(with: ["one"], completion: nil)
  INInteraction.delete(with: "group", completion: nil)
  print(interaction.intentHandlingStatus == .unspecified, interaction.direction, copy as Any)

  let object = INObject(identifier: "id", display: "words")
  let _: String? = object.identifier
  let _: String = object.displayString
  object.subtitleString = "more"
  object.displayImage = INImage(named: "image")
  object.alternativeSpeakableMatches = [INSpeakableString(spokenPhrase: "words")]
  let _ = INObject(identifier: "id", display: "words", pronunciationHint: "hint")
  let _ = INObject(identifier: "id", display: "words", subtitle: "more", image: nil)
  let _ = INObjectCollection(items: [object])
  let _ = INObjectCollection(sections: [INObjectSection(title: "section", items: [object])])

  let activity = NSUserActivity(activityType: "org.example.show")
  activity.title = "Show"
  activity.userInfo = ["id": 3]
  activity.becomeCurrent()
  let _: ChooseColour? = activity.widgetConfigurationIntent(of: ChooseColour.self)
}

enum Shade: String, AppEnum {
  case light, dark
  static let typeDisplayRepresentation: TypeDisplayRepresentation = "Shade"
  static let caseDisplayRepresentations: [Shade: DisplayRepresentation] = [
    .light: "Light", .dark: DisplayRepresentation(title: "Dark", subtitle: "at night"),
  ]
}

struct Paint: AppEntity {
  static let typeDisplayRepresentation = TypeDisplayRepresentation(name: "Paint")
  static let defaultQuery = PaintQuery()
  let id: UUID
  var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(id)") }
}

struct PaintQuery: EntityStringQuery {
  func entities(for identifiers: [UUID]) async throws -> [Paint] { identifiers.map(Paint.init) }
  func entities(matching string: String) async throws -> IntentItemCollection<Paint> {
    IntentItemCollection(items: [])
  }
  func suggestedEntities() async throws -> IntentItemCollection<Paint> {
    IntentItemCollection(sections: [IntentItemSection("Paints", items: [] as [Paint])])
  }
  func defaultResult() async -> Paint? { nil }
}

struct Colours: DynamicOptionsProvider {
  func results() async throws -> [String] { ["red"] }
  func defaultResult() async -> String? { "red" }
}

struct PaintWall: AppIntent, PredictableIntent {
  static let title: LocalizedStringResource = "Paint Wall"
  static let description: IntentDescription? = IntentDescription(
    "Paints.", categoryName: "Walls", searchKeywords: ["wall"])
  static let openAppWhenRun = false
  static let isDiscoverable = true

  @Parameter(title: "Name", description: "Of the wall", default: "North") var name: String
  @Parameter(title: "Shade", default: .light) var shade: Shade
  @Parameter(title: "Paint", query: PaintQuery()) var paint: Paint
  @Parameter(title: "Colour", optionsProvider: Colours()) var colour: String?
  @Parameter(title: "Coats", default: 2, inclusiveRange: (1, 5)) var coats: Int
  @Parameter(title: "Shine", default: 0.5, controlStyle: .slider, inclusiveRange: (0, 1))
  var shine: Double
  @Parameter(title: "Dry", default: true) var isDry: Bool
  @Parameter(title: "Day", kind: .date) var day: Date?
  @Parameter(title: "Page") var page: URL?
  @Parameter(title: "Others", size: [.systemSmall: 1, .systemMedium: 2]) var others: [Paint]

  static var parameterSummary: some ParameterSummary {
    Switch(\.$shade) {
      Case(.light) {
        Summary("Paint \(\.$name) with \(\.$paint)") { \.$coats }
      }
      DefaultCase {
        When(\.$isDry, .equalTo, true) {
          Summary("Paint \(\.$name)")
        } otherwise: {
          Summary()
        }
      }
    }
  }

  static var predictionConfiguration: some IntentPredictionConfiguration {
    IntentPrediction(parameters: (\.$name, \.$shade)) { name, shade in
      DisplayRepresentation(title: "\(name)")
    }
  }

  func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
    guard !name.isEmpty else { throw $name.needsValueError("Which wall?") }
    return .result(value: coats, dialog: "Painted \(name).")
  }
}

struct OpenPaint: OpenIntent {
  static let title: LocalizedStringResource = "Open Paint"
  @Parameter(title: "Paint") var target: Paint
  func perform() async throws -> some IntentResult { .result() }
}

struct Migrated: WidgetConfigurationIntent, CustomIntentMigratedAppIntent {
  static let intentClassName = "OldIntent"
  static let title: LocalizedStringResource = "Migrated"
}

private func donateNow() {
  IntentDonationManager.shared.donate(intent: PaintWall())
  PaintWall().donate()
}

private func donate() async throws {
  try await IntentDonationManager.shared.donate(intent: PaintWall())
  try await PaintWall().donate()
}

struct ShowWall: AppIntent {
  static let title: LocalizedStringResource = "Show Wall"
  func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog
    & ShowsSnippetView
  { .result(value: 1, dialog: "Here it is.") { Text("wall") } }
}

struct ShowPaint: AppIntent {
  static let title: LocalizedStringResource = "Show Paint"
  func perform() async throws -> some ProvidesDialog & ShowsSnippetView {
    .result(dialog: "Here it is.", view: Text("paint"))
  }
}
