import DaemonCore
import Foundation
import JSON
import Testing
import Timekeeping
import WidgetCenter

/// Tests that `docs/schema/answer.json` and the readers of answers agree: an answer is valid by the
/// schema if the reader takes it without a warning.
///
/// A schema cannot compare one value with another or with the clock. `isBeyondSchema` knows the
/// warnings about such comparisons.
@Suite struct AnswerSchemaTests {
  private static let now = WallTime(rfc3339: "2026-11-20T21:00:00Z") ?? WallTime(milliseconds: 0)

  /// An answer with every key, and with every form of a value.
  private static let whole = """
    {"result":"newData",
     "entries":[
       {"date":"2026-11-20T21:00:00Z","url":"weather://city/Beijing",
        "relevance":{"score":60,"duration":3600},
        "content":{"title":"Beijing","titles":["a",{"runs":[
             {"text":"b","color":"#ff0000","background":{"light":"#FF000080","dark":"#00ff00"},
              "bold":true,"italic":true,"underline":false,"strikethrough":true,"font":"serif",
              "size":9.5}]}],"subtitle":{"date":"2026-11-20T22:00:00Z","style":"timer"},
          "text":["3°",{"date":"2026-11-20T22:00:00.5+01:00","style":"relative"}],"short":"3°",
          "symbol":"moon","icon":"weather-clear",
          "image":{"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
                   "alt":"a dot","template":true,"width":1},"color":"#a0A0a0",
          "background":{"light":"#ffffff","dark":"#000000"},
          "action":{"url":"a:b","refresh":true},"clicks":{"3":{"refresh":true}},"class":["clear"],"percentage":40.5,"urgent":false,"tooltip":"x",
          "refresh":true,"asOf":"2026-11-20T20:00:00Z","staleAfter":7200,"x-mine":[1],
          "items":[{"text":"22:00","url":"a:b","checked":true,"refresh":false,
                    "disabled":true,"badge":"3","icon":"x","color":"#ff0000","tooltip":["y"],
                    "action":{"url":"a:b"},"alternate":{"text":"z"},
                    "items":[{"separator":true},{"text":"more","set":{"rows":6,"page":null}},
                             {"text":"go","intent":{"name":"ShowA","parameters":{"a":1}}}]}]}},
       {"date":"2026-11-20T21:30:00Z","content":{"text":"soon"},
        "view":{"light":"<div>a</div>","dark":"<span>b</span>"}},
       {"date":"2026-11-20T22:00:00Z","content":{"text":"later"},"view":"<div>a</div>"}],
     "relevance":[{"from":"2026-11-20T21:00:00Z","to":"2026-11-20T22:00:00Z","kind":"scheduled"}],
     "preferredHeight":280.5,
     "policy":{"after":"2026-11-20T22:00:00Z"},
     "downloads":[{"id":"feed","url":"https://example.org/feed?q=1","ifChanged":false,
       "headers":{"Accept":"text/plain"},"expect":{"maxBytes":1000,"types":["text/plain"]}}]}
    """

  private static func schema() throws -> JSONSchema {
    try JSONSchema(project: "docs/schema/answer.json")
  }

  /// Returns the refusal of the reader, or the warnings of the reader and the review.
  private static func said(of answer: JSONValue) -> [String] {
    switch ProviderAnswer.read(answer, at: now) {
    case .failure(let error): [error.message]
    case .success(let read):
      read.warnings + AnswerReview.warnings(on: answer, read: read, arrivedAt: now)
    }
  }

