// A host app a page long: its data changes, it says so, and it opens where a tap leads.
//
//   HostAppExample reload      ask for new timelines of this app's widgets, print what came of it
//   HostAppExample widgets     print the widgets that are placed
//   HostAppExample             stay, change something every minute, print what taps open

import WidgetKit

let app = "org.intentd.example.Viewer"
let kind = "org.intentd.example.weather"

switch CommandLine.arguments.dropFirst().first {
case "reload":
  // The app's own kinds are those whose manifest names it, so it says who it is first.
  WidgetCenter.shared.register(app: app, foreground: true) { _ in }
  for receipt in try await WidgetCenter.shared.reloadAllTimelinesWithReceipts() {
    print(receipt.widget, receipt.state)
  }

case "widgets":
  for widget in try await WidgetCenter.shared.currentConfigurations() {
    print(widget.identifier, widget.kind, widget.family, widget.configuration?.name ?? "")
  }

default:
  WidgetCenter.shared.register(app: app, onActivate: { print("a widget without a URL was tapped") })
  {
    print("opened \($0)")
  }
  while true {
    // Here the app's data would change. As on iOS, nothing is waited for and nothing can go wrong;
    // in the background it costs the widgets' budget, which the daemon keeps.
    WidgetCenter.shared.reloadTimelines(ofKind: kind)
    try await Task.sleep(for: .seconds(60))
  }
}
