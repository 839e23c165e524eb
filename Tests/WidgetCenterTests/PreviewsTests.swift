import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// The cache of previews, and the engine's runs for them.
struct PreviewsTests {
  private static let origin = PreviewOrigin(EngineDriver.kind("clock"), intent: .null)
  private static let wall = WallTime(seconds: 1_795_161_600)

  private static func key(_ number: Int) -> PreviewKey {
    PreviewKey(kind: "k\(number)", family: .systemSmall, locale: "en_US")
  }

  private static func preview(_ title: String) -> KeptPreview {
    KeptPreview(content: ["title": .string(title)], isShape: false, origin: origin, madeAt: wall)
  }

  @Test func `a key is read from the name of its row`() {
    let key = PreviewKey(kind: "org.example/odd", family: .accessoryInline, locale: "zh-Hans")
    #expect(PreviewKey(text: key.text) == key)
    for text in ["", "systemSmall/en", "huge/en/clock", "systemSmall//clock", "systemSmall/en/"] {
      #expect(PreviewKey(text: text) == nil)
    }
  }

  @Test func `an origin differs with the provider, its consent and the configuration`() {
    let kind = EngineDriver.kind("clock")
    var other = kind
    other.provider.exec = ["provider", "--now"]
    var joined = kind
    joined.provider.exec = ["provider--now"]
    var variable = kind
    variable.provider.environment = [.init(name: "A", value: "1")]
    var boxed = kind
    var network = ProviderPermissions()
    network.network = true
    boxed.provider.containment = .boxed(network)
    var renamed = kind
    renamed.name = "Another name"
    let origins = [kind, other, joined, variable, boxed].map {
      PreviewOrigin($0, intent: .null)
    }
    #expect(Set(origins).count == 5)
    #expect(PreviewOrigin(renamed, intent: .null) == origins[0])
    #expect(PreviewOrigin(kind, intent: ["name": "ShowWeather"]) != origins[0])
    // The store keeps it, so it is the same in every process.
    #expect(origins[0] == Self.origin)
  }

  @Test func `a record is read back, and a damaged one is not`() throws {
    let kept = Self.preview("a")
    #expect(KeptPreview(record: try JSONValue(parsing: kept.record.serialized)) == kept)
    for member in ["content", "isShape", "origin", "madeAt"] {
      var record = try #require(kept.record.objectValue)
      record[member] = "?"
      #expect(KeptPreview(record: .object(record)) == nil, "\(member)")
    }
  }

  @Test func `the oldest preview goes when there are too many`() {
    var previews = Previews()
    for number in 0..<Limits.previewCountMax {
      #expect(previews.keep(Self.key(number), Self.preview("a")) == [Self.key(number)])
    }
    // One that is kept anew is the newest.
    _ = previews.keep(Self.key(0), Self.preview("b"))
    let changed = previews.keep(Self.key(9_999), Self.preview("c"))
    #expect(changed == [Self.key(9_999), Self.key(1)])
    #expect(previews[Self.key(0)] != nil)
    #expect(previews.checkInvariants() == [])
  }

  @Test func `the oldest previews go when they have too many bytes`() {
    var previews = Previews()
    let long = String(repeating: "a", count: Limits.previewBytesMax - 64)
    let count = Limits.previewsBytesMax / (Limits.previewBytesMax - 64) + 2
    for number in 0..<count { _ = previews.keep(Self.key(number), Self.preview(long)) }
    #expect(previews.keys.count < count)
    #expect(previews[Self.key(0)] == nil)
    #expect(previews[Self.key(count - 1)] != nil)
    #expect(previews.checkInvariants() == [])
  }

  // MARK: The engine

  private static func wish(
    _ kind: String, locale: String = "en_US", _ driver: inout EngineDriver
  ) throws -> WidgetEngine.PreviewWish {
    let kind = try #require(driver.engine.kinds[kind])
    let key = PreviewKey(kind: kind.kind, family: .systemSmall, locale: locale)
    let now = driver.now
    var wish: WidgetEngine.PreviewWish?
    _ = driver.transcript { engine, _, output in
      wish = engine.wishPreview(of: kind, key, intent: .success(.null), at: now, into: &output)
    }
    return try #require(wish)
  }

  private static func end(
    _ run: ProviderRun, _ outcome: WidgetEngine.PreviewOutcome, _ driver: inout EngineDriver
  ) {
    let now = driver.now
    _ = driver.transcript { engine, _, output in
      #expect(engine.previewEnded(run.token, outcome, at: now, into: &output))
    }
  }

  private static func view(
    _ wish: WidgetEngine.PreviewWish, _ driver: EngineDriver
  ) -> JSONObject {
    driver.engine.previewView(of: wish, mayShow: true, at: driver.now.wall)
  }

