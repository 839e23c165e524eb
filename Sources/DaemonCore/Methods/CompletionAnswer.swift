import IntentRouter
import JSON

/// Writes the answer to `intent.complete` straight into bytes: clients ask for it at every key that
/// a person types.
extension JSONWriter {
  mutating func completions(_ offered: [Daemon.OfferedSentence]) {
    beginObject()
    key("completions")
    beginArray()
    for index in offered.indices { completion(offered[index]) }
    endArray()
    endObject()
  }

  private mutating func completion(_ offered: Daemon.OfferedSentence) {
    beginObject()
    key("sentence")
    string(offered.sentence)
    key("language")
    string(offered.language)
    key("intent")
    intent(offered.intent)
    key("widgets")
    beginArray()
    for id in offered.widgets { string(id) }
    endArray()
    if let fromWidgets = offered.fromWidgets {
      key("fromWidgets")
      value(fromWidgets)
    }
    if offered.isUnfinished {
      key("unfinished")
      bool(true)
    }
    if let need = offered.need {
      key("needs")
      value(.object(need.view))
    }
    if !offered.changes.isEmpty {
      key("changes")
      value(offered.changes.view)
    }
    if let content = offered.content {
      key("content")
      value(.object(content))
    }
    endObject()
  }
}
