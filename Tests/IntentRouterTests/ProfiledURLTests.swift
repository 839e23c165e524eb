import Foundation
import IntentRouter
import Testing

@Suite struct ProfiledURLTests {
  @Test func `a URL is taken apart, decoded where it means text`() throws {
    let url = try ProfiledURL.parse(
      "Weather://City.example:8080/a%2Fb/c d/?q=x+y&empty&r=%E5%8C%97#f%20g"
    )
    .get()
    #expect(url.scheme == "weather")
    #expect(url.host == "City.example")
    #expect(url.port == 8080)
    #expect(url.path == "/a%2Fb/c%20d/")
    #expect(url.pathSegments == ["a/b", "c d", ""])
    #expect(
      url.queryItems == [
        .init(name: "q", value: "x+y"), .init(name: "empty", value: ""),
        .init(name: "r", value: "北"),
      ])
    #expect(url.fragment == "f g")
    #expect(url.text == "weather://City.example:8080/a%2Fb/c%20d/?q=x+y&empty&r=%E5%8C%97#f%20g")
  }

  @Test(arguments: [
    ("foo:a b", "foo:a%20b"), ("foo:100%", "foo:100%25"), ("foo:%zz", "foo:%25zz"),
    ("foo:%20%41", "foo:%20%41"), ("foo:ü", "foo:%C3%BC"), ("foo:a|b", "foo:a%7Cb"),
    ("foo:a#b#c", "foo:a#b%23c"), ("foo:x\" --flag \"y", "foo:x%22%20--flag%20%22y"),
    ("FOO://H/p", "FOO://H/p"),
  ])
  func `encoding does what a person means, and once is enough`(text: String, expected: String)
    throws
  {
    #expect(try ProfiledURL.encoding(text).get() == expected)
    #expect(try ProfiledURL.encoding(expected).get() == expected)
  }

  @Test(arguments: [
    "", "foo", ":foo", "1foo:x", "foo:a\nb", "foo:a\u{7F}b", "foo:\u{85}x", "\u{FEFF}foo:bar",
    "foo:\u{202E}x", "http:example.com", "http:/example.com", "http://", "http://a b/",
    "http://user@host/", "https://a\\@b", "http://127.0.0.1/", "http://0x7f.1/", "http://[::1]/",
    "http://xn--bcher-kva.de/", "http://bücher.de/", "http://-a.de/", "http://a..b/",
    "http://a:65536/", "http://a:b/", "http://%41/", "foo://%41/", "foo://a@b/", "foo://:80",
    "foo://a b/",
  ])
  func `a URL that two parsers could read differently is refused`(text: String) {
    #expect(ProfiledURL.parse(text).failure?.code == .invalidURL)
  }

  @Test func `denied schemes are refused in any case`() {
    for scheme in ProfiledURL.deniedSchemes {
      #expect(ProfiledURL.parse("\(scheme.uppercased()):x").failure?.code == .deniedScheme)
    }
  }

  @Test func `a URL may have 8192 bytes after encoding, and no more`() {
    let longest = "foo:" + String(repeating: "a", count: 8_188)
    #expect(ProfiledURL.parse(longest).success != nil)
    #expect(ProfiledURL.parse(longest + "a").failure?.code == .invalidURL)
    #expect(ProfiledURL.parse("foo:" + String(repeating: "ü", count: 1_500)).failure != nil)
  }

  @Test func `numbers in a URL never trap`() {
    #expect(ProfiledURL.parse("foo://a:99999999999999999999999/").failure?.code == .invalidURL)
    #expect(ProfiledURL.parse("foo://a:000000000000000000000080/").success?.port == 80)
  }
}

/// The web platform's URL tests, with what this profile makes of them.
@Suite struct URLProfileCorpusTests {
  struct Case: Decodable {
    struct Parts: Decodable {
      var scheme: String
      var host: String
    }
    enum Answer: Decodable {
      case refused
      case parts(Parts)

      init(from decoder: any Decoder) throws {
        if let parts = try? Parts(from: decoder) { self = .parts(parts) } else { self = .refused }
      }
    }
    var n: Int
    var input: String
    var whatwg: Answer
    var profile: Answer
  }

  static var file: String? {
    ProcessInfo.processInfo.environment["INTENTD_CORPUS"].map { "\($0)/urls/url_profile.jsonl" }
  }

  static func cases() throws -> [Case] {
    guard let file else { return [] }
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    return try lines.map { try JSONDecoder().decode(Case.self, from: Data($0.utf8)) }
  }

  @Test(.enabled(if: file != nil, "skipped: INTENTD_CORPUS is not set"))
  func `every case of the corpus is judged as the profile says`() throws {
    let cases = try Self.cases()
    #expect(cases.count > 200)
    for test in cases {
      let judged = ProfiledURL.judge(test.input).success
      switch test.profile {
      case .refused: #expect(judged == nil, "case \(test.n): \(test.input)")
      case .parts(let parts):
        #expect(judged?.scheme == parts.scheme, "case \(test.n): \(test.input)")
        #expect(judged?.host ?? "" == parts.host, "case \(test.n): \(test.input)")
      }
    }
  }

  @Test(.enabled(if: file != nil, "skipped: INTENTD_CORPUS is not set"))
  func `encoding what a person types never accepts what the web refuses, nor another host`() throws
  {
    for test in try Self.cases() {
      guard let url = ProfiledURL.parse(test.input).success else { continue }
      switch test.whatwg {
      case .refused: Issue.record("case \(test.n) is accepted: \(test.input)")
      case .parts(let parts):
        #expect(url.scheme == parts.scheme, "case \(test.n): \(test.input)")
        #expect(url.host ?? "" == parts.host, "case \(test.n): \(test.input)")
      }
    }
  }
}
