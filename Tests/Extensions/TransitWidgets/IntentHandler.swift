import Intents

class IntentHandler: INExtension, ShowBoardIntentHandling {
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

  override func handler(for intent: INIntent) -> Any { self }
}
