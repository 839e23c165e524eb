import ClientTestSupport
import Dispatch
import JSON
import Synchronization
import Testing
import WidgetKit

/// Tests the calls of an app with a scripted daemon on a real socket.
///
/// A test that awaits gets a thread when the tests that block let go of one, which takes minutes on
/// a busy machine. So no test here has a time limit: one that is cancelled goes on half done.
@Suite struct WidgetCenterTests {
  /// Collects the messages that would go to standard error.
  private final class Complaints: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  /// What a callback of an app was called with, to wait for on another thread.
  private final class Heard: Sendable {
    private let texts = Mutex<[String]>([])
    private let count = DispatchSemaphore(value: 0)

    func add(_ text: String) {
      texts.withLock { $0.append(text) }
      count.signal()
    }

    /// Waits for the next call; `nil`: none came for minutes.
    func next() -> String? {
      guard count.wait(timeout: .now() + .seconds(240)) == .success else { return nil }
      return texts.withLock { $0.removeFirst() }
    }
  }

  private let complaints = Complaints()

  private func center(_ path: String) -> WidgetCenter {
    let complaints = complaints
    return WidgetCenter(socketPath: { path }, complain: { complaints.add($0) })
  }

  private static let receipts: JSONValue = [
    ["id": "r1", "widget": "weather", "kind": "w", "cause": "reload", "state": "done"],
    [
      "id": "r2", "widget": "sun", "kind": "s", "cause": "reload", "state": "coalesced",
      "into": "r1",
    ],
    [
      "id": "r3", "widget": "clock", "kind": "c", "cause": "reload", "state": "deferred",
      "until": "2026-11-21T12:00:00.500Z", "reason": "spacing",
    ],
    [
      "id": "r4", "widget": "old", "kind": "o", "cause": "reload", "state": "dropped",
      "reason": "removed",
    ],
    ["id": "r5", "widget": "new", "kind": "n", "cause": "reload", "state": "accepted"],
  ]

  private static let expected = [
    ReloadReceipt(id: "r1", widget: "weather", kind: "w", state: .done),
    ReloadReceipt(id: "r2", widget: "sun", kind: "s", state: .coalesced(into: "r1")),
    ReloadReceipt(
      id: "r3", widget: "clock", kind: "c",
      state: .deferred(until: Date(timeIntervalSince1970: 1_795_262_400.5), reason: "spacing")),
    ReloadReceipt(id: "r4", widget: "old", kind: "o", state: .dropped(reason: "removed")),
    ReloadReceipt(id: "r5", widget: "new", kind: "n", state: .accepted),
  ]

