import Documents
import Foundation
import IntentRouter
import JSON
import Testing

/// The shipped intents, and the sentences that their examples show.
private let shipped: (catalog: IntentCatalog, examples: [(language: String, sentence: String)]) = {
  let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Intents").path(percentEncoded: false)
  var sources: [CatalogSource] = []
  var examples: [(String, String)] = []
  for path in (FileManager.default.subpaths(atPath: root) ?? []).sorted() {
    guard let kind = CatalogSource.Kind(path: path),
      let data = FileManager.default.contents(atPath: "\(root)/\(path)"),
      let value = readYAML(String(decoding: data, as: UTF8.self), file: path).value
    else { continue }
    sources.append(CatalogSource(file: path, document: value, kind: kind))
    guard kind == .examples else { continue }
    for language in value.json["examples"]?.objectValue?.members ?? [] {
      for key in ["match", "asks"] {
        for example in language.value[key]?.arrayValue ?? [] {
          guard let sentence = example.stringValue ?? example["sentence"]?.stringValue else {
            continue
          }
          examples.append((language.key, sentence))
        }
      }
    }
  }
  return (IntentCatalog.load(sources).catalog, examples)
}()

/// Every completion of every beginning of what the intents show.
@Suite struct CompletionPropertyTests {
  private func beginnings(of sentence: String) -> [String] {
    let scalars = Array(sentence.unicodeScalars)
    return (1...scalars.count).map { length in
      var beginning = String.UnicodeScalarView()
      beginning.append(contentsOf: scalars[..<length])
      return String(beginning)
    }
  }

  private func complete(_ text: String, _ language: String, limit: Int = 5) -> [SentenceCompletion]
  {
    (try? shipped.catalog.complete(text, languages: [language], limit: limit).get()) ?? []
  }

  /// Says what is wrong with a completion; `nil` if nothing is.
  private func fault(_ completion: SentenceCompletion, of text: String) -> String? {
    guard completion.sentence.unicodeScalars.starts(with: text.unicodeScalars) else {
      return "begins otherwise"
    }
    func recognised(_ sentence: String) -> Recognition {
      shipped.catalog.recognize(sentence, languages: [completion.language])
    }
    switch (completion.meaning, recognised(completion.sentence)) {
    case (.intent(let intent), .matched(let best, _)):
      return best.intent == intent ? nil : "means another intent"
    case (.needs(let need, _), .needs(let asked, _, _)):
      return need == asked ? nil : "asks for something else"
    case (.unfinished(let need), _):
      guard let name = need.parameter else { return "lacks nothing" }
      guard case .matched(let best, _) = recognised(completion.sentence + "Smallville") else {
        return "is nothing with a value"
      }
      return best.intent.name == need.intent && best.intent.parameters[name] != nil
        ? nil : "lacks another value"
    case (.intent, _), (.needs, _): return "is not recognised so"
    }
  }

  @Test func `a value of no list comes after those that its beginning may become`() {
    let begun = complete("show weather for bei", "en").map(\.sentence)
    #expect(begun.dropLast().contains("show weather for beijing"))
    #expect(begun.last == "show weather for bei")
    #expect(complete("show weather for Oslo", "en").first?.sentence == "show weather for Oslo")
    #expect(complete("show weather for Bath", "en").first?.sentence == "show weather for Bath")
  }

  @Test func `every completion begins as the text does, and is recognised or says what it lacks`() {
    #expect(shipped.examples.count > 60)
    var count = 0
    for example in shipped.examples {
      for text in beginnings(of: example.sentence) {
        for completion in complete(text, example.language) {
          count += 1
          if let fault = fault(completion, of: text) {
            Issue.record("'\(text)' → '\(completion.sentence)' \(fault)")
          }
        }
      }
    }
    #expect(count > 2_000)
  }

  @Test func `every beginning of an example has a completion, and the whole has itself first`() {
    for example in shipped.examples {
      for text in beginnings(of: example.sentence) where complete(text, example.language).isEmpty {
        // The rest of a skip word is not guessed; nor what follows a comma.
        let rest = example.sentence.dropFirst(text.count)
        let skipped = [
          "please", "hey", "can you", "could", "just", "thank", "请", "麻烦", "帮", "给我", "一下",
        ]
        let isSkipped = skipped.contains { example.sentence.lowercased().contains($0) }
        #expect(isSkipped || text.last.map { ",，?？".contains($0) } == true, "'\(text)|\(rest)'")
      }
      let whole = complete(example.sentence, example.language).first
      #expect(whole?.sentence == example.sentence, "\(example.sentence)")
    }
  }

  @Test func `a beginning has five sentences at most, of the languages that were asked for`() {
    let english = complete("show wea", "en")
    #expect(english.count == 5)
    #expect(english.allSatisfy { $0.language == "en" && $0.intent == "ShowWeather" })
    #expect(english.first?.sentence == "show weather")
    #expect(complete("show wea", "zh-CN") == [])
    #expect(complete("fire fox", "en") == [])
    #expect(complete("显示天", "zh-CN").allSatisfy { $0.language == "zh-CN" })
    let both = shipped.catalog.complete("show w", languages: ["zh-CN", "en", "*"], limit: 3)
    #expect((try? both.get().map(\.language)) == ["en", "en", "en"])
    let other = shipped.catalog.complete("show wea", languages: ["zh-CN", "*"], limit: 3)
    #expect(other == .success([]))
  }

  @Test func `what the person uses comes first`() {
    let habits = [
      CompletionHabit(
        intent: Intent(name: "ShowWeather", parameters: ["city": "Beijing"]), score: 0.5),
      CompletionHabit(intent: Intent(name: "ShowAgenda", parameters: [:]), score: 0.2),
    ]
    let found = shipped.catalog.complete("show", languages: ["en"], limit: 5, preferring: habits)
    let sentences = (try? found.get().map(\.sentence)) ?? []
    #expect(sentences.prefix(1) == ["show Beijing weather"], "\(sentences)")
  }

  @Test(
    arguments: [
      ("show wether in B", "show weather in B"), ("shwo weat", "show weat"),
      ("show weather in Bejing", "show weather in Beijing"),
      ("what's the waether in sao pa", "what's the weather in "),
      ("Show showther", ""), ("fire fox", ""), ("show 12 wether", ""),
    ])
  func `a slip in what was typed does not end it`(_ text: String, _ beginning: String) {
    let found = shipped.catalog.complete(text, languages: ["en"], limit: 5, corrects: true)
    let completions = (try? found.get()) ?? []
    #expect(completions.isEmpty == beginning.isEmpty, "\(completions.map(\.sentence))")
    #expect(complete(text, "en") == [])
    for completion in completions {
      #expect(completion.sentence.hasPrefix(beginning), "\(completion.sentence)")
      #expect(!completion.changes.isEmpty)
      var exact = completion
      exact.changes = []
      #expect(fault(exact, of: "") == nil, "\(completion.sentence)")
    }
  }

  @Test func `a correction says what was changed`() {
    let found = shipped.catalog.complete(
      "show wether in Osl", languages: ["en"], limit: 1, corrects: true)
    let first = (try? found.get())?.first
    #expect(first?.sentence == "show weather in Oslo")
    #expect(first?.changes.map(\.said) == ["wether"])
    #expect(first?.changes.map(\.taken) == ["weather"])
    #expect(first?.changes.map(\.why) == [.slip])
    let exact = shipped.catalog.complete(
      "show weather in Osl", languages: ["en"], limit: 1, corrects: true)
    #expect((try? exact.get())?.first?.changes == [])
  }
}
