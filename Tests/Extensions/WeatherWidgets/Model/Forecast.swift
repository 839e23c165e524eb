import Foundation

enum Condition: String, Codable, CaseIterable {
  case clear, cloudy, rain

  var symbolName: String {
    switch self {
    case .clear: return "sun.max.fill"
    case .cloudy: return "cloud.fill"
    case .rain: return "cloud.rain.fill"
    }
  }

  var name: String { rawValue.capitalized }
}

struct HourlyWeather: Identifiable, Codable {
  var id: Date { date }
  let date: Date
  let temperature: Double
  let condition: Condition
  let precipitationChance: Double
}

struct Forecast: Codable {
  let hours: [HourlyWeather]

  var now: HourlyWeather { hours[0] }
  var high: Double { hours.map(\.temperature).max() ?? 0 }
  var low: Double { hours.map(\.temperature).min() ?? 0 }

  static func sample(from date: Date) -> Forecast {
    let hour = Calendar.current.component(.hour, from: date)
    return Forecast(
      hours: (0..<6).map { offset in
        let chance = Double((hour + offset) % 5) / 5
        return HourlyWeather(
          date: Calendar.current.date(byAdding: .hour, value: offset, to: date)!,
          temperature: 18 - abs(Double(hour + offset) - 15) / 2,
          condition: chance > 0.5 ? .rain : chance > 0.2 ? .cloudy : .clear,
          precipitationChance: chance)
      })
  }
}
