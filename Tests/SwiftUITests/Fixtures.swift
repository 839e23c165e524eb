import AppIntents
import FoundationAdditions
import SwiftUI

/// Views whose content and pictures are kept in `Golden`.
@MainActor
struct Fixture {
  var name: String
  var family: WidgetFamily
  var view: AnyView

  init(_ name: String, _ family: WidgetFamily = .systemSmall, @ViewBuilder _ view: () -> some View)
  {
    self.name = name
    self.family = family
    self.view = AnyView(view())
  }

  /// The moment of every entry.
  nonisolated static let now = Date(timeIntervalSince1970: 1_795_543_200)

  /// A URL of a literal.
  static func url(_ text: StaticString) -> URL {
    guard let url = URL(string: "\(text)") else { preconditionFailure("'\(text)' is no URL") }
    return url
  }

  /// The environment of a request for the fixture.
  var environment: EnvironmentValues { Fixture.environment(family) }

  static func environment(_ family: WidgetFamily = .systemSmall) -> EnvironmentValues {
    var environment = EnvironmentValues()
    environment.widgetFamily = family
    environment.locale = Locale(identifier: "en_GB")
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    environment.calendar = calendar
    environment.timeZone = .gmt
    return environment
  }

  static func evaluated(
    _ view: some View, _ family: WidgetFamily = .systemSmall
  ) -> ViewTree {
    ViewTree.evaluate(view, in: environment(family))
  }
}

/// Adds a glass of water.
struct DrinkIntent: AppIntent {
  static let title: LocalizedStringResource = "Drink"

  @Parameter(title: "Glasses") var glasses: Int

  init() {}
  init(glasses: Int) { self.glasses = glasses }

  func perform() async throws -> some IntentResult { .result() }
}

/// Sets a truth.
struct QuietIntent: SetValueIntent {
  @Parameter(title: "Quiet") var value: Bool

  func perform() async throws -> some IntentResult { .result() }
}

// MARK: Each first-level symbol

