import Documents
import IntentRouter
import JSON
import Plugins
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonCore

/// `gallery.list` with previews, from the request to the answer.
struct GalleryTests {
  private static let list = #"{"jsonrpc":"2.0","id":7,"method":"gallery.list","params":"#

  private static func files(_ names: String..., plugins: [PluginSource] = []) -> ConfigurationFiles
  {
    var files = ConfigurationFiles(
      manifests: names.map { name in
        Harness.manifest(
          "\(name).yaml",
          """
          kind: \(name)
          name: \(name)
          families: [systemSmall, systemMedium]
          provider: {exec: [./\(name)], timeout: 5s}
          """)
      })
    files.plugins = plugins
    return files
  }

  private static func kinds(_ line: String?) throws -> [JSONValue] {
    let answer = try JSONValue(parsing: try #require(line))
    return try #require(answer["result"]?["kinds"]?.arrayValue)
  }

  @Test func `a gallery waits for its previews`() throws {
    var harness = Harness(files: Self.files("clock", "weather"))
    let client = harness.connect()
    #expect(harness.send(Self.list + #"{"previews":true}}"#, to: client) == [])
    try harness.answer("clock", #"{"content":{"title":"08:00"}}"#)
    #expect(harness.received(by: client) == [])
    try harness.answer("weather", #"{"content":{"title":"rain"}}"#)
    let kinds = try Self.kinds(harness.received(by: client).first)
    #expect(kinds.map { $0["preview"]?["entry"]?["content"]?["title"] } == ["08:00", "rain"])
    #expect(kinds.map { $0["preview"]?["isPlaceholder"] } == [false, false])
  }

  @Test func `a gallery without previews runs nothing`() throws {
    var harness = Harness(files: Self.files("clock"))
    let client = harness.connect()
    let answer = try harness.call("gallery.list", from: client)
    #expect(answer["kinds"]?.arrayValue?.first?["preview"] == nil)
    #expect(harness.running.isEmpty)
  }

  @Test func `a gallery of one kind names an unknown one`() throws {
    var harness = Harness(files: Self.files("clock", "weather"))
    let client = harness.connect()
    let answer = try harness.call("gallery.list", ["kind": "weather"], from: client)
    #expect(answer["kinds"]?.arrayValue?.compactMap { $0["kind"]?.stringValue } == ["weather"])
    #expect(
      try harness.refusal("gallery.list", ["kind": "clok"], from: client).hasSuffix("unknownKind"))
    #expect(
      try harness.refusal("gallery.list", ["language": "no name"], from: client) == "-32602")
    #expect(try harness.refusal("gallery.list", ["family": "huge"], from: client) == "-32602")
  }

  @Test func `a provider that hangs holds a gallery up for some seconds at most`() throws {
    var harness = Harness(files: Self.files("a", "b", "c", "d"))
    let client = harness.connect()
    harness.send(Self.list + #"{"previews":true}}"#, to: client)
    #expect(harness.running.count == WidgetCenter.Limits.previewRunCountMax)
    harness.pass(1)
    #expect(harness.cancelled.isEmpty)
    harness.pass(1)
    #expect(harness.cancelled.count == 3)
    #expect(harness.received(by: client) == [])
    harness.pass(4)
    let kinds = try Self.kinds(harness.received(by: client).first)
    #expect(kinds.count == 4)
    for kind in kinds { #expect(kind["preview"]?["isPlaceholder"] == true) }
    #expect(
      kinds[0]["preview"]?["error"]?.stringValue == "the provider did not answer within 2s")
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a preview is on disk within a minute, and another process shows it`() throws {
    var harness = Harness(files: Self.files("clock"))
    let client = harness.connect()
    harness.send(Self.list + #"{"previews":true}}"#, to: client)
    try harness.answer("clock", #"{"content":{"title":"08:00"}}"#)
    #expect(harness.received(by: client).count == 1)
    let commits = harness.commitCount
    #expect(harness.tables[.setting]?["preview/systemSmall/en_US/clock"] == nil)
    harness.pass(61)
    #expect(harness.commitCount == commits + 1)
    #expect(harness.tables[.setting]?["preview/systemSmall/en_US/clock"] != nil)
    var next = Harness(files: Self.files("clock"), stored: harness.stored)
    let other = next.connect()
    let kinds = try next.call("gallery.list", ["previews": true], from: other)["kinds"]
    #expect(kinds?.arrayValue?.first?["preview"]?["entry"]?["content"] == ["title": "08:00"])
    #expect(next.running.isEmpty)
    // A kind that is gone takes its row along.
    var last = Harness(files: Self.files("weather"), stored: harness.stored)
    last.pass(61)
    #expect(last.tables[.setting]?["preview/systemSmall/en_US/clock"] == nil)
  }

  @Test func `a refusal of the disk takes no preview away`() throws {
    var harness = Harness(files: Self.files("clock"))
    let client = harness.connect()
    harness.send(Self.list + #"{"previews":true}}"#, to: client)
    harness.storeMode = .fails(Harness.diskFull)
    harness.send(
      #"{"jsonrpc":"2.0","id":8,"method":"widget.add","params":{"kind":"clock","id":"w"}}"#,
      to: client)
    harness.storeMode = .commits
    let run = try #require(harness.running.first { $0.method == "snapshot" })
    _ = harness.received(by: client)
    harness.handle(.provider(run.token, .answered(Array(#"{"content":{"title":"a"}}"#.utf8))))
    let kinds = try Self.kinds(harness.received(by: client).first)
    #expect(kinds.first?["preview"]?["entry"]?["content"] == ["title": "a"])
    harness.pass(61)
    #expect(harness.tables[.setting]?["preview/systemSmall/en_US/clock"] != nil)
    #expect(harness.daemon.checkInvariants(isThorough: true) == [])
  }

  @Test func `a stop refuses a gallery that waits, and ends its runs`() throws {
    var harness = Harness(files: Self.files("clock"))
    let client = harness.connect()
    harness.send(Self.list + #"{"previews":true}}"#, to: client)
    let token = try #require(harness.running.first?.token)
    harness.handle(.stopRequested)
    #expect(harness.cancelled == [token])
    let line = try #require(harness.received(by: client).first)
    #expect(line.contains(#""name":"stopping""#) || line.contains(#""kinds""#))
    #expect(harness.hasStopped)
  }

  @Test func `one run of a person's script is its preview; a stream is not started`() throws {
    let stream = PluginSource(
      path: "/p/tail.sh",
      tags: PluginTagLines(in: Array("# <swiftbar.type>streamable</swiftbar.type>\n".utf8)))
    let files = Self.files(plugins: [PluginSource(path: "/p/cpu.5s.sh"), stream])
    var harness = Harness(files: files)
    let client = harness.connect()
    harness.send(Self.list + #"{"previews":true}}"#, to: client)
    #expect(harness.running.map(\.kind) == ["cpu"])
    #expect(
      harness.running.first?.plugin?.variables == [.init(name: "INTENTD_PREVIEW", value: "1")])
    try harness.printed("cpu", "42 %\n")
    let kinds = try Self.kinds(harness.received(by: client).first)
    #expect(kinds[0]["preview"]?["entry"]?["content"] == ["title": "42 %"])
    #expect(kinds[1]["preview"]?["isPlaceholder"] == true)
    #expect(kinds[1]["preview"]?["error"]?.stringValue?.contains("stays running") == true)
  }

  @Test func `a preview has the first values of its intent`() throws {
    var asked: [String: JSONValue] = [:]
    var harness = Harness { run in
      guard run.method == "snapshot" else { return nil }
      do {
        asked[run.kind] = try JSONValue(parsing: run.request)["intent"]
      } catch {
        Issue.record(error)
      }
      return .answered(Array(#"{"content":{"title":"a"}}"#.utf8))
    }
    let client = harness.connect()
    try harness.call("gallery.list", ["previews": true], from: client)
    #expect(asked["org.example.weather"]?["name"] == "ShowWeather")
    #expect(asked["org.example.weather"]?["parameters"]?["city"]?.stringValue?.isEmpty == false)
    #expect(asked["org.example.clock"] == .null)
  }
}
