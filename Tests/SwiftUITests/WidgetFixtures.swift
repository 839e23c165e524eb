import AppIntents
import FoundationAdditions
import SwiftUI

// Whole widgets, written as extensions of iOS are.

private struct WeatherEntry {
  var city = "Beijing"
  var degrees = 21
  var hours = [("10", 21, "sun.max"), ("11", 22, "cloud.sun"), ("12", 19, "cloud.rain")]
}

private struct WeatherView: View {
  @Environment(\.widgetFamily) private var family
  @Environment(\.colorScheme) private var colorScheme
  let entry: WeatherEntry

  var body: some View {
    switch family {
    case .accessoryInline:
      Label("\(entry.city) \(entry.degrees)°", systemImage: "sun.max")
    case .accessoryCircular:
      Gauge(value: Double(entry.degrees), in: -10...40) {
        Text("°C")
      } currentValueLabel: {
        Text("\(entry.degrees)")
      } minimumValueLabel: {
        Text("-10")
      } maximumValueLabel: {
        Text("40")
      }
      .gaugeStyle(.accessoryCircular)
    default:
      VStack(alignment: .leading, spacing: 4) {
        header
        Spacer(minLength: 0)
        if family == .systemMedium { hours }
      }
      .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
      .foregroundStyle(.white)
      .containerBackground(for: .widget) {
        LinearGradient(
          colors: colorScheme == .dark ? [.black, .indigo] : [.blue, .cyan], startPoint: .top,
          endPoint: .bottom)
      }
      .widgetURL(URL(string: "weather://city/\(entry.city)"))
    }
  }

  @ViewBuilder private var header: some View {
    HStack(alignment: .top) {
      VStack(alignment: .leading) {
        Text(entry.city).font(.headline).lineLimit(1).minimumScaleFactor(0.7)
        Text("\(entry.degrees)°")
          .font(.system(size: 44, weight: .thin, design: .rounded))
          .contentTransition(.numericText())
      }
      Spacer()
      Image(systemName: "sun.max.fill").symbolRenderingMode(.multicolor).imageScale(.large)
    }
  }

  private var hours: some View {
    HStack {
      ForEach(entry.hours, id: \.0) { hour, degrees, symbol in
        VStack {
          Text(hour).font(.caption2).foregroundStyle(.secondary)
          Image(systemName: symbol)
          Text("\(degrees)°").font(.caption).monospacedDigit()
        }
        .frame(maxWidth: .infinity)
      }
    }
  }
}

private struct Card: ViewModifier {
  var radius: CGFloat = 12

  func body(content: Content) -> some View {
    content
      .padding(8)
      .background(Color(.sRGB, red: 0.95, green: 0.95, blue: 0.97, opacity: 1))
      .clipShape(RoundedRectangle(cornerRadius: radius, style: .continuous))
  }
}

extension View {
  fileprivate func card() -> some View { modifier(Card()) }
}

private struct TasksView: View {
  struct Task: Identifiable {
    var id: Int
    var title: String
    var isDone: Bool
  }

  @AppStorage("tasks.title") private var title = "Today"
  @State private var isExpanded = false
  let tasks = [
    Task(id: 1, title: "Water plants", isDone: true), Task(id: 2, title: "Call", isDone: false),
  ]

  var body: some View {
    VStack(alignment: .leading) {
      Text(title).font(.title3.bold())
      if tasks.isEmpty {
        Text("Nothing to do")
      } else {
        ForEach(tasks) { task in
          Toggle(isOn: task.isDone, intent: DrinkIntent(glasses: task.id)) {
            Text(task.title).strikethrough(task.isDone)
          }
        }
      }
      if #available(iOS 17, *) { Text("\(tasks.count) tasks").font(.footnote) }
    }
    .card()
    .animation(.easeInOut, value: isExpanded)
  }
}

private struct CountdownView: View {
  let end = Fixture.now.addingTimeInterval(3_600)

  var body: some View {
    ZStack {
      ContainerRelativeShape().fill(Color.black.gradient)
      VStack {
        Text("Launch").font(.caption).textCase(.uppercase).kerning(1)
        Text(timerInterval: Fixture.now...end, countsDown: true)
          .font(.system(.title, design: .monospaced)).multilineTextAlignment(.center)
        ProgressView(timerInterval: Fixture.now...end) {
          EmptyView()
        } currentValueLabel: {
          EmptyView()
        }.tint(.orange)
      }
      .foregroundColor(.white)
      .padding()
    }
  }
}

private struct StocksView: View {
  let rows = [("AAPL", "182.10", 1.2), ("MSFT", "402.00", -0.4)]

