import DaemonCore
import JSON
import Timekeeping
import WidgetCenter

/// A run of a provider with its outcome, which is decided at the start.
struct FakeProvider: Sendable {
  var run: ProviderRun
  /// Which timeline it runs for, as the engine had it when it started.
  var key: TimelineKey?
  var cause: ReloadCause
  /// Milliseconds until the outcome; `nil`: not before it is cancelled.
  var delay: Int64?
  var outcome: ProviderOutcome
  /// It goes on when it is cancelled, and answers all the same.
  var ignoresCancel = false
  var answersTwice = false
  var isCancelled = false
  var isDelivered = false
  var startedAt: Instant

  /// The answer is a timeline as providers should answer it.
  var isPlain = false

  /// Whether the engine has to take the answer.
  var isGood: Bool {
    if case .printed(let output) = outcome {
      let read = WidgetEngine.readPrinted(
        output, by: run.provider, at: WallTime(milliseconds: 0))
      if case .success = read { return true }
      return false
    }
    guard case .answered(let bytes, _) = outcome else { return false }
    if isPlain { return true }
    guard let value = parsed(bytes),
      case .success(let answer) = ProviderAnswer.read(value)
    else { return false }
    if case .failed = answer.result { return false }
    return true
  }

  static func behave(
    _ run: ProviderRun, faults: [Fault], troublePercent: Int, at now: Now,
    _ randomness: inout Randomness
  ) -> FakeProvider {
    var delay: Int64? = faults.isEmpty ? randomness.between(0, 1_000) : randomness.pause(upTo: 200)
    let isPlugin = run.plugin != nil
    var outcome: ProviderOutcome
    if isPlugin {
      outcome = FakePlugin.outcome(of: run, fault: nil, &randomness)
    } else {
      let bytes =
        switch run.method {
        case "options": options(&randomness)
        case "perform": performed(&randomness)
        case _ where previewMethods.contains(run.method) && randomness.chance(50):
          preview(of: run, &randomness)
        default: timeline(of: run, at: now.wall, &randomness)
        }
      outcome = .answered(bytes)
    }
    var ignoresCancel = false
    let trouble = faults.filter(Self.troubles.contains)
    if run.method == "perform", randomness.chance(20) {
      outcome = .failed(ProviderFailure(.refused("the bell is not there")))
    }
    var isPlain = run.method == "timeline" && !isPlugin
    if !trouble.isEmpty, randomness.chance(troublePercent) {
      isPlain = false
      switch randomness.pick(trouble) {
      case .hangingProviders: delay = nil
      case .lateAnswers:
        delay = run.provider.timeout + randomness.between(-5, 2_000)
        ignoresCancel = true
      case let fault where isPlugin:
        outcome = FakePlugin.outcome(of: run, fault: fault, &randomness)
      case .dyingProviders:
        outcome = .failed(
          ProviderFailure(
            randomness.pick([.exited(code: 1), .signaled(signal: 9), .notStarted("no such file")]),
            diagnostics: "a line of its standard error"))
      case .floodingProviders: outcome = .failed(ProviderFailure(.tooMuchOutput(limit: 1_048_576)))
      case .wrongAnswers:
        let wrong = [
          "", "no JSON", "[]", "{\"entries\":7}",
          "{\"entries\":[{\"date\":\"soon\",\"content\":{}}]}",
          "{\"entries\":[{\"date\":\"2026-01-01T00:00:00Z\"}]}",
          "{\"entries\":[],\"policy\":\"often\"}",
          "{\"entries\":[{\"date\":\"2026-01-01T00:00:00Z\",\"content\":{}}]",
          "{\"result\":\"failed\",\"reason\":\"the service wants a key\"}",
          "{\"result\":\"failed\"}", "{\"result\":\"noData\",\"entries\":[]}",
        ]
        outcome = .answered(
          Array(randomness.pick(wrong).utf8), diagnostics: "a warning before a wrong answer\n")
      case .emptyTimelines where randomness.chance(40):
        outcome = .answered(noData(at: now.wall, &randomness))
      case .emptyTimelines:
        let policy = randomness.pick(["\"atEnd\"", "\"never\""])
        outcome = .answered(Array("{\"entries\":[],\"policy\":\(policy)}".utf8))
      case .oddTimelines: outcome = .answered(oddTimeline(at: now.wall, &randomness))
      case .hugeTimelines:
        // In a household one of four: each is 100 kB.
        if troublePercent < 40, randomness.chance(75) { break }
        outcome = .answered(hugeTimeline(at: now.wall, &randomness))
      default: preconditionFailure("every trouble of a provider has its case")
      }
    }
    return FakeProvider(
      run: run, cause: .policy, delay: delay, outcome: outcome, ignoresCancel: ignoresCancel,
      answersTwice: faults.contains(.doubleOutcomes) && randomness.chance(20),
      startedAt: now.monotonic, isPlain: isPlain)
  }

