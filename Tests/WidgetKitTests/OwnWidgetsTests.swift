import ClientTestSupport
import Dispatch
import JSON
import Synchronization
import Testing
import WidgetKit

/// What an app hears of its own widgets, how it configures them, and the folder that they share.
@Suite struct OwnWidgetsTests {
  private static let app = "org.example.App"

  /// The lists of changes that an app heard, to wait for on another thread.
  private final class Heard: Sendable {
    private let lists = Mutex<[[WidgetChange]]>([])
    private let count = DispatchSemaphore(value: 0)

    func add(_ list: [WidgetChange]) {
      lists.withLock { $0.append(list) }
      count.signal()
    }

    /// Waits for the next list; `nil`: none came for minutes.
    func next() -> [WidgetChange]? {
      guard count.wait(timeout: .now() + .seconds(240)) == .success else { return nil }
      return lists.withLock { $0.removeFirst() }
    }
  }

  private func center(_ path: String) -> WidgetCenter {
    WidgetCenter(socketPath: { path }, complain: { _ in })
  }

  private static func widget(
    _ id: String, city: String = "Rome", family: String = "systemSmall"
  ) -> JSONValue {
    [
      "id": .string(id), "kind": "w", "family": .string(family),
      "intent": ["name": "ShowWeather", "parameters": ["city": .string(city)]],
      "suggestion": false,
    ]
  }

  private static func info(
    _ id: String, city: String = "Rome", family: WidgetFamily = .systemSmall
  ) -> WidgetInfo {
    WidgetInfo(
      kind: "w", family: family,
      configuration: INIntent(name: "ShowWeather", parameters: ["city": .string(city)]),
      identifier: id)
  }

  private static func registered(_ widgets: JSONValue...) -> FakeDaemon.Action {
    .result([
      "app": .string(app), "kinds": ["w"], "widgets": .array(widgets),
      "groups": ["org.example.group": "/groups/org.example.group"],
    ])
  }

  @Test func `an app hears what changed, in its order, and what changed without a daemon`() throws {
    let daemon = FakeDaemon { _ in
      [
        Self.registered(Self.widget("a"), Self.widget("b")),
        .notification(
          method: "app.widgetsChanged",
          params: [
            "app": .string(Self.app),
            "changes": [
              ["change": "placed", "widget": Self.widget("c")],
              ["change": "configured", "widget": Self.widget("a", city: "Oslo")],
              ["change": "removed", "widget": Self.widget("b")],
              [
                "change": "placed",
                "widget": [
                  "id": "tip", "kind": "w", "family": "systemSmall", "suggestion": true,
                ],
              ],
            ],
          ]),
        .notification(
          method: "app.widgetsChanged",
          params: ["app": .string(Self.app), "changes": [], "more": true]),
      ]
    }
    let center = center(daemon.path)
    let heard = Heard()
    center.onWidgetsChanged { heard.add($0) }
    center.register(app: Self.app) { _ in }
    #expect(
      heard.next() == [
        .placed(Self.info("c")), .configured(Self.info("a", city: "Oslo")),
        .removed(Self.info("b")),
      ])
    #expect(heard.next() == [.missed])
    daemon.stop()
    let next = FakeDaemon(path: daemon.path) { _ in
      [
        Self.registered(
          Self.widget("a", city: "Oslo", family: "systemMedium"), Self.widget("d"))
      ]
    }
    defer { next.stop() }
    #expect(
      heard.next() == [
        .removed(Self.info("c")),
        .moved(Self.info("a", city: "Oslo", family: .systemMedium)),
        .placed(Self.info("d")),
      ])
  }

  @Test func `changes are a stream as well`() async throws {
    let daemon = FakeDaemon { _ in
      [
        Self.registered(),
        .notification(
          method: "app.widgetsChanged",
          params: [
            "app": .string(Self.app),
            "changes": [["change": "placed", "widget": Self.widget("a")]],
          ]),
      ]
    }
    defer { daemon.stop() }
    let center = center(daemon.path)
    let changes = center.widgetChanges
    center.register(app: Self.app) { _ in }
    for await list in changes {
      #expect(list == [.placed(Self.info("a"))])
      break
    }
  }

  @Test func `an app configures its widget, and a refusal is typed`() async throws {
    let daemon = FakeDaemon { request in
      guard request.params["id"] == "a" else {
        return [
          .refusal(
            code: -32033, message: "'b' is a widget of no app", data: ["name": "foreignWidget"])
        ]
      }
      return [.result(["widget": Self.widget("a", city: "Oslo"), "receipt": ["id": "r1"]])]
    }
    defer { daemon.stop() }
    let center = center(daemon.path)
    let parameters: [String: INIntent.Value] = [
      "city": .string("Oslo"), "days": .integer(2), "at": .list([.number(0.5), .boolean(true)]),
      "place": .fields(["name": .string("x")]), "none": .none,
    ]
    #expect(
      try await center.configure("a", parameters: parameters) == Self.info("a", city: "Oslo"))
    #expect(
      daemon.requests == [
        .init(
          method: "widget.configure",
          params: [
            "id": "a",
            "parameters": [
              "at": [0.5, true], "city": "Oslo", "days": 2, "none": nil, "place": ["name": "x"],
            ],
          ])
      ])
    await #expect(
      throws: WidgetCenterError.refused(code: -32033, message: "'b' is a widget of no app")
    ) { try await center.configure("b", parameters: [:]) }
  }

  @Test func `an app has the folder of its group once it is registered`() throws {
    let daemon = FakeDaemon { _ in [Self.registered()] }
    let center = center(daemon.path)
    #expect(center.containerURL(forGroup: "org.example.group") == nil)
    center.register(app: Self.app) { _ in }
    #expect(
      center.containerURL(forGroup: "org.example.group")?.path(percentEncoded: false)
        == "/groups/org.example.group/")
    #expect(center.containerURL(forGroup: "org.example.other") == nil)
    daemon.stop()
  }
}