extension Fixture {
  static var symbols: [Fixture] {
    [
      Fixture("text") {
        VStack(alignment: .leading) {
          Text("Hello, **world**")
          Text(verbatim: "<b>not bold</b> & \"quoted\"")
          Text("one ") + Text("two").bold().foregroundColor(.red)
          Text("\(3) of \(2.5, specifier: "%.1f") at \(50)%")
          Text("struck").strikethrough().underline()
        }
      },
      Fixture("unavailable", .systemMedium) {
        ContentUnavailableView(
          "Nothing", systemImage: "tray", description: Text("^[3 things](inflect: true) are gone"))
        Text("Sum").accessibility(label: Text("The sum"))
      },
      Fixture("acts") {
        VStack {
          Text("Lamp")
          Button(intent: DrinkIntent(glasses: 1)) { Image(systemName: "plus") }.disabled(true)
          Button(intent: DrinkIntent(glasses: 2)) { Image(systemName: "cup") }
            .accessibilityLabel("Drink two")
          Toggle("Quiet", isOn: true, intent: QuietIntent()).toggleStyle(.button)
          Toggle("Loud", isOn: false, intent: QuietIntent())
          Color("Missing")
        }
      },
      Fixture("dates") {
        VStack {
          Text(now.addingTimeInterval(90), style: .relative)
          Text(now.addingTimeInterval(-3_700), style: .timer)
          Text(now, style: .offset)
          Text(now, style: .date)
          Text(now, style: .time)
          Text(timerInterval: now...now.addingTimeInterval(300), countsDown: true)
          Text(now...now.addingTimeInterval(5_400))
          Text("Ends \(now.addingTimeInterval(60), style: .timer)")
        }
      },
      Fixture("image") {
        HStack {
          Image(systemName: "cloud.rain.fill").resizable().frame(width: 24, height: 24)
          Image(systemName: "sun.max").foregroundStyle(.orange)
          Label("Rain", systemImage: "cloud.rain")
          Label("Icon", systemImage: "star").labelStyle(.iconOnly)
        }
      },
      Fixture("stacks") {
        VStack(alignment: .leading, spacing: 12) {
          HStack(alignment: .firstTextBaseline, spacing: 4) {
            Text("left")
            Spacer()
            Text("right")
          }
          Divider()
          ZStack(alignment: .bottomTrailing) {
            Color.blue
            Text("over")
          }
          Group {
            Text("a")
            Text("b")
          }.font(.caption)
        }
      },
      Fixture("for-each") {
        VStack {
          ForEach(0..<3) { Text("row \($0)") }
          ForEach(["x", "y"], id: \.self) { Text($0) }
        }
      },
      Fixture("link", .systemMedium) {
        VStack {
          Text("Stops")
          Link("Beijing", destination: url("weather://city/Beijing"))
          Link(destination: url("https://a.org/?q=1&r=%22")) {
            HStack {
              Image(systemName: "tram")
              Text("N6")
            }
          }
          Link("Bad", destination: url("javascript:alert(1)"))
        }.widgetURL(url("weather://home"))
      },
      Fixture("controls") {
        VStack {
          Text("Water")
          Button(intent: DrinkIntent(glasses: 1)) { Label("Drink", systemImage: "drop") }
          Button("Closure") {}
          Toggle("Remind", isOn: true, intent: DrinkIntent(glasses: 0))
          Button("Plain", intent: DrinkIntent(glasses: 2)).buttonStyle(.plain)
          Button("Prominent", intent: DrinkIntent(glasses: 3)).buttonStyle(.borderedProminent)
        }
      },
      Fixture("measures") {
        VStack {
          Gauge(value: 0.42) {
            Text("Battery")
          } currentValueLabel: {
            Text("42 %")
          }
          Gauge(value: 7, in: 0...10) {
            Text("UV")
          } currentValueLabel: {
            Text("7")
          }.gaugeStyle(.accessoryCircular).tint(.green)
          ProgressView(value: 0.25)
          ProgressView("Loading", value: 3, total: 4)
          ProgressView()
          ProgressView(timerInterval: now.addingTimeInterval(-60)...now.addingTimeInterval(60))
        }
      },
      Fixture("paints") {
        VStack {
          Text("semantic").foregroundStyle(.secondary)
          Text("blue").foregroundColor(Color(red: 0, green: 0.5, blue: 1))
          LinearGradient(colors: [.red, .blue], startPoint: .top, endPoint: .bottom)
          RadialGradient(colors: [.white, .black], center: .center, startRadius: 0, endRadius: 40)
          AngularGradient(colors: [.red, .green], center: .center)
          Text("plate").padding(4).background(.thinMaterial, in: Capsule())
        }
      },
      Fixture("shapes") {
        HStack {
          Rectangle().fill(.red).frame(width: 10, height: 10)
          RoundedRectangle(cornerRadius: 4).stroke(.blue, lineWidth: 2)
          Circle().trim(from: 0, to: 0.7).stroke(.green, lineWidth: 6)
          Capsule()
          Ellipse().fill(.yellow)
          ContainerRelativeShape().fill(.gray)
          UnevenRoundedRectangle(topLeadingRadius: 8).fill(.mint)
        }
      },
      Fixture("containers", .systemMedium) {
        VStack {
          GeometryReader { proxy in Text("\(Int(proxy.size.width))") }
          ViewThatFits {
            Text("first")
            Text("second")
          }
          LazyVGrid(columns: [GridItem(.flexible()), GridItem(.fixed(40))]) {
            ForEach(0..<4) { Text("\($0)") }
          }
          Grid {
            GridRow {
              Text("a")
              Text("b")
            }
          }
          AnyView(EmptyView())
        }
      },
      Fixture("boxes") {
        Text("boxed")
          .padding(4).background(.yellow).cornerRadius(6).padding(.horizontal, 2)
          .frame(maxWidth: .infinity, alignment: .leading)
          .border(.red, width: 2).opacity(0.5).offset(x: 1, y: -1).rotationEffect(.degrees(10))
          .overlay(alignment: .topTrailing) { Circle().fill(.red).frame(width: 8, height: 8) }
          .background { Color.green.opacity(0.2) }
          .shadow(radius: 2)
      },
      Fixture("covered") {
        VStack {
          Text("secret").privacySensitive()
          Text("shown").unredacted()
          Text("hidden").hidden()
        }.redacted(reason: .privacy)
      },
      Fixture("words") {
        VStack {
          Text("upper").textCase(.uppercase)
          Text("a long text that is cut somewhere").lineLimit(1)
          Image(systemName: "star").accessibilityLabel("Favourite")
          Text("tip").help("More")
        }.multilineTextAlignment(.trailing)
      },
    ]
  }
}
