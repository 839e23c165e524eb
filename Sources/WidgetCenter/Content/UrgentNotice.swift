import JSON
package import Timekeeping

/// An urgent entry in the words of a notification: plain text, no markup.
package struct UrgentNotice: Hashable, Sendable {
  package var widget: String
  /// One line, never empty.
  package var title: String
  /// Empty: there is no more to say.
  package var text: String

  package init(widget: String, title: String, text: String) {
    self.widget = widget
    self.title = title
    self.text = text
  }
}

extension WidgetEngine {
  /// Notes the widgets of a timeline whose urgent entry becomes current.
  ///
  /// An entry that was current when the process began is no news: it was told by the process before.
  func noteUrgent(
    _ entry: TimelineEntry?, of shared: SharedTimeline, into output: inout EngineOutput
  ) {
    guard let entry, entry.content["urgent"]?.boolValue == true, shared.key.mode == .compact,
      shared.shown != nil || entry.date >= begunAt
        || shared.fetchedAt.map({ $0 >= begunAt }) ?? false
    else { return }
    output.urgentWidgets += shared.widgets
  }

  /// What a notification says of a widget now; `nil`: it is a suggestion, or shows nothing that
  /// anybody may see.
  package func urgentNotice(of id: String, at now: WallTime) -> UrgentNotice? {
    guard let widget = widgets[id], !widget.isSuggestion,
      let shown = shownContent(of: id, at: now)
    else { return nil }
    let name = kinds[widget.kind]?.name(in: [locale]) ?? widget.kind
    let words = ["title", "text", "short"].compactMap { shown[$0]?.stringValue }
      .filter { !$0.isEmpty }
    let hasTitle = shown["title"]?.stringValue?.isEmpty == false
    return UrgentNotice(
      widget: id, title: String((hasTitle ? words[0] : name).prefix(Limits.noticeTitleLengthMax)),
      text: String(
        (hasTitle ? words.dropFirst() : words[...]).first?
          .prefix(Limits.noticeTextLengthMax) ?? ""))
  }
}
