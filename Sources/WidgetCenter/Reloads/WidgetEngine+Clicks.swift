/// Clicks that a plugin gets as variables of a run of its own: those of i3blocks.
///
/// The clicks wait in the timeline for their runs, one run a click, in their order. So each turn of
/// a wheel counts, also while the plugin runs.
extension WidgetEngine {
  /// Whether a click on the widget may wait for a run of its plugin.
  package func mayClick(_ id: String) -> Bool {
    widgets[id].flatMap { timelines[$0.timelineKey] }
      .map { $0.clickCount < Limits.waitingClickCountMax } ?? false
  }

  /// Keeps a click for the next run of the widget's plugin, which the caller asks for.
  package mutating func noteClick(_ click: PluginRequest, on id: String) {
    guard let key = widgets[id]?.timelineKey else { return }
    timelines[key]?.noteClick(click)
  }
}
