import JSON
import Testing

@testable import IntentRouter

/// What documents say about near reading, on a small grammar of a house.
@Suite struct NearRuleTests {
  private func catalog(
    intent: JSONObject = [:], document: JSONObject = [:]
  ) -> (catalog: IntentCatalog, issues: [DocumentIssue]) {
    var definition: JSONObject = [
      "name": "Switch", "title": "Switch", "description": "",
      "parameters": [["name": "room"], ["name": "state"], ["name": "level", "type": "integer"]],
    ]
    for member in intent.members { definition[member.key] = member.value }
    var sentences: JSONObject = [
      "language": "en",
      "intents": [
        "Switch": [
          "data": [
            [
              "sentences": [
                "turn {state} [the] lights [in [the] {room}]", "dim {room} [lights] to {level}[%]",
                "is [the] {room} {state}",
              ]
            ]
          ]
        ]
      ],
      "lists": [
        "room": ["values": ["kitchen", "bedroom", "living room"]],
        "state": ["values": ["on", "off", "locked", "unlocked"]],
        "level": ["range": ["from": 0, "to": 100]],
      ],
    ]
    for member in document.members { sentences[member.key] = member.value }
    return IntentCatalog.load([
      CatalogSource(
        file: "Switch/intent.yaml", document: located(.object(definition)), kind: .intent),
      CatalogSource(
        file: "Switch/en.yaml", document: located(.object(sentences)), kind: .sentences),
    ])
  }

  private func answer(
    _ sentence: String, intent: JSONObject = [:], document: JSONObject = [:]
  ) -> NearAnswer {
    catalog(intent: intent, document: document).catalog
      .readNearly(sentence, languages: ["en"]).answer
  }

  private let slip = "turn on the lihgts in the kitchn"

  @Test func `a slip is done`() {
    let answer = answer(slip)
    #expect(answer.decision == .act)
    #expect(answer.readings.first?.sentence == "turn on the lights in the kitchen")
    #expect(answer.readings.first?.meaning.slots == ["state": "on", "room": "kitchen"])
  }

  @Test func `an intent may want a question, or no near reading`() {
    #expect(answer(slip, intent: ["near": "ask"]).decision == .ask)
    #expect(answer(slip, intent: ["confirm": true]).decision == .ask)
    let never = answer(slip, intent: ["near": "never"])
    #expect(never.decision == .none && never.readings.isEmpty)
    let issues = catalog(intent: ["near": "sometimes"]).issues
    #expect(issues.map(\.message) == ["'near' of 'Switch' is 'sometimes'"])
    #expect(answer(slip, intent: ["near": "sometimes"]).readings.isEmpty, "less, not more")
  }

  @Test func `a document may turn it off`() {
    let off = answer(slip, document: ["settings": ["near": false]])
    #expect(off.decision == .none && off.readings.isEmpty)
  }

  @Test func `a document's fillers are left out, and its blockers are not`() {
    let sentence = "\(slip) abracadabra"
    #expect(answer(sentence).decision == .ask, "a word that nobody knows")
    #expect(answer(sentence, document: ["fillers": ["abracadabra"]]).decision == .act)
    let blocked = answer(sentence, document: ["blockers": ["abracadabra"]])
    #expect(blocked.decision == .none)
  }

  @Test func `too many phrases, and one that is too long, are named with their line`() {
    let many = (0..<600).map { JSONValue.string("phrase \($0)") }
    let issues = catalog(document: ["fillers": .array(many)]).issues
    #expect(issues.map(\.message) == ["there are too many fillers"])
    let long = catalog(document: ["blockers": [.string(String(repeating: "x", count: 300))]]).issues
    #expect(long.map(\.message) == ["one of 'blockers' is too long"])
  }

  @Test(arguments: ["dim kitchen to 5O", "dim kitchen to 500", "dim kitchen to five hundred"])
  func `numbers are neither corrected nor exchanged`(_ sentence: String) {
    let answer = answer(sentence)
    #expect(answer.decision != .act, "\(sentence): \(answer)")
  }

  @Test func `one known word is not taken for another without a question`() {
    #expect(answer("is the kitchen unlockd").decision == .act)
    for sentence in ["is the kitchen turn", "turn of the lights", "turn on the kitchen"] {
      #expect(answer(sentence).decision != .act, "\(sentence)")
    }
  }

  @Test(arguments: [
    "turn on the lights in gate b13", "turn on the lights in file b",
    "turn on the lights in server prog", "decrease the heating", "overclock the heating",
  ])
  func `what may be another thing is not done without a question`(_ sentence: String) {
    let document: JSONObject = [
      "intents": [
        "Switch": [
          "data": [
            [
              "sentences": [
                "turn {state} [the] lights [in [the] {room}]", "increase the heating",
                "underclock the heating",
              ]
            ]
          ]
        ]
      ],
      "lists": [
        "room": ["values": ["gate b12", "file a", "server prod", "storage cellar"]],
        "state": ["values": ["on", "off"]],
      ],
    ]
    let answer = answer(sentence, document: document)
    #expect(answer.decision != .act, "\(sentence): \(answer.readings.map(\.sentence))")
    let slip = "turn on the lights in storage celar"
    #expect(self.answer(slip, document: document).decision == .act)
  }

