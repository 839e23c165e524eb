import WidgetKit

// Widgets, their views and their bundles belong to the main actor. Their protocols are older than
// that, so the compiler warns, as in Xcode.

private struct Moment: TimelineEntry { let date: Date }

private struct Provider: TimelineProvider {
  func placeholder(in context: Context) -> Moment { Moment(date: .now) }
  func getSnapshot(in context: Context, completion: @escaping @Sendable (Moment) -> Void) {}
  func getTimeline(
    in context: Context, completion: @escaping @Sendable (Timeline<Moment>) -> Void
  ) {}
}

private struct Clock: Widget {
  var body: some WidgetConfiguration {
    StaticConfiguration(kind: "clock", provider: Provider()) { Text($0.date, style: .time) }
  }
}

private struct Clocks: WidgetBundle {
  var body: some Widget { Clock() }
}

private struct Face: View {
  var body: some View { Text("face") }
}

nonisolated private func offTheMainActor() {
  // warning: main actor-isolated
  _ = Clock().body
  // warning: main actor-isolated
  Clock.main()
  // warning: main actor-isolated
  _ = Clocks().body
  // warning: main actor-isolated
  _ = Face().body
}

private func policyToAnotherActor(_ policy: TimelineReloadPolicy) {
  // error: non-Sendable type
  let _: @Sendable () -> Void = { print(policy) }
}
