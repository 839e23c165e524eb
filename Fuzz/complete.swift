import Documents
import IntentRouter
import JSON

/// Fuzzes completion with a text, and with a template and a list that go with it.
///
/// No text may crash it or occupy the loop for long; the same one has the same completions; each
/// begins as the text does, unless it corrected something, and is a sentence that recognition
/// understands, or stops before a value. The first section is a text, the optional second a template,
/// the optional third a name.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 3)
  let text = line(parts[0])
  let template = parts.count > 1 ? line(parts[1]) : "show [the] weather (in|for) {city}[ please]"
  let name = parts.count > 2 ? line(parts[2]) : "São Paulo"
  let document: JSONValue = [
    "language": "en", "skip_words": ["um", "if you can"],
    "intents": [
      "A": ["data": [["sentences": [.string(template), "turn (on|off) the light[s]"]]]],
      "B": [
        "data": [["sentences": ["wait {n} minutes", "play {any} [on {city}]", "打开{city}[的]灯"]]]
      ],
    ],
    "lists": [
      "city": ["values": [.string(name), "New York", "北京", "Xi'an"]],
      "n": ["range": ["from": 0, "to": 60]], "any": ["wildcard": true],
    ],
  ]
  let grammar = SentenceGrammar.load(located(document), file: "en.yaml").grammar
  guard
    case .success(let found) = within(
      1_000, "completing", { grammar.complete(text, limit: 20, corrects: true) })
  else { return 0 }
  guard case .success(let again) = grammar.complete(text, limit: 20, corrects: true) else {
    preconditionFailure("another answer")
  }
  precondition(found.map(\.sentence) == again.map(\.sentence), "other completions")
  precondition(found.count <= 20, "too many")
  for completion in found {
    precondition(
      !completion.changes.isEmpty
        || completion.sentence.unicodeScalars.starts(with: text.unicodeScalars), "another beginning"
    )
    guard !completion.isUnfinished else { continue }
    guard case .success(let matches) = grammar.recognizeAll(completion.sentence), !matches.isEmpty
    else { preconditionFailure("nothing understands \(completion.sentence)") }
  }
  return 0
}