  private static let troubles: [Fault] = [
    .hangingProviders, .dyingProviders, .floodingProviders, .wrongAnswers, .emptyTimelines,
    .oddTimelines, .hugeTimelines, .lateAnswers,
  ]

  /// The methods of runs that make previews.
  static let previewMethods: Set<String> = ["snapshot", "placeholder"]

  /// Returns a well-behaved provider's preview: an entry without a date.
  private static func preview(of run: ProviderRun, _ randomness: inout Randomness) -> [UInt8] {
    let title = "a preview of \(run.kind), number \(randomness.below(9))"
    var bytes: [UInt8] = []
    let entry: JSONValue = ["content": ["title": .string(title), "items": items(&randomness)]]
    entry.write(into: &bytes)
    return bytes
  }

  /// Returns a well-behaved provider's answer to a request for options.
  private static func options(_ randomness: inout Randomness) -> [UInt8] {
    let all: [JSONValue] = [
      "a", "buy milk", "buy bread", ["title": "a", "value": "the letter a"], ["display": "call"],
    ]
    let some = all.filter { _ in randomness.chance(60) }
    var bytes: [UInt8] = []
    JSONValue.object(["options": .array(some)]).write(into: &bytes)
    return bytes
  }

  /// Returns what an intent answers: words, a value, a URL, the next intent, or nothing.
  private static func performed(_ randomness: inout Randomness) -> [UInt8] {
    var answer = JSONObject()
    if randomness.chance(50) { answer["dialog"] = "It rang." }
    if randomness.chance(30) { answer["value"] = .int(randomness.between(0, 9)) }
    if randomness.chance(20) {
      answer["url"] = randomness.pick(["https://example.org/rang", "javascript:x", "no url", 7])
    }
    if randomness.chance(20) {
      answer["intent"] = randomness.pick([
        ["name": "Ring"], ["name": "ShowWeather", "parameters": ["city": "Oslo"]],
        ["name": "NoSuchIntent"], "Ring",
      ])
    }
    var bytes: [UInt8] = []
    JSONValue.object(answer).write(into: &bytes)
    return bytes
  }

  /// Returns an answer that nothing is new, with a policy or without.
  private static func noData(at now: WallTime, _ randomness: inout Randomness) -> [UInt8] {
    var answer: JSONObject = ["result": "noData"]
    let after = now.advanced(byMilliseconds: randomness.pick([-1, 60_000, 1_800_000]))
    let policies: [JSONValue] = ["atEnd", "never", ["after": .string(after.rfc3339)]]
    if randomness.chance(60) { answer["policy"] = randomness.pick(policies) }
    answer["downloads"] = downloads(&randomness)
    var bytes: [UInt8] = []
    JSONValue.object(answer).write(into: &bytes)
    return bytes
  }

