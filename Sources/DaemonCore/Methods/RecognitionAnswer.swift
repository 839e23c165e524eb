import IntentRouter
import JSON

/// Writes the answer to `intent.recognize` straight into bytes, without `JSONValue`s in between,
/// because clients may ask for it at every key that a person types.
extension JSONWriter {
  mutating func recognition(
    _ best: Candidate, _ all: [Candidate], url: String?, _ routing: RoutingDecision
  ) {
    beginObject()
    key("matched")
    bool(true)
    key("intent")
    intent(best.intent)
    key("language")
    string(best.language)
    key("template")
    string(best.template)
    if let url {
      key("url")
      string(url)
    }
    key("candidates")
    beginArray()
    for index in all.indices { candidate(all[index]) }
    endArray()
    key("widgets")
    strings(routing.widgets)
    key("routing")
    beginObject()
    key("kinds")
    strings(routing.kinds)
    key("widgets")
    strings(routing.widgets)
    key("suggestion")
    if let kind = routing.suggestion { string(kind) } else { null() }
    if let performer = routing.performer {
      key("performer")
      string(performer)
    }
    key("why")
    string(routing.why)
    endObject()
    endObject()
  }

  /// Writes a candidate with the numbers that rank it: fewer wildcards, then more literal
  /// characters, then shorter wildcards.
  private mutating func candidate(_ candidate: Candidate) {
    beginObject()
    key("intent")
    intent(candidate.intent)
    key("language")
    string(candidate.language)
    key("template")
    string(candidate.template)
    key("slots")
    beginArray()
    for slot in candidate.slots {
      beginObject()
      key("name")
      string(slot.name)
      key("value")
      value(slot.value)
      key("text")
      string(slot.text)
      key("wildcard")
      bool(slot.isWildcard)
      if let span = slot.span {
        key("span")
        beginArray()
        int(Int64(span.lowerBound))
        int(Int64(span.upperBound))
        endArray()
      }
      endObject()
    }
    endArray()
    key("wildcards")
    int(Int64(candidate.wildcards))
    key("literalCharacters")
    int(Int64(candidate.literalCharacters))
    key("wildcardCharacters")
    int(Int64(candidate.wildcardCharacters))
    endObject()
  }

  private mutating func strings(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}
