import JSON
import PlainText

/// Renders what the program of a widget did for an intent: the member `performed` of an answer.
extension Renderer {
  /// Renders the words with which it answered, of several that followed one another each; a line
  /// says what was done where there are no words.
  func performed(_ result: JSONValue) -> String {
    Self.performedSteps(result).map(step).joined()
  }

  private func step(_ step: JSONValue) -> String {
    let name = intent(step["intent"])
    var text = ""
    switch step["state"] {
    case "done":
      let value = step["value"].map { word($0) }
      let words = step["dialog"].map { word($0) } ?? value.map { "\(name): \($0)" }
      text = paragraph(words ?? "did \(name)", hanging: 2)
    case "sent": text = paragraph("sent \(name)", hanging: 2)
    default: text = paragraph("\(name): \(step["message"].map(word) ?? "not done")", hanging: 2)
    }
    if step["opened"] != nil, let url = step["url"] { text += "opened \(word(url))\n" }
    return text
  }

  /// Returns a sentence for each thing in an answer that could not be done or shown.
  func performedWarnings(_ result: JSONValue) -> [String] {
    Self.performedSteps(result).flatMap { step in
      (step["warnings"]?.arrayValue ?? []).map { "\(intent(step["intent"])): \(word($0))" }
    }
  }

  /// The intents that a program performed for an answer, in order; none where none did.
  fileprivate static func performedSteps(_ result: JSONValue) -> [JSONValue] {
    guard var first = result["performed"]?.objectValue else { return [] }
    let next = first["next"]?.arrayValue ?? []
    first["intent"] = result["intent"]
    return [.object(first)] + next
  }
}

extension Failure {
  /// The failure of an intent that its program did not do, or did nobody knows how far; `nil`:
  /// everything that was performed is done.
  init?(notPerformed result: JSONValue, _ daemon: borrowing Daemon) {
    let renderer = daemon.renderer
    let failed = Renderer.performedSteps(result).first {
      $0["state"] == "failed" || $0["state"] == "unknown"
    }
    guard let failed else { return nil }
    let words = failed["message"].map(renderer.word) ?? "it was not done"
    let isUnknown = failed["state"] == "unknown"
    self.init(
      status: .failed,
      message: isUnknown ? words : "\(renderer.intent(failed["intent"])): \(words)",
      hints: isUnknown ? ["what happened, and when: intent-send history"] : [],
      json: daemon.printed(result))
  }
}
