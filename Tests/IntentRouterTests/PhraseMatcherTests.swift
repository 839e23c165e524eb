import IntentRouter
import JSON
import Testing

private let rooms: JSONObject = [
  "room": ["values": ["kitchen", "bed", "bedroom", ["in": "bath[ ]room", "out": "bathroom"]]],
  "any": ["wildcard": true], "other": ["wildcard": true],
  "level": ["range": ["from": 0, "to": 100]],
  "even": ["range": ["from": -10, "to": 10, "step": 2]],
  "half": ["range": ["from": 0, "to": 10, "fractions": "halves"]],
  "percent": ["range": ["from": 0, "to": 100, "multiplier": 0.01]],
]

@Suite struct PhraseMatcherTests {
  @Test(arguments: [
    ("turn on the light", "turn on the light", true),
    ("turn on the light", "TURN ON THE LIGHT!", true),
    ("turn on the light", "turn on the lights", false),
    ("turn on the light", "please turn on the light", false),
    ("turn [on] the light", "turn the light", true),
    ("turn (on|off) the light", "turn off the light", true),
    ("turn (on|off) the light", "turn the light", false),
    ("(a|) b", "b", false),
    ("(a|) b", "a b", true),
    ("[a|] b", "b", true),
    ("(a| ) b", "b", true),
    ("light[s]", "lights", true),
    ("light[s]", "light s", false),
    ("a [b]", "ab", false),
    ("turn on", "turn-on", true),
    ("turn-on", "turn on", false),
    ("10% and 5:30", "10% and 5:30", true),
    ("n\u{E3}o", "na\u{303}o", true),
    ("nell'[ ]aria", "nell'aria", true),
    ("nell'[ ]aria", "nell' aria", true),
  ])
  func `literal text, optionals and alternatives`(
    template: String, sentence: String, expected: Bool
  ) {
    #expect(Grammar(template).matches(sentence) == expected)
  }

  @Test(arguments: [
    ("a b c", true), ("c a b", true), ("b c a", true), ("a b", false), ("a b c a", false),
    ("abc", false),
  ])
  func `a permutation takes its branches in any order`(sentence: String, expected: Bool) {
    #expect(Grammar("(a;b;c)").matches(sentence) == expected)
  }

  @Test func `a permutation needs spaces around it`() {
    #expect(Grammar("x(a;b)y").matches("x a b y"))
    #expect(!Grammar("x(a;b)y").matches("xa by"))
    #expect(Grammar("say (a;[very] b) now").matches("say very b a now"))
  }

  @Test func `rules are written once and used everywhere`() {
    let grammar = Grammar(
      "<do> the <what>", rules: ["do": "turn (on|off)|switch", "what": "[big] light"])
    #expect(grammar.matches("turn off the big light"))
    #expect(grammar.matches("switch the light"))
    #expect(!grammar.matches("turn the light"))
  }

