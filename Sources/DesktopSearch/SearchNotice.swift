import BusMessages
import JSON

/// The notification that tells what became of a result that was chosen.
struct SearchNotice {
  private var title: String
  private var text: String
  private var icon = ThemedIcon.usual

  /// Reads the answer to `intent.send`.
  init(_ message: JSONValue, of sentence: String) {
    title = sentence
    text = ""
    guard let result = message["result"] else {
      text = message["error"]?["message"]?.stringValue ?? ""
      return
    }
    if let content = result["entry"]?["content"] {
      title = content["title"]?.stringValue ?? sentence
      text = content["text"]?.stringValue ?? content["short"]?.stringValue ?? ""
      icon = ThemedIcon.name(for: content)
    }
    if let entries = result["entries"]?.arrayValue {
      text = entries.compactMap { answer in
        answer["entry"]?["content"].map { SearchResult.words(of: $0) }
      }.joined(separator: "\n")
    }
    if let error = result["error"]?.stringValue { text = error }
    if let performed = result["performed"] {
      text = (performed["dialog"] ?? performed["message"])?.stringValue ?? text
    }
    if let question = result["needs"]?["prompt"]?.stringValue { text = question }
  }

  /// The call that shows it.
  var request: BusRequest {
    BusRequest(
      "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
      "org.freedesktop.Notifications", "Notify",
      [
        .string("intentd"), .uint32(0), .string(icon), .string(SearchResult.shown(title)),
        .string(Self.body(text)), .strings([]),
        .dictionary(["desktop-entry": .string(DesktopSearch.name)]), .int32(-1),
      ])
  }

  /// A body is read as markup, so that the signs of markup are escaped.
  private static func body(_ text: String) -> String {
    text.split(separator: "\n").prefix(8).map { line in
      SearchResult.shown(String(line)).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
    }.joined(separator: "\n")
  }
}
