package import JSON

/// Reading the actions of an entry's content: the form that `PluginFrame.content` writes.
extension PluginAction {
  /// Reads an action; a member of another form counts as one that is not there, and a list of
  /// arguments with one that is no text, or that no program can be given, as none.
  package init(_ value: JSONValue?) {
    self.init()
    guard let value else { return }
    url = value["url"]?.stringValue
    exec = Self.arguments(value["exec"])
    isInTerminal = value["terminal"]?.boolValue ?? false
    stdin = value["stdin"]?.stringValue
    refreshes = value["refresh"]?.boolValue ?? false
  }

  /// Reads the action of an item: its member `action`, and `url` and `refresh` beside it.
  package init(ofItem item: JSONValue) {
    self.init(item["action"])
    url = item["url"]?.stringValue ?? url
    if item["refresh"]?.boolValue == true { refreshes = true }
  }

  private static func arguments(_ value: JSONValue?) -> [String] {
    guard let values = value?.arrayValue, values.count <= PluginLimits.argumentCountMax else {
      return []
    }
    let words = values.compactMap { value -> String? in
      guard let word = value.stringValue, !word.utf8.contains(0) else { return nil }
      return word
    }
    return words.count == values.count && words.first?.isEmpty == false ? words : []
  }
}
