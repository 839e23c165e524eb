package import JSON

/// A client's change to a list: other values altogether, or some more and some fewer than the
/// documents give it.
///
/// Kept by the daemon, and applied again when documents are loaded anew.
package struct ListEdit: Hashable, Sendable {
  /// One value of a list.
  package struct Entry: Hashable, Sendable {
    /// The text that a person says; no template.
    package var spoken: String
    /// The value that the intent carries; `nil`: the text.
    package var out: JSONValue?

    package init(spoken: String, out: JSONValue? = nil) {
      self.spoken = spoken
      self.out = out
    }

    /// Texts that are the same where sentences are compared.
    var key: [UInt32] { NormalizedText(value: spoken).folded }

    /// A text, or `{"in": TEXT, "out": VALUE}`; `nil` for anything else.
    package init?(_ json: JSONValue) {
      switch json {
      case .string(let text): self.init(spoken: text)
      case .object(let object):
        guard let text = object["in"]?.stringValue, object.members.count <= 2 else { return nil }
        self.init(spoken: text, out: object["out"])
      case .null, .bool, .int, .double, .array: return nil
      }
    }

    package var json: JSONValue {
      guard let out else { return .string(spoken) }
      return ["in": .string(spoken), "out": out]
    }
  }

  /// In place of the documents' values; `nil`: those stay.
  package var replacement: [Entry]?
  package var added: [Entry] = []
  /// Texts of the documents' values that are gone.
  package var removed: [String] = []

  /// Values that it gives or takes away.
  package var valueCount: Int { (replacement?.count ?? 0) + added.count + removed.count }

  package init(replacement: [Entry]? = nil) { self.replacement = replacement }

  /// Returns the edit with values removed and then added, so that one edit can change the meaning
  /// of a word.
  ///
  /// Takes time proportional to the number of all values.
  package func changed(adding more: [Entry], removing less: [String]) -> ListEdit {
    var edit = self
    let gone = Set(less.map { Entry(spoken: $0).key }).union(more.map(\.key))
    if let replacement {
      edit.replacement = replacement.filter { !gone.contains($0.key) } + more
      return edit
    }
    edit.added = added.filter { !gone.contains($0.key) } + more
    let known = Set(removed.map { Entry(spoken: $0).key })
    edit.removed += (less + more.map(\.spoken)).filter { !known.contains(Entry(spoken: $0).key) }
    return edit
  }

  /// `nil` when it is no such record.
  package init?(_ json: JSONValue) {
    func entries(_ value: JSONValue?) -> [Entry]? {
      guard let value else { return [] }
      guard case .array(let elements) = value else { return nil }
      let entries = elements.compactMap(Entry.init)
      return entries.count == elements.count ? entries : nil
    }
    if case .array = json {
      guard let values = entries(json) else { return nil }
      self.init(replacement: values)
      return
    }
    guard case .object(let object) = json, let more = entries(object["add"]),
      let values = entries(object["values"])
    else { return nil }
    self.init(replacement: object["values"] == nil ? nil : values)
    added = more
    removed = (object["remove"]?.arrayValue ?? []).compactMap(\.stringValue)
  }

  /// A list where it replaces all, else an object.
  package var json: JSONValue {
    if let replacement, added.isEmpty, removed.isEmpty { return .array(replacement.map(\.json)) }
    var object: JSONObject = [:]
    if let replacement { object["values"] = .array(replacement.map(\.json)) }
    if !added.isEmpty { object["add"] = .array(added.map(\.json)) }
    if !removed.isEmpty { object["remove"] = .array(removed.map { .string($0) }) }
    return .object(object)
  }
}

extension IntentCatalog {
  /// Changes the values of a list in all languages and returns their number.
  ///
  /// `edit` applies to the documents' values and replaces earlier edits. Takes time proportional to
  /// the number of values; sentences that name the list are not recompiled.
  package mutating func setList(name: String, _ edit: ListEdit) -> Result<Int, RouterError> {
    guard let index = listIndices[name] else {
      return .failure(.unknown(.unknownList, "list", name, among: listNames))
    }
    let original = documentLists[index] ?? lists[index]
    var values: [ListValue] = []
    if let replacement = edit.replacement {
      values = replacement.map(\.value)
    } else {
      guard case .text(let list) = original else {
        return .failure(
          RouterError(
            .invalidValue, "the list '\(name)' has no values to add to; replace it by 'values'"))
      }
      let gone = Set(edit.removed.map { ListEdit.Entry(spoken: $0).key })
      values = list.values.filter { !gone.contains(NormalizedText(value: $0.spoken).folded) }
      values += edit.added.map(\.value)
    }
    guard values.count <= Limits.listValuesMax else {
      return .failure(
        RouterError(
          .tooManyValues,
          "the list '\(name)' cannot have \(values.count) values; at most \(Limits.listValuesMax)"
        ))
    }
    for (position, entry) in (edit.replacement ?? edit.added).enumerated() {
      if let problem = entry.problem {
        return .failure(
          RouterError(
            .invalidValue,
            "value \(position + 1) of the list '\(name)' \(problem); the list is unchanged"))
      }
    }
    documentLists[index] = original
    lists[index] = .text(TextList(values))
    for copy in rangeCopies[index] ?? [] { lists[copy] = lists[index] }
    return .success(values.count)
  }

  /// Returns how many values `setList` would index: all that the list has after the edit, and those
  /// that it removes.
  package func valueCount(after edit: ListEdit, of name: String) -> Int {
    guard edit.replacement == nil, let index = listIndices[name],
      case .text(let list) = documentLists[index] ?? lists[index]
    else { return edit.valueCount }
    return edit.valueCount + list.values.count
  }

  /// The same with plain texts in place of all values.
  package mutating func setList(name: String, values: [String]) -> Result<Int, RouterError> {
    setList(name: name, ListEdit(replacement: values.map { ListEdit.Entry(spoken: $0) }))
  }
}

extension ListEdit.Entry {
  fileprivate var value: ListValue {
    ListValue(spoken: spoken, out: out ?? .string(spoken), template: nil)
  }

  /// Why it cannot be a value.
  fileprivate var problem: String? {
    if spoken.unicodeScalars.allSatisfy({ isWhitespace($0.value) }) { return "is blank" }
    if spoken.utf8.count > Limits.listValueBytesMax {
      return "has more than \(Limits.listValueBytesMax) bytes"
    }
    if let problem = TextRule.invisible(in: spoken) { return problem }
    guard let out else { return TextRule.treachery(in: spoken) }
    if out.serialized.utf8.count > Limits.listOutBytesMax {
      return "stands for more than \(Limits.listOutBytesMax) bytes"
    }
    return Self.problem(ofMeaning: out).map { "stands for a value that \($0)" }
  }

  /// The problem of a text in what a value stands for: providers get it as it is.
  private static func problem(ofMeaning value: JSONValue) -> String? {
    switch value {
    case .string(let text): TextRule.invisible(in: text) ?? TextRule.treachery(in: text)
    case .array(let elements): elements.lazy.compactMap(problem(ofMeaning:)).first
    case .object(let object):
      object.members.lazy.compactMap { member in
        TextRule.invisible(in: member.key) ?? problem(ofMeaning: member.value)
      }.first
    case .null, .bool, .int, .double: nil
    }
  }
}