  private static let good = WidgetEngine.PreviewOutcome.answered(
    Array(#"{"content":{"title":"Springfield"}}"#.utf8))

  @Test func `a preview costs no budget, places nothing and has no history`() throws {
    var driver = EngineDriver()
    let wish = try Self.wish("clock", &driver)
    let run = try #require(driver.runs.first)
    #expect(run.method == "snapshot")
    let request = try JSONValue(parsing: run.request)
    #expect(request["isPreview"] == true)
    #expect(Self.view(wish, driver)["isPending"] == true)
    #expect(driver.engine.runningCount == 0, "it takes no slot of a timeline")
    Self.end(run, Self.good, &driver)
    #expect(driver.notes.isEmpty)
    #expect(driver.engine.timelines.isEmpty)
    #expect(driver.engine.countersByKind.isEmpty)
    let view = Self.view(wish, driver)
    #expect(view["entry"]?["content"] == ["title": "Springfield"])
    #expect(view["isPlaceholder"] == false)
    // It is kept: another wish starts nothing.
    _ = try Self.wish("clock", &driver)
    #expect(driver.runs.isEmpty)
  }

  @Test func `a client that asks in ever other languages is asked to wait`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("clock"), EngineDriver.kind("weather")])
    for number in 0..<Limits.previewAskCountMax {
      _ = try Self.wish("clock", locale: "l\(number)", &driver)
      Self.end(try #require(driver.runs.first), Self.good, &driver)
    }
    let wish = try Self.wish("clock", locale: "one-more", &driver)
    #expect(driver.runs.isEmpty)
    let view = Self.view(wish, driver)
    #expect(view["error"]?.stringValue?.contains("ask again in a minute") == true)
    // The shape of another language stands for it, and another kind has a count of its own.
    #expect(view["entry"]?["content"] == ["title": "░░░░░░░░░░░░"])
    _ = try Self.wish("weather", &driver)
    #expect(driver.runs.map(\.kind) == ["weather"])
    driver.advance(to: driver.now.wall.advanced(byMilliseconds: Limits.previewSpan))
    _ = try Self.wish("clock", locale: "one-more", &driver)
    #expect(driver.runs.count == 1)
  }

  @Test func `a second outcome of a run is none`() throws {
    var driver = EngineDriver()
    _ = try Self.wish("clock", &driver)
    let run = try #require(driver.runs.first)
    Self.end(run, Self.good, &driver)
    let now = driver.now
    _ = driver.transcript { engine, _, output in
      #expect(!engine.previewEnded(run.token, Self.good, at: now, into: &output))
    }
  }

  @Test func `a failing kind is asked for its placeholder, and then left alone for a while`() throws
  {
    var driver = EngineDriver()
    let wish = try Self.wish("clock", &driver)
    Self.end(driver.runs[0], .failed(ProviderFailure(.exited(code: 3))), &driver)
    #expect(driver.runs.map(\.method) == ["placeholder"])
    Self.end(driver.runs[0], Self.good, &driver)
    let view = Self.view(wish, driver)
    #expect(view["entry"]?["content"] == ["title": "░░░░░░░░░░░░"])
    #expect(view["isPlaceholder"] == true)
    #expect(view["error"] == "the provider ended with exit code 3")
    _ = try Self.wish("clock", &driver)
    #expect(driver.runs.isEmpty)
    driver.advance(to: driver.now.wall.advanced(byMilliseconds: Limits.previewPause - 1))
    _ = try Self.wish("clock", &driver)
    #expect(driver.runs.isEmpty)
    driver.advance(to: driver.now.wall.advanced(byMilliseconds: 1))
    _ = try Self.wish("clock", &driver)
    #expect(driver.runs.map(\.method) == ["snapshot"])
    // The shape is kept, so the placeholder is not asked for again.
    Self.end(driver.runs[0], .failed(ProviderFailure(.exited(code: 3))), &driver)
    #expect(driver.runs.isEmpty)
  }

  @Test func `another language begins with the shape of the first one`() throws {
    var driver = EngineDriver()
    _ = try Self.wish("clock", &driver)
    Self.end(driver.runs[0], Self.good, &driver)
    let wish = try Self.wish("clock", locale: "de_DE", &driver)
    #expect(Self.view(wish, driver)["entry"]?["content"] == ["title": "░░░░░░░░░░░░"])
  }

  @Test func `a manifest that changes meanwhile is not run as it was`() throws {
    var kinds = (0...Limits.previewRunCountMax).map { EngineDriver.kind("k\($0)") }
    var driver = EngineDriver(kinds: kinds)
    for kind in kinds { _ = try Self.wish(kind.kind, &driver) }
    let last = kinds.count - 1
    kinds[last].provider.exec = ["another"]
    _ = driver.setKinds(kinds)
    #expect(driver.runs.isEmpty)
    let before = driver.engine.previewTokens
    let now = driver.now
    _ = driver.transcript { engine, _, output in
      for token in before.sorted() {
        _ = engine.previewEnded(token, Self.good, at: now, into: &output)
      }
    }
    #expect(driver.runs.isEmpty, "the last one waits for another wish")
    _ = try Self.wish("k\(last)", &driver)
    #expect(driver.runs.map(\.provider.exec) == [["another"]])
  }

  @Test func `a kind that goes takes its previews along`() throws {
    var driver = EngineDriver()
    _ = try Self.wish("clock", &driver)
    Self.end(driver.runs[0], Self.good, &driver)
    #expect(driver.engine.keptPreviews.map(\.kind) == ["clock"])
    _ = driver.setKinds([EngineDriver.kind("other")])
    #expect(driver.engine.keptPreviews.isEmpty)
  }

  @Test func `kinds that are not to be run say why`() throws {
    var pushed = EngineDriver.kind("pushed")
    pushed.provider.exec = []
    var foreign = EngineDriver.kind("foreign")
    foreign.origin = .installed
    var driver = EngineDriver(kinds: [pushed, foreign.held(by: nil)])
    for (kind, words) in [("pushed", "no provider"), ("foreign", "--grant")] {
      let wish = try Self.wish(kind, &driver)
      #expect(driver.runs.isEmpty, "\(kind) ran")
      let view = Self.view(wish, driver)
      #expect(view["error"]?.stringValue?.contains(words) == true, "\(view)")
      #expect(view["entry"]?["content"] == .object(PreviewShape.generic(.systemSmall)))
    }
  }
}
