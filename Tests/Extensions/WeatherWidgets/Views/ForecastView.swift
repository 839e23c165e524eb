import SwiftUI
import WidgetKit

struct ForecastView: View {
  @Environment(\.widgetFamily) private var family
  let entry: ForecastEntry

  var body: some View {
    VStack(alignment: .leading) {
      CurrentConditions(entry: entry)
      if family != .systemSmall {
        Spacer(minLength: 8)
        HourlyRow(hours: Array(entry.forecast.hours.prefix(5)), unit: entry.unit)
      }
      if family == .systemLarge {
        Divider().overlay(.white.opacity(0.4))
        ForEach(entry.forecast.hours) { hour in
          HourlyLine(hour: hour, unit: entry.unit)
        }
      }
    }
    .foregroundStyle(.white)
    .widgetURL(URL(string: "weather://city/\(entry.city.id)"))
  }
}

private struct CurrentConditions: View {
  let entry: ForecastEntry

  var body: some View {
    HStack(alignment: .top) {
      VStack(alignment: .leading, spacing: 2) {
        Label(entry.city.name, systemImage: "location.fill")
          .labelStyle(.titleOnly)
          .font(.headline)
        Text(entry.unit.format(entry.forecast.now.temperature))
          .font(.system(size: 42, weight: .light))
          .minimumScaleFactor(0.6)
        Text(entry.forecast.now.condition.name).font(.caption)
        Text(
          "H:\(entry.unit.format(entry.forecast.high)) L:\(entry.unit.format(entry.forecast.low))"
        )
        .font(.caption)
      }
      Spacer()
      Image(systemName: entry.forecast.now.condition.symbolName)
        .symbolRenderingMode(.multicolor)
        .font(.title)
        .accessibilityLabel(Text(entry.forecast.now.condition.name))
    }
  }
}

private struct HourlyRow: View {
  let hours: [HourlyWeather]
  let unit: TemperatureUnit

  var body: some View {
    HStack {
      ForEach(hours) { hour in
        VStack(spacing: 4) {
          Text(hour.date, format: .dateTime.hour()).font(.caption2)
          Image(systemName: hour.condition.symbolName).frame(height: 18)
          Text(unit.format(hour.temperature)).font(.caption.monospacedDigit())
        }
        .frame(maxWidth: .infinity)
      }
    }
  }
}

private struct HourlyLine: View {
  let hour: HourlyWeather
  let unit: TemperatureUnit

  var body: some View {
    HStack {
      Text(hour.date, style: .time).frame(width: 70, alignment: .leading)
      Image(systemName: hour.condition.symbolName)
      Spacer()
      Text(hour.precipitationChance, format: .percent).foregroundStyle(.white.opacity(0.7))
      Text(unit.format(hour.temperature)).bold().frame(width: 40, alignment: .trailing)
    }
    .font(.footnote)
  }
}

struct SkyBackground: View {
  @Environment(\.colorScheme) private var colorScheme
  let condition: Condition

  var body: some View {
    LinearGradient(colors: colors, startPoint: .top, endPoint: .bottom)
  }

  private var colors: [Color] {
    switch (condition, colorScheme) {
    case (.rain, _): return [.gray, .indigo]
    case (_, .dark): return [.black, .blue]
    default: return [.blue, .cyan]
    }
  }
}
