import Documents
import IntentRouter
import JSON
import Testing
import WidgetCenter

@testable import DaemonCore

/// Sentences that match nothing as they were said, through the daemon.
@Suite struct NearIntentTests {
  @Test func `with the setting off a sentence is taken as it is written`() throws {
    var files = Harness.configuration
    files.settings = SettingsSource(
      file: "config.yaml", document: readYAML("near: false", file: "config.yaml").value)
    var harness = Harness(files: files, provider: Harness.texts)
    let client = harness.connect()
    let refusal = try harness.call("intent.send", ["text": "show wether for Bejing"], from: client)
    #expect(refusal["code"] == -32010)
    let recognised = try harness.call(
      "intent.recognize", ["text": "show wether for Bejing"], from: client)
    #expect(recognised["near"] == nil)
  }

  @Test func `a slip is done, and the answer says what was understood`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let answer = try harness.call("intent.send", ["text": "show wether for Bejing"], from: client)
    #expect(
      answer["intent"]?.serialized == #"{"name":"ShowWeather","parameters":{"city":"Beijing"}}"#)
    let understood = try #require(answer["understood"])
    #expect(understood["sentence"]?.stringValue?.lowercased() == "show weather for beijing")
    #expect((understood["confidence"]?.doubleValue ?? 0) >= 0.85)
    #expect(
      understood["changes"]?.serialized
        == #"[{"said":"wether","taken":"weather","why":"slip"},{"said":"Bejing","taken":"Beijing","why":"slip"}]"#
    )
    let exact = try harness.call(
      "intent.send", ["text": "show weather for Beijing"], from: client)
    #expect(exact["understood"] == nil, "a sentence that is read as it was said says nothing")
  }

  @Test func `where there is doubt a person is asked, and the answer is a whole sentence`() throws {
    for choice in [1, "yes", nil] as [JSONValue?] {
      var harness = Harness(provider: Harness.texts)
      let client = harness.connect()
      let asked = try harness.call(
        "intent.send", ["text": "show the weather of zork for Beijing"], from: client)
      let need = try #require(asked["needs"], "\(asked)")
      let first = try #require(need["choices"]?.arrayValue?.first?["title"])
      #expect(["confirmation", "disambiguation"].contains(need["reason"]?.stringValue))
      #expect(harness.daemon.engine.widgets.isEmpty, "nothing is done before the answer")
      guard choice != "yes" || need["reason"] == "confirmation" else { continue }
      let token = try #require(need["token"])
      let done = try harness.call(
        "intent.send", ["resume": token, "choice": choice ?? first], from: client)
      #expect(done["intent"]?["name"] == "ShowWeather", "\(done)")
      #expect(done["intent"]?["parameters"]?["city"] == "Beijing")
      let again = try harness.call(
        "intent.send", ["resume": token, "choice": 1], from: client)
      #expect(again["code"] == -32602, "a question is answered once")
    }
  }

  @Test func `no, and what is none of the choices`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let asked = try harness.call(
      "intent.send", ["text": "show the weather of zork for Beijing"], from: client)
    let need = try #require(asked["needs"])
    let token = try #require(need["token"])
    for wrong in [7, 9, "tomorrow"] as [JSONValue] {
      let refusal = try harness.call(
        "intent.send", ["resume": token, "choice": wrong], from: client)
      #expect(refusal["message"]?.stringValue?.contains("is none of the choices") == true)
    }
    guard need["reason"] == "confirmation" else { return }
    let no = try harness.call("intent.send", ["resume": token, "choice": "no"], from: client)
    #expect(no["cancelled"] == true)
    #expect(harness.daemon.engine.widgets.isEmpty)
  }

  @Test func `strict takes a sentence only as it is written`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let refusal = try harness.call(
      "intent.send", ["text": "show wether for Beijing", "strict": true], from: client)
    #expect(refusal["code"] == -32010)
    #expect(harness.daemon.engine.widgets.isEmpty)
    let recognised = try harness.call(
      "intent.recognize", ["text": "show wether for Beijing", "strict": true], from: client)
    #expect(recognised["near"] == nil)
  }

  @Test func `recognition says what it would do, and does nothing`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let answer = try harness.call(
      "intent.recognize", ["text": "show wether for Beijing"], from: client)
    #expect(answer["matched"] == false)
    #expect(answer["near"]?["decision"] == "act")
    #expect(
      answer["near"]?["readings"]?.arrayValue?.first?["intent"]?["parameters"]?["city"] == "Beijing"
    )
    let confidences = answer["near"]?["readings"]?.arrayValue?.map { $0["confidence"] != nil } ?? []
    #expect(confidences.first == true)
    #expect(confidences.dropFirst().allSatisfy { !$0 })
    #expect(harness.daemon.engine.widgets.isEmpty)
  }

  @Test(arguments: ["don't show weather for Bejing", "show wether for Beijing tomorrow"])
  func `a sentence that denies or delays is not done`(_ sentence: String) throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let answer = try harness.call("intent.send", ["text": .string(sentence)], from: client)
    #expect(answer["intent"] == nil, "\(answer)")
    #expect(harness.daemon.engine.widgets.isEmpty)
  }

  @Test(arguments: ["play some music", "call mom", "xq zvw kjh", "הצג מזג אוויר"])
  func `of a sentence of which nothing is left nothing is asked`(_ sentence: String) throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let refusal = try harness.call("intent.send", ["text": .string(sentence)], from: client)
    #expect(refusal["code"] == -32010, "\(refusal)")
    // What may be said is told, and nobody is told that they meant it.
    let message = try #require(refusal["message"]?.stringValue)
    #expect(message.hasPrefix("nothing matches '\(sentence)'; for example: '"), "\(message)")
  }

  @Test(
    arguments: [
      "weather://city/Bejing", "open weather://city/Bejing", "wether:Beijing",
    ])
  func `a URL is never read nearly`(_ sentence: String) throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let refusal = try harness.call("intent.send", ["text": .string(sentence)], from: client)
    #expect(refusal["code"] == -32010, "\(refusal)")
  }

  /// The sentences of the shipped examples, by the key that they stand under.
  private static func examples(_ key: String) -> [(language: String, sentence: String)] {
    Harness.shippedIntents.filter { $0.kind == .examples }.flatMap { source in
      (source.document.json["examples"]?.objectValue?.members ?? []).flatMap { language in
        (language.value[key]?.arrayValue ?? []).compactMap { example in
          (example["sentence"]?.stringValue ?? example.stringValue).map { (language.key, $0) }
        }
      }
    }
  }

  @Test func `every example means the same, strict and not`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let examples = Self.examples("match") + Self.examples("asks")
    #expect(examples.count > 100)
    for (language, sentence) in examples {
      var params: JSONObject = ["text": .string(sentence), "language": .string(language)]
      let answer = try harness.call("intent.recognize", .object(params), from: client)
      params["strict"] = true
      let strict = try harness.call("intent.recognize", .object(params), from: client)
      #expect(answer["matched"] == true, "\(sentence)")
      #expect(answer["near"] == nil, "\(sentence)")
      #expect(Self.withoutToken(answer) == Self.withoutToken(strict), "\(sentence)")
    }
  }

  @Test func `what matches nothing is nothing to a strict sender`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    let examples = Self.examples("noMatch")
    #expect(examples.count > 20)
    var nearCount = 0
    for (language, sentence) in examples {
      var params: JSONObject = ["text": .string(sentence), "language": .string(language)]
      let answer = try harness.call("intent.recognize", .object(params), from: client)
      params["strict"] = true
      let strict = try harness.call("intent.recognize", .object(params), from: client)
      #expect(strict["matched"] == answer["matched"], "\(sentence)")
      #expect(strict["near"] == nil, "\(sentence)")
      if answer["near"] != nil { nearCount += 1 }
    }
    #expect(nearCount > 0, "the sentences are read nearly where nobody says strict")
  }

  private static func withoutToken(_ answer: JSONValue) -> JSONValue {
    guard var object = answer.objectValue, var need = object["needs"]?.objectValue else {
      return answer
    }
    need["token"] = nil
    object["needs"] = .object(need)
    return .object(object)
  }
}
