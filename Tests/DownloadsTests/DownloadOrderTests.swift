import Downloads
import JSON
import Testing

@Suite struct DownloadOrderTests {
  private func read(_ text: String) throws -> DownloadOrder {
    try DownloadOrder(try JSONValue(parsing: text))
  }

  private func mistake(_ text: String) throws -> DownloadMistake? {
    let json = try JSONValue(parsing: text)
    do throws(DownloadMistake) {
      _ = try DownloadOrder(json)
      return nil
    } catch {
      return error
    }
  }

  @Test func `an order with everything is read, and written as it was`() throws {
    let text = """
      {"id":"now","url":"https://example.org/a","headers":{"Accept":"text/plain","X-Key":"k"},\
      "ifChanged":false,"expect":{"maxBytes":1000,"types":["text/plain","image/*"]}}
      """
    let order = try read(text)
    #expect(order.id == "now")
    #expect(order.headers.map(\.line) == ["Accept: text/plain", "X-Key: k"])
    #expect(!order.ifChanged)
    #expect(order.bytesMax == 1_000)
    #expect(order.types == ["text/plain", "image/*"])
    #expect(try DownloadOrder(order.json) == order)
    #expect(order.json.serialized == text)
  }

  @Test func `without a word about it a body has 4 MiB and any type, and is asked for if changed`()
    throws
  {
    let order = try read(#"{"id":"a","url":"https://example.org/"}"#)
    #expect(order == DownloadOrder(id: "a", url: try DownloadURL("https://example.org/")))
    #expect(order.bytesMax == 4 << 20)
    #expect(order.ifChanged)
  }

  @Test(arguments: [
    ("7", ""), (#"{"url":"https://a.org"}"#, "id"), (#"{"id":"a b","url":"https://a.org"}"#, "id"),
    (#"{"id":"","url":"https://a.org"}"#, "id"), (#"{"id":"a"}"#, "url"),
    (#"{"id":"a","url":"gopher://a.org"}"#, "url"),
    (#"{"id":"a","url":"https://a.org","header":{}}"#, "header"),
    (#"{"id":"a","url":"https://a.org","headers":[]}"#, "headers"),
    (#"{"id":"a","url":"https://a.org","headers":{"Host":"b.org"}}"#, "headers"),
    (#"{"id":"a","url":"https://a.org","headers":{"cookie":"b"}}"#, "headers"),
    (#"{"id":"a","url":"https://a.org","headers":{"If-None-Match":"b"}}"#, "headers"),
    (#"{"id":"a","url":"https://a.org","headers":{"Transfer-Encoding":"chunked"}}"#, "headers"),
    (#"{"id":"a","url":"https://a.org","headers":{"X: Y":"b"}}"#, "headers"),
    (#"{"id":"a","url":"https://a.org","headers":{"X":"a\r\nHost: b"}}"#, "headers.X"),
    (#"{"id":"a","url":"https://a.org","headers":{"X":7}}"#, "headers.X"),
    (#"{"id":"a","url":"https://a.org","ifChanged":1}"#, "ifChanged"),
    (#"{"id":"a","url":"https://a.org","expect":7}"#, "expect"),
    (#"{"id":"a","url":"https://a.org","expect":{"max":7}}"#, "expect.max"),
    (#"{"id":"a","url":"https://a.org","expect":{"maxBytes":0}}"#, "expect.maxBytes"),
    (#"{"id":"a","url":"https://a.org","expect":{"maxBytes":33554433}}"#, "expect.maxBytes"),
    (#"{"id":"a","url":"https://a.org","expect":{"types":"text/plain"}}"#, "expect.types"),
    (#"{"id":"a","url":"https://a.org","expect":{"types":["text"]}}"#, "expect.types"),
  ])
  func `a mistake names its member, and says what is expected`(text: String, member: String) throws
  {
    let found = try #require(try mistake(text))
    #expect(found.member == member)
    #expect(!found.message.isEmpty)
    #expect(!found.expected.isEmpty)
  }

  @Test(arguments: [
    ("gopher://a.org/x?key=secret", "gopher://a.org/x"),
    ("https://a.org/x y?secret", "https://a.org/x y"),
    ("https://me:secret@a.org/x", "https://a.org/x"), ("https://a@secret@a.org", "https://a.org"),
    ("a.org/x#secret", "a.org/x"), ("secret@a.org", "secret@a.org"),
  ])
  func `a URL in a mistake has no query and no password`(url: String, shown: String) throws {
    let found = try #require(try mistake(#"{"id":"a","url":"\#(url)"}"#))
    #expect(found.message.hasPrefix("'\(shown)' "), "\(found.message)")
  }

  @Test func `more headers than eight, and longer ones, are refused`() throws {
    func order(_ headers: [String]) -> String {
      #"{"id":"a","url":"https://a.org","headers":{\#(headers.joined(separator: ","))}}"#
    }
    let eight = (0..<8).map { "\"X-\($0)\":\"v\"" }
    #expect(try mistake(order(eight)) == nil)
    #expect(try mistake(order(eight + ["\"X-9\":\"v\""])) != nil)
    let long = String(repeating: "v", count: DownloadLimits.headerValueBytesMax)
    #expect(try mistake(order(["\"X\":\"\(long)\""])) == nil)
    #expect(try mistake(order(["\"X\":\"\(long)v\""])) != nil)
  }

  @Test func `a request for a kind is read as it was written`() throws {
    let order = try read(#"{"id":"a","url":"https://example.org/","headers":{"Accept":"*/*"}}"#)
    let request = DownloadRequest(
      byKind: order, folder: "/cache/kind/downloads", isPublicOnly: true, mayCost: false)
    #expect(try DownloadRequest(request.json) == request)
    for member in ["folder", "folderBytes", "publicOnly", "metered"] {
      var object = try #require(request.json.objectValue)
      object[member] = nil
      #expect(throws: DownloadMistake.self) { try DownloadRequest(.object(object)) }
    }
  }

  @Test(arguments: [
    ("application/json; charset=utf-8", "application/json"), (" Text/HTML ", "text/html"),
    ("image/svg+xml", "image/svg+xml"), ("text", nil), ("", nil), ("a/b/c", nil), ("*/*", nil),
  ])
  func `the type is what stands before the parameters`(text: String, type: String?) {
    #expect(MediaType.bare(text) == type)
  }

  @Test func `a type is expected by itself, by its family or by any`() {
    #expect(MediaType.isExpected("image/png", []))
    #expect(MediaType.isExpected(nil, []))
    #expect(MediaType.isExpected("image/png", ["text/plain", "image/*"]))
    #expect(MediaType.isExpected("image/png", ["image/png"]))
    #expect(MediaType.isExpected("image/png", ["*/*"]))
    #expect(!MediaType.isExpected("imagex/png", ["image/*"]))
    #expect(!MediaType.isExpected("text/html", ["application/json"]))
    #expect(!MediaType.isExpected(nil, ["application/json"]))
  }
}