  var body: some View {
    VStack(spacing: 0) {
      ForEach(rows, id: \.0) { name, price, change in
        Link(destination: Fixture.url("stocks://quote")) {
          HStack {
            VStack(alignment: .leading) {
              Text(name).bold()
              Text(change, format: .number.precision(.fractionLength(1)))
                .foregroundStyle(change < 0 ? .red : .green)
            }
            Spacer()
            Text(price).monospacedDigit()
          }
          .padding(.vertical, 6)
        }
        Divider()
      }
    }
    .padding(.horizontal)
  }
}

private struct RingView: View {
  var progress = 0.6

  var body: some View {
    ZStack {
      Circle().stroke(lineWidth: 10).opacity(0.2)
      Circle()
        .trim(from: 0, to: progress)
        .stroke(style: StrokeStyle(lineWidth: 10, lineCap: .round))
        .rotationEffect(.degrees(-90))
      Text(progress, format: .percent).font(.title2.weight(.semibold))
    }
    .foregroundStyle(.green)
    .padding()
  }
}

private struct CalendarView: View {
  let columns = Array(repeating: GridItem(.flexible(), spacing: 2), count: 7)

  var body: some View {
    VStack(spacing: 2) {
      Text(Fixture.now, format: .dateTime.month(.wide)).font(.caption.bold())
      LazyVGrid(columns: columns, spacing: 2) {
        ForEach(1..<31) { day in
          Text("\(day)")
            .font(.system(size: 8))
            .frame(width: 16, height: 16)
            .background(day == 24 ? Color.red : .clear)
            .clipShape(Circle())
        }
      }
    }
  }
}

private struct AccessoryView: View {
  @Environment(\.widgetRenderingMode) private var mode

  var body: some View {
    ZStack {
      AccessoryWidgetBackground()
      VStack {
        Image(systemName: "drop.fill").widgetAccentable()
        Text("5").font(.headline).privacySensitive()
      }
    }
    .invalidatableContent()
  }
}

private struct PhotoView: View {
  var body: some View {
    Image("Holiday")
      .resizable()
      .aspectRatio(contentMode: .fill)
      .overlay(alignment: .bottomLeading) {
        Text("Holiday").font(.caption).padding(4).background(.ultraThinMaterial)
      }
      .unredacted()
  }
}

private struct BatteryGauge: GaugeStyle {
  func makeBody(configuration: Configuration) -> some View {
    VStack(alignment: .leading) {
      configuration.label
      GeometryReader { proxy in
        Capsule().fill(.green).frame(width: proxy.size.width * configuration.value, height: 8)
      }
      .frame(height: 8)
      configuration.currentValueLabel
    }
  }
}

private struct BatteryView: View {
  var body: some View {
    Gauge(value: 0.8) {
      Text("Phone")
    } currentValueLabel: {
      Text("80 %")
    }
    .gaugeStyle(BatteryGauge())
    .padding()
  }
}

private struct NewsView: View {
  var body: some View {
    HStack(alignment: .top, spacing: 12) {
      RoundedRectangle(cornerRadius: 8).fill(.quaternary).frame(width: 80)
      VStack(alignment: .leading) {
        Text("TOP STORIES").font(.caption2).fontWeight(.heavy).foregroundStyle(.tint)
        Text("A headline that takes two lines or more of the widget").font(.subheadline)
          .lineLimit(2).fixedSize(horizontal: false, vertical: true)
        Spacer()
        Text(Fixture.now.addingTimeInterval(-600), style: .relative).font(.caption)
          .foregroundStyle(.secondary)
      }
    }
    .padding()
    .tint(.red)
  }
}

extension Fixture {
  static var widgets: [Fixture] {
    [
      Fixture("weather-small") { WeatherView(entry: WeatherEntry()) },
      Fixture("weather-medium", .systemMedium) { WeatherView(entry: WeatherEntry()) },
      Fixture("weather-inline", .accessoryInline) { WeatherView(entry: WeatherEntry()) },
      Fixture("weather-circular", .accessoryCircular) { WeatherView(entry: WeatherEntry()) },
      Fixture("tasks") { TasksView() },
      Fixture("countdown") { CountdownView() },
      Fixture("stocks", .systemMedium) { StocksView() },
      Fixture("ring") { RingView() },
      Fixture("calendar") { CalendarView() },
      Fixture("accessory", .accessoryCircular) { AccessoryView() },
      Fixture("photo") { PhotoView() },
      Fixture("battery") { BatteryView() },
      Fixture("news", .systemMedium) { NewsView() },
    ]
  }

  static var all: [Fixture] { symbols + widgets }
}
