import JSON
import Testing
import Timekeeping

@testable import intent_send

/// The texts about widgets of plugins: hidden ones, ones that stay running, their budget.
///
/// The time is 14:00 on 2026-11-21, two hours east of Greenwich.
struct PluginRenderingTests {
  private let renderer = Renderer(
    style: .plain, now: WallTime(rfc3339: "2026-11-21T12:00:00Z") ?? WallTime(seconds: 0),
    zoneOffset: { _ in 7_200 })

  private static let hidden: [(widget: JSONValue, text: String)] = [
    (
      ["hidden": "noOutput", "nextReload": "2026-11-21T12:00:05Z"],
      "hidden, since it printed nothing to show; it runs again at 14:00, in 5 s"
    ),
    (
      ["hidden": "condition", "held": "unwatched"],
      "hidden, since its condition (if) does not hold; it runs again when somebody looks at it"
    ),
    (["hidden": "notAsked"], "hidden until a reload, a click or its signal runs it"),
    ([:], "no content yet"),
  ]

  @Test(arguments: hidden) func `a widget that is hidden says why, and until when`(
    _ hidden: (widget: JSONValue, text: String)
  ) {
    var widget = hidden.widget.objectValue ?? [:]
    widget["id"] = "cpu"
    let view = JSONValue.object(widget)
    #expect(renderer.widgets(["widgets": [view]]) == "cpu  \(hidden.text)\n")
    let isHidden = view["hidden"] != nil
    let shown = "(\(isHidden ? hidden.text : "nothing to show yet"))\n"
    #expect(renderer.shown(view).contains(shown))
    #expect(renderer.glance(["widgets": [view]]).contains(shown))
    guard isHidden else { return }
    #expect(renderer.status(of: "cpu", budget: view, kind: nil).contains(hidden.text))
  }

  @Test func `a plugin that stays running says since when`() {
    let since: JSONValue = ["runningSince": "2026-11-21T11:48:00Z", "hidden": "noOutput"]
    let line = "running since  13:48, 12 min ago\n"
    let status = renderer.status(of: "song", budget: since, kind: nil)
    #expect(status.contains(line))
    #expect(status.contains("song  hidden, since it printed nothing to show, until it does\n"))
    #expect(!status.contains("none yet"))
    #expect(renderer.shown(["id": "song"], timeline: since).contains(line))
  }

  @Test func `the budget of a plugin is about links alone`() {
    let budget: JSONObject = [
      "balance": 15, "capacity": 15, "perDay": 62, "rules": ["perDay": "5"],
    ]
    #expect(renderer.budget(.object(budget)).hasPrefix("15 of 15 reloads left\n"))
    for (schedule, text) in [
      ("every 5s", "it runs every 5s, which costs no budget"),
      ("stream", "it stays running, and its frames cost no budget"),
      ("never", "it runs when you ask, which costs no budget"),
    ] {
      var plugin = budget
      plugin["schedule"] = .string(schedule)
      #expect(
        renderer.budget(.object(plugin)) == "\(text)\n  for links  15 of 15 reloads left\n")
    }
  }
}
