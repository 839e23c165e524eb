import Downloads
import JSON
import Testing
import Timekeeping

/// Downloads from request to outcome, in virtual time.
@Suite struct DownloadTests {
  let now = WallTime(rfc3339: "2026-11-24T12:00:00Z") ?? WallTime(milliseconds: 0)
  let hash = String(repeating: "a", count: 64)

  private func url(_ text: String) throws -> DownloadURL { try DownloadURL(text) }

  private func request(_ text: String = "https://a.org/x") throws -> DownloadRequest {
    var order = DownloadOrder(id: "a", url: try url(text))
    order.headers = [try DownloadHeader(name: "Authorization", value: "secret")]
    order.bytesMax = 100
    return DownloadRequest(byKind: order, folder: "/f", isPublicOnly: true, mayCost: false)
  }

  private func record(age: Int64 = 0) -> CacheRecord {
    CacheRecord(
      url: "https://a.org/x", finalURL: "https://a.org/x", etag: "\"1\"",
      lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", date: now.advanced(bySeconds: -age),
      type: "text/plain", byteCount: 3, hash: hash)
  }

  private func head(_ status: Int, _ fields: [String: String] = [:]) -> ResponseHead {
    ResponseHead(
      status: status,
      fields: fields.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
  }

  private func failure(_ step: Download.Step) -> DownloadError? {
    guard case .finish(.failed(let error, _)) = step else { return nil }
    return error
  }

  // MARK: From the cache

  @Test func `a copy that is young enough is used without asking`() throws {
    var request = try request()
    request.maxAgeMilliseconds = 600_000
    var download = Download(request, record: record(age: 600), pauses: [:])
    #expect(
      download.begin(at: now) == .finish(.cached(record(age: 600), status: 0, renewed: nil)))
    var older = Download(request, record: record(age: 601), pauses: [:])
    guard case .ask = older.begin(at: now) else { throw Unexpected() }
  }

  @Test func `a copy from the future is asked about: the clock was set back`() throws {
    var request = try request()
    request.maxAgeMilliseconds = 600_000
    var download = Download(request, record: record(age: -1), pauses: [:])
    guard case .ask = download.begin(at: now) else { throw Unexpected() }
  }

