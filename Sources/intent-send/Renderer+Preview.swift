import JSON
import PlainText

/// Renders previews of kinds, which nobody has placed.
extension Renderer {
  /// Renders the `preview` of a kind behind a rule: its family, its lines, and why it is a shape.
  func preview(_ preview: JSONValue, of name: String) -> String {
    let rule = "  │ "
    var inner = self
    inner.columns = columns.map { max(20, $0 - displayWidth(rule)) }
    var text = inner.paragraph(family(of: preview), tone: .faint)
    text += inner.previewContent(preview, of: name)
    if preview["isPending"] == true {
      text += inner.paragraph("it is being made; look again in a moment", tone: .faint)
    } else if let error = preview["error"] {
      text += inner.paragraph("no preview: \(reason(error))", hanging: 2, tone: .warning)
    }
    return text.split(separator: "\n").map { style.faint(rule) + $0 + "\n" }.joined()
  }

  private func family(of preview: JSONValue) -> String {
    let parts = ["family", "locale"].compactMap { preview[$0].map(word) }
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func previewContent(_ preview: JSONValue, of name: String) -> String {
    let content = preview["entry"]?["content"] ?? .null
    let lines = EntryLines(content, self)
    if preview["isPlaceholder"] == true {
      return (lines.titles + lines.subtitles + lines.body + lines.items)
        .map { paragraph($0, tone: .faint) }.joined()
    }
    var text = ""
    for title in lines.titles.isEmpty && lines.isEmpty ? [name] : lines.titles {
      text += paragraph(title, tone: .strong)
    }
    for line in lines.subtitles + lines.body { text += paragraph(line) }
    if let bar = bar(content["percentage"]) { text += bar + "\n" }
    for line in lines.items { text += paragraph(line) }
    return text
  }
}
