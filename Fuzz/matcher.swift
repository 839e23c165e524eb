import IntentRouter
import JSON

/// Fuzzes the matcher with templates and a sentence.
///
/// The compiled graph and the interpreter give the same matches in the same order, in bounded time.
/// The first section has one template a line, at most four; the second is the sentence. The first
/// character of the sentence chooses the document's settings for white space and skip words.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 2)
  guard parts.count == 2 else { return 0 }
  let templates = text(parts[0]).split(separator: "\n").prefix(4)
  let sentence = line(parts[1])
  let choice = parts[1].first ?? 0
  let document: JSONValue = [
    "language": "en", "settings": ["ignore_whitespace": .bool(choice & 3 == 3)],
    "skip_words": choice & 4 == 0 ? [] : ["please", "b"],
    "intents": [
      "T": [
        "data": [
          ["sentences": .array(templates.map { .string(String($0)) }), "slots": ["s": 1]],
          [
            "sentences": .array(templates.map { .string(String($0)) }),
            "requires_context": ["room": ["a", "b"]],
          ],
        ]
      ]
    ],
    "expansion_rules": ["r": "a [b]", "s": "<r> {v}", "alt": "on|off|"],
    "lists": [
      "v": [
        "values": [
          "a", "b c", "a", ["in": "[x]y", "out": 1], ["in": "ab", "context": ["room": "a"]], "灯",
          "ß", "c-d",
        ]
      ],
      "n": ["range": ["from": -5, "to": 30, "fractions": "halves"]], "w": ["wildcard": true],
      "m": ["range": ["from": 0, "to": 100, "multiplier": 0.5]],
    ],
  ]
  let grammar = within(500, "loading") {
    SentenceGrammar.load(unlocated(document), file: "t.yaml") { tenths, _ in
      tenths.map { $0 == 10 ? ["one", "o-ne"] : $0 == 200 ? ["twenty"] : [] }
    }.grammar
  }
  let fast = within(500, "matching") { grammar.recognizeAll(sentence) }
  let unmatched = within(5_000, "looking for what is missing") {
    grammar.recognizeAll(sentence, .init(allowsUnmatched: true))
  }
  _ = unmatched
  // Skip inputs on which the two differ by design: spaces beside ideographs, which the graph reads
  // a second time, and several wildcards, which compete for text.
  let wildcards = templates.map {
    $0.split(separator: "{w", omittingEmptySubsequences: false).count
  }
  guard choice & 3 != 3, wildcards.allSatisfy({ $0 <= 2 }) else { return 0 }
  let slow = grammar.recognizeAll(sentence, .init(walksTrees: true))
  guard case .success(let graph) = fast, case .success(let trees) = slow else { return 0 }
  precondition(graph.count == trees.count, "\(graph.count) matches, \(trees.count) by the trees")
  for (first, second) in zip(graph, trees) {
    precondition(first.template == second.template, "another template")
    precondition(first.slots == second.slots, "\(first.slots) and \(second.slots)")
    precondition(first.literalCharacters == second.literalCharacters, "other literal text")
    precondition(first.wildcardCharacters == second.wildcardCharacters, "another wildcard")
  }
  return 0
}