  @Test(arguments: ["lights turned on", "turned on the lights", "the lights are on"])
  func `a statement is no command`(_ sentence: String) {
    #expect(answer(sentence).decision != .act, "\(sentence)")
  }

  @Test func `a name that is two names' neighbour is asked about`() {
    let answer = answer("dim bathroom to 5")
    #expect(answer.decision != .act)
  }

  @Test func `a word that denies or delays is no slip of another`() {
    let sentence = "turn on the flights"
    #expect(answer(sentence).decision != .none)
    #expect(answer(sentence, document: ["blockers": ["flights"]]).decision == .none)
  }

  @Test func `free words are asked about only where the words around them were said`() {
    let document: JSONObject = [
      "intents": ["Switch": ["data": [["sentences": ["play {song} in [the] {room}"]]]]],
      "lists": [
        "room": ["values": ["kitchen", "bedroom", "living room"]],
        "song": ["wildcard": true],
      ],
    ]
    let intent: JSONObject = ["parameters": [["name": "room"], ["name": "song"]]]
    func decision(_ sentence: String) -> NearAnswer.Decision {
      answer(sentence, intent: intent, document: document).decision
    }
    #expect(decision("plya blue moon in the kitchen") != .none)
    #expect(decision("blue moon in the kitchen") == .none)
  }

  @Test(arguments: [
    ("거실에서는불 켜", "거실에서는 불 켜"), ("거실에서늠 불 켜", "거실에서는 불 켜"),
    ("거실에서는 뷸 켜", "거실에서는 불 켜"),
  ])
  func `letters against a name are split off, and may have a slip`(
    _ said: String, _ meant: String
  ) {
    let document: JSONObject = [
      "intents": ["Switch": ["data": [["sentences": ["{room}(에서|에서는|의) 불 켜", "모든 불 꺼"]]]]],
      "lists": ["room": ["values": ["거실", "주방", "침실"]]],
    ]
    let answer = answer(said, document: document)
    #expect(answer.readings.first?.sentence == meant)
    #expect(answer.readings.first?.meaning.slots == ["room": "거실"])
  }

  @Test(arguments: ["\u{200D}", "turn on the \u{200D} lihgts", "\u{200B}", "👩\u{200D}💻 lihgts on"])
  func `joiners and other marks that are not seen are no words`(_ sentence: String) {
    for document in [[:], ["intents": ["Switch": ["data": [["sentences": ["{room}n on"]]]]]]]
      as [JSONObject]
    {
      _ = answer(sentence, document: document)
    }
  }

  @Test(arguments: [
    "is the kitchen relocked", "is the kitchen inlocked", "turn off on the lights",
    "dim kitchen to 5OO",
  ])
  func `what may be another word or number is not done`(_ sentence: String) {
    #expect(answer(sentence).decision != .act, "\(sentence): \(answer(sentence).readings)")
  }

  @Test func `a slip in a word that denies denies, and a filler with one does not`() {
    let document: JSONObject = [
      "blockers": ["tomorrow", "don't"], "fillers": ["if you don't mind"],
    ]
    func decision(_ sentence: String) -> NearAnswer.Decision {
      answer(sentence, document: document).decision
    }
    #expect(decision("turn on the lights tomorow") == .none)
    #expect(decision("don't turn on the lights") == .none)
    #expect(decision("turn on the lihgts if you don't mind") == .act)
  }

  @Test func `names that are alike are compared no longer than there are steps`() {
    // 2,048 names that differ by two letters at most.
    let letters = Array("ab".unicodeScalars.map(\.value))
    let names = (0..<2_048).map { number in
      NearSpelling((0..<11).map { letters[number >> $0 & 1] })
    }
    let spellings = NearSpellings(names)
    let said = NearSpelling((0..<11).map { _ in letters[0] })
    let candidates = spellings.candidates(in: said.shape.letters)
    func foundCount(_ steps: inout Int) -> Int {
      var count = 0
      spellings.forEachNear(candidates, said.shape, said.scalars.span, &steps) { _, _ in count += 1
      }
      return count
    }
    var (many, few) = (10_000_000, 2_500)
    let all = foundCount(&many)
    #expect(all > 10 && many > 0)
    #expect((1..<all).contains(foundCount(&few)), "some are compared before the steps are used up")
    #expect(few <= 0)
    let left = few
    #expect(foundCount(&few) == 0 && few == left, "then none is even looked at")
  }
}
