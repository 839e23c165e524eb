import Documents
import Foundation
import IntentRouter
import JSON
import LanguageWords
import Testing

/// The shipped intents, read nearly.
private let catalog: IntentCatalog = {
  let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Intents").path(percentEncoded: false)
  let paths = (FileManager.default.subpaths(atPath: root) ?? []).sorted()
  let sources = paths.compactMap { path -> CatalogSource? in
    guard let kind = CatalogSource.Kind(path: path),
      let data = FileManager.default.contents(atPath: "\(root)/\(path)"),
      let value = readYAML(String(decoding: data, as: UTF8.self), file: path).value
    else { return nil }
    return CatalogSource(file: path, document: value, kind: kind)
  }
  return IntentCatalog.load(
    sources,
    words: {
      NearWords(
        fillers: WordsOfLanguages.fillers(in: $0), blockers: WordsOfLanguages.blockers(in: $0))
    }
  ).catalog
}()

/// A small set of our own: what people type and say, and what must not be taken for it.
@Suite struct NearReadingTests {
  private func read(_ sentence: String, in language: String = "en") -> NearAnswer {
    guard case .unmatched = catalog.recognize(sentence, languages: [language]) else {
      Issue.record("'\(sentence)' is a sentence as it is")
      return catalog.readNearly("", languages: [language]).answer
    }
    return catalog.readNearly(sentence, languages: [language]).answer
  }

  @Test(
    arguments: [
      ("show wether for Beijing", "ShowWeather", "Beijing"),
      ("shw weather for Bejing", "ShowWeather", "Beijing"),
      ("showweather for Oslo", "ShowWeather", "Oslo"),
      ("show wea ther for Rome", "ShowWeather", "Rome"),
      ("um show weather for Berlin please thanks a lot", "ShowWeather", "Berlin"),
      ("what's the weahter in Sao Paolo", "ShowWeather", "Sao Paulo"),
      ("wheather in Zürich", "ShowWeather", "Zurich"),
    ])
  func `a slip, a join, a split, marks and fillers are read over`(
    _ sentence: String, _ intent: String, _ city: String
  ) {
    let answer = read(sentence)
    #expect(answer.decision == .act, "\(sentence): \(answer)")
    #expect(answer.readings.first?.meaning.intent == intent, "\(sentence)")
    #expect(answer.readings.first?.meaning.slots["city"] == .string(city), "\(sentence)")
  }

  @Test(arguments: [("北京的天汽", "Beijing"), ("嗯显示上海天气好吗", "Shanghai"), ("北 京 天 气 吧", "Beijing")])
  func `without spaces the same holds`(_ sentence: String, _ city: String) {
    let answer = read(sentence, in: "zh-CN")
    #expect(answer.decision != .none, "\(sentence): \(answer)")
    #expect(answer.readings.first?.meaning.slots["city"] == .string(city), "\(sentence)")
  }

  @Test(
    arguments: [
      "don't show weather for Beijing", "never show weather for Beijing",
      "show weather for Beijing tomorrow", "show weather for all but Beijing",
      "why did you show weather for Beijing", "show weather for Zorblax and Beijing city hall",
      "i told my wife to show weather for Beijing", "order a pizza with anchovies",
      "how old is the universe", "weather", "xyzzy",
    ])
  func `what is denied, delayed, told or foreign is not done`(_ sentence: String) {
    guard case .unmatched = catalog.recognize(sentence, languages: ["en"]) else { return }
    let answer = catalog.readNearly(sentence, languages: ["en"]).answer
    #expect(answer.decision != .act, "\(sentence): \(answer.readings.first?.sentence ?? "")")
  }

  @Test(arguments: [
    "order a pizza with anchovies", "who wrote war and peace", "xyzzy", "?", "12 34",
  ])
  func `nothing is asked about what is far from every sentence`(_ sentence: String) {
    let answer = catalog.readNearly(sentence, languages: ["en"]).answer
    #expect(answer.decision == .none, "\(sentence): \(answer.readings)")
  }

  @Test func `each reading is a sentence that is understood, and means what it says`() throws {
    for sentence in [
      "show wether for Beijing", "wether Beijng", "clock for tokio",
      "show me the agenda of today plz",
    ] {
      for reading in catalog.readNearly(sentence, languages: ["en"]).answer.readings {
        guard
          case .matched(let best, _) = catalog.recognize(reading.sentence, languages: ["en"])
        else { continue }
        #expect(best.intent.name == reading.meaning.intent)
        #expect(best.intent.parameters == reading.meaning.slots)
      }
    }
  }

  @Test func `the changes say what was taken for what, and why`() throws {
    let slip = try #require(read("show wether for Beijing").readings.first)
    #expect(slip.sentence.lowercased() == "show weather for beijing")
    #expect(slip.changes.map { "\($0.said) \($0.taken) \($0.why)" } == ["wether weather slip"])
    #expect((0.85...1).contains(slip.confidence))
    let filler = try #require(read("um show weather for Beijing").readings.first)
    #expect(filler.changes.map { "\($0.said) \($0.taken) \($0.why)" } == ["um  filler"])
    let joined = try #require(read("showweather for Beijing").readings.first)
    #expect(joined.changes.map(\.why) == [.split, .split])
  }

  @Test func `the same sentence has the same answer and confidence`() {
    for sentence in ["shw weather for Bejing", "wether Beijng", "clock tokio now"] {
      let first = catalog.readNearly(sentence, languages: ["en"]).answer
      for _ in 0..<5 {
        let again = catalog.readNearly(sentence, languages: ["en"]).answer
        #expect(again.decision == first.decision)
        #expect(again.features == first.features)
        #expect(again.readings.map(\.sentence) == first.readings.map(\.sentence))
      }
    }
  }

  @Test func `a sentence of 1,024 characters of anything ends`() {
    for word in ["weather ", "天", "show weather for Beijing ", "a", "9 ", "' "] {
      let text = String(String(repeating: word, count: 1_024).prefix(1_024))
      #expect(catalog.readNearly(text, languages: ["en", "zh-CN"]).answer.decision == .none)
      let short = String(String(repeating: word, count: 192).prefix(190))
      _ = catalog.readNearly(short, languages: ["en", "zh-CN"])
    }
  }
}
