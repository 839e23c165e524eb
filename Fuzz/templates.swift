import IntentRouter
import JSON

/// Fuzzes one sentence template, which is the whole input.
///
/// The compiler refuses it with a position inside it, or makes a graph whose size is bounded by the
/// length of the text, for any number of sentences.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let template = text(bytes(start, count))
  let document: JSONValue = [
    "language": "en",
    "intents": ["T": ["data": [["sentences": [.string(template), "plain words"]]]]],
    "expansion_rules": ["r": "a [b]", "s": "<r> {w}"],
    "lists": [
      "v": ["values": ["a", "b c", ["in": "[x]y", "out": 1]]], "w": ["wildcard": true],
      "n": ["range": ["from": 0, "to": 9]],
    ],
  ]
  let (grammar, issues) = within(500, "loading") {
    SentenceGrammar.load(unlocated(document), file: "t.yaml") { tenths, _ in
      tenths.map { _ in ["one"] }
    }
  }
  for issue in issues where issue.severity == .error {
    precondition(!issue.message.isEmpty && !issue.expected.isEmpty, "a mistake without help")
  }
  // A good template loads beside any bad one.
  guard case .success(let matches) = grammar.recognizeAll("plain words") else { return 0 }
  precondition(matches.contains { $0.template == "plain words" }, "the good template is lost")
  return 0
}
