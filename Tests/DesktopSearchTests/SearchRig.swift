import BusMessages
import DesktopSearch
import JSON
import Testing
import Timekeeping

/// The search with a clock that the test turns, and what came out of it.
struct SearchRig {
  var search = DesktopSearch { _ in ["en", "zh-CN"] }
  var now = Instant(nanoseconds: 5_000_000_000)
  var outputs: [DesktopSearch.Output] = []
  private var lastCall: UInt64 = 0

  static let shell = "org.gnome.Shell.SearchProvider2"
  static let runner = "org.kde.krunner1"
  static let application = "org.freedesktop.Application"

  /// Calls a method and returns the number of the call.
  @discardableResult
  mutating func call(
    _ interface: String, _ member: String, _ arguments: [BusValue], from sender: String = ":1.7",
    path: String = DesktopSearch.path
  ) -> UInt64 {
    lastCall += 1
    search.take(
      BusInvocation(
        sender: sender, path: path, interface: interface, member: member, arguments: arguments),
      lastCall, at: now, into: &outputs)
    return lastCall
  }

  mutating func find(_ text: String, from sender: String = ":1.7") -> UInt64 {
    call(
      Self.shell, "GetInitialResultSet",
      [.strings(text.split(separator: " ").map(String.init))], from: sender)
  }

  mutating func match(_ text: String, from sender: String = ":1.9") -> UInt64 {
    call(Self.runner, "Match", [.string(text)], from: sender)
  }

  /// The requests that went to the core, without their ids.
  var requests: [JSONValue] {
    outputs.compactMap { output in
      guard case .send(let line) = output, line.last == 10 else { return nil }
      return try? JSONValue(parsing: line)
    }
  }

  /// The answers and refusals of a call.
  func answers(_ call: UInt64) -> [DesktopSearch.Output] {
    outputs.filter { output in
      switch output {
      case .reply(call, _), .refuse(call, _, _): true
      default: false
      }
    }
  }

  /// The ids of the results that a query of the shell got; `nil`: it has no answer.
  func ids(_ call: UInt64) -> [String]? {
    for case .reply(call, let values) in outputs { return values.first?.texts }
    return nil
  }

  var notices: [BusRequest] {
    outputs.compactMap { if case .call(let request) = $0 { request } else { nil } }
  }

  /// Answers the last request of the core, or another one.
  mutating func answer(_ value: JSONValue, as member: String = "result", to id: Int64? = nil) {
    let request = id ?? requests.last?["id"]?.intValue ?? 0
    var bytes: [UInt8] = []
    JSONValue.object(
      JSONObject([
        .init(key: "jsonrpc", value: "2.0"), .init(key: "id", value: .int(request)),
        .init(key: member, value: value),
      ])
    )
    .write(into: &bytes)
    search.heard(bytes, at: now, into: &outputs)
  }

  mutating func pass(milliseconds: Int64) {
    now = now.advanced(byMilliseconds: milliseconds)
    search.passed(at: now, into: &outputs)
  }
}

/// An answer of the core with one placed widget and one question.
let weather: JSONValue = [
  "completions": [
    [
      "sentence": "show weather in Beijing", "language": "en",
      "intent": ["name": "ShowWeather", "parameters": ["city": "Beijing"]], "widgets": ["weather"],
      "content": [
        "widget": "weather", "title": "Beijing", "text": "3° clear", "symbol": "moon.stars",
        "stale": false,
      ],
    ],
    [
      "sentence": "show weather", "language": "en",
      "intent": ["name": "ShowWeather", "parameters": [:]], "widgets": [],
      "needs": [
        "reason": "value", "prompt": "Which city?", "parameter": "city", "type": "string",
        "values": ["Beijing", "Rome"], "valueCount": 194,
      ],
    ],
    [
      "sentence": "take a note ", "language": "en", "unfinished": true,
      "intent": ["name": "TakeNote", "parameters": [:]], "widgets": [],
      "needs": ["reason": "value", "prompt": "Which text?", "parameter": "text"],
    ],
  ]
]
