import WidgetKit

struct ForecastEntry: TimelineEntry {
  let date: Date
  let city: CityEntity
  let unit: TemperatureUnit
  let forecast: Forecast

  var relevance: TimelineEntryRelevance? {
    forecast.now.condition == .rain ? TimelineEntryRelevance(score: 50, duration: 3600) : nil
  }
}

struct ForecastProvider: AppIntentTimelineProvider {
  func placeholder(in context: Context) -> ForecastEntry {
    ForecastEntry(
      date: Date(), city: .samples[0], unit: .celsius, forecast: .sample(from: Date()))
  }

  func snapshot(for configuration: SelectCityIntent, in context: Context) async -> ForecastEntry {
    entry(for: configuration, at: Date())
  }

  func timeline(
    for configuration: SelectCityIntent, in context: Context
  ) async -> Timeline<ForecastEntry> {
    let start = Date()
    let entries = (0..<4).map { hour in
      entry(
        for: configuration, at: Calendar.current.date(byAdding: .hour, value: hour, to: start)!)
    }
    return Timeline(entries: entries, policy: .atEnd)
  }

  func recommendations() -> [AppIntentRecommendation<SelectCityIntent>] {
    CityEntity.samples.prefix(2).map { city in
      let intent = SelectCityIntent()
      intent.city = city
      return AppIntentRecommendation(intent: intent, description: city.name)
    }
  }

  private func entry(for configuration: SelectCityIntent, at date: Date) -> ForecastEntry {
    ForecastEntry(
      date: date, city: configuration.city ?? .samples[0], unit: configuration.unit,
      forecast: .sample(from: date))
  }
}
