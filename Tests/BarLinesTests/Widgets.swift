import BarLines
import JSON
import Testing
import Timekeeping

/// 2026-11-20T08:00:00Z.
let eight = WallTime(seconds: 1_795_161_600)

/// Returns a widget as `surface.update` gives it.
func widget(_ content: JSONValue, isStale: Bool = false, error: String? = nil) -> JSONValue {
  widget("weather", content, isStale: isStale, error: error)
}

/// Returns a widget with an id of its own.
func widget(
  _ id: String, _ content: JSONValue, isStale: Bool = false, error: String? = nil
) -> JSONValue {
  var widget: JSONObject = [
    "id": .string(id), "kind": "org.example.weather", "name": "Weather",
    "family": "accessoryInline", "revision": 17, "stale": .bool(isStale),
    "entry": ["date": "2026-11-20T08:00:00Z", "content": content],
  ]
  widget["error"] = error.map { .string($0) }
  return .object(widget)
}

/// Returns the first line of a bar that shows these widgets.
func line(
  _ format: BarFormat, _ widgets: [JSONValue], _ wishes: BarWishes = BarWishes(),
  at now: WallTime = eight, isLost: Bool = false
) throws -> String {
  let bar = try TestBar(format, wishes)
  bar.show(widgets)
  if isLost { bar.lose() }
  return try #require(bar.next(at: now))
}

/// A bar that expectations can ask for its next line.
final class TestBar {
  private var output: BarOutput

  init(_ format: BarFormat, _ wishes: BarWishes = BarWishes()) throws {
    output = BarOutput(BarLine(format, name: try #require(BarName("bar"))), wishes)
  }

  func show(_ widgets: [JSONValue]) { output.show(widgets) }
  func lose() { output.lose() }
  func next(at now: WallTime) -> String? { output.next(at: now) }
  func nextChange(after now: WallTime) -> WallTime? { output.nextChange(after: now) }
}