  /// Returns a well-behaved provider's timeline: a few entries from now on.
  private static func timeline(
    of run: ProviderRun, at now: WallTime, _ randomness: inout Randomness
  ) -> [UInt8] {
    var writer = JSONWriter()
    begin(&writer)
    var date = now.advanced(byMilliseconds: -randomness.between(0, 60_000))
    for _ in 0..<randomness.between(1, 5) {
      write(date, title: "\(run.kind) \(randomness.below(4))", &randomness, to: &writer)
      date = date.advanced(byMilliseconds: randomness.between(1_000, 1_800_000))
    }
    let after = now.advanced(byMilliseconds: randomness.between(600_000, 7_200_000))
    let policy: JSONValue = randomness.pick(weighted: [
      (3, ["after": .string(after.rfc3339)]), (2, "atEnd"), (1, "never"),
    ])
    let height = randomness.chance(30) ? randomness.between(1, 700) : nil
    end(policy, preferredHeight: height, downloads: downloads(&randomness), &writer)
    return writer.bytes
  }

  /// Returns the files that a provider asks for; `nil`: it says nothing about them.
  private static func downloads(_ randomness: inout Randomness) -> JSONValue? {
    guard randomness.chance(15) else { return nil }
    let orders = (0..<randomness.between(0, 3)).map { number in
      let path = randomness.below(2)
      let order: JSONValue = [
        "id": .string("file-\(number)"), "url": .string("https://example.org/\(path)"),
        "ifChanged": .bool(randomness.chance(80)),
      ]
      return order
    }
    return .array(orders)
  }

  private static func begin(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("entries")
    writer.beginArray()
  }

  private static func end(
    _ policy: JSONValue, preferredHeight: Int64? = nil, downloads: JSONValue? = nil,
    _ writer: inout JSONWriter
  ) {
    writer.endArray()
    writer.key("policy")
    writer.value(policy)
    if let preferredHeight {
      writer.key("preferredHeight")
      writer.int(preferredHeight)
    }
    if let downloads {
      writer.key("downloads")
      writer.value(downloads)
    }
    writer.endObject()
  }

  /// Items of each sort: one opens a URL, one reloads, one sets a value, one sends an intent, and one
  /// runs code.
  private static func items(_ randomness: inout Randomness) -> JSONValue {
    let name = "value\(randomness.below(3))"
    // Of three long ones not all are taken.
    let values: [JSONValue] = [
      .null, .int(randomness.between(1, 6)), true, .string(String(repeating: "x", count: 400)),
    ]
    let set = JSONObject([.init(key: name, value: randomness.pick(values))])
    let parameters: JSONObject = randomness.chance(50) ? ["city": "Oslo"] : [:]
    return [
      ["text": "one", "url": "https://example.org/1"], ["text": "two", "refresh": true],
      ["text": "three", "set": .object(set)],
      ["text": "four", "intent": ["name": "ShowWeather", "parameters": .object(parameters)]],
      ["text": "five", "intent": ["name": "Ring"]],
    ]
  }

  /// Pictures of an answer: a still one, one that moves, a drawing, and two that are left out.
  private static let images: [JSONValue] = [
    ["data": "R0lGODlhAQABAIAAAP8AAAAA/ywAAAAAAQABAAACAkQBADs=", "alt": "still"],
    [
      "data": "R0lGODlhAQABAIAAAP8AAAAA/ywAAAAAAQABAAACAkQBACwAAAAAAQABAAACAkwBADs=",
      "alt": "moves",
    ],
    [
      "data": "PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHZpZXdCb3g9JzAgMCA5IDknLz4=",
      "alt": "",
    ],
    ["data": "JVBERi0xLjc=", "alt": "no picture"],
    [
      "hash": "sha256-f74e9447755b321a9e5f3a9948b162a4f4757c2eed03841100be95729dded151",
      "alt": "perhaps",
    ],
  ]

  /// Views of an entry: one for all surroundings, one for each, with a date that follows the clock, and
  /// some that are left out.
  private static func view(_ randomness: inout Randomness) -> JSONValue {
    let plain = "<div style=\"color:#a00000\">\(randomness.below(3))</div>"
    let live =
      "<div>until <time datetime=\"2026-11-21T07:28:29Z\" data-style=\"relative\">\(randomness.below(99)) s</time></div>"
    return randomness.pick([
      .string(plain), .string(live), ["light": .string(plain), "dark": .string(live)],
      .string("<div style=\"display: flex; gap: 4px\"><button data-item=\"1\">go</button></div>"),
      "<script>alert(1)</script>", "<div onclick=\"x\">x</div>", ["light": "<div></div>"], 7, .null,
    ])
  }

