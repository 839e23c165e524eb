import BarLines
import JSON
import Testing
import Timekeeping

struct BarOutputTests {
  private func bar(_ format: BarFormat, _ content: JSONValue) throws -> TestBar {
    let bar = try TestBar(format)
    bar.show([widget(content)])
    return bar
  }

  @Test func `the same line is not written twice`() throws {
    let output = try bar(.text, ["text": "3°"])
    #expect(output.next(at: eight) == "3°")
    #expect(output.next(at: eight.advanced(bySeconds: 60)) == nil)
    output.show([widget(["text": "3°", "tooltip": "not on this bar"])])
    #expect(output.next(at: eight) == nil)
    output.show([widget(["text": "4°"])])
    #expect(output.next(at: eight) == "4°")
  }

  @Test func `before the first widgets there is no line`() throws {
    let output = try TestBar(.text)
    output.lose()
    #expect(output.next(at: eight) == nil)
    #expect(output.nextChange(after: eight) == nil)
    output.show([])
    #expect(output.next(at: eight) == "")
  }

  @Test func `a widget that is hidden is left out, and not named`() throws {
    let output = try TestBar(.text)
    let hidden: JSONValue = [
      "id": "vpn", "name": "VPN", "revision": 3, "stale": false, "hidden": "noOutput",
    ]
    output.show([hidden, widget(["text": "3°"])])
    #expect(output.next(at: eight) == "3°")
    output.show([hidden])
    #expect(output.next(at: eight) == "")
    #expect(try line(.i3bar, [hidden]).hasSuffix("[]"))
    #expect(try line(.waybar, [hidden]).hasPrefix(#"{"text":"","#))
  }

  @Test func `lines of i3bar are elements of one array`() throws {
    let output = try bar(.i3bar, ["text": "3°"])
    let first = try #require(output.next(at: eight))
    output.show([widget(["text": "4°"])])
    let second = try #require(output.next(at: eight))
    let header = I3barProtocol.header(stopSignal: 10, continueSignal: 12)
    #expect(
      header == #"{"version":1,"click_events":true,"stop_signal":10,"cont_signal":12}"# + "\n[\n")
    let array = try #require(header.split(separator: "\n").last) + first + "\n" + second + "]"
    let read = try JSONValue(parsing: String(array))
    #expect(read.arrayValue?.map { $0.arrayValue?.first?["full_text"] } == ["3°", "4°"])
  }

  @Test func `a bar wakes exactly when its line differs`() throws {
    let date: JSONValue = ["date": "2026-11-20T09:30:00Z", "style": "relative"]
    let output = try bar(.text, ["text": date])
    var now = eight
    #expect(output.next(at: now) == "in 1 h")
    now = try #require(output.nextChange(after: now))
    // 59 minutes and 59.999 seconds before.
    #expect(now == WallTime(rfc3339: "2026-11-20T08:30:00.001Z"))
    #expect(output.next(at: now) == "in 59 min")
    var count = 0
    while now < eight.advanced(bySeconds: 7_200), let next = output.nextChange(after: now) {
      #expect(next > now)
      #expect(output.next(at: next) != nil)
      now = next
      count += 1
    }
    // 58 minutes, 55 seconds, "now", 55 seconds after it, and the minutes to ten o'clock.
    #expect(count == 58 + 55 + 1 + 55 + 30)
  }

  @Test func `dates that are not on the bar wake nobody`() throws {
    let date: JSONValue = ["date": "2026-11-20T08:30:00Z", "style": "timer"]
    let plain = try bar(.text, ["short": "3°", "title": date, "tooltip": date])
    #expect(plain.next(at: eight) == "3°")
    #expect(plain.nextChange(after: eight) == nil)
    var wishes = BarWishes()
    wishes.lengthMax = 4
    let cut = try TestBar(.text, wishes)
    cut.show([widget(["text": ["date": "2026-11-20T12:39:00Z", "style": "timer"]])])
    #expect(cut.next(at: eight) == "4:3…")
    let wake = try #require(cut.nextChange(after: eight))
    // The cut hides each second; the bar looks only once in a while.
    #expect(wake.milliseconds(since: eight) > 15_000)
    let tooltip = try bar(.waybar, ["short": "3°", "tooltip": date])
    #expect(tooltip.next(at: eight) != nil)
    #expect(tooltip.nextChange(after: eight) == eight.advanced(byMilliseconds: 1))
  }

  @Test func `an age grows by the minute on a bar that shows it`() throws {
    let waybar = try bar(.waybar, ["text": "3°"])
    let text = try bar(.text, ["text": "3°"])
    waybar.lose()
    text.lose()
    #expect(waybar.next(at: eight)?.contains("stale: less than a minute old") == true)
    #expect(waybar.nextChange(after: eight) == eight.advanced(bySeconds: 60))
    #expect(text.next(at: eight) == "3° (stale)")
    #expect(text.nextChange(after: eight) == nil)
    #expect(waybar.next(at: eight.advanced(bySeconds: 60))?.contains("stale: 1 min old") == true)
  }

  @Test func `beside others the stale widget is named`() throws {
    let old = widget(["text": "3°"], isStale: true, error: "no route")
    let line = try line(.waybar, [widget("b", ["text": "4"]), old])
    let tooltip = #""tooltip":"no route\nWeather is stale: less than a minute old""#
    #expect(line.contains(tooltip), "\(line)")
  }

  @Test func `several titles take turns`() throws {
    let output = try bar(.text, ["titles": ["a", "b", "", "c"]])
    var shown: [String?] = []
    var now = eight
    for _ in 0..<4 {
      shown.append(output.next(at: now))
      now = try #require(output.nextChange(after: now))
    }
    #expect(shown == ["a", "b", "c", "a"])
    #expect(now == eight.advanced(bySeconds: 20))
  }

  @Test func `a daemon that is back makes the line current again`() throws {
    let output = try bar(.conky, ["text": "3°"])
    #expect(output.next(at: eight) == "3°")
    output.lose()
    #expect(output.next(at: eight) == "${color #888888}3°${color}")
    output.show([widget(["text": "3°"])])
    #expect(output.next(at: eight) == "3°")
  }
}
