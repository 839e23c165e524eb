import IntentRouter
import JSON
import Testing

/// Tests the sentences that are shown of intents without examples.
@Suite struct MadeExampleTests {
  private func made(_ grammar: Grammar, most: Int = 2) -> [String] {
    let loaded = grammar.load()
    #expect(loaded.issues == [])
    return loaded.catalog.madeExamples(most: most)["T"]?["en"] ?? []
  }

  @Test func `a template is said in its shortest way`() {
    let lists: JSONObject = [
      "cities": ["values": ["Beijing", "New York"]], "later": ["values": []],
      "words": ["wildcard": true],
    ]
    #expect(
      made(
        Grammar("[please] (show|display) the weather in {cities:a} [in City Guide]", lists: lists))
        == ["show the weather in Beijing"])
    #expect(
      made(Grammar("<go> {cities:a} now", rules: ["go": "(go|run) to"], lists: lists))
        == ["go to Beijing now"])
    #expect(made(Grammar("wait {5..90:n} minutes")) == ["wait 5 minutes"])
    #expect(made(Grammar("remind me to {words:a}", lists: lists)) == ["remind me to {a}"])
    #expect(made(Grammar("play {later:b}", lists: lists)) == ["play {b}"])
  }

  @Test func `each sentence is there once, as many as are wanted, and none that means nothing`() {
    #expect(made(Grammar("a [b] c", "a c [d]", "one", "two", "three")) == ["a c", "one"])
    #expect(made(Grammar("[a] [b] x", "[a]"), most: 5) == ["x"])
    let long = String(repeating: "word ", count: 60)
    #expect(made(Grammar("\(long)", "short")) == ["short"])
  }

  @Test func `a writer's own examples count`() {
    let intent: JSONValue = ["name": "T", "title": "T", "description": ""]
    let sentences: JSONValue = [
      "language": "en", "intents": ["T": ["data": [["sentences": ["do it", "just do it"]]]]],
    ]
    let examples: JSONValue = ["intent": "T", "examples": ["en": ["match": ["just do it"]]]]
    let catalog = IntentCatalog.load([
      CatalogSource(file: "T/intent.yaml", document: located(intent), kind: .intent),
      CatalogSource(file: "T/en.yaml", document: located(sentences), kind: .sentences),
      CatalogSource(file: "T/examples.yaml", document: located(examples), kind: .examples),
    ]).catalog
    #expect(catalog.madeExamples(most: 2) == [:])
  }
}
