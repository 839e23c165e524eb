// A small host app: it requests reloads when its data change, and it opens the URL of a tap.

import Foundation
import WidgetKit

let app = "org.intentd.example.Viewer"
let kind = "org.intentd.example.weather"
let usage = """
  HostAppExample reload      reload this app's widgets and print the receipts
  HostAppExample widgets     print the placed widgets
  HostAppExample             run on: reload once a minute, print the URLs of taps and what
                             becomes of the widgets
  """

/// Writes a line to standard error and ends the program.
func fail(_ message: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(status)
}

do {
  switch Array(CommandLine.arguments.dropFirst()) {
  case ["reload"]:
    // Register first: the app's kinds are those whose manifest names it.
    WidgetCenter.shared.register(app: app, foreground: true) { _ in }
    for receipt in try await WidgetCenter.shared.reloadAllTimelinesWithReceipts() {
      print(receipt.widget, receipt.state)
    }

  case ["widgets"]:
    for widget in try await WidgetCenter.shared.currentConfigurations() {
      print(widget.identifier, widget.kind, widget.family, widget.configuration?.name ?? "")
    }

  case []:
    WidgetCenter.shared.onWidgetsChanged { changes in
      for change in changes { print(change) }
    }
    WidgetCenter.shared.register(
      app: app, onActivate: { print("a widget without a URL was tapped") }
    ) { print("opened \($0)") }
    while true {
      // Here the app's data would change. As on iOS, the call returns at once and cannot fail.
      // While the app is in the background, reloads cost the widgets' budget.
      WidgetCenter.shared.reloadTimelines(ofKind: kind)
      try await Task.sleep(for: .seconds(60))
    }

  case ["--help"], ["-h"]: print(usage)
  default: fail(usage, status: 64)
  }
} catch {
  fail("HostAppExample: \(error.localizedDescription)", status: 69)
}
