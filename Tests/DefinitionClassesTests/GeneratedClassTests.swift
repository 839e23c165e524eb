import Foundation
import Intents
import Testing
import WidgetKit

/// Answers in every form that a handler may have.
private final class TideHandler: NSObject, ShowTidesIntentHandling {
  func provideHarbourOptionsCollection(
    for intent: ShowTidesIntent, searchTerm: String?,
    with completion: @escaping (INObjectCollection<TDHarbour>?, (any Error)?) -> Void
  ) {
    let harbour = TDHarbour(identifier: "rye", display: searchTerm ?? "Rye")
    completion(INObjectCollection(items: [harbour]), nil)
    completion(nil, nil)
  }

  func provideOthersOptionsCollection(
    for intent: ShowTidesIntent
  ) async throws -> INObjectCollection<TDHarbour> {
    INObjectCollection(items: [TDHarbour(identifier: "poole", display: "Poole")])
  }

  func provideTagsOptions(
    for intent: ShowTidesIntent, with completion: @escaping ([String]?, (any Error)?) -> Void
  ) {
    completion(["spring", "neap"], nil)
  }

  func provideDaysOptionsCollection(
    for intent: ShowTidesIntent
  ) async throws -> INObjectCollection<NSNumber> {
    throw URLError(.timedOut)
  }

  func defaultHarbour(for intent: ShowTidesIntent) -> TDHarbour? {
    TDHarbour(identifier: "rye", display: "Rye")
  }

  func handle(intent: ShowTidesIntent) async -> ShowTidesIntentResponse {
    .success(count: 2, harbour: TDHarbour(identifier: "rye", display: "Rye"))
  }
}

/// Refuses, or answers twice.
private final class DryHandler: NSObject, ShowTidesIntentHandling {
  var isHandling = false

  func confirm(
    intent: ShowTidesIntent, completion: @escaping (ShowTidesIntentResponse) -> Void
  ) {
    completion(.dryHarbour(harbour: TDHarbour(identifier: "rye", display: "Rye")))
    completion(ShowTidesIntentResponse(code: .ready, userActivity: nil))
  }

  func handle(intent: ShowTidesIntent, completion: @escaping (ShowTidesIntentResponse) -> Void) {
    isHandling = true
  }
}

private func options(
  _ parameter: String, search: String? = nil, from handler: Any
) async throws -> [String]? {
  try await withCheckedThrowingContinuation { continuation in
    let isOffered = ShowTidesIntent()._provideOptions(
      for: parameter, search: search, from: handler
    ) { result in
      continuation.resume(with: result.map { $0.map(\.displayString) })
    }
    if !isOffered { continuation.resume(returning: nil) }
  }
}

struct GeneratedClassTests {
  @Test func `a new intent has the defaults of the definition file`() {
    let intent = ShowTidesIntent()
    #expect(intent.name == "Low \"tide\"")
    #expect(intent.unit == .metres)
    #expect(intent.default == .unknown)
    #expect(intent.style == .default)
    #expect(intent.days == 3)
    #expect(intent.height == 1.5)
    #expect(intent.showsMoon?.boolValue == true)
    #expect(intent.harbour == nil)
    #expect(ShowTidesIntent._definition?.hasPrefix("<?xml") == true)
    // The parameter `name` does not hide the name of the intent from who knows only the parent.
    #expect((intent as INIntent).name == "ShowTides")
    #expect((TDResetTidesIntent() as INIntent).name == "Reset")
  }

