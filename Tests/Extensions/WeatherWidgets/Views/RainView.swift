import SwiftUI
import WidgetKit

struct RainView: View {
  @Environment(\.widgetFamily) private var family
  let entry: ForecastEntry

  private var chance: Double { entry.forecast.now.precipitationChance }

  var body: some View {
    switch family {
    case .accessoryInline:
      ViewThatFits {
        Text("\(Image(systemName: "umbrella")) \(chance, format: .percent) in \(entry.city.name)")
        Text(chance, format: .percent)
      }
    case .accessoryRectangular:
      HStack {
        Image(systemName: "umbrella.fill").widgetAccentable()
        VStack(alignment: .leading) {
          Text(entry.city.name).font(.headline).widgetAccentable()
          ProgressView(value: chance) { Text("Rain") }
        }
      }
    default:
      VStack {
        Gauge(value: chance) {
          Text("Rain")
        } currentValueLabel: {
          Text(chance, format: .percent)
        }
        .gaugeStyle(.accessoryCircularCapacity)
        .tint(.blue)
        Text(entry.city.name).font(.caption).lineLimit(1)
      }
      .padding()
    }
  }
}