  /// Writes an entry.
  private static func write(
    _ date: WallTime, title: String, _ randomness: inout Randomness, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("date")
    writer.string(date.rfc3339)
    writer.key("content")
    writer.beginObject()
    writer.key("title")
    writer.string(title)
    if randomness.chance(20) {
      writer.key("staleAfter")
      writer.int(randomness.between(1, 3_600))
    }
    if randomness.chance(20) {
      writer.key("refresh")
      writer.bool(true)
    }
    if randomness.chance(15) {
      writer.key("image")
      writer.value(randomness.pick(images))
    }
    if randomness.chance(40) {
      writer.key("items")
      writer.value(items(&randomness))
    }
    writer.endObject()
    if randomness.chance(50) {
      writer.key("relevance")
      writer.beginObject()
      writer.key("score")
      writer.int(randomness.between(-10, 100))
      writer.key("duration")
      writer.int(randomness.between(0, 3_600))
      writer.endObject()
    }
    if randomness.chance(20) {
      writer.key("view")
      writer.value(view(&randomness))
    }
    if randomness.chance(30) {
      writer.key("url")
      writer.string(
        randomness.pick([
          "weather://city/Oslo", "https://example.org/x", "javascript:alert(1)", "not a url",
        ]))
    }
    writer.endObject()
  }

  /// Past, future, unsorted and duplicate dates; policies that lie in the past or a decade away.
  private static func oddTimeline(at now: WallTime, _ randomness: inout Randomness) -> [UInt8] {
    var writer = JSONWriter()
    begin(&writer)
    for _ in 0..<randomness.between(1, 12) {
      let shift = randomness.pick(weighted: [
        (4, randomness.between(-3_600_000, 3_600_000)), (2, 0), (2, 5_000),
        (1, -86_400_000 * 400), (1, 86_400_000 * 400),
      ])
      write(
        now.advanced(byMilliseconds: shift), title: "odd \(randomness.below(3))", &randomness,
        to: &writer)
    }
    let after = now.advanced(byMilliseconds: randomness.pick([-86_400_000, -1, 0, 1, 86_400_000]))
    end(randomness.pick([["after": .string(after.rfc3339)], "atEnd", "never"]), &writer)
    return writer.bytes
  }

  /// As many entries as there may be, most of them still to come.
  private static func hugeTimeline(at now: WallTime, _ randomness: inout Randomness) -> [UInt8] {
    let count = Limits.timelineEntryCountMax + (randomness.chance(20) ? 1 : 0)
    let start = now.advanced(byMilliseconds: randomness.pick([-30_000, 30_000]))
    let entries = (0..<count).map { index -> JSONValue in
      [
        "date": .string(start.advanced(byMilliseconds: Int64(index) * 60_000).rfc3339),
        "content": ["n": .int(Int64(index))],
      ]
    }
    return bytes(entries, "atEnd")
  }

  private static func bytes(_ entries: [JSONValue], _ policy: JSONValue) -> [UInt8] {
    let timeline: JSONValue = ["entries": .array(entries), "policy": policy]
    var bytes: [UInt8] = []
    timeline.write(into: &bytes)
    return bytes
  }

  /// A timeline as a producer pushes it; `tag`: what it shows, unless it is odd.
  static func pushed(
    at now: WallTime, tag: String, _ randomness: inout Randomness
  ) -> JSONValue {
    if randomness.chance(30) { return parsed(oddTimeline(at: now, &randomness)) ?? .null }
    var writer = JSONWriter()
    begin(&writer)
    write(now, title: "pushed \(tag)", &randomness, to: &writer)
    end(randomness.pick(["never", "atEnd"]), &writer)
    return parsed(writer.bytes) ?? .null
  }
}