  @Test func `offline any copy does, and without one it fails`() throws {
    var request = try request()
    request.isOffline = true
    var download = Download(request, record: record(age: 86_400), pauses: [:])
    #expect(
      download.begin(at: now) == .finish(.cached(record(age: 86_400), status: 0, renewed: nil)))
    var empty = Download(request, record: nil, pauses: [:])
    #expect(failure(empty.begin(at: now))?.code == .notInCache)
  }

  @Test func `a copy that is not what is expected counts as none`() throws {
    var typed = try request()
    typed.order.types = ["application/json"]
    var small = try request()
    small.order.bytesMax = 2
    for (request, code) in [(typed, DownloadError.Code.wrongType), (small, .tooLarge)] {
      var young = request
      young.maxAgeMilliseconds = 600_000
      var download = Download(young, record: record(), pauses: [:])
      #expect(
        download.begin(at: now)
          == .ask(.init(url: try url("https://a.org/x"), headers: ["Authorization: secret"])))
      let gone = DownloadError(.unreachable, "no network", hint: "wait")
      guard case .finish(.failed(_, let old)) = download.ended(.broken(gone), at: now) else {
        throw Unexpected()
      }
      #expect(old == nil)
      var offline = request
      offline.isOffline = true
      var from = Download(offline, record: record(), pauses: [:])
      #expect(failure(from.begin(at: now))?.code == code)
    }
  }

  // MARK: Asking

  @Test func `a copy is asked about by tag and date, and 304 renews it`() throws {
    var download = Download(try request(), record: record(age: 50), pauses: [:])
    #expect(
      download.begin(at: now)
        == .ask(
          .init(
            url: try url("https://a.org/x"),
            headers: [
              "Authorization: secret", "If-None-Match: \"1\"",
              "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
            ])))
    #expect(download.received(head(304, ["etag": "\"2\""]), at: now) == .skip)
    var renewed = record()
    renewed.etag = "\"2\""
    #expect(
      download.ended(.whole(byteCount: 0, hash: hash), at: now)
        == .finish(.cached(record(age: 50), status: 304, renewed: renewed)))
  }

  @Test func `without ifChanged nothing is said about the copy`() throws {
    var request = try request()
    request.order.ifChanged = false
    var download = Download(request, record: record(), pauses: [:])
    #expect(
      download.begin(at: now)
        == .ask(.init(url: try url("https://a.org/x"), headers: ["Authorization: secret"])))
  }

  @Test func `304 without a copy is no answer`() throws {
    var download = Download(try request(), record: nil, pauses: [:])
    _ = download.begin(at: now)
    #expect(download.received(head(304), at: now) == .skip)
    #expect(
      failure(download.ended(.whole(byteCount: 0, hash: hash), at: now))?.code == .protocolError)
  }

  @Test func `a new body is recorded with what the server said of it`() throws {
    var download = Download(try request(), record: nil, pauses: [:])
    _ = download.begin(at: now)
    let head = head(
      200,
      ["content-type": "Text/Plain; charset=utf-8", "etag": "W/\"x\"", "content-length": "100"])
    #expect(download.received(head, at: now) == .keep(bytesMax: 100))
    let fresh = CacheRecord(
      url: "https://a.org/x", finalURL: "https://a.org/x", etag: "W/\"x\"", date: now,
      type: "text/plain", byteCount: 100, hash: hash)
    #expect(
      download.ended(.whole(byteCount: 100, hash: hash), at: now)
        == .finish(.fresh(fresh, isUnchanged: false)))
  }

  @Test func `the same body again is unchanged, whatever the server says`() throws {
    var download = Download(try request(), record: record(), pauses: [:])
    _ = download.begin(at: now)
    _ = download.received(head(200), at: now)
    guard
      case .finish(.fresh(_, let isUnchanged)) = download.ended(
        .whole(byteCount: 3, hash: hash), at: now)
    else { throw Unexpected() }
    #expect(isUnchanged)
  }

  // MARK: Limits

  @Test func `a body that announces too many bytes is not read`() throws {
    var download = Download(try request(), record: record(), pauses: [:])
    _ = download.begin(at: now)
    #expect(download.received(head(200, ["content-length": "101"]), at: now) == .stop)
    let step = download.ended(.stopped, at: now)
    #expect(failure(step)?.code == .tooLarge)
    guard case .finish(.failed(_, let old)) = step else { throw Unexpected() }
    #expect(old == record())
  }

  @Test func `a body that goes on and on is ended`() throws {
    var download = Download(try request(), record: nil, pauses: [:])
    _ = download.begin(at: now)
    #expect(download.received(head(200), at: now) == .keep(bytesMax: 100))
    #expect(failure(download.ended(.overflowed, at: now))?.code == .tooLarge)
  }

  @Test func `a body of another type than expected is not read`() throws {
    var request = try request()
    request.order.types = ["application/json"]
    var download = Download(request, record: nil, pauses: [:])
    _ = download.begin(at: now)
    #expect(download.received(head(200, ["content-type": "text/html"]), at: now) == .stop)
    let error = failure(download.ended(.stopped, at: now))
    #expect(error?.code == .wrongType)
    #expect(error?.message == "the type is text/html, and application/json is expected")
  }

  // MARK: Redirects

  /// Follows redirects and returns the last step.
  private func follow(_ locations: [String], from start: String = "https://a.org/x") throws
    -> (Download, Download.Step)
  {
    var download = Download(try request(start), record: nil, pauses: [:])
    var step = download.begin(at: now)
    for location in locations {
      guard case .ask = step else { break }
      #expect(download.received(head(302, ["location": location]), at: now) == .skip)
      step = download.ended(.whole(byteCount: 9, hash: hash), at: now)
    }
    return (download, step)
  }

  @Test func `a redirect within https is followed, and a secret stays with its server`() throws {
    #expect(
      try follow(["/y"]).1
        == .ask(.init(url: try url("https://a.org/y"), headers: ["Authorization: secret"])))
    #expect(
      try follow(["https://b.org/y"]).1 == .ask(.init(url: try url("https://b.org/y"), headers: []))
    )
    #expect(
      try follow(["https://a.org:444/y"]).1
        == .ask(.init(url: try url("https://a.org:444/y"), headers: [])))
  }

  @Test func `a redirect out of https is refused, and one into it is followed`() throws {
    #expect(failure(try follow(["http://a.org/y"]).1)?.code == .redirect)
    #expect(failure(try follow(["/y"], from: "http://a.org/x").1)?.code == .redirect)
    guard case .ask = try follow(["https://a.org/x"], from: "http://a.org/x").1 else {
      throw Unexpected()
    }
  }

  @Test func `redirects in a circle, too many and without a place end`() throws {
    let circle = try #require(failure(try follow(["/y", "/x"]).1))
    #expect(circle.message == "the redirects lead in a circle, to https://a.org/x")
    // A query may have a key, and the words go into logs and the history.
    let secret = "https://a.org/x?key=secret"
    for locations in [["/y", "/x?key=secret"], ["http://b.org/x?key=secret"]] {
      let error = try #require(failure(try follow(locations, from: secret).1))
      #expect(!(error.message + error.hint).contains("secret"), "\(error)")
    }
    let many = try follow((1...6).map { "/\($0)?key=secret" }, from: secret).1
    #expect(failure(many)?.hint == "ask for the last URL itself: https://a.org/6")
    guard case .ask = try follow(["/1", "/2", "/3", "/4", "/5"]).1 else { throw Unexpected() }
    #expect(failure(try follow(["/1", "/2", "/3", "/4", "/5", "/6"]).1)?.code == .redirect)
    #expect(failure(try follow(["file:///etc/passwd"]).1)?.code == .redirect)
    var download = Download(try request(), record: nil, pauses: [:])
    _ = download.begin(at: now)
    _ = download.received(head(302), at: now)
    #expect(failure(download.ended(.whole(byteCount: 0, hash: hash), at: now))?.code == .redirect)
  }

  @Test func `the tag of one server is not shown to another`() throws {
    var moved = record()
    moved.finalURL = "https://b.org/x"
    var download = Download(try request(), record: moved, pauses: [:])
    #expect(
      download.begin(at: now)
        == .ask(.init(url: try url("https://a.org/x"), headers: ["Authorization: secret"])))
    _ = download.received(head(302, ["location": "https://b.org/x"]), at: now)
    guard case .ask(let question) = download.ended(.stopped, at: now) else { throw Unexpected() }
    #expect(question.headers.first == "If-None-Match: \"1\"")
  }

  // MARK: Hosts that fail

  @Test func `a server that says when is left alone until then`() throws {
    for (text, seconds) in [("90", 90), ("Tue, 24 Nov 2026 12:05:00 GMT", 300)] {
      var download = Download(try request(), record: nil, pauses: [:])
      _ = download.begin(at: now)
      _ = download.received(head(429, ["retry-after": text]), at: now)
      let error = failure(download.ended(.whole(byteCount: 0, hash: hash), at: now))
      let moment = now.advanced(bySeconds: Int64(seconds))
      #expect(error?.retryAt == moment)
      #expect(
        download.pauseChange
          == .set(
            HostPause(
              origin: "https://a.org:443", failureCount: 1, until: moment, isAskedFor: true)))
    }
  }

  @Test func `a host that failed is left alone for longer each time, up to an hour`() throws {
    var pauses: [String: HostPause] = [:]
    var waits: [Int64] = []
    var moment = now
    for _ in 0..<10 {
      var download = Download(try request(), record: nil, pauses: pauses)
      guard case .ask = download.begin(at: moment) else { throw Unexpected() }
      _ = download.received(head(500), at: moment)
      _ = download.ended(.whole(byteCount: 0, hash: hash), at: moment)
      guard case .set(let pause) = download.pauseChange else { throw Unexpected() }
      waits.append(pause.until.milliseconds(since: moment) / 1_000)
      pauses = [pause.origin: pause]
      var tooEarly = Download(try request(), record: nil, pauses: pauses)
      #expect(
        failure(tooEarly.begin(at: pause.until.advanced(byMilliseconds: -1)))?.code == .waiting)
      moment = pause.until
    }
    #expect(waits == [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
  }

  @Test func `an answer ends the pause, and a refusal is no fault of the host`() throws {
    let pause = HostPause(
      origin: "https://a.org:443", failureCount: 3, until: now, isAskedFor: false)
    var download = Download(try request(), record: nil, pauses: [pause.origin: pause])
    _ = download.begin(at: now)
    _ = download.received(head(200), at: now)
    _ = download.ended(.whole(byteCount: 3, hash: hash), at: now)
    #expect(download.pauseChange == .remove(origin: pause.origin))
    var refused = Download(try request(), record: nil, pauses: [:])
    _ = refused.begin(at: now)
    _ = refused.received(head(404), at: now)
    #expect(failure(refused.ended(.whole(byteCount: 0, hash: hash), at: now))?.status == 404)
    #expect(refused.pauseChange == nil)
  }

  @Test func `a person waits where the server asked for it, and not for our own caution`() throws {
    let later = now.advanced(bySeconds: 60)
    let own = HostPause(origin: "o", failureCount: 1, until: later, isAskedFor: false)
    let asked = HostPause(origin: "o", failureCount: 1, until: later, isAskedFor: true)
    #expect(own.holds(at: now, forPerson: false))
    #expect(!own.holds(at: now, forPerson: true))
    #expect(asked.holds(at: now, forPerson: true))
    #expect(!asked.holds(at: later, forPerson: true))
    // The clock was set back by years.
    #expect(!asked.holds(at: now.advanced(bySeconds: -400_000_000), forPerson: false))
  }

  @Test func `a host that only a redirect named gets no pause`() throws {
    var download = Download(try request(), record: nil, pauses: [:])
    _ = download.begin(at: now)
    _ = download.received(head(302, ["location": "https://b.org/x"]), at: now)
    _ = download.ended(.stopped, at: now)
    _ = download.received(head(503, ["retry-after": "90"]), at: now)
    let error = failure(download.ended(.whole(byteCount: 0, hash: hash), at: now))
    #expect(error?.status == 503 && error?.retryAt == now.advanced(bySeconds: 90))
    #expect(download.pauseChange == nil)
  }

  @Test func `without a network no host is blamed, and it is tried again in a minute`() throws {
    var download = Download(try request(), record: record(), pauses: [:])
    _ = download.begin(at: now)
    let error = DownloadError(.unreachable, "no network", hint: "wait")
    #expect(
      failure(download.ended(.broken(error), at: now))?.retryAt == now.advanced(bySeconds: 60))
    #expect(download.pauseChange == nil)
  }

  private struct Unexpected: Error {}
}