  @Test func `a rule that uses itself is refused at load, and the rest still loads`() {
    let grammar = Grammar("<x> y", "fine", rules: ["x": "a <z>", "z": "[b] <x>"])
    let (catalog, issues) = grammar.load()
    #expect(
      issues.map(\.message) == ["the sentence '<x> y': the rule <x> uses itself: <x> → <z> → <x>"])
    #expect(issues.first?.line == 1)
    guard case .matched = catalog.recognize("fine", languages: []) else {
      Issue.record("the other sentence did not load")
      return
    }
  }

  @Test(arguments: [
    ("<shwo> x", "the sentence '<shwo> x': the rule <shwo> does not exist", "'<show>' perhaps"),
    ("{roon:a} x", "the sentence '{roon:a} x': the list {roon} does not exist", "'{room}' perhaps"),
    ("{room:c} x", "'{room:c} x' fills the slot 'c', which is no parameter of T", "one of a, b, n"),
    ("(x", "the sentence '(x': '(' is not closed (at character 1)", "')'"),
  ])
  func `a bad template is reported with the name it uses and similar names`(
    template: String, message: String, expected: String
  ) {
    let issues = Grammar(template, rules: ["show": "show"], lists: rooms).load().issues
    #expect(issues.map(\.message) == [message])
    #expect(issues.first?.expected == expected)
  }

  @Test(arguments: [
    ("light in {room:a}", "light in KITCHEN", "kitchen"),
    ("light in {room:a}", "light in bathroom", "bathroom"),
    ("light in {room:a}", "light in bath room", "bathroom"),
    ("{room:a} light", "bedroom light", "bedroom"),
    ("{room:a} light", "kitchenlight", "kitchen"),
    ("{room:a}light", "kitchen light", "kitchen"),
    ("{room:a} room", "bed room", "bed"),
  ])
  func `a text list gives its value`(template: String, sentence: String, value: String) {
    // Values without `out` give the words of the sentence.
    let match = Grammar(template, lists: rooms).match(sentence)
    #expect(match?["a"]?.stringValue?.lowercased() == value)
  }

  @Test func `a value may be a template with as many inflections as a language has`() {
    let inflections = (1...60).map { "εργαζ\($0)" }.joined(separator: "|")
    let lists: JSONObject = [
      "state": ["values": [["in": .string("(\(inflections))"), "out": "on"]]]
    ]
    let grammar = Grammar("is {state:a}", lists: lists)
    #expect(grammar.load().issues.isEmpty)
    #expect(grammar.match("is εργαζ60")?["a"] == "on")
  }

  @Test func `a value that is in no list does not match`() {
    #expect(!Grammar("light in {room:a}", lists: rooms).matches("light in garage"))
    #expect(!Grammar("light in {room:a}", lists: rooms).matches("light in"))
  }

  @Test(arguments: [
    ("set {level:n} percent", "set 50 percent", 50.0),
    ("set{level:n}", "set 50", 50),
    ("set {level:n}", "set 050", 50),
    ("set {even:n}", "set -4", -4),
    ("set {half:n}", "set 2.5", 2.5),
    ("set {half:n}", "set 2,50", 2.5),
    ("set {half:n}", "set 10.5", 10.5),
    ("set {percent:n}", "set 25", 0.25),
    ("set {0..30:n}", "set 30", 30),
    ("set {0..30,10:n}", "set 20", 20),
    ("say {any:a} at {level:n}", "say 3 words at 7", 7),
  ])
  func `a number in the range matches`(template: String, sentence: String, value: Double) {
    #expect(Grammar(template, lists: rooms).match(sentence)?["n"]?.doubleValue == value)
  }

  @Test(arguments: [
    ("set {level:n}", "set 101"), ("set {level:n}", "set -1"), ("set {level:n}", "set 2.5"),
    ("set {even:n}", "set 3"), ("set {half:n}", "set 2.3"), ("set {half:n}", "set 2.55"),
    ("set {level:n}", "set 1,000"), ("set {level:n}", "set 99999999999999999999"),
    ("set {0..30,10:n}", "set 25"), ("set {level:n}0", "set 50"),
  ])
  func `a number outside the range does not`(template: String, sentence: String) {
    #expect(!Grammar(template, lists: rooms).matches(sentence))
  }

  @Test(arguments: [
    ("play {any:a}", "play Hey Jude", "Hey Jude", nil),
    ("play {any:a} by {other:b}", "play a day by the sea by Joe", "a day", "the sea by Joe"),
    ("{any:a} please now", "call Bob please now", "call Bob", nil),
    ("note {any:a} in {room:b}", "note buy milk in kitchen", "buy milk", "kitchen"),
    ("{any:a}[ now] go", "a now go", "a", nil),
    ("play {any:a} now", "play_Hey Jude_now", "Hey Jude", nil),
    ("play {any:a} {room:b}", "play_Hey Jude_kitchen", "Hey Jude", "kitchen"),
  ])
  func `a wildcard takes the text before what follows`(
    template: String, sentence: String, a: String, b: String?
  ) {
    let match = Grammar(template, lists: rooms).match(sentence)
    #expect(match?["a"]?.stringValue == a)
    #expect(match?["b"]?.stringValue == b)
  }

  @Test(arguments: [
    ("play {any:a}", "play"), ("play {any:a} now", "play now"), ("{any:a} {other:b}", "one two"),
    ("{any:a} by {other:b}", "standby"),
  ])
  func `a wildcard is never empty`(template: String, sentence: String) {
    #expect(!Grammar(template, lists: rooms).matches(sentence))
  }

  @Test func `every split of a wildcard is found, and the one with most literal text is best`() {
    let (catalog, _) = Grammar("{any:a} [y] z", lists: rooms).load()
    guard case .matched(let best, let all) = catalog.recognize("x a y z", languages: ["en"]) else {
      Issue.record("no match")
      return
    }
    #expect(best.intent.parameters == ["a": "x a"])
    #expect(all.map(\.intent.parameters) == [["a": "x a"], ["a": "x a y"]])
  }

  @Test func `fewer wildcards go before more literal text`() {
    let grammar = Grammar("open the door to {any:a}", "open the door [to] {room:a}", lists: rooms)
    let (catalog, _) = grammar.load()
    guard
      case .matched(let best, let all) = catalog.recognize(
        "open the door to bed", languages: ["en"])
    else {
      Issue.record("no match")
      return
    }
    #expect(best.wildcards == 0)
    #expect(best.template == "open the door [to] {room:a}")
    #expect(all.count == 2)
  }

  @Test func `skip words may be anywhere, and a skip word of a template still matches`() {
    let grammar = Grammar(
      "turn on the light", "please stop", "note {any:a}", lists: rooms,
      skipWords: ["please", "can you"])
    #expect(grammar.matches("Can you turn on, please, the light"))
    #expect(grammar.matches("please stop"))
    #expect(!grammar.matches("canyou turn on the light"))
    #expect(grammar.match("please note say please")?["a"] == "say please")
  }

  @Test func `punctuation between spaces leaves one space where skip words are removed`() {
    let spelling: NumberSpelling = { tenths, _ in tenths.map { $0 == 50 ? ["five"] : [] } }
    func matches(_ sentence: String, skipWords: JSONValue) -> [SentenceMatch] {
      let document: JSONValue = [
        "language": "en", "skip_words": skipWords,
        "intents": ["T": ["data": [["sentences": ["{n:a} hours[,] {n:b} minutes"]]]]],
        "lists": ["n": ["range": ["from": 1, "to": 9]]],
      ]
      let (grammar, _) = SentenceGrammar.load(
        located(document), file: "en.json", spelling: spelling)
      return (try? grammar.recognizeAll(sentence).get()) ?? []
    }
    #expect(matches("2 hours , five minutes", skipWords: ["please"]).first?.slots["b"] == 5)
    // A number word starts where the word before it ends; nothing removes the second space here.
    #expect(matches("2 hours , five minutes", skipWords: []).isEmpty)
  }

  @Test func `ranges without end are known by digits, and an issue says so`() {
    let templates = (0..<60).map { JSONValue.string("say\($0) {\($0)..\($0 + 9_000):a}") }
    let document: JSONValue = [
      "language": "en", "intents": ["T": ["data": [["sentences": .array(templates)]]]],
    ]
    let (grammar, issues) = SentenceGrammar.load(located(document), file: "en.json") { tenths, _ in
      tenths.map { $0 == 700 ? ["seventy"] : [] }
    }
    func number(_ sentence: String) -> JSONValue? {
      (try? grammar.recognizeAll(sentence).get())?.first?.slots["a"]
    }
    #expect(issues.contains { $0.severity == .warning && $0.message.contains("digits only") })
    #expect(number("say0 seventy") == 70)
    #expect(number("say59 70") == 70)
    #expect(number("say59 seventy") == nil)
  }

  @Test func `a number word that ends with a space ends as words do`() {
    let document: JSONValue = [
      "language": "he", "intents": ["T": ["data": [["sentences": ["{n:a}°"]]]]],
      "lists": ["n": ["range": ["from": 1, "to": 9]]],
    ]
    func matches(_ sentence: String, _ word: String) -> Bool {
      let (grammar, _) = SentenceGrammar.load(located(document), file: "he.json") { tenths, _ in
        tenths.map { $0 == 50 ? [word] : [] }
      }
      return (try? grammar.recognizeAll(sentence).get())?.first?.slots["a"] == 5
    }
    #expect(matches("חמישה °", "חמישה "))
    #expect(!matches("חמישה °", "חמישה"))
  }

  @Test func `words said for a missing value fill the context's slot`() throws {
    let document: JSONValue = [
      "language": "en",
      "intents": [
        "T": [
          "data": [
            [
              "sentences": ["light [(in|near)] {room:area}"],
              "requires_context": ["area": ["slot": true]],
            ]
          ]
        ]
      ],
      "lists": ["room": ["values": ["kitchen"]]],
    ]
    let (grammar, _) = SentenceGrammar.load(located(document), file: "en.json")
    let matches = try grammar.recognizeAll("light in garage", .init(allowsUnmatched: true)).get()
    // Neither way fills a slot by words, so both share the slot that the first got.
    #expect(matches.map { $0.slots["area"] } == ["garage", "garage"])
    #expect(matches.map { $0.unmatched.map(\.part) } == [[.text("garage")], [.text("in garage")]])
  }

  @Test func `branches of a whole template are finished one after the other`() throws {
    let document: JSONValue = [
      "language": "en",
      "intents": [
        "T": [
          "data": [["sentences": ["lamp on|{room} on"], "requires_context": ["domain": "light"]]]
        ]
      ],
      "lists": ["room": ["values": ["kitchen"]]],
    ]
    let (grammar, _) = SentenceGrammar.load(located(document), file: "en.json")
    let matches = try grammar.recognizeAll("lamp on", .init(allowsUnmatched: true)).get()
    // The second branch starts with the values that the first one lacks.
    #expect(matches.map { $0.unmatched.map(\.name) } == [["domain"], ["domain", "room"]])
  }

  @Test(arguments: [
    ("打开{room:a}", "打开 灯", "灯"), ("打开{room:a}", "打 开灯", "灯"),
    ("打开{room:a}", "打开TV", "tv"), ("把{any:a}打开", "把小 灯打开", "小灯"),
    ("把{any:a}打开", "把小 , 灯打开", "小灯"), ("{any:a}", "小 灯", "小 灯"),
  ])
  func `scripts without spaces ignore them`(template: String, sentence: String, value: String) {
    let lists: JSONObject = ["room": ["values": ["灯", "TV"]], "any": ["wildcard": true]]
    let grammar = Grammar(template, lists: lists, settings: ["ignore_whitespace": true])
    #expect(grammar.match(sentence)?["a"]?.stringValue?.lowercased() == value)
  }

  @Test func `a space beside an ideograph means nothing, one between other words counts`() {
    let lists: JSONObject = [
      "room": ["values": ["TV", "客厅 灯"]], "level": ["range": ["from": 0, "to": 100]],
    ]
    let settings: JSONObject = ["ignore_whitespace": true]
    let grammar = Grammar(
      "打开{room:a}", "关 {room:a}", "turn on", "设定{level:n}度", lists: lists, settings: settings)
    for sentence in ["打开 TV", "打 开 TV", "打开客厅 灯", "关 客厅灯", "关 TV", "设定 50 度", "turn on"] {
      #expect(grammar.matches(sentence), "\(sentence)")
    }
    #expect(!grammar.matches("turnon"))
    #expect(!grammar.matches("打开T V"))
  }

  @Test func `a template that explodes is cut, and the sentence is refused`() {
    let exploding = String(repeating: "[a ][a ]", count: 20) + "b"
    let (catalog, _) = Grammar(exploding).load()
    let sentence = String(repeating: "a ", count: 30) + "b b"
    guard case .refused(let error) = catalog.recognize(sentence, languages: ["en"]) else {
      Issue.record("not refused")
      return
    }
    #expect(error.code == .sentenceTooComplex)
  }

  @Test func `many wildcards on a long sentence are cut as well`() {
    let template = "{any:a} a {other:b} a {any:a} a {other:b} a {any:a} a {other:b} q"
    let (catalog, _) = Grammar(template, lists: rooms).load()
    let sentence = String(repeating: "a ", count: 400) + "q"
    if case .unmatched = catalog.recognize(sentence, languages: ["en"]) {
      Issue.record("the search ended early without saying so")
    }
  }
}