  @Test func `reloads are requested as on iOS`() throws {
    let daemon = FakeDaemon { _ in [.result(["receipts": []])] }
    defer { daemon.stop() }
    let center = center(daemon.path)
    center.reloadAllTimelines()
    center.reloadTimelines(ofKind: "org.example.weather")
    // This call is answered after the two before it, so they have arrived too.
    _ = try center.reloadAllTimelinesAndWait()
    #expect(
      daemon.requests == [
        .init(method: "widget.reloadAll", params: [:]),
        .init(method: "widget.reload", params: ["kind": "org.example.weather"]),
        .init(method: "widget.reloadAll", params: ["wait": true]),
      ])
    #expect(complaints.all == [])
  }

  @Test func `the program of a widget reloads its own widgets alone`() throws {
    let daemon = FakeDaemon { _ in [.result(["receipts": []])] }
    defer { daemon.stop() }
    let center = center(daemon.path)
    center.becomeProgram(of: ["Parcels Today", "Letters"], name: "org.example.parcels")
    center.reloadAllTimelines()
    center.reloadTimelines(ofKind: "Parcels Today")
    center.reloadTimelines(ofKind: "Weather")
    #expect(
      complaints.all == [
        "WidgetKit: reloadTimelines: this program has no kind 'Weather'; it has Parcels Today, Letters\n"
      ])
    #expect(throws: WidgetCenterError.self) {
      try center.reloadTimelinesAndWait(ofKind: "Weather")
    }
    _ = try center.reloadTimelinesAndWait(ofKind: "Letters")
    #expect(
      daemon.requests == [
        .init(method: "widget.reloadAll", params: ["program": "org.example.parcels"]),
        .init(method: "widget.reload", params: ["kind": "Parcels-Today"]),
        .init(method: "widget.reload", params: ["kind": "Letters", "wait": true]),
      ])
  }

  @Test func `a request that is the program's last call is delivered`() throws {
    let daemon = FakeDaemon { _ in [.result([:])] }
    defer { daemon.stop() }
    // When the call returns, the kernel has the bytes; the caller may end.
    center(daemon.path).reloadAllTimelines()
    while daemon.requests.isEmpty { Thread.sleep(forTimeInterval: 0.001) }
    #expect(daemon.requests == [.init(method: "widget.reloadAll", params: [:])])
  }

  @Test func `receipts tell the outcome of a reload`() async throws {
    let daemon = FakeDaemon { _ in [.result(["receipts": Self.receipts])] }
    defer { daemon.stop() }
    let center = center(daemon.path)
    #expect(try await center.reloadAllTimelinesWithReceipts() == Self.expected)
    #expect(try await center.reloadTimelinesWithReceipts(ofKind: "w") == Self.expected)
    #expect(try center.reloadAllTimelinesAndWait() == Self.expected)
    #expect(try center.reloadTimelinesAndWait(ofKind: "w") == Self.expected)
    #expect(Self.expected.map(\.hasEnded) == [true, true, false, true, false])
    #expect(
      daemon.requests.map(\.params) == [
        ["wait": true], ["kind": "w", "wait": true], ["wait": true], ["kind": "w", "wait": true],
      ])
  }

  @Test func `the placed widgets are the current configurations`() async throws {
    let daemon = FakeDaemon { _ in
      [
        .result([
          "widgets": [
            [
              "id": "weather", "kind": "w", "family": "systemSmall", "suggestion": false,
              "intent": [
                "name": "ShowWeather",
                "parameters": ["city": "Beijing", "days": 2, "metric": true, "wind": 1.5],
              ],
            ],
            ["id": "sun", "kind": "s", "family": "accessoryInline", "suggestion": false],
            // The first is a suggestion, which nobody placed; the second has a family of a later
            // version.
            ["id": "tip", "kind": "w", "family": "systemSmall", "suggestion": true],
            ["id": "odd", "kind": "w", "family": "systemGigantic", "suggestion": false],
          ]
        ])
      ]
    }
    defer { daemon.stop() }
    let center = center(daemon.path)
    let widgets = try await center.currentConfigurations()
    #expect(widgets.map(\.kind) == ["w", "s"])
    #expect(widgets.map(\.family) == [.systemSmall, .accessoryInline])
    #expect(widgets.map(\.identifier) == ["weather", "sun"])
    #expect(widgets.map(\.id) == widgets)
    let intent = widgets.first?.configuration
    #expect(intent?.name == "ShowWeather")
    #expect(
      intent?.parameters == [
        "city": .string("Beijing"), "days": .integer(2), "metric": .boolean(true),
        "wind": .number(1.5),
      ])
    #expect(intent?.string("city") == "Beijing")
    #expect(intent?.string("days") == nil)
    #expect(widgets.last?.configuration == nil)

    let called: [WidgetInfo] = try await withCheckedThrowingContinuation { continuation in
      center.getCurrentConfigurations { continuation.resume(with: $0) }
    }
    #expect(called == widgets)
    #expect(Set(called + widgets).count == 2)
  }

  @Test func `without a daemon nothing crashes or hangs, and one line reports it`() async throws {
    let path = FakeDaemon.freshPath()
    let center = center(path)
    let error = WidgetCenterError.daemonUnavailable(path: path)
    await #expect(throws: error) { try await center.currentConfigurations() }
    #expect(throws: error) { try center.reloadAllTimelinesAndWait() }
    center.reloadAllTimelines()
    center.reloadTimelines(ofKind: "w")
    // One queue reports failures in order, so the earlier ones are reported before this one.
    #expect(throws: error) { try center.reloadAllTimelinesAndWait() }
    #expect(
      complaints.all == ["WidgetKit: widget.reloadAll: no daemon is listening on \(path)\n"])
    center.setForeground(true)
  }

  @Test func `refusals, silence and nonsense are typed errors`() async throws {
    let daemon = FakeDaemon { request in
      switch request.params["kind"] {
      case "unknown":
        [
          .refusal(
            code: -32021, message: "no manifest offers 'unknown'", data: ["name": "unknownKind"])
        ]
      case "silent": []
      case "odd": [.result(["receipts": [["id": "r1", "state": "exploded"]]])]
      default: [.result([:])]
      }
    }
    defer { daemon.stop() }
    let center = center(daemon.path)
    await #expect(
      throws: WidgetCenterError.refused(code: -32021, message: "no manifest offers 'unknown'")
    ) { try await center.reloadTimelinesWithReceipts(ofKind: "unknown") }
    #expect(throws: WidgetCenterError.timedOut) {
      try center.reloadTimelinesAndWait(ofKind: "silent", timeout: 0.02)
    }
    #expect(throws: WidgetCenterError.protocolViolation(message: "a receipt without id or state")) {
      try center.reloadTimelinesAndWait(ofKind: "odd")
    }
    #expect(throws: WidgetCenterError.protocolViolation(message: "it has no receipts")) {
      try center.reloadTimelinesAndWait(ofKind: "empty")
    }
    #expect(complaints.all == [])
    center.reloadTimelines(ofKind: "unknown")
    // Failures are reported in order, so the one before this is reported already.
    #expect(throws: WidgetCenterError.self) { try center.reloadTimelinesAndWait(ofKind: "empty") }
    #expect(complaints.all == ["WidgetKit: widget.reload: no manifest offers 'unknown'\n"])
  }

  @Test func `a waiting call fails when the daemon goes, and the next call finds the next daemon`()
    throws
  {
    let daemon = FakeDaemon { _ in [.close] }
    let center = center(daemon.path)
    #expect(throws: WidgetCenterError.daemonUnavailable(path: daemon.path)) {
      try center.reloadAllTimelinesAndWait()
    }
    daemon.stop()
    let next = FakeDaemon(path: daemon.path) { _ in [.result(["receipts": []])] }
    defer { next.stop() }
    #expect(try center.reloadAllTimelinesAndWait() == [])
  }

  @Test func `a registered app hears of taps, also from the next daemon`() throws {
    let stateArrived = DispatchSemaphore(value: 0)
    let script: @Sendable (FakeDaemon.Request) -> [FakeDaemon.Action] = { request in
      guard request.method == "app.register" else {
        stateArrived.signal()
        return [.result([:])]
      }
      return [
        .result(["app": "org.example.App", "kinds": []]),
        .notification(
          method: "app.open",
          params: ["widget": "weather", "kind": "w", "url": "weather://city/Beijing"]),
        .notification(method: "app.open", params: ["widget": "weather", "kind": "w"]),
      ]
    }
    let daemon = FakeDaemon(script: script)
    let center = center(daemon.path)
    let heard = Heard()
    center.register(
      app: "org.example.App", foreground: false, onActivate: { heard.add("activated") }
    ) { heard.add($0.absoluteString) }
    #expect(heard.next() == "weather://city/Beijing")
    #expect(heard.next() == "activated")
    center.setForeground(true)
    #expect(stateArrived.wait(timeout: .now() + .seconds(240)) == .success)
    #expect(
      daemon.requests == [
        .init(method: "app.register", params: ["app": "org.example.App", "foreground": false]),
        .init(method: "app.state", params: ["state": "foreground"]),
      ])

    daemon.stop()
    let next = FakeDaemon(path: daemon.path, script: script)
    defer { next.stop() }
    #expect(heard.next() == "weather://city/Beijing")
    #expect(
      next.requests == [
        .init(method: "app.register", params: ["app": "org.example.App", "foreground": true])
      ])
  }

  @Test func `an app that starts before the daemon is registered when it comes`() {
    let path = FakeDaemon.freshPath()
    let center = center(path)
    let heard = Heard()
    center.register(app: "org.example.App") { heard.add($0.absoluteString) }
    #expect(complaints.all == ["WidgetKit: no daemon is listening on \(path)\n"])
    let daemon = FakeDaemon(path: path) { _ in
      [.result([:]), .notification(method: "app.open", params: ["url": "a://b"])]
    }
    defer { daemon.stop() }
    #expect(heard.next() == "a://b")
  }
}
