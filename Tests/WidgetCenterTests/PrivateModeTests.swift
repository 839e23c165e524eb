import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests which traces private mode keeps, hides and forgets.
@Suite struct PrivateModeTests {
  private static let now = WallTime(seconds: 1_795_161_600)

  @Test func `only what happens while it is on is a trace`() {
    var mode = PrivateMode()
    mode.noteSuggestion("before")
    mode.noteTouch(of: "before")
    mode.begin(at: Self.now)
    mode.noteSuggestion("suggestion:b")
    mode.noteSuggestion("suggestion:a")
    mode.noteTouch(of: "clock")
    #expect(mode.madeSuggestions == ["suggestion:a", "suggestion:b"])
    #expect(mode.end() == Self.now)
    #expect(mode.made("suggestion:a"), "its removal is still private")
    #expect(mode.forgetTraces() == ["clock"])
    #expect(mode.madeSuggestions == [])
  }

  @Test func `a reload is hidden for its cause, or because of what it shows`() {
    var mode = PrivateMode()
    #expect(!mode.hides(.tap, of: ["clock"]))
    mode.begin(at: Self.now)
    mode.noteSuggestion("suggestion:a")
    for cause in ReloadCause.allCases {
      #expect(mode.hides(cause, of: ["suggestion:a"]))
      let isOfThePerson = [.intent, .link, .tap, .menu, .reload].contains(cause)
      #expect(mode.hides(cause, of: ["clock"]) == isOfThePerson)
      #expect(mode.hides(cause, of: ["suggestion:a", "clock"]) == mode.hides(cause, of: ["clock"]))
    }
  }

  @Test func `the stored form of private mode is restored`() throws {
    var mode = PrivateMode()
    mode.begin(at: Self.now)
    var restored = PrivateMode()
    let isRead = restored.restore(try JSONValue(parsing: mode.json.serialized))
    #expect(isRead)
    #expect(restored.isOn)
    #expect(restored.end() == Self.now)
    let isAnythingRead = restored.restore(["at": "2026-11-20T21:00:00Z"])
    #expect(!isAnythingRead)
  }

  @Test func `a start that the store did not keep is as early as can be`() {
    var mode = PrivateMode()
    let isRead = mode.restore(["on": true])
    #expect(isRead)
    #expect(mode.end() == WallTime(milliseconds: .min))
  }
}
