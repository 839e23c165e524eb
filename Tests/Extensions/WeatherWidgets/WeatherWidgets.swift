//
//  WeatherWidgets.swift
//  The weather of a city, now and in the next hours.
//

import AppIntents
import SwiftUI
import WidgetKit

@main
struct WeatherWidgets: WidgetBundle {
  var body: some Widget {
    ForecastWidget()
    RainWidget()
  }
}

struct ForecastWidget: Widget {
  static let kind = "org.example.weather.forecast"

  var body: some WidgetConfiguration {
    AppIntentConfiguration(
      kind: Self.kind, intent: SelectCityIntent.self, provider: ForecastProvider()
    ) { entry in
      ForecastView(entry: entry)
        .containerBackground(for: .widget) {
          SkyBackground(condition: entry.forecast.now.condition)
        }
    }
    .configurationDisplayName("Forecast")
    .description("The weather now and in the next hours.")
    .supportedFamilies([.systemSmall, .systemMedium, .systemLarge])
  }
}

struct RainWidget: Widget {
  var body: some WidgetConfiguration {
    AppIntentConfiguration(
      kind: "org.example.weather.rain", intent: SelectCityIntent.self, provider: ForecastProvider()
    ) { entry in
      RainView(entry: entry)
        .containerBackground(.fill.tertiary, for: .widget)
    }
    .configurationDisplayName("Rain")
    .description("The chance of rain.")
    .supportedFamilies([.systemSmall, .accessoryRectangular, .accessoryInline])
    .contentMarginsDisabled()
  }
}

#Preview(as: .systemMedium) {
  ForecastWidget()
} timeline: {
  ForecastEntry(date: .now, city: .samples[0], unit: .celsius, forecast: .sample(from: .now))
}
