import ActivityKit
import WidgetKit

// Controls and Live Activities compile, and get no manifest.

struct Lamp: ControlWidget {
  var body: some ControlWidgetConfiguration {
    StaticControlConfiguration(kind: "lamp", provider: LampValue()) { isOn in
      ControlWidgetToggle(isOn: isOn, action: SwitchLamp()) {
        Text("Lamp")
      } valueLabel: { isOn in
        Label(isOn ? "On" : "Off", systemImage: "lightbulb")
      }
      .tint(.yellow)
      .disabled(false)
    }
    .displayName("Lamp")
    .description("Switches the lamp.")
    .promptsForUserConfiguration()
    .pushHandler(Pushes.self)
  }

  struct Pushes: ControlPushHandler {
    func pushTokensDidChange(controls: [ControlInfo]) {}
  }
}

struct LampValue: ControlValueProvider {
  let previewValue = false
  func currentValue() async throws -> Bool { true }
}

struct SwitchLamp: SetValueIntent {
  static let title: LocalizedStringResource = "Switch Lamp"
  @Parameter(title: "On") var value: Bool
  func perform() async throws -> some IntentResult { .result() }
}

struct ChooseLamp: ControlConfigurationIntent {
  static let title: LocalizedStringResource = "Choose Lamp"
  @Parameter(title: "Room") var room: String?
}

struct Bell: ControlWidget {
  var body: some ControlWidgetConfiguration {
    StaticControlConfiguration(kind: "bell") {
      ControlWidgetButton(action: Ring()) {
        Label("Ring", systemImage: "bell")
      } actionLabel: { isActive in
        Text(isActive ? "Ringing" : "Quiet")
      }
    }
  }
}

struct Ring: AppIntent {
  static let title: LocalizedStringResource = "Ring"
  func perform() async throws -> some IntentResult { .result() }
}

struct RoomLamp: ControlWidget {
  var body: some ControlWidgetConfiguration {
    AppIntentControlConfiguration(kind: "room", provider: RoomValue()) { isOn in
      ControlWidgetToggle("Lamp", isOn: isOn, action: SwitchLamp()) { isOn in
        Label(isOn ? "On" : "Off", systemImage: "lightbulb")
      }
    }
  }
}

struct RoomBell: ControlWidget {
  var body: some ControlWidgetConfiguration {
    AppIntentControlConfiguration(kind: "room bell", intent: ChooseLamp.self) { configuration in
      ControlWidgetButton("Ring", action: Ring()) { _ in
        Text(configuration.room ?? "")
      }
    }
  }
}

struct RoomValue: AppIntentControlValueProvider {
  func previewValue(configuration: ChooseLamp) -> Bool { false }
  func currentValue(configuration: ChooseLamp) async throws -> Bool { true }
}

struct Controls: WidgetBundle {
  var body: some Widget {
    if #available(iOS 18, *) {
      Lamp()
      Bell()
      RoomLamp()
      RoomBell()
    }
    Ride()
  }
}

private func controls() async throws {
  let center: ControlCenter = .shared
  let controls: [ControlInfo] = try await center.currentControls()
  let _: [String] = controls.map(\.id) + controls.map(\.kind)
  let _: ChooseLamp? = controls.first?.configurationIntent(of: ChooseLamp.self)
  center.reloadControls(ofKind: "lamp")
  center.reloadAllControls()
}

/// Not `Hashable`: ActivityKit asks for `Codable` alone.
struct RideAttributes: ActivityAttributes {
  struct ContentState: Codable, Hashable { var minutes: Int }
  struct Route: Codable { var name: String }

  var route: Route
}

struct Ride: Widget {
  var body: some WidgetConfiguration {
    ActivityConfiguration(for: RideAttributes.self) { context in
      Text(context.attributes.route.name)
      Text(context.isStale ? context.activityID : "\(context.state.minutes)")
    } dynamicIsland: { context in
      DynamicIsland {
        DynamicIslandExpandedRegion(.leading) { Text("a") }
        DynamicIslandExpandedRegion(.center, priority: 2) {
          Text("b"); Text("c")
        }
        switch context.state.minutes {
        case 0: DynamicIslandExpandedRegion(.bottom) { EmptyView() }
        default: expanded
        }
      } compactLeading: {
        Image(systemName: "car")
      } compactTrailing: {
        Text("\(context.state.minutes)")
      } minimal: {
        Text("m")
      }
      .contentMargins(.trailing, 8, for: .expanded)
      .contentMargins([.leading, .top], 8, for: .minimal)
      .keylineTint(.red)
      .widgetURL(nil)
    }
  }

  @DynamicIslandExpandedContentBuilder
  private var expanded: DynamicIslandExpandedContent<some View> {
    DynamicIslandExpandedRegion(.trailing) { Text("x") }
  }
}

private func activities() async throws {
  guard ActivityAuthorizationInfo().areActivitiesEnabled else { return }
  let content = ActivityContent(
    state: RideAttributes.ContentState(minutes: 3), staleDate: nil, relevanceScore: 1)
  let activity = try Activity<RideAttributes>.request(
    attributes: RideAttributes(route: .init(name: "x")), content: content, pushType: .token)
  await activity.update(content)
  await activity.update(
    content, alertConfiguration: AlertConfiguration(title: "t", body: "b", sound: .default))
  await activity.end(content, dismissalPolicy: .after(.now))
  await activity.end(nil, dismissalPolicy: .immediate)
  for activity in Activity<RideAttributes>.activities where activity.activityState == .active {
    print(activity.id, activity.attributes.route.name, activity.content.state.minutes)
  }
  for await state in activity.activityStateUpdates { print(state) }
  for await token in activity.pushTokenUpdates { print(token) }
  for await content in activity.contentUpdates { print(content.state) }
}

#Preview("Ride", as: .dynamicIsland(.expanded), using: RideAttributes(route: .init(name: "x"))) {
  Ride()
} contentStates: {
  RideAttributes.ContentState(minutes: 1)
  RideAttributes.ContentState(minutes: 2)
}
