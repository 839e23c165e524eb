import Downloads
import JSON
import Testing
import Timekeeping

/// The readers of what servers and files say.
@Suite struct ReaderTests {
  let now = WallTime(rfc3339: "2026-11-24T12:00:00Z") ?? WallTime(milliseconds: 0)

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func `the three forms of a date are the same moment`(text: String) {
    #expect(WallTime(http: text, now: now)?.rfc3339 == "1994-11-06T08:49:37Z")
  }

  @Test(arguments: [
    "", "yesterday", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 006 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT and more words",
  ])
  func `what is no date of HTTP is none`(text: String) {
    #expect(WallTime(http: text, now: now) == nil)
  }

  @Test(arguments: [
    ("0", 0), ("120", 120), ("86400", 86_400), ("99999999999999999999", 86_400),
    ("Tue, 24 Nov 2026 12:10:00 GMT", 600), ("Tue, 24 Nov 2020 12:10:00 GMT", 0),
    ("Tue, 24 Nov 2099 12:10:00 GMT", 86_400),
  ])
  func `a server may ask for up to a day`(text: String, seconds: Int64) {
    #expect(RetryAfter.moment(text, now: now) == now.advanced(bySeconds: seconds))
  }

  @Test(arguments: ["", "-1", "+1", "1.5", "soon", "1 "])
  func `a Retry-After that cannot be read is none`(text: String) {
    #expect(RetryAfter.moment(text, now: now) == nil)
  }

  @Test func `a head is read line by line, and an interim one is passed over`() {
    var reader = ResponseHeadReader()
    let lines = [
      "HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n", "HTTP/2 200 \r\n",
      "Content-Type: \t text/plain \r\n", "nonsense\r\n", "ETag: \"a:b\"\r\n",
    ]
    for line in lines { #expect(reader.take(Array(line.utf8)) == .more) }
    let head = ResponseHead(
      status: 200,
      fields: [
        .init(name: "content-type", value: "text/plain"), .init(name: "etag", value: "\"a:b\""),
      ])
    #expect(reader.take(Array("\r\n".utf8)) == .complete(head))
    // A trailer.
    #expect(reader.take(Array("X: y\r\n".utf8)) == .more)
    #expect(reader.take(Array("\r\n".utf8)) == .more)
  }

  @Test func `a head without an end is given up`() {
    var reader = ResponseHeadReader()
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1_024)
    for _ in 0..<64 { #expect(reader.take(line) == .more) }
    #expect(reader.take([10]) == .tooLarge)
  }

  @Test(arguments: [("0", 0), ("12", 12), ("-1", nil), ("1e3", nil), ("99999999999999999999", nil)])
  func `a length is digits alone`(text: String, count: Int64?) {
    let head = ResponseHead(status: 200, fields: [.init(name: "content-length", value: text)])
    #expect(head.contentLength == count)
  }

  // MARK: Records

  private var record: CacheRecord {
    CacheRecord(
      url: "https://a.org/x", finalURL: "https://b.org/y", etag: "W/\"1\"",
      lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", date: now, type: "text/plain", byteCount: 3,
      hash: String(repeating: "0f", count: 32))
  }

  @Test func `a record is read as it was written, and only for its URL`() throws {
    #expect(CacheRecord(record.bytes, of: try DownloadURL("https://a.org/x")) == record)
    #expect(CacheRecord(record.bytes, of: try DownloadURL("https://a.org/z")) == nil)
  }

  @Test func `a record that was cut or changed anywhere is none, or one that is safe`() throws {
    let url = try DownloadURL("https://a.org/x")
    for end in 0..<(record.bytes.count - 2) {
      #expect(CacheRecord(Array(record.bytes[..<end]), of: url) == nil)
    }
    for index in record.bytes.indices {
      var bytes = record.bytes
      bytes[index] ^= 0x15
      guard let read = CacheRecord(bytes, of: url) else { continue }
      #expect(!CacheRecord.bodyName(key: "k", hash: read.hash).contains("/"))
      for line in read.conditions(for: try DownloadURL(read.finalURL)) {
        #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
      }
    }
  }

  @Test(arguments: ["1", "\"", "\"a\"b\"", "\"a b\"", "\"a\r\nX: y\"", "W/1", ""])
  func `a tag that is none is not sent back`(tag: String) {
    var changed = record
    changed.noteValidators(
      of: ResponseHead(status: 200, fields: [.init(name: "etag", value: tag)]))
    #expect(changed.etag == nil)
  }

  @Test func `the same URL with another token is another file`() throws {
    let url = try DownloadURL("https://a.org/x")
    let one = try DownloadHeader(name: "Authorization", value: "one")
    let two = try DownloadHeader(name: "Authorization", value: "two")
    let accept = try DownloadHeader(name: "Accept", value: "*/*")
    let keys = [[], [one], [two], [one, accept]].map { CacheRecord.key(url, headers: $0) }
    #expect(Set(keys).count == 4)
    #expect(CacheRecord.key(url, headers: [accept, one]) == keys[3])
    #expect(keys.allSatisfy { $0.utf8.count == 32 })
  }

  @Test func `a pause is read as it was written, and only for its host`() {
    let pause = HostPause(
      origin: "https://a.org:443", failureCount: 2, until: now, isAskedFor: true)
    #expect(HostPause(pause.bytes, of: "https://a.org:443") == pause)
    #expect(HostPause(pause.bytes, of: "https://b.org:443") == nil)
    #expect(HostPause(Array("{}".utf8), of: "https://a.org:443") == nil)
  }

  @Test func `results are read as they were written`() {
    let file = DownloadResult.File(
      path: "/f/a", status: 200, isUnchanged: false, type: "text/plain", byteCount: 7, date: now)
    let error = DownloadError(
      .status, "a.org answered with the status 503", hint: "later", status: 503, retryAt: now)
    for result in [
      DownloadResult(id: "a", file: file), DownloadResult(id: "b", file: nil, error: error),
      DownloadResult(id: "c", file: file, error: error),
    ] {
      #expect(DownloadResult(result.json) == result)
    }
    #expect(DownloadResult(["id": "a"]) == nil)
    #expect(DownloadResult(["id": "a", "file": "relative"]) == nil)
  }

  @Test(arguments: [
    (0, "0 seconds"), (1_000, "1 second"), (119_999, "119 seconds"), (120_000, "2 minutes"),
    (7_199_000, "119 minutes"), (7_200_000, "2 hours"), (172_800_000, "2 days"),
    (-5_000, "0 seconds"),
  ])
  func `an age is said in the unit that fits`(milliseconds: Int64, words: String) {
    #expect(AgeText.words(milliseconds: milliseconds) == words)
  }
}