  /// Answers without a timeline, with every key.
  private static let others = [
    #"""
    {"result":"noData","policy":{"after":"2026-11-20T22:00:00Z"},"entries":null,"relevance":null,
     "preferredHeight":null,"downloads":[]}
    """#,
    #"{"result":"failed","reason":"the service wants a key"}"#,
  ]

  @Test func `an answer with every key is valid and taken without a word`() throws {
    for text in [Self.whole] + Self.others {
      let answer = try JSONValue(parsing: text)
      #expect(Self.said(of: answer) == [])
      #expect(try Self.schema().mistakes(in: answer) == [])
    }
  }

  /// Values that are put at each place of the whole answer.
  private static let values: [JSONValue] = [
    nil, "newData", "noData", "failed", true, false, 0, 5, 40.5, -1, 150, 1e7, "", "text", "42%",
    "a:b", "atEnd", "never",
    "default", "relative", "2026-11-20T21:30:00Z", "2026-13-20T21:30:00Z", "x-mine", [], ["text"],
    [5], [[]], [:], ["text": "a"], ["separator": true], ["after": "2026-11-20T22:00:00Z"],
    ["date": "2026-11-20T22:00:00Z", "style": "offset"], ["score": 1], "#12ab34", ["url": "a:b"],
    ["runs": [["text": "a"]]], ["light": "#123456", "dark": "#654321"], ["1": ["refresh": true]],
    ["date": "2026-11-20T21:00:00Z", "content": ["title": "a"]],
  ]

  /// Whether a warning is about something that a schema cannot express.
  private static func isBeyondSchema(_ sentence: String) -> Bool {
    // The bytes of a picture.
    if sentence.contains(".image: ") { return true }
    return [
      "is ignored beside", "share their date", "in date order", "a single entry",
      "; expected a later date",
    ].contains {
      sentence.contains($0)
    } || sentence.contains("in the past") || sentence.contains("until then nothing is shown")
  }

  @Test func `at every place the schema refuses what the reader minds, and nothing else`() throws {
    let schema = try Self.schema()
    var count = 0
    for text in [Self.whole] + Self.others {
      let answer = try JSONValue(parsing: text)
      for place in answer.places {
        for value in Self.values.map(Optional.some) + [nil] {
          let changed = answer.replacing(place, with: value)
          let said = Self.said(of: changed).filter { !Self.isBeyondSchema($0) }
          let mistakes = schema.mistakes(in: changed)
          count += 1
          #expect(
            said.isEmpty == mistakes.isEmpty,
            "\(written(place)) is \(value?.serialized ?? "gone"): \(said) and \(mistakes)")
        }
      }
    }
    #expect(count > 1_500)
  }

  @Test(arguments: [
    ("", "titel", "did you mean 'title'"), ("", "percent", "did you mean 'percentage'"),
    (".items[0]", "href", "did you mean 'url'"),
  ])
  func `a key that nobody knows is refused by both`(inside: String, key: String, hint: String)
    throws
  {
    var content: JSONObject = ["title": "a"]
    if inside.isEmpty {
      content[key] = "x"
    } else {
      content["items"] = [["text": "a", .init(stringLiteral: key): "x"]]
    }
    let answer: JSONValue = [
      "entries": [["date": "2026-11-20T21:00:00Z", "content": .object(content)]],
      "policy": "never",
    ]
    let said = Self.said(of: answer)
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("entries[0].content\(inside).\(key) is no key") == true)
    #expect(said.first?.contains(hint) == true, "\(said)")
    #expect(try !Self.schema().isValid(answer))
  }

  @Test func `the model, the schema and the page name the same keys in the same order`() throws {
    let schema = try Self.schema()
    func keys(_ definition: JSONValue?) -> [String] {
      definition?["properties"]?.objectValue?.members.map(\.key) ?? []
    }
    #expect(keys(schema.definition("content")) == ContentModel.keys.map(\.name))
    #expect(keys(schema.definition("item")) == ContentModel.itemKeys.map(\.name))
    #expect(keys(schema.definition("styledLine")) == ContentModel.styledLineKeys.map(\.name))
    #expect(keys(schema.definition("run")) == ContentModel.runKeys.map(\.name))
    #expect(
      keys(schema.definition("image")) + ["problem"]
        == ContentModel.imageKeys.map(\.name) + ContentModel.imageFacts)
    #expect(keys(schema.definition("action")) == ContentModel.actionKeys.map(\.name))
    #expect(keys(schema.definition("liveDate")) == ContentModel.liveDateKeys.map(\.name))
    let styles = schema.definition("liveDate")?["properties"]?["style"]?["enum"]?.arrayValue
    #expect(styles?.compactMap(\.stringValue) == ContentModel.styles)

    let page = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/WIDGETS.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let section = try #require(text.split(separator: "\n## Content\n").last)
      .prefix(while: { $0 != "#" })
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let named = rows.flatMap { row in
      row.split(separator: "|").first?.matches(of: #/`(\w+)`/#).map { String($0.output.1) } ?? []
    }
    #expect(named == ContentModel.keys.map(\.name))
  }

  // MARK: Options

  static let options: [(String, Bool)] = [
    (#"{"options":[]}"#, true), (#"{"options":["Kitchen"]}"#, true),
    (#"{"options":[{"identifier":"r7","display":"Hall"}]}"#, true),
    (#"{"options":[{"title":"All rooms","value":{"identifier":"*","display":"All"}}]}"#, true),
    (#"{"options":[{"value":"warm"}]}"#, true), (#"{"options":[{"identifier":"r7"}]}"#, true),
    (#"{"options":["a"],"more":1}"#, true),
    (#"{"options":[""]}"#, false), (#"{"options":[5]}"#, false), (#"{"options":[{}]}"#, false),
    (#"{"options":[{"value":5}]}"#, false), (#"{"options":[{"title":""}]}"#, false),
    (#"{"options":{}}"#, false), (#"{}"#, false), (#"{"options":null}"#, false),
  ]

  @Test(arguments: options)
  func `options are valid if the daemon takes them`(text: String, isGood: Bool) throws {
    let answer = try JSONValue(parsing: text)
    var isTaken = false
    if case .success = ProviderOptions.read(answer) { isTaken = true }
    #expect(isTaken == isGood)
    #expect(try Self.schema().isValid(answer) == isGood)
  }

  @Test func `limits of options are the same in both`() throws {
    let schema = try Self.schema()
    func options(_ count: Int, _ length: Int) -> JSONValue {
      let title = JSONValue.string(String(repeating: "a", count: length))
      return ["options": .array([JSONValue](repeating: title, count: count))]
    }
    for (count, length) in [(1_000, 1), (1_001, 1), (1, 256), (1, 257)] {
      let answer = options(count, length)
      var isTaken = false
      if case .success = ProviderOptions.read(answer) { isTaken = true }
      #expect(schema.isValid(answer) == isTaken, "\(count) options of \(length)")
    }
  }
}
