import Documents
import IntentRouter
import JSON

/// Fuzzes near reading with a sentence, and with a template and a list that go with it.
///
/// No sentence may crash the reader or occupy the loop for long; the same one has the same answer;
/// each reading is a sentence that exact recognition understands. The first section is a sentence,
/// the optional second a template, the optional third a name.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 3)
  let sentence = line(parts[0])
  let template = parts.count > 1 ? line(parts[1]) : "show [the] weather (in|for) {city}[ please]"
  let name = parts.count > 2 ? line(parts[2]) : "São Paulo"
  let document: JSONValue = [
    "language": "en", "fillers": ["um", "if you can"], "blockers": ["not"],
    "intents": [
      "A": ["data": [["sentences": [.string(template), "turn (on|off) the light[s]"]]]],
      "B": ["data": [["sentences": ["{n} minutes", "play {any}", "打开{city}[的]灯"]]]],
    ],
    "lists": [
      "city": ["values": [.string(name), "New York", "北京", "Xi'an"]],
      "n": ["range": ["from": 0, "to": 60]], "any": ["wildcard": true],
    ],
  ]
  let grammar = SentenceGrammar.load(located(document), file: "en.yaml").grammar
  guard case .success(let answer) = within(1_000, "reading", { grammar.readNearly(sentence) })
  else { return 0 }
  guard case .success(let again) = grammar.readNearly(sentence) else {
    preconditionFailure("another answer")
  }
  precondition(answer.decision == again.decision, "another decision")
  precondition(answer.features == again.features, "another confidence")
  precondition(answer.readings.map(\.sentence) == again.readings.map(\.sentence), "others")
  precondition(answer.readings.count <= 3)
  precondition(answer.decision == .none || !answer.readings.isEmpty)
  for reading in answer.readings {
    precondition((0...1).contains(reading.confidence))
    guard case .success(let matches) = grammar.recognizeAll(reading.sentence),
      let best = matches.best(slot: "name")
    else { preconditionFailure("a reading that nothing understands: \(reading.sentence)") }
    precondition(best.intent == reading.meaning.intent && best.slots == reading.meaning.slots)
  }
  return 0
}
