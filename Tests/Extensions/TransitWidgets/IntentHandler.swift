import Intents

class IntentHandler: INExtension, ShowBoardIntentHandling, ReserveSeatsIntentHandling {
  func provideStopOptionsCollection(
    for intent: ShowBoardIntent, searchTerm: String?,
    with completion: @escaping (INObjectCollection<Stop>?, Error?) -> Void
  ) {
    let stops = Timetable.stops.filter {
      searchTerm.map($0.displayString.localizedCaseInsensitiveContains) ?? true
    }
    completion(INObjectCollection(items: stops), nil)
  }

  func defaultStop(for intent: ShowBoardIntent) -> Stop? { Timetable.stops.first }

  func confirm(
    intent: ReserveSeatsIntent, completion: @escaping (ReserveSeatsIntentResponse) -> Void
  ) {
    // A stopped carriage is full, whoever asks.
    guard let count = intent.count?.intValue, count <= 8 else {
      return completion(.full(count: 8))
    }
    completion(ReserveSeatsIntentResponse(code: .ready, userActivity: nil))
  }

  func handle(intent: ReserveSeatsIntent) async -> ReserveSeatsIntentResponse {
    let count = intent.count ?? 1
    if count.intValue > 6 { return ReserveSeatsIntentResponse(code: .waiting, userActivity: nil) }
    return count.intValue == 0
      ? ReserveSeatsIntentResponse(code: .failure, userActivity: nil) : .success(count: count)
  }

  override func handler(for intent: INIntent) -> Any { self }
}
