import JSON
import Testing

@testable import IntentRouter

/// Sentences that begin as a text does, on small grammars.
@Suite struct CompletionTests {
  private let weather = Grammar(
    "show [the] weather (in|for) {a}[ now]",
    lists: ["a": ["values": ["Rome", "New York", "São Paulo"]]], skipWords: ["please"])

  private func complete(
    _ text: String, _ grammar: Grammar, limit: Int = 5, preferring habits: [CompletionHabit] = []
  ) -> [SentenceCompletion] {
    let found = grammar.load().catalog.complete(
      text, languages: ["en"], limit: limit, preferring: habits)
    guard case .success(let completions) = found else { return [] }
    return completions
  }

  private func sentences(_ text: String, _ grammar: Grammar, limit: Int = 5) -> [String] {
    complete(text, grammar, limit: limit).map(\.sentence)
  }

  @Test func `a beginning goes on as the shortest sentences`() {
    #expect(
      sentences("show wea", weather) == [
        "show weather in Rome", "show weather in New York", "show weather in São Paulo",
      ])
    #expect(sentences("show wea", weather, limit: 1) == ["show weather in Rome"])
    #expect(sentences("s", weather).first == "show weather in Rome")
    #expect(sentences("show the", weather).first == "show the weather in Rome")
    #expect(sentences("show the ", weather).first == "show the weather in Rome")
  }

  @Test(arguments: ["", " ", "fire fox", "xyz", "show fox", "show weatherr", "please", "how"])
  func `a word that begins nothing gives nothing`(_ text: String) {
    #expect(sentences(text, weather) == [])
  }

  @Test func `the text stays as it was typed`() {
    #expect(sentences("SHOW  Wea", weather).first == "SHOW  Weather in Rome")
    #expect(sentences("show-wea", weather).first == "show-weather in Rome")
    #expect(
      sentences("show weather in SA\u{303}O", weather) == ["show weather in SA\u{303}O Paulo"])
    #expect(sentences("please show wea", weather).first == "please show weather in Rome")
    #expect(sentences("show please the wea", weather).first == "show please the weather in Rome")
  }

  @Test func `names are completed, and names that have others in them`() {
    #expect(sentences("show weather in n", weather) == ["show weather in new York"])
    #expect(sentences("show weather in new y", weather) == ["show weather in new york"])
    let rooms = Grammar(
      "light {a} [on]", lists: ["a": ["values": ["bed", "bedroom", "bed room two"]]])
    #expect(sentences("light bed", rooms) == ["light bed", "light bedroom", "light bed room two"])
    #expect(sentences("light bed ", rooms) == ["light bed ", "light bed room two"])
  }

  @Test func `a sentence that is only begun is answered with how it goes on`() {
    let recognition = weather.load().catalog.recognize("show weather in New", languages: ["en"])
    guard case .unmatched(let suggestions) = recognition else {
      Issue.record("not unmatched: \(recognition)")
      return
    }
    #expect(suggestions.first == "show weather in New York")
  }

  @Test func `punctuation ends a sentence`() {
    #expect(sentences("show weather in Rome?", weather) == ["show weather in Rome?"])
    #expect(sentences("show weather?", weather) == [])
    #expect(sentences("Well, show wea", Grammar("well show weather")) == ["Well, show weather"])
  }

  @Test func `a value that nobody can list is left to the person`() {
    let remind = Grammar(
      "remind me to {a} [at {n}]",
      lists: ["a": ["wildcard": true], "n": ["range": ["from": 0, "to": 24]]])
    let first = complete("rem", remind)
    #expect(first.map(\.sentence) == ["remind me to "])
    guard case .unfinished(let need)? = first.first?.meaning else {
      Issue.record("\(first)")
      return
    }
    #expect(need.intent == "T" && need.parameter == "a" && need.parameters == [:])
    #expect(need.prompt == "Which a?")
    let second = complete("remind me to buy milk", remind)
    #expect(second.map(\.sentence) == ["remind me to buy milk", "remind me to buy milk at "])
    guard case .unfinished(let hour)? = second.last?.meaning else {
      Issue.record("\(second)")
      return
    }
    #expect(hour.parameter == "n" && hour.parameters == ["a": "buy milk"])
    #expect(
      sentences("remind me to buy milk a", remind).prefix(2) == [
        "remind me to buy milk a", "remind me to buy milk at ",
      ])
    #expect(
      sentences("remind me to buy milk at 7", remind).first == "remind me to buy milk at 7")
    // A wildcard alone would take anything.
    let any = Grammar("{a} please", "{a}", lists: ["a": ["wildcard": true]])
    #expect(sentences("fire f", any) == [])
    #expect(sentences("x", Grammar("{a} please", lists: ["a": ["wildcard": true]])) == [])
  }

  @Test func `numbers are not guessed, and their words are completed`() {
    let timer = Grammar(
      "wait {n} minutes", lists: ["n": ["range": ["from": 5, "to": 60]]])
    #expect(sentences("wa", timer) == ["wait "])
    #expect(sentences("wait 15", timer) == ["wait 15 minutes"])
    #expect(sentences("wait 15 m", timer) == ["wait 15 minutes"])
    #expect(sentences("wait 4", timer) == [])
  }

  @Test func `permutations, rules and values that are templates are followed`() {
    let grammar = Grammar(
      "(red;green) <go>", "<go> to {a}", rules: ["go": "(go|run) [fast]"],
      lists: ["a": ["values": [["in": "[the] kitchen", "out": "k"], "hall"]]])
    #expect(sentences("red", grammar) == ["red green go"])
    #expect(sentences("green r", grammar) == ["green red go"])
    #expect(sentences("run to the", grammar) == ["run to the kitchen"])
    #expect(sentences("run f", grammar) == ["run fast to hall", "run fast to kitchen"])
  }

  @Test func `scripts without spaces are completed with and without them`() {
    let grammar = Grammar(
      "(显示|打开){a}[的]天气", lists: ["a": ["values": ["北京", "上海"]]],
      settings: ["ignore_whitespace": true])
    #expect(sentences("显", grammar) == ["显示上海天气", "显示北京天气"])
    #expect(sentences("显示上", grammar) == ["显示上海天气"])
    #expect(sentences("显示 上海 天", grammar) == ["显示 上海 天气"])
    #expect(sentences("火", grammar) == [])
    let thai = Grammar(
      "เปิด{a}ห้อง", lists: ["a": ["values": ["ไฟ", "พัดลม"]]], settings: ["ignore_whitespace": true])
    #expect(sentences("เป", thai) == ["เปิดไฟห้อง", "เปิดพัดลมห้อง"])
  }

  @Test func `endings that are glued to a name are written to it`() {
    let turkish = Grammar("{a}['](da|de) hava [nasıl]", lists: ["a": ["values": ["Ankara"]]])
    #expect(sentences("ank", turkish).first == "ankarada hava")
    #expect(sentences("Ankara'", turkish).first == "Ankara'da hava")
    let korean = Grammar("{a}(에서|의) 날씨", lists: ["a": ["values": ["서울"]]])
    #expect(sentences("서", korean).first == "서울의 날씨")
    #expect(sentences("서울에", korean).first == "서울에서 날씨")
  }

  @Test func `ten thousand names are completed by the shortest that fit`() {
    let names = (0..<10_000).map { JSONValue.string("lamp \($0 * 7_919 % 10_000)") }
    let grammar = Grammar("light {a}", lists: ["a": ["values": .array(names)]])
    #expect(sentences("light l", grammar, limit: 3).map(\.count) == [12, 12, 12])
    #expect(
      Set(sentences("light lamp 123", grammar)).isSuperset(of: [
        "light lamp 123", "light lamp 1230",
      ]))
    #expect(sentences("light lamp 12345", grammar) == [])
  }

  @Test func `what the person uses comes first`() {
    let habit = CompletionHabit(
      intent: Intent(name: "T", parameters: ["a": "São Paulo"]), score: 2)
    let other = CompletionHabit(intent: Intent(name: "T", parameters: ["a": "New York"]), score: 3)
    #expect(
      complete("show", weather, limit: 2, preferring: [habit]).map(\.sentence) == [
        "show weather in São Paulo", "show weather in Rome",
      ])
    #expect(
      complete("show", weather, preferring: [habit, other]).map(\.sentence) == [
        "show weather in New York", "show weather in São Paulo", "show weather in Rome",
      ])
    #expect(
      complete("show weather in Rome", weather, preferring: [habit]).first?.sentence
        == "show weather in Rome")
  }

  @Test func `a name that is the habit is found among ten thousand`() {
    let names = (0..<10_000).map { JSONValue.string("lamp \($0)") }
    let grammar = Grammar("light {a}", lists: ["a": ["values": .array(names)]])
    let habit = CompletionHabit(
      intent: Intent(name: "T", parameters: ["a": "lamp 9876"]), score: 1)
    #expect(
      complete("li", grammar, preferring: [habit]).first?.sentence == "light lamp 9876")
    #expect(
      complete("light lamp 1", grammar, preferring: [habit]).first?.sentence == "light lamp 1")
  }

  @Test func `a template with very many ways is completed in time, and always alike`() {
    let many = Array(repeating: "[a|b|c|d]", count: 40).joined(separator: "[;]")
    let deep = Array(repeating: "(a|b [c]|[d] e)", count: 60).joined(separator: " ")
    for template in [many, deep] {
      let grammar = Grammar(template.replacing("[;]", with: " "))
      #expect(sentences("a a a", grammar) == sentences("a a a", grammar))
      #expect(sentences("a a a", grammar).count <= 5)
    }
  }

  @Test func `a text that is too long is refused`() {
    let text = String(repeating: "a", count: Limits.sentenceScalarsMax + 1)
    let found = weather.load().catalog.complete(text, languages: [], limit: 5)
    #expect(found == .failure(.sentenceTooLong))
  }

  @Test func `the shortest texts of every range are found in order`() {
    let lengths = (0..<37).map { (place: Int) -> ShortestTexts.Length in
      ShortestTexts.Length(scalars: Int32(place * 7_919 % 11), value: Int32(place * 31 % 37))
    }
    let shortest = ShortestTexts(lengths)
    for low in 0...37 {
      for high in low...37 {
        var found: [Int32] = []
        shortest.visit(in: low..<high) {
          found.append($0.value)
          return true
        }
        let wanted = lengths[low..<high].sorted { $0 < $1 }.map { $0.value }
        #expect(found == wanted)
      }
    }
  }
}
