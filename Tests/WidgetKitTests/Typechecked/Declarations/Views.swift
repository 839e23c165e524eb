import SwiftUI
import WidgetKit

// What stands beside the provider in a widget's file: modifiers, values and views of WidgetKit.

private struct Everything: View {
  @Environment(\.widgetFamily) private var family: WidgetFamily
  @Environment(\.widgetRenderingMode) private var mode: WidgetRenderingMode
  @Environment(\.showsWidgetContainerBackground) private var shows: Bool
  @Environment(\.showsWidgetLabel) private var label: Bool
  @Environment(\.widgetContentMargins) private var margins: EdgeInsets
  @Environment(\.levelOfDetail) private var detail: LevelOfDetail
  @Environment(\.activityFamily) private var activity: ActivityFamily
  @Environment(\.isActivityFullscreen) private var full: Bool

  var body: some View {
    VStack {
      AccessoryWidgetBackground()
      Link("Link", destination: URL(string: "a:b")!)
      Button("Ring", intent: Ring())
      Button(intent: Ring()) { Text("Ring") }
      Button("Ring", systemImage: "bell", intent: Ring())
      Button(role: .cancel, intent: Ring()) { Text("Ring") }
      Toggle("Lamp", isOn: true, intent: SwitchLamp())
      Toggle(isOn: true, intent: SwitchLamp()) { Text("Lamp") }
      Text("words").widgetAccentable().widgetAccentable(false)
      Text("words").privacySensitive().unredacted().redacted(reason: .placeholder)
      Text("words").redacted(reason: [.privacy, .invalidated]).invalidatableContent()
      Image("image").widgetAccentedRenderingMode(.accentedDesaturated)
      Gauge(value: 0.5) { Text("a") }.gaugeStyle(.accessoryCircularCapacity)
    }
    .widgetLabel("Label")
    .widgetLabel { ProgressView(value: 0.5) }
    .widgetCurvesContent()
    .widgetURL(URL(string: "a:b"))
    .containerBackground(.blue.gradient, for: .widget)
    .containerBackground(for: .widget, alignment: .top) { Color.red }
    .activityBackgroundTint(.red)
    .activitySystemActionForegroundColor(.red)
    .dynamicIsland(verticalPlacement: .belowIfTooWide)
    .opacity(mode == .vibrant || mode == .accented || mode == .fullColor ? 1 : 0)
  }
}

private struct Everything_Previews: PreviewProvider {
  static var previews: some View {
    Everything().previewContext(WidgetPreviewContext(family: .systemSmall))
  }
}

// MARK: Gestures and values of the author's own

extension EnvironmentValues {
  /// The space: a variable of another name, `var other = 1`, stands in this comment.
  @Entry var space: CGFloat = 8
  @Entry fileprivate var marks = ["a=b": 1]  // A comment behind it.
  @Entry var note: String?
  @Entry public var `default`: (Int) -> Bool = { $0 == 1 }
}

private struct Touched: View {
  @Environment(\.space) var space
  @Environment(\.marks) var marks
  @GestureState private var isDown = false

  var body: some View {
    Text(marks.description)
      .gesture(TapGesture(count: 2).onEnded { _ in })
      .simultaneousGesture(
        DragGesture(minimumDistance: 0).onChanged { _ = $0.translation.width }.onEnded { value in
          _ = value.location.x + value.startLocation.y + value.predictedEndTranslation.height
        }
      )
      .highPriorityGesture(
        LongPressGesture(minimumDuration: 1).updating($isDown) { value, state, _ in state = value }
      )
      .onGeometryChange(for: CGSize.self) {
        $0.size
      } action: {
        _ = $0.width
      }
      .onGeometryChange(for: CGFloat.self) {
        $0.size.width
      } action: { old, new in
        _ = old + new
      }
      .environment(\.space, 3).environment(\.note, "words").environment(\.default) { $0 == 2 }
      .animation(.spring(), value: isDown)
  }
}

// MARK: What corelibs' Foundation lacks

private func foundation() {
  let resource = LocalizedStringResource(
    "key", defaultValue: "\(3) stops", table: "Stops", locale: .current, bundle: .main,
    comment: "for people")
  let _: String = String(localized: resource)
  let _: String = String(localized: "\(3) stops", table: "Stops", bundle: .main, comment: "words")
  let _: String = String(localized: "key", defaultValue: "words")
  let _: URL? = FileManager.default.containerURL(
    forSecurityApplicationGroupIdentifier: "group.org.example")
  let defaults = UserDefaults(suiteName: "group.org.example")
  defaults?.set(3, forKey: "count")
  let _: Any? = defaults?.value(forKey: "count")
  let _: URL? = Bundle.main.url(forResource: "file", withExtension: "json")
  let _: URLSession = .shared
}
