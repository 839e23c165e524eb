package import JSON
package import Timekeeping

/// Reads a provider's answer to `snapshot` or `placeholder`: one entry, or a timeline whose first
/// entry is meant.
///
/// `{"content": {…}}` is an entry of now, `{"entries": [{"date": …, "content": {…}}]}` a timeline; of
/// several entries the one of now counts, else the first.
package enum PreviewAnswer {
  /// A mistake in an answer, as a sentence that follows "the provider's answer cannot be used".
  package struct Problem: Error, Hashable, Sendable {
    package var message: String

    package init(message: String) { self.message = message }
  }

  /// Returns the content of the entry, without what only a placed widget can do.
  package static func read(_ bytes: [UInt8], at now: WallTime) -> Result<JSONObject, Problem> {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes)
    } catch {
      return .failure(
        Problem(message: AnswerAdvice.sentence(onOutput: bytes, error, at: now)))
    }
    switch ProviderAnswer.read(timeline(value, at: now), at: now) {
    case .failure(let error): return .failure(Problem(message: error.message))
    case .success(let answer):
      switch answer.result {
      case .newData(let timeline): return content(of: timeline, at: now)
      case .noData:
        return .failure(Problem(message: "it says that nothing is new; a preview needs an entry"))
      case .failed(let reason): return .failure(Problem(message: "it failed: \(reason)"))
      }
    }
  }

  /// Returns the content that a preview shows of a timeline.
  static func content(of timeline: Timeline, at now: WallTime) -> Result<JSONObject, Problem> {
    let entries = timeline.entries
    guard let entry = timeline.index(at: now).map({ entries[$0] }) ?? entries.first else {
      return .failure(Problem(message: "it has no entry; a preview needs one"))
    }
    let content = shown(entry.content)
    guard !JSONValue.object(content).isLarger(than: Limits.previewBytesMax) else {
      return .failure(
        Problem(
          message:
            "its entry has more than \(Limits.previewBytesMax) bytes; show less in a preview"))
    }
    return .success(content)
  }

  /// Returns a timeline: the answer itself, or one with the entry that it is.
  package static func timeline(_ answer: JSONValue, at now: WallTime) -> JSONValue {
    guard case .object(var entry) = answer, entry["entries"] == nil, entry["content"] != nil else {
      return answer
    }
    if entry["date"] == nil { entry["date"] = .string(now.rfc3339) }
    return ["entries": [.object(entry)], "policy": "never"]
  }

  /// Returns content without what is done or looked up on behalf of a placed widget.
  private static func shown(_ content: JSONObject) -> JSONObject {
    var content = ContentParts.images.removed(from: content)
    removeActs(&content, depth: 0)
    return content
  }

  private static func removeActs(_ content: inout JSONObject, depth: Int) {
    for key in ["action", "clicks", "refresh"] { content[key] = nil }
    if depth > 0 { content["url"] = nil }
    content["alternate"] = nil
    guard case .array(let items)? = content["items"] else { return }
    guard depth < Limits.itemDepthMax else {
      content["items"] = nil
      return
    }
    content["items"] = .array(
      items.map { item in
        guard case .object(var object) = item else { return item }
        removeActs(&object, depth: depth + 1)
        return .object(object)
      })
  }
}
