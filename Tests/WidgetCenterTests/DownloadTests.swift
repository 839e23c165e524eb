import Downloads
import JSON
import Testing
import Timekeeping

@testable import WidgetCenter

/// Tests the files that providers ask for: when they are fetched, and what follows.
@Suite struct DownloadTests {
  private static let order = #"[{"id":"feed","url":"https://example.org/feed"}]"#
  private static let two =
    #"[{"id":"a","url":"https://example.org/a"},{"id":"b","url":"https://example.org/b"}]"#

  private static func answer(
    _ text: String, downloads: String? = nil, policy: String = #""never""#
  ) -> String {
    let asked = downloads.map { #","downloads":\#($0)"# } ?? ""
    return
      #"{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"\#(text)"}}],"policy":\#(policy)\#(asked)}"#
  }

  private func file(
    _ name: String, _ path: String = "/f/one", status: Int = 200
  ) -> DownloadResult {
    DownloadResult(
      id: name,
      file: .init(
        path: path, status: status, isUnchanged: false, type: "text/plain", byteCount: 3,
        date: WallTime(seconds: 1_795_161_600)))
  }

  private func failure(
    _ name: String, _ code: DownloadError.Code, status: Int? = nil, retryAt: WallTime? = nil
  ) -> DownloadResult {
    DownloadResult(
      id: name, file: nil,
      error: DownloadError(code, "it failed", hint: "wait", status: status, retryAt: retryAt))
  }

  /// An engine whose widget was placed, and whose answer asked for downloads.
  private func asked(
    _ downloads: String = order, kind: WidgetKind = EngineDriver.kind("clock")
  ) throws -> EngineDriver {
    var driver = EngineDriver(kinds: [kind])
    _ = try driver.place("clock", id: "w")
    let lines = driver.answer(1, Self.answer("first", downloads: downloads))
    #expect(lines.last == "changed w")
    return driver
  }

  /// The downloads that the last run was told of.
  private func told(_ driver: EngineDriver) throws -> JSONValue? {
    try JSONValue(parsing: try #require(driver.runs.last).request)["downloads"]
  }

  // MARK: The way of a file

  @Test func `files are fetched at once where somebody waits, and the provider is asked again`()
    throws
  {
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "w")
    #expect(
      driver.answer(1, Self.answer("first", downloads: Self.order))
        == ["fetch #1 feed", "changed w"])
    let item = try #require(driver.fetches.first?.items.first)
    #expect(item.kind == "clock" && !item.isPublicOnly && !item.mayCost)
    #expect(driver.fetched(1, .ended([file("0")])) == ["run #2 clock"])
    #expect(
      try told(driver)?.serialized
        == #"[{"id":"feed","file":"/f/one","status":200,"unchanged":false,"type":"text/plain","bytes":3,"date":"2026-11-20T08:00:00Z"}]"#
    )
    #expect(driver.answer(2, Self.answer("second")) == ["r1 done", "changed w"])
    #expect(driver.text("w") == "second")
    #expect(driver.engine.fetchTokens == [])
  }

  @Test func `the second answer is free, and the first one pays`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "w")
    _ = driver.answer(1, Self.answer("first"))
    _ = try driver.reload("w", .hostBackground)
    let before = try #require(driver.engine.timelines.values.first).budget.balance(
      at: driver.now.wall)
    _ = driver.pass(300)
    let run = try #require(driver.engine.runningTokens.first)
    _ = driver.answer(run.number, Self.answer("second", downloads: Self.order))
    _ = driver.fetched(1, .ended([file("0")]))
    _ = driver.answer(run.number + 1, Self.answer("third"))
    let shared = try #require(driver.engine.timelines.values.first)
    #expect(shared.recentRuns.map(\.cost) == [0, 1, 0])
    #expect(shared.recentRuns.last?.cause == .download)
    #expect(before - shared.budget.balance(at: driver.now.wall) <= 1)
  }

  @Test func `unchanged files cause no run`() throws {
    var driver = try asked()
    _ = driver.fetched(1, .ended([file("0")]))
    _ = driver.answer(2, Self.answer("second"))
    _ = try driver.reload("w", .reload)
    #expect(driver.answer(3, Self.answer("second", downloads: Self.order)) == ["fetch #2 feed"])
    #expect(driver.fetched(2, .ended([file("0", status: 304)])) == ["r2 done"])
    // A file with other bytes has another name.
    _ = try driver.reload("w", .reload)
    _ = driver.answer(4, Self.answer("second", downloads: Self.order))
    #expect(driver.fetched(3, .ended([file("0", "/f/two")])) == ["run #5 clock"])
  }

  @Test func `without ifChanged the provider is asked each time`() throws {
    let always = #"[{"id":"feed","url":"https://example.org/feed","ifChanged":false}]"#
    var driver = try asked(always)
    _ = driver.fetched(1, .ended([file("0")]))
    _ = driver.answer(2, Self.answer("second"))
    _ = try driver.reload("w", .reload)
    _ = driver.answer(3, Self.answer("second", downloads: always))
    #expect(driver.fetched(2, .ended([file("0")])) == ["run #4 clock"])
    #expect(try told(driver)?.arrayValue?.first?["unchanged"] == true)
  }

  @Test func `one new file of two is enough, and a run that failed is told again`() throws {
    var driver = try asked(Self.two)
    _ = driver.fetched(1, .ended([file("0", "/f/a"), file("1", "/f/b")]))
    let failed = driver.fail(2, .exited(code: 1))
    #expect(failed.contains("r1 dropped: the provider ended with exit code 1"))
    #expect(driver.pass(61).contains { $0.hasSuffix("run #3 clock") })
    #expect(try told(driver)?.arrayValue?.count == 2)
    _ = driver.answer(3, Self.answer("second"))
    _ = try driver.reload("w", .reload)
    _ = driver.answer(4, Self.answer("second", downloads: Self.two))
    #expect(driver.fetched(2, .ended([file("0", "/f/a"), file("1", "/f/c")])) == ["run #5 clock"])
    #expect(try told(driver)?.arrayValue?.map { $0["unchanged"] } == [true, false])
  }

  @Test func `a provider that fails on its files asks for them anew`() throws {
    let noData = #"{"result":"noData","downloads":\#(Self.order)}"#
    var driver = try asked()
    _ = driver.fetched(1, .ended([failure("0", .status, status: 404)]))
    _ = driver.answer(2, #"{"result":"failed","reason":"the feed is gone"}"#)
    #expect(driver.view("w")["error"] == "the provider failed: the feed is gone")
    _ = try driver.reload("w", .reload)
    #expect(try told(driver) == nil)
    #expect(driver.answer(3, noData) == ["fetch #2 feed"])
    // Nothing is confirmed before the file is there.
    #expect(driver.view("w")["stale"] == true)
    #expect(driver.fetched(2, .ended([file("0")])) == ["run #4 clock"])
    #expect(driver.answer(4, Self.answer("mended")) == ["r2 done", "changed w"])
    #expect(driver.view("w")["error"] == nil)
  }

  @Test func `a run that was lost is told once more, and then begins anew`() throws {
    var driver = try asked()
    _ = driver.fetched(1, .ended([file("0")]))
    _ = driver.fail(2, .exited(code: 1))
    _ = driver.pass(61)
    #expect(try told(driver)?.arrayValue?.count == 1)
    _ = driver.fail(3, .signaled(signal: 11))
    #expect(driver.pass(121).contains { $0.hasSuffix("run #4 clock") })
    #expect(try told(driver) == nil)
  }

  @Test func `a push says nothing about the files under way`() throws {
    var driver = try asked()
    #expect(try driver.push("w", Self.answer("pushed")).contains("changed w"))
    #expect(driver.fetched(1, .ended([file("0")])) == ["run #2 clock"])
    #expect(try told(driver)?.arrayValue?.count == 1)
  }

  @Test func `content is as old as the last look at its file`() throws {
    let timed = Self.answer("first").replacing(
      #""text":"first""#, with: #""text":"first","staleAfter":600"#)
    let noData = #"{"result":"noData","downloads":\#(Self.order)}"#
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "w")
    _ = driver.answer(1, timed)
    _ = driver.pass(300)
    _ = try driver.reload("w", .reload)
    _ = driver.answer(2, noData)
    _ = driver.fetched(1, .ended([failure("0", .unreachable)]))
    #expect(driver.view("w")["downloads"]?["error"] == "it failed")
    #expect(driver.view("w")["downloads"]?["next"] != nil)
    _ = driver.pass(30)
    #expect(driver.view("w")["stale"] == false)
    #expect(driver.pass(31).contains { $0.hasSuffix("fetch #2 feed") })
    _ = driver.fetched(2, .ended([file("0")]))
    _ = driver.answer(3, timed)
    #expect(driver.view("w")["downloads"] == nil)
    _ = driver.pass(500)
    _ = try driver.reload("w", .reload)
    _ = driver.answer(4, noData)
    // The server says that the file is the same: so is the content, from now on.
    _ = driver.fetched(3, .ended([file("0", status: 304)]))
    _ = driver.pass(200)
    #expect(driver.view("w")["stale"] == false)
    _ = try driver.reload("w", .reload)
    _ = driver.answer(5, noData)
    _ = driver.fetched(4, .ended([failure("0", .unreachable)]))
    #expect(driver.pass(401).contains { $0.hasSuffix("changed w") })
    #expect(driver.view("w")["stale"] == true)
  }

  @Test func `an old copy is not told beside an error`() throws {
    var driver = try asked()
    var old = file("0")
    old.error = DownloadError(.status, "it failed", hint: "wait", status: 404)
    #expect(driver.fetched(1, .ended([old])) == ["run #2 clock"])
    let item = try #require(try told(driver)?.arrayValue?.first)
    #expect(item["file"] == nil && item["error"]?["code"] == "status")
  }

  @Test func `a clock that is set back makes nobody wait longer`() throws {
    var driver = try asked()
    _ = driver.setClock(by: -3_600)
    #expect(driver.pass(21).contains { $0.hasSuffix("r1 done") })
  }

  @Test func `what is due together is one process`() throws {
    var driver = EngineDriver(kinds: [EngineDriver.kind("clock"), EngineDriver.kind("feed")])
    _ = try driver.place("clock", id: "w")
    _ = try driver.place("feed", id: "f")
    _ = driver.answer(1, Self.answer("a", policy: #"{"after":"2026-11-20T09:00:00Z"}"#))
    _ = driver.answer(2, Self.answer("b", policy: #"{"after":"2026-11-20T09:00:00Z"}"#))
    _ = driver.pass(4_000)
    #expect(driver.engine.runningCount == 2)
    _ = driver.answer(3, Self.answer("a", downloads: Self.order))
    _ = driver.answer(4, Self.answer("b", downloads: Self.two))
    let line = try #require(driver.pass(2).first)
    let ids = line.split(separator: " ").dropFirst(3).map(String.init)
    #expect(line.contains(" fetch #1 ") && ids.sorted() == ["a", "b", "feed"])
    // Its results belong to the widgets that asked.
    let files = ids.enumerated().map { file(String($0.offset), "/f/\($0.element)") }
    #expect(driver.fetched(1, .ended(files)).count == 2)
    let told = try driver.runs.map { run in
      try JSONValue(parsing: run.request)["downloads"]?.arrayValue?.map {
        "\($0["id"]?.stringValue ?? "")=\($0["file"]?.stringValue ?? "")"
      } ?? []
    }
    #expect(Set(told) == [["feed=/f/feed"], ["a=/f/a", "b=/f/b"]])
  }

  // MARK: What holds it up

  @Test func `without a network downloads wait, and nobody with them`() throws {
    var driver = EngineDriver()
    _ = driver.setNetwork(isUp: false)
    _ = try driver.place("clock", id: "w")
    #expect(
      driver.answer(1, Self.answer("first", downloads: Self.order)) == ["r1 done", "changed w"])
    #expect(driver.pass(600) == [])
    #expect(driver.setNetwork(isUp: true) == ["fetch #1 feed"])
  }

  @Test func `a server of this machine needs no network`() throws {
    var driver = EngineDriver()
    _ = driver.setNetwork(isUp: false)
    _ = try driver.place("clock", id: "w")
    let order = #"[{"id":"feed","url":"http://127.0.0.1:8080/feed"}]"#
    #expect(
      driver.answer(1, Self.answer("first", downloads: order)) == ["fetch #1 feed", "changed w"])
  }

  @Test func `after an hour without a network it is tried anyway`() throws {
    var driver = EngineDriver()
    _ = driver.setNetwork(isUp: false)
    _ = try driver.place("clock", id: "w")
    _ = driver.answer(1, Self.answer("first", downloads: Self.order))
    #expect(driver.pass(3_599) == [])
    #expect(driver.pass(2).map { $0.dropFirst(9) } == ["fetch #1 feed"])
  }

  @Test func `a failure that may pass is tried again, later each time`() throws {
    var driver = try asked()
    #expect(driver.fetched(1, .ended([failure("0", .timeout)])) == ["r1 done"])
    var waits: [Int64] = []
    for token in UInt64(2)...9 {
      let before = driver.now.wall
      for _ in 0..<400 where driver.engine.fetchTokens.isEmpty { _ = driver.pass(10) }
      waits.append(driver.now.wall.milliseconds(since: before) / 1_000)
      _ = driver.fetched(token, .ended([failure("0", .unreachable)]))
    }
    #expect(waits == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
  }

  @Test func `a server says when, and a person does not wait for that`() throws {
    var driver = try asked()
    let later = driver.now.wall.advanced(bySeconds: 7_200)
    _ = driver.fetched(1, .ended([failure("0", .waiting, retryAt: later)]))
    #expect(driver.pass(7_199) == [])
    #expect(driver.pass(2).map { $0.dropFirst(9) } == ["fetch #2 feed"])
    _ = driver.fetched(
      2, .ended([failure("0", .metered, retryAt: driver.now.wall.advanced(bySeconds: 900))]))
    _ = try driver.reload("w", .reload)
    #expect(driver.answer(2, Self.answer("first", downloads: Self.order)) == ["fetch #3 feed"])
  }

  @Test func `a refusal is told once`() throws {
    var driver = try asked()
    #expect(driver.fetched(1, .ended([failure("0", .status, status: 404)])) == ["run #2 clock"])
    #expect(try told(driver)?.arrayValue?.first?["error"]?["status"] == 404)
    _ = driver.answer(2, Self.answer("gone"))
    _ = try driver.reload("w", .reload)
    _ = driver.answer(3, Self.answer("gone", downloads: Self.order))
    #expect(driver.fetched(2, .ended([failure("0", .status, status: 404)])) == ["r2 done"])
    _ = try driver.reload("w", .reload)
    _ = driver.answer(4, Self.answer("gone", downloads: Self.order))
    #expect(driver.fetched(3, .ended([failure("0", .status, status: 403)])) == ["run #5 clock"])
  }

  @Test func `a missing program is told, and a lost process is tried again`() throws {
    var driver = try asked()
    #expect(driver.fetched(1, .failed("it was killed")) == ["r1 done"])
    #expect(driver.pass(61).map { $0.dropFirst(9) } == ["fetch #2 feed"])
    #expect(driver.fetched(2, .ended([])) == [])
    #expect(driver.pass(121).map { $0.dropFirst(9) } == ["fetch #3 feed"])
    #expect(driver.fetched(3, .noProgram) == ["run #2 clock"])
    #expect(try told(driver)?.arrayValue?.first?["error"]?["code"] == "noProgram")
  }

  @Test func `a process that never ends is ended, and an outcome that is none changes nothing`()
    throws
  {
    var driver = try asked()
    #expect(driver.fetched(2, .ended([file("0")])) == [])
    let lines = driver.pass(400)
    #expect(lines.contains { $0.hasSuffix("cancel fetch #1") })
    #expect(driver.fetched(1, .failed("it took too long")) == [])
    #expect(driver.fetched(1, .ended([file("0")])) == [])
  }

  @Test func `a person waits for files for twenty seconds at most`() throws {
    var driver = try asked()
    #expect(driver.pass(19) == [])
    #expect(driver.pass(2).map { $0.dropFirst(9) } == ["r1 done"])
    #expect(driver.fetched(1, .ended([file("0")])) == ["run #2 clock"])
  }

  // MARK: Who may

  @Test func `a kind in a box without the network gets no file, and is told`() throws {
    var kind = EngineDriver.kind("clock")
    kind.origin = .installed
    kind.provider.containment = .boxed(ProviderPermissions())
    var driver = EngineDriver(kinds: [kind])
    _ = try driver.place("clock", id: "w")
    #expect(
      driver.answer(1, Self.answer("first", downloads: Self.order))
        == ["run #2 clock", "changed w"])
    #expect(try told(driver)?.arrayValue?.first?["error"]?["code"] == "notAllowed")
  }

  @Test func `what was installed reaches the internet alone, and a manifest may allow what costs`()
    throws
  {
    var kind = EngineDriver.kind("clock")
    kind.origin = .installed
    kind.provider.containment = .boxed(ProviderPermissions(network: true))
    kind.mayDownloadMetered = true
    var driver = EngineDriver(kinds: [kind])
    _ = try driver.place("clock", id: "w")
    _ = driver.answer(1, Self.answer("first", downloads: Self.order))
    let item = try #require(driver.fetches.first?.items.first)
    #expect(item.isPublicOnly && item.mayCost)
  }

  // MARK: Chains and changes

  @Test func `an answer to downloads may ask for further ones three times in a row`() throws {
    var driver = EngineDriver()
    _ = try driver.place("clock", id: "w")
    func order(_ number: Int) -> String {
      #"[{"id":"feed","url":"https://example.org/\#(number)"}]"#
    }
    _ = driver.answer(1, Self.answer("0", downloads: order(0)))
    for round in 1...3 {
      _ = driver.fetched(UInt64(round), .ended([file("0", "/f/\(round)")]))
      let lines = driver.answer(
        UInt64(round + 1), Self.answer("\(round)", downloads: order(round)))
      #expect(lines.first == "fetch #\(round + 1) feed")
    }
    _ = driver.fetched(4, .ended([file("0", "/f/4")]))
    #expect(
      driver.answer(5, Self.answer("4", downloads: order(4))) == ["r1 done", "changed w"])
    #expect(driver.notes.contains { $0.decision == .downloadsRefused })
  }

  @Test func `an answer that asks for nothing ignores the files under way`() throws {
    var driver = try asked()
    _ = try driver.reload("w", .reload)
    #expect(driver.answer(2, Self.answer("second")) == ["r1 done", "r2 done", "changed w"])
    #expect(driver.fetched(1, .ended([file("0")])) == [])
  }

  @Test func `the same orders again do not begin anew, and others do`() throws {
    var driver = try asked()
    _ = try driver.reload("w", .reload)
    #expect(driver.answer(2, Self.answer("first", downloads: Self.order)) == [])
    _ = try driver.reload("w", .reload)
    #expect(driver.answer(3, Self.answer("first", downloads: Self.two)) == ["fetch #2 a b"])
    #expect(driver.fetched(1, .ended([file("0")])) == [])
    #expect(driver.fetched(2, .ended([file("0"), file("1")])) == ["run #4 clock"])
    #expect(
      driver.answer(4, Self.answer("second")) == ["r1 done", "r2 done", "r3 done", "changed w"])
  }

  @Test func `a removed widget wants no files`() throws {
    var driver = try asked()
    #expect(
      try driver.remove("w") == [
        "r1 dropped: the widget was removed or configured anew", "removed w",
      ])
    #expect(driver.fetched(1, .ended([file("0")])) == [])
  }

  @Test func `a kind that is gone has nothing fetched`() throws {
    var driver = EngineDriver()
    _ = driver.setNetwork(isUp: false)
    _ = try driver.place("clock", id: "w")
    _ = driver.answer(1, Self.answer("first", downloads: Self.order))
    _ = driver.setKinds([])
    #expect(driver.setNetwork(isUp: true) == [])
  }

  // MARK: Restart

  @Test func `after a restart pending downloads begin again, and known files are known`() throws {
    var driver = try asked()
    _ = driver.fetched(1, .ended([file("0")]))
    _ = driver.answer(2, Self.answer("second"))
    _ = try driver.reload("w", .reload)
    _ = driver.answer(3, Self.answer("second", downloads: Self.order))
    _ = driver.pass(21)
    var fresh = try driver.restarted(kinds: [EngineDriver.kind("clock")], after: 10)
    #expect(fresh.resume().contains("fetch #1 feed"))
    #expect(fresh.fetched(1, .ended([file("0", status: 304)])) == [])

    var again = try fresh.restarted(kinds: [EngineDriver.kind("clock")], after: 10)
    #expect(!again.resume().contains { $0.hasPrefix("fetch") })
  }

  @Test func `a record that another version wrote asks for nothing`() {
    let now = WallTime(seconds: 1_795_161_600)
    for text in [
      "{}", #"{"orders":[]}"#, #"{"orders":[{"id":"a"}]}"#, #"{"orders":7}"#, "[]",
      #"{"orders":[{"id":"a","url":"https://a.org","new":1}],"pending":true}"#,
    ] {
      #expect(TimelineDownloads(record: parsed(text), at: now) == nil)
    }
  }

  private func parsed(_ text: String) -> JSONValue? {
    do { return try JSONValue(parsing: text) } catch { return nil }
  }

  // MARK: Answers

  @Test(arguments: [
    (#"{}"#, "downloads"), (#"[7]"#, "downloads[0]"), (#"[{"id":"a"}]"#, "downloads[0].url"),
    (#"[{"id":"a","url":"file:///etc/passwd"}]"#, "downloads[0].url"),
    (
      #"[{"id":"a","url":"https://a.org"},{"id":"a","url":"https://b.org"}]"#, "downloads[1].id"
    ),
    (#"[{"id":"a","url":"https://a.org","headers":{"Host":"b"}}]"#, "downloads[0].headers"),
  ])
  func `a mistake in an order names its place`(downloads: String, path: String) throws {
    for answer in [
      Self.answer("a", downloads: downloads), #"{"result":"noData","downloads":\#(downloads)}"#,
    ] {
      guard case .failure(let error) = ProviderAnswer.read(try JSONValue(parsing: answer)) else {
        Issue.record("taken: \(answer)")
        continue
      }
      #expect(error.path == path)
      #expect(error.message.contains("expected") || error.message.contains("its own"))
    }
  }

  @Test func `eight downloads are read, and nine are refused`() throws {
    func list(_ count: Int) -> String {
      let items = (0..<count).map { #"{"id":"\#($0)","url":"https://a.org/\#($0)"}"# }
      return "[\(items.joined(separator: ","))]"
    }
    let eight = try JSONValue(parsing: Self.answer("a", downloads: list(8)))
    #expect(try ProviderAnswer.read(eight).get().downloads?.count == 8)
    let nine = try JSONValue(parsing: Self.answer("a", downloads: list(9)))
    guard case .failure(let error) = ProviderAnswer.read(nine) else {
      Issue.record("nine downloads were taken")
      return
    }
    #expect(error.path == "downloads")
  }
}
