import AppIntents

/// An entity without a default: who greets names a person.
struct Person: AppEntity {
  var id: String
  static var typeDisplayRepresentation: TypeDisplayRepresentation = "Person"
  static var defaultQuery = PersonQuery()
  var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(id)") }
}

struct PersonQuery: EntityQuery {
  static let all = ["Ada", "Grace"].map { Person(id: $0) }
  func entities(for identifiers: [String]) async throws -> [Person] {
    Self.all.filter { identifiers.contains($0.id) }
  }
  func suggestedEntities() async throws -> [Person] { Self.all }
}

struct Greet: AppIntent {
  static var title: LocalizedStringResource = "Greet"
  @Parameter(title: "Person") var person: Person
  @Parameter(title: "Loudness") var loudness: Int?
  func perform() async throws -> some IntentResult & ProvidesDialog {
    .result(dialog: "Hello, \(person.id)!")
  }
}

/// Asks while it runs, in each of the ways.
struct Inquire: AppIntent {
  static var title: LocalizedStringResource = "Inquire"
  @Parameter(title: "Way") var way: String
  @Parameter(title: "Person", requestValueDialog: "Who is it?") var person: Person?
  func perform() async throws -> some IntentResult {
    switch way {
    case "value": _ = try await $person.requestValue()
    case "which": _ = try await $person.requestDisambiguation(among: PersonQuery.all)
    case "this": try await $person.requestConfirmation(for: PersonQuery.all[0])
    case "yes": try await requestConfirmation()
    default: throw $person.needsValueError("Somebody, please.")
    }
    return .result()
  }
}