  @Test(arguments: [
    ("name", INIntent.Value.string("x")), ("harbour", .string("rye")),
    ("harbour", .fields(["identifier": .string("rye"), "display": .string("Rye")])),
    ("others", .list([.string("rye"), .string("poole")])), ("unit", .string("feet")),
    ("style", .string("bold")), ("units", .list([.string("feet"), .string("metres")])),
    ("days", .integer(7)), ("height", .number(2.5)), ("heights", .list([.integer(1)])),
    ("showsMoon", .boolean(false)), ("flags", .list([.boolean(true), .boolean(false)])),
    ("span", .integer(90)), ("since", .string("2026-11-24")), ("since", .string("09:30")),
    ("since", .string("2026-11-24T09:30:05")), ("page", .string("https://example.org/a")),
    ("tags", .list([.string("a")])),
  ])
  func `a value of the wire is a property, and the same value again`(
    parameter: String, value: INIntent.Value
  ) throws {
    let intent = ShowTidesIntent()
    #expect(intent._set(value, for: parameter))
    let written = try #require(intent._values?[parameter])
    let again = ShowTidesIntent()
    #expect(again._set(written, for: parameter))
    #expect(again._values?[parameter] == written)
    if parameter != "harbour", parameter != "others" { #expect(written == value) }
  }

  @Test(arguments: [
    ("unit", INIntent.Value.string("miles")), ("unit", .integer(9)), ("days", .string("3")),
    ("days", .number(1.5)), ("showsMoon", .integer(2)), ("name", .integer(1)),
    ("heights", .list([.integer(1), .string("x")])), ("since", .string("2026-11")),
    ("since", .string("9")), ("harbour", .integer(1)), ("nothing", .string("x")),
  ])
  func `a value of another type leaves the property alone`(
    parameter: String, value: INIntent.Value
  ) {
    let intent = ShowTidesIntent()
    #expect(!intent._set(value, for: parameter))
    #expect(intent._values == ShowTidesIntent()._values)
  }

  @Test func `an object takes its properties with it`() {
    let harbour = TDHarbour(identifier: "rye", display: "Rye")
    harbour.depth = 3
    harbour.unit = .feet
    harbour.region = Region(identifier: "south", display: "South")
    let intent = ShowTidesIntent()
    #expect(intent._set(harbour._written, for: "harbour"))
    #expect(intent.harbour?.identifier == "rye")
    #expect(intent.harbour?.displayString == "Rye")
    #expect(intent.harbour?.depth == 3)
    #expect(intent.harbour?.unit == .feet)
    #expect(intent.harbour?.region?.displayString == "South")
  }

  @Test func `intents are equal when their properties are, and a copy is equal`() {
    let first = ShowTidesIntent()
    let second = ShowTidesIntent()
    first.days = 5
    #expect(!first.isEqual(second))
    second.days = 5
    #expect(first.isEqual(second))
    let harbour = TDHarbour(identifier: "rye", display: "Rye")
    first.harbour = harbour
    let copy = first.copy() as? ShowTidesIntent
    #expect(copy?.isEqual(first) == true)
    #expect(copy?.harbour === harbour)
  }

  @Test func `options come from whichever form the handler has`() async throws {
    let handler = TideHandler()
    #expect(try await options("harbour", from: handler) == ["Rye"])
    #expect(try await options("harbour", search: "R", from: handler) == ["R"])
    #expect(try await options("others", from: handler) == ["Poole"])
    #expect(try await options("tags", from: handler) == ["spring", "neap"])
    #expect(try await options("page", from: handler) == [])
    await #expect(throws: URLError.self) { try await options("days", from: handler) }
  }

  @Test func `nobody offers values of other parameters, or without the protocol`() async throws {
    #expect(try await options("unit", from: TideHandler()) == nil)
    #expect(try await options("harbour", from: NSObject()) == nil)
  }

  @Test func `a handler confirms and handles, and its sentence has the values of the answer`()
    async
  {
    let (intent, handler) = (ShowTidesIntent(), TideHandler())
    #expect(intent._isHandled(by: handler))
    #expect(!intent._isHandled(by: NSObject()))
    let answer = await withCheckedContinuation { continuation in
      let isHandled = intent._perform(by: handler) { continuation.resume(returning: $0) }
      #expect(isHandled)
    }
    #expect(answer.isDone)
    #expect(answer.sentence == "2 tides at Rye")
    #expect(answer.values["count"] == .integer(2))
    #expect(!intent._perform(by: NSObject()) { _ in })
  }

  @Test func `a handler that does not confirm is not asked to handle, and says why`() async {
    let handler = DryHandler()
    let answer = await withCheckedContinuation { continuation in
      _ = ShowTidesIntent()._perform(by: handler) { continuation.resume(returning: $0) }
    }
    #expect(answer.code == "dryHarbour")
    #expect(!answer.isDone)
    #expect(answer.sentence == "Rye has no water")
    #expect(!handler.isHandling)
  }

  @Test func `a copy of an object has everything that every object has`() throws {
    let harbour = TDHarbour(identifier: "rye", display: "Rye", pronunciationHint: "rie")
    harbour.subtitleString = "East Sussex"
    harbour.displayImage = INImage(named: "rye")
    harbour.alternativeSpeakableMatches = [INSpeakableString(spokenPhrase: "Camber")]
    harbour.depth = 3
    let copy = try #require(harbour.copy() as? TDHarbour)
    #expect(copy.pronunciationHint == "rie")
    #expect(copy.subtitleString == "East Sussex")
    #expect(copy.displayImage === harbour.displayImage)
    #expect(copy.alternativeSpeakableMatches?.map(\.spokenPhrase) == ["Camber"])
    #expect(copy.depth == 3)
  }

  @Test func `a handler says the default of a parameter, or has none`() {
    let intent = ShowTidesIntent()
    let handler = TideHandler()
    #expect(
      intent._defaultValue(for: "harbour", from: handler)
        == .fields(["identifier": .string("rye"), "display": .string("Rye")]))
    #expect(intent._defaultValue(for: "others", from: handler) == nil)
    #expect(intent._defaultValue(for: "unit", from: handler) == nil)
    #expect(intent._defaultValue(for: "harbour", from: NSObject()) == nil)
  }

  @Test func `the form with a completion is made of the async form`() async {
    let handler = TideHandler()
    let (code, count) = await withCheckedContinuation { continuation in
      handler.handle(intent: ShowTidesIntent()) { response in
        continuation.resume(returning: (response.code, response.count?.intValue))
      }
    }
    #expect(code == .success)
    #expect(count == 2)
  }

  @Test func `a response has the codes of the file after those of every response`() {
    #expect(ShowTidesIntentResponseCode.success.rawValue == 4)
    #expect(ShowTidesIntentResponseCode.dryHarbour.rawValue == 100)
    let response = ShowTidesIntentResponse(code: .failure, userActivity: nil)
    #expect(response.code == .failure)
    #expect(ShowTidesIntentResponse().code == .unspecified)
  }
}
