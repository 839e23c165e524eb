package import JSON

/// A frame as the content of an entry: WidgetCenter's `ContentModel`.
extension PluginFrame {
  package var content: JSONObject {
    var content: JSONObject = [:]
    if let first = titles.first {
      if !first.text.isEmpty { content["title"] = first.text.json }
      content["color"] = first.color?.json
      content["icon"] = first.icon.map { .string($0) }
      content["image"] = first.picture?.json(isTemplate: first.imageIsTemplate)
      if !first.action.isEmpty { content["action"] = first.action.json }
    }
    if titles.count > 1 { content["titles"] = .array(titles.map(\.text.json)) }
    content["short"] = short?.json
    content["text"] = Self.lines(text)
    content["background"] = background?.json
    content["tooltip"] =
      tooltip.flatMap { Self.lines($0.lines) } ?? titles.first?.tooltip.map { .string($0) }
    if !classes.isEmpty { content["class"] = .array(classes.map { .string($0) }) }
    content["percentage"] = percentage.map { .double($0) }
    if isUrgent { content["urgent"] = true }
    if !items.isEmpty { content["items"] = .array(items.map(\.json)) }
    if !clicks.isEmpty {
      let members = clicks.sorted { $0.key < $1.key }
        .map { JSONObject.Member(key: "\($0.key)", value: $0.value.json) }
      content["clicks"] = .object(JSONObject(members))
    }
    return content
  }

  /// A line, or a list of them; `nil`: there is none.
  private static func lines(_ lines: [StyledText]) -> JSONValue? {
    lines.count > 1 ? .array(lines.map(\.json)) : lines.first?.json
  }
}

extension PluginItem {
  /// An item of the content model, with those below it.
  var json: JSONValue {
    guard !isSeparator else { return ["separator": true] }
    var item: JSONObject = ["text": text.json]
    item["url"] = action.url.map { .string($0) }
    if isChecked { item["checked"] = true }
    if isDisabled { item["disabled"] = true }
    item["badge"] = badge.map { .string($0) }
    item["tooltip"] = tooltip.map { .string($0) }
    item["color"] = color?.json
    item["icon"] = icon.map { .string($0) }
    item["image"] = picture?.json(isTemplate: imageIsTemplate)
    var action = action
    action.url = nil
    if action.refreshes, action.exec.isEmpty, action.stdin == nil {
      item["refresh"] = true
    } else if !action.isEmpty {
      item["action"] = action.json
    }
    if !items.isEmpty { item["items"] = .array(items.map(\.json)) }
    if let alternate = alternate.first { item["alternate"] = alternate.json }
    return .object(item)
  }
}
