import IntentRouter
import JSON
import Testing

/// Values of lists that are templates may name lists: back to their own, or very deep.
struct ListCircleTests {
  @Test(
    arguments: [
      ["p": ["values": ["{p}"]]],
      ["p": ["values": ["[x] {p}", "b"]]],
      ["p": ["values": ["a {p}", "b"]]],
      ["p": ["values": ["{q}", "b"]], "q": ["values": ["{p}", "c"]]],
      ["p": ["values": ["a[b]", "{p} and {p}"]]],
    ] as [JSONObject])
  func `a value that leads back to its list matches nothing and is reported`(
    lists: JSONObject
  ) {
    let (catalog, issues) = Grammar("go {p:a}", lists: lists).load()
    #expect(issues.contains { $0.severity == .warning && $0.message.contains("leads back") })
    #expect(!issues.contains { $0.severity == .error })
    for sentence in ["go", "go b", "go zzz", "go a a a b", "go a and a and zzz"] {
      _ = catalog.recognize(sentence, languages: ["en"])
      _ = catalog.misunderstanding(of: sentence, languages: ["en"])
    }
  }

  @Test func `a value that ends matches beside one that does not`() {
    #expect(
      Grammar("go {p:a}", lists: ["p": ["values": ["{p} c", "b"]]]).match("go b")?["a"] == "b")
  }

  @Test func `lists that lead through thousands of lists do not exhaust the stack`() {
    var lists: JSONObject = [:]
    for number in 0..<3_000 { lists["p\(number)"] = ["values": [.string("{p\(number + 1)}")]] }
    lists["p3000"] = ["values": ["b"]]
    let (catalog, _) = Grammar("go {p0:a}", lists: lists).load()
    _ = catalog.recognize("go b", languages: ["en"])
    _ = catalog.misunderstanding(of: "go b", languages: ["en"])
  }

  @Test func `a few levels of lists in lists are as good as one`() {
    var lists: JSONObject = [:]
    for number in 0..<20 { lists["p\(number)"] = ["values": [.string("{p\(number + 1):b}")]] }
    lists["p20"] = ["values": ["c"]]
    #expect(Grammar("go {p0:a}", lists: lists).match("go c")?["b"] == "c")
  }
}
