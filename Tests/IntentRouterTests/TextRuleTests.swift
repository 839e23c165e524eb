import JSON
import Testing

@testable import IntentRouter

/// Tests which texts a parameter takes.
@Suite struct TextRuleTests {
  private func problem(
    _ text: String, _ type: ParameterDefinition.ValueType = .string,
    _ change: (inout ParameterDefinition) -> Void = { _ in }
  ) -> String? {
    var parameter = ParameterDefinition(name: "p", type: type)
    change(&parameter)
    guard case .unsupported(let problem, _) = parameter.resolveScalar(.string(text)) else {
      return nil
    }
    return problem
  }

  @Test(arguments: [
    "Rome", "-5", "-", "- milk", "wait...", "a..b", "…", "C++", "50 %", "a/b", "/etc/hosts",
    "~/x", "北京", "می‌خواهم", "👨‍👩‍👧", "שלום\u{200F}", "don't", "<b>", "$(x)", "x--help",
  ])
  func `plain texts are taken`(text: String) {
    #expect(problem(text) == nil)
    #expect(problem(text, .object) == nil)
  }

  @Test(arguments: [
    ("--help", "option"), ("-h", "option"), ("--", "option"), ("-Rf x", "option"),
    ("../../etc", "folder"), ("..", "folder"), ("a/../b", "folder"), ("a\\..\\b", "folder"),
    ("x/..", "folder"), ("é/../b", "folder"),
    ("a\u{202E}b", "U+202E"), ("a\u{2066}b", "U+2066"), ("\u{FEFF}a", "U+FEFF"),
    ("a\u{1B}[2J", "U+001B"), ("a\u{9B}2J", "U+009B"), ("a\nb", "U+000A"), ("a\u{7F}", "U+007F"),
    ("a\u{2028}b", "U+2028"), ("a\u{E0041}", "U+E0041"), ("a\u{FFFD}", "UTF-8"),
  ])
  func `others are refused with what is accepted`(text: String, names: String) {
    for type in [ParameterDefinition.ValueType.string, .object, .place] {
      let said = problem(text, type)
      #expect(said?.contains(names) == true, "\(type): \(said ?? "taken")")
      #expect(names == "UTF-8" || said?.contains("accepted") == true, "\(said ?? "")")
    }
  }

  @Test func `a parameter may be short, and may take any text`() {
    #expect(problem("1234567") { $0.lengthMax = 7 } == nil)
    #expect(
      problem("12345678") { $0.lengthMax = 7 } == "has 8 characters; at most 7 are accepted")
    #expect(problem("éééé") { $0.lengthMax = 4 } == nil)
    #expect(problem("--help") { $0.takesAnyText = true } == nil)
    #expect(problem("../x") { $0.takesAnyText = true } == nil)
    #expect(problem("a\u{202E}") { $0.takesAnyText = true } != nil)
    #expect(problem(String(repeating: "a", count: 4_097)) != nil)
  }

  @Test(arguments: [
    #"{"name": "../x"}"#, #"{"identifier": "--x", "display": "X"}"#,
    #"{"identifier": "x", "display": "X\u202e"}"#, #"{"name": "a\u001b"}"#,
  ])
  func `the texts of places and objects keep the same rules`(json: String) throws {
    let value = try JSONValue(parsing: json)
    let type: ParameterDefinition.ValueType = value["name"] == nil ? .object : .place
    let parameter = ParameterDefinition(name: "p", type: type)
    guard case .unsupported = parameter.resolveScalar(value) else {
      Issue.record("\(json) is taken")
      return
    }
  }
}

/// Tests the URLs that a tap opens beyond those that a link may be.
@Suite struct TappedURLTests {
  @Test(arguments: [
    "http://192.168.1.20/", "http://127.0.0.1:631/", "http://[::1]/", "http://[fe80::1]:8123/x?a=b",
    "https://[2001:db8:0:0:0:0:0:1]", "http://printer.local/", "http://10.0.0.1",
    "https://example.org/", "http://[::]/", "http://[1::]/",
  ])
  func `a tap may lead to an address in its usual form`(text: String) throws {
    let url = try ProfiledURL.parse(tapped: text).get()
    #expect(url.text == text)
    let isName = text.contains("local") || text.contains("example")
    let byLink = try? ProfiledURL.parse(text).get()
    #expect((byLink != nil) == isName, "a link leads to names only")
  }

  @Test(arguments: [
    "http://0x7f.1/", "http://2130706433/", "http://127.1/", "http://0177.0.0.1/",
    "http://127.0.0.01/", "http://256.1.1.1/", "http://1.2.3.4.5/", "http://[::1%25eth0]/",
    "http://[::ffff:127.0.0.1]/", "http://[1:2]/", "http://[:::1]/", "http://[1::2::3]/",
    "http://[::1]x:80/", "http://[::1/", "http://::1/", "http://[12345::]/",
    "http://[1:2:3:4:5:6:7:8:9]/",
    "http://u@127.0.0.1/", "ftp://127.0.0.1/", "http://[::1]:99999/", "javascript:alert(1)",
    "file:///etc/passwd", "http://１２７.0.0.1/", "http://[:1]/", "http://[]/",
  ])
  func `no other form of an address is opened`(text: String) {
    #expect((try? ProfiledURL.parse(tapped: text).get()) == nil)
  }

  @Test(arguments: [
    "mailto:a@example.org", "mailto:a@example.org?subject=Hi&body=x&CC=b@example.org",
    "mailto:?to=a@example.org",
  ])
  func `a letter's visible fields may be filled in`(text: String) {
    #expect((try? ProfiledURL.parse(tapped: text).get()) != nil)
  }

  @Test(arguments: [
    "mailto:a@example.org?attach=/etc/passwd", "mailto:a@b?subject=x&Attachment=/etc/passwd",
    "mailto:a@b?att%61ch=/etc/passwd", "MAILTO:a@b?attach=x", "mailto:a@b?from=c@d",
    "mailto:a@b?X-Mailer=x",
  ])
  func `no file is put into a letter`(text: String) {
    guard case .failure(let error) = ProfiledURL.parse(tapped: text) else {
      Issue.record("\(text) is opened")
      return
    }
    #expect(error.code == .invalidURL)
    #expect(error.message.contains("it may have bcc, body, cc"))
  }
}
