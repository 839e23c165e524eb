import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Takes the pictures of docs/WEB.md: the page in a browser, and a panel.
///
/// `scripts/pictures.sh` has it run.
@Suite(
  .serialized, .enabled(if: Picture.folder != nil, "skipped: scripts/pictures.sh runs it"))
struct WebPictures {
  private static let contents: [(id: String, family: String, content: JSONValue)] = [
    (
      "weather", "systemSmall",
      ["title": "Beijing", "subtitle": "23°, light wind", "text": "Rain from 18:00 on"]
    ),
    (
      "mail", "systemMedium",
      [
        "title": "3 new", "subtitle": "last from Anna",
        "items": [["text": "R&D: <b> & #5"], ["text": "Lunch?"], ["text": "Invoice 4711"]],
      ]
    ),
    (
      "disk", "systemSmall",
      [
        "title": "disk 91 %", "color": ["light": "#c01c28", "dark": "#ff7b72"], "percentage": 91,
      ]
    ),
    ("clock", "accessoryCircular", ["title": "12°", "subtitle": "Oslo"]),
    ("note", "accessoryInline", ["title": "周五 · الجمعة · Friday: bring the keys"]),
  ]

  private func fill(_ web: WebSandbox) throws {
    for (id, family, _) in Self.contents where id != "weather" {
      try web.sandbox.write(
        "config/intentd/widgets/\(id).yaml", "kind: \(id)\nname: \(id)\nfamilies: [\(family)]\n")
    }
    try web.client.call("daemon.reloadConfiguration")
    for (id, family, content) in Self.contents {
      if id != "weather" {
        try web.client.call(
          "widget.add", ["kind": .string(id), "id": .string(id), "family": .string(family)])
      }
      try web.client.call(
        "widget.push",
        [
          "id": .string(id),
          "timeline": [
            "entries": [["date": "2020-01-01T00:00:00Z", "content": content]], "policy": "never",
          ],
        ])
    }
  }

  /// Saves the page in a size, light or dark.
  private func save(
    _ name: String, _ browser: Browser, _ tab: Browser.Tab, scheme: String, view: String,
    width: Int64, height: Int64
  ) throws {
    try browser.call("Emulation.setScrollbarsHidden", ["hidden": true], in: tab)
    try browser.call(
      "Emulation.setDeviceMetricsOverride",
      ["width": .int(width), "height": .int(height), "deviceScaleFactor": 1, "mobile": false],
      in: tab)
    try browser.call(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": .string(scheme)]]], in: tab)
    try browser.value("document.getElementById('\(view)').click()", in: tab)
    usleep(500_000)
    let answer = try browser.call("Page.captureScreenshot", ["format": "png"], in: tab)
    let data = try #require(Data(base64Encoded: answer["data"]?.stringValue ?? ""))
    try Picture.save([UInt8](data), name)
  }

  @Test(.enabled(if: Browser.isInstalled, "skipped: no chromium"))
  func `the page with a widget written for iOS, light and dark`() throws {
    try withWeb { web in
      let configuration = web.sandbox.root + "/config/intentd"
      let made = try web.sandbox.run(Programs.views, ["manifest", "--into", configuration])
      try #require(made.ending == .exited(0), "\(made.errors)")
      try web.client.call("daemon.reloadConfiguration")
      for (id, family) in [("small", "systemSmall"), ("medium", "systemMedium")] {
        try web.client.call(
          "widget.add",
          ["kind": "forecast", "id": .string(id), "family": .string(family), "wait": true])
      }
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      try eventually("the pictures are there") {
        try browser.value("document.querySelectorAll('.view').length", in: tab) == 2
      }
      for scheme in ["light", "dark"] {
        try save(
          "page-views\(scheme == "dark" ? "-dark" : "").png", browser, tab, scheme: scheme,
          view: "grid", width: 700, height: 475)
      }
    }
  }

  @Test(.enabled(if: Browser.isInstalled, "skipped: no chromium"))
  func `the page, as a stack and as a grid, light and dark`() throws {
    try withWeb { web in
      try fill(web)
      let browser = try Browser(in: web.sandbox)
      let tab = try browser.open(try web.address())
      try eventually("all widgets are there") {
        try browser.value("document.querySelectorAll('article').length", in: tab)
          == .int(Int64(Self.contents.count))
      }
      func save(_ name: String, scheme: String, view: String, height: Int64) throws {
        try self.save(
          name, browser, tab, scheme: scheme, view: view, width: 700, height: height)
      }
      try save("page-stack.png", scheme: "light", view: "stack", height: 430)
      try save("page-grid.png", scheme: "light", view: "grid", height: 430)
      try save("page-stack-dark.png", scheme: "dark", view: "stack", height: 430)
      try save("page-grid-dark.png", scheme: "dark", view: "grid", height: 430)
      web.daemon.signal(SIGKILL)
      try web.daemon.waitUntilEnded()
      try eventually("nothing looks current") {
        try browser.value("document.body.classList.contains('lost')", in: tab) == true
      }
      try save("page-stale.png", scheme: "light", view: "grid", height: 430)
    }
  }

  @Test func `a panel`() throws {
    try withWeb { web in
      try fill(web)
      let panel = try web.curl("/panel/stack.png", cookie: true, into: "panel.png")
      #expect(panel.status == 200)
      let file = URL(fileURLWithPath: web.sandbox.root + "/panel.png")
      try Picture.save([UInt8](try Data(contentsOf: file)), "panel.png")
    }
  }
}
