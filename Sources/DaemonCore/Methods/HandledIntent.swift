import IntentRouter
import JSON
import WidgetCenter

/// An intent that was carried out, as the answer to its sender tells it.
struct HandledIntent {
  var intent: Intent
  var origin: Daemon.Origin
  /// The widgets that show it, and the receipts of their reloads.
  var shown: [(widget: Widget, receipt: Receipt)]

  /// The intents that a program performed for it, in order; empty: none performs it.
  var performed: [PerformedIntent] = []

  var receipts: [ReceiptID] { shown.map(\.receipt.id) }
  /// The first widget that shows the intent; `nil`: none does.
  var widget: String? { shown.first?.widget.id }

  /// The answer as a value, for one that waits and gets more members.
  var view: JSONObject {
    var view: JSONObject = [:]
    if origin.tappedWidget != nil { view["opened"] = "intent" }
    view["intent"] = .object(intent.view)
    if let language = origin.language { view["language"] = .string(language) }
    view["understood"] = origin.understood.map { .object($0) }
    if !origin.fromWidgets.isEmpty { view["fromWidgets"] = origin.fromWidgetsView }
    if !performed.isEmpty { view["performed"] = .object(PerformedIntent.view(of: performed)) }
    view["widgets"] = .array(
      shown.map { widget, receipt in
        [
          "id": .string(widget.id), "kind": .string(widget.kind),
          "suggestion": .bool(widget.isSuggestion), "receipt": .string(receipt.id.text),
        ]
      })
    return view
  }

  /// Appends `view` as JSON, without making the value first: most answers need only the bytes.
  func write(to bytes: inout [UInt8]) {
    let start = bytes.count
    appendJSON(to: &bytes) { $0.handled(self) }
    assert(
      String(decoding: bytes[start...], as: UTF8.self) == JSONValue.object(view).serialized,
      "the two forms of an answer differ")
  }
}

extension JSONWriter {
  fileprivate mutating func handled(_ handled: HandledIntent) {
    beginObject()
    if handled.origin.tappedWidget != nil {
      key("opened")
      string("intent")
    }
    key("intent")
    intent(handled.intent)
    if let language = handled.origin.language {
      key("language")
      string(language)
    }
    if let understood = handled.origin.understood {
      key("understood")
      value(.object(understood))
    }
    if !handled.origin.fromWidgets.isEmpty {
      key("fromWidgets")
      value(handled.origin.fromWidgetsView)
    }
    if !handled.performed.isEmpty {
      key("performed")
      value(.object(PerformedIntent.view(of: handled.performed)))
    }
    key("widgets")
    beginArray()
    for (widget, receipt) in handled.shown {
      beginObject()
      key("id")
      string(widget.id)
      key("kind")
      string(widget.kind)
      key("suggestion")
      bool(widget.isSuggestion)
      key("receipt")
      string(receipt.id.text)
      endObject()
    }
    endArray()
    endObject()
  }

  /// Writes an intent with the members of `Intent.view`.
  mutating func intent(_ intent: Intent) {
    beginObject()
    key("name")
    string(intent.name)
    key("parameters")
    parameters(of: intent)
    endObject()
  }

  /// Writes the parameters of an intent as an object, by name.
  mutating func parameters(of intent: Intent) {
    beginObject()
    // Most intents have one parameter, and nothing to sort.
    if intent.parameters.count == 1, let (name, given) = intent.parameters.first {
      key(escaping: name)
      value(given)
    } else {
      for (name, given) in intent.parameters.sorted(by: { $0.key < $1.key }) {
        key(escaping: name)
        value(given)
      }
    }
    endObject()
  }
}
