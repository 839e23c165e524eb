package import JSON
package import Timekeeping

/// Finds what an author probably meant otherwise in an answer that can be used: keys that nobody
/// reads, values of another form, dates out of sight.
///
/// The daemon takes such an answer all the same, because a surface shows what it understands of it.
/// `intent-send try` and `widget.push` tell the author. The same mistake in several entries is one
/// warning; at most `Limits.warningCountMax` are made.
package struct AnswerReview {
  /// The warnings so far, in the order in which they were found.
  private var found: [(text: String, count: Int)] = []
  /// Places in `found`, by the warning without the numbers of its path.
  private var places: [String: Int] = [:]
  private var omitted = 0
  /// The place that is judged: `entries`, 3, `content`, `title`.
  private var place: [Step] = []

  private enum Step {
    case key(String)
    case index(Int)
  }

  /// Returns sentences for the author of `answer`, which was read as `timeline`.
  ///
  /// `hasShown` says whether the widget shows something already, and `arrivedAt` when the answer
  /// came. O(size of the answer).
  package static func warnings(
    on answer: JSONValue, read timeline: Timeline, hasShown: Bool = false, arrivedAt: WallTime
  ) -> [String] {
    var review = AnswerReview()
    review.judge(answer)
    // `Timeline.read` warns of a timeline without entries.
    for finding in TimelineDates.findings(of: timeline, hasShown: hasShown, arrivedAt: arrivedAt)
    where finding.kind != .noEntries {
      review.note("\(finding.problem); \(finding.fix)", sort: finding.kind.rawValue)
    }
    return review.sentences
  }

  /// The same for an answer that may have no timeline.
  package static func warnings(
    on answer: JSONValue, read: ProviderAnswer, hasShown: Bool = false, arrivedAt: WallTime
  ) -> [String] {
    switch read.result {
    case .newData(let timeline):
      return warnings(on: answer, read: timeline, hasShown: hasShown, arrivedAt: arrivedAt)
    case .noData(let policy):
      var review = AnswerReview()
      review.judge(answer)
      if let policy {
        let findings = TimelineDates.findings(of: policy, arrivedAt: arrivedAt)
        for finding in findings {
          review.note("\(finding.problem); \(finding.fix)", sort: finding.kind.rawValue)
        }
      }
      return review.sentences
    case .failed:
      var review = AnswerReview()
      review.judge(answer)
      return review.sentences
    }
  }

  private var sentences: [String] {
    var sentences = found.map { text, count in
      count == 1 ? text : "\(text) (and \(count - 1) more like it)"
    }
    if omitted > 0 { sentences.append("and \(omitted) more warnings") }
    return sentences
  }

  /// Notes a warning; `text` is made only for the first of its sort.
  private mutating func note(_ text: @autoclosure () -> String, sort: String) {
    if let place = places[sort] {
      found[place].count += 1
    } else if found.count < Limits.warningCountMax {
      places[sort] = found.count
      found.append((text(), 1))
    } else {
      omitted += 1
    }
  }

  // MARK: Places

  /// Notes a warning that begins with the place; `key` is a member of it.
  private mutating func note(at key: String? = nil, _ rest: @autoclosure () -> String) {
    let steps = place + (key.map { [.key($0)] } ?? [])
    // Entries and items differ in their numbers; the mistake is the same.
    note(
      "\(Self.written(steps) { "[\($0)]" }) \(rest())", sort: Self.written(steps) { _ in "[]" })
  }

  private static func written(_ steps: [Step], index: (Int) -> String) -> String {
    var text = ""
    for step in steps {
      switch step {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let number): text += index(number)
      }
    }
    return text
  }

  private mutating func inside(_ step: Step, _ judge: (inout AnswerReview) -> Void) {
    place.append(step)
    judge(&self)
    place.removeLast()
  }

  private mutating func inside(_ key: String, _ judge: (inout AnswerReview) -> Void) {
    inside(.key(key), judge)
  }

  /// Judges the members of a list, each at its place; nothing if the value is no list.
  private mutating func each(
    of value: JSONValue?, _ judge: (inout AnswerReview, JSONValue) -> Void
  ) {
    for (index, element) in (value?.arrayValue ?? []).enumerated() {
      inside(.index(index)) { judge(&$0, element) }
    }
  }

  // MARK: The answer around the content

  private static let rootKeys = [
    "entries", "policy", "relevance", "preferredHeight", "result", "downloads",
  ]
  private static let noDataKeys = [
    "result", "policy", "entries", "relevance", "preferredHeight", "downloads",
  ]
  private static let failureKeys = ["result", "reason"]
  private static let entryKeys = ["date", "content", "relevance", "url", "view"]

  private mutating func judge(_ answer: JSONValue) {
    switch answer["result"]?.stringValue {
    case "failed":
      return warnUnknown(in: answer, known: Self.failureKeys, of: "an answer that failed")
    case "noData":
      warnUnknown(in: answer, known: Self.noDataKeys, of: "an answer without data")
    default:
      warnUnknown(in: answer, known: Self.rootKeys, of: "an answer")
    }
    inside("policy") { review in
      review.warnUnknown(in: answer["policy"], known: ["after"], of: "a policy")
    }
    inside("relevance") { review in
      review.each(of: answer["relevance"]) { review, window in
        review.warnUnknown(in: window, known: ["from", "to", "kind"], of: "a window")
      }
    }
    inside("entries") { review in
      review.each(of: answer["entries"]) { review, entry in review.judgeEntry(entry) }
    }
  }

  private mutating func judgeEntry(_ entry: JSONValue) {
    warnUnknown(in: entry, known: Self.entryKeys, of: "an entry")
    inside("relevance") { review in
      review.warnUnknown(in: entry["relevance"], known: ["score", "duration"], of: "a relevance")
    }
    if let url = entry["url"], !url.isNull { inside("url") { $0.judge(url, .url, depth: 0) } }
    guard let content = entry["content"]?.objectValue else { return }
    inside("content") { review in
      review.judge(content, keys: ContentModel.keys, of: "content", depth: 0)
      if content.members.isEmpty {
        review.note("is empty, so there is nothing to show; write at least {\"title\":\"…\"}")
      }
    }
  }

  private mutating func warnUnknown(in value: JSONValue?, known: [String], of what: String) {
    for member in value?.objectValue?.members ?? [] where !known.contains(member.key) {
      let isContent = ContentModel.keys.contains { $0.name == member.key }
      if isContent, what == "an entry" {
        note(
          at: member.key,
          "is ignored: it belongs into the entry's content, \"content\":{\"\(member.key)\":…}")
        continue
      }
      noteUnknown(
        member.key, of: what, known,
        meant: nearest(to: member.key, among: known, countMax: 1).first)
    }
  }

  private mutating func noteUnknown(
    _ key: String, of what: String, _ known: [String], meant: @autoclosure () -> String?
  ) {
    func choice(_ meant: String?) -> String {
      meant.map { didYouMean([$0]) } ?? "; \(what) has \(known.joined(separator: ", "))"
    }
    note(at: key, "is no key of \(what) and is ignored\(choice(meant()))")
  }

  // MARK: The content

  private mutating func judge(
    _ object: JSONObject, keys: [ContentModel.Key], of what: String, depth: Int
  ) {
    for member in object.members {
      guard let key = keys.first(where: { $0.name == member.key }) else {
        if what == "content", member.key == "view" {
          note(at: member.key, "is ignored: it belongs beside the content, into the entry")
          continue
        }
        if member.key.hasPrefix(ContentModel.ownPrefix) { continue }
        noteUnknown(member.key, of: what, keys.map(\.name), meant: keys.meant(by: member.key))
        continue
      }
      // Null is as if the key were not there: many programs write it for a value they lack.
      guard !member.value.isNull else { continue }
      inside(member.key) { $0.judge(member.value, key.form, depth: depth) }
    }
  }

  private mutating func judge(_ value: JSONValue, _ form: ContentModel.Form, depth: Int) {
    switch (form, value) {
    case (.line, .object(let object)), (.lines, .object(let object)): judgeLine(object)
    case (.lines, .array), (.lineList, .array):
      each(of: value) { $0.judge($1, .line, depth: depth) }
    case (.runs, .array(let runs)) where runs.allSatisfy { $0.objectValue != nil }:
      each(of: value) { review, run in
        review.judge(run.objectValue ?? [:], all: ContentModel.runKeys, of: "a run", needed: 1)
      }
    case (.color, .object(let object)):
      judge(object, all: ContentModel.shadeKeys, of: "a colour", needed: 2)
    case (.action, .object(let object)):
      judge(object, keys: ContentModel.actionKeys, of: "an action", depth: depth)
    case (.image, .object(let object)): judgeImage(object)
    case (.clicks, .object(let object)): judgeClicks(object, depth: depth)
    case (.item, .object(let object)): judgeItem(object, depth: depth)
    case (.items, .array(let items)) where items.allSatisfy { $0.objectValue != nil }:
      judgeItems(value, depth: depth + 1)
    default:
      guard form == .items || !form.takes(value) else { return }
      note(Self.mistake(value, form))
    }
  }

  private static func mistake(_ value: JSONValue, _ form: ContentModel.Form) -> String {
    let meant = form.meant(by: value).map { "; did you mean \(quoted($0))?" } ?? ""
    return "is \(quoted(value)); expected \(form.expected)\(meant)"
  }

  /// Judges a line that is an object: text in runs, or a live date.
  private mutating func judgeLine(_ object: JSONObject) {
    if object["runs"] != nil {
      judge(object, all: ContentModel.styledLineKeys, of: "a line in runs", needed: 1)
    } else {
      judge(object, all: ContentModel.liveDateKeys, of: "a live date", needed: 2)
    }
  }

  /// Judges an object that needs the first `needed` of its keys.
  private mutating func judge(
    _ object: JSONObject, all keys: [ContentModel.Key], of what: String, needed: Int
  ) {
    judge(object, keys: keys, of: what, depth: 0)
    for key in keys.prefix(needed) where object[key.name]?.isNull ?? true {
      note(at: key.name, "is missing; expected \(key.form.expected)")
    }
  }

  /// Judges how a picture is said; `AnswerPictures` reads it, and tells what is wrong with its file.
  private mutating func judgeImage(_ object: JSONObject) {
    let said = JSONObject(
      object.members.filter { !ContentModel.imageFacts.contains($0.key) })
    judge(said, keys: ContentModel.imageKeys, of: "a picture", depth: 0)
    let sources = ContentModel.imageKeys.prefix(3).map(\.name).filter {
      object[$0].map { !$0.isNull } ?? false
    }
    if sources.count > 1 {
      note(
        "says its picture \(sources.count) times; give one of \(sources.joined(separator: ", "))")
    }
    // A file that could not be read stands there as its problem, which `AnswerPictures` tells.
    if sources.isEmpty, object["problem"] == nil {
      note("says no picture; give its file, its data in Base64, or its hash")
    }
    if object["alt"]?.isNull ?? true {
      note(
        at: "alt",
        "is missing; say in a few words what the picture shows, or \"\" if it only decorates")
    }
  }

  private mutating func judgeClicks(_ object: JSONObject, depth: Int) {
    for member in object.members where !member.value.isNull {
      guard ContentModel.buttons.contains(member.key) else {
        note(at: member.key, "is no button and is ignored; buttons are the numbers from 1 to 9")
        continue
      }
      inside(member.key) { $0.judge(member.value, .action, depth: depth) }
    }
  }

  private mutating func judgeItems(_ items: JSONValue, depth: Int) {
    guard depth <= Limits.itemDepthMax else {
      note("is deeper than \(Limits.itemDepthMax) levels of items; surfaces leave it out")
      return
    }
    each(of: items) { review, item in
      guard let object = item.objectValue else { return }
      review.judgeItem(object, depth: depth)
    }
  }

  private mutating func judgeItem(_ object: JSONObject, depth: Int) {
    judge(object, keys: ContentModel.itemKeys, of: "an item", depth: depth)
    let acts = ItemAct.members.filter { !(object[$0]?.isNull ?? true) }
    if let first = acts.first, ["set", "intent"].contains(first) {
      for other in acts.dropFirst() { note(at: other, "is ignored beside '\(first)'") }
    }
    if object["text"]?.isNull ?? true, object["separator"]?.boolValue != true {
      note(at: "text", "is missing; expected \(ContentModel.Form.lines.expected)")
    }
  }

  private static func quoted(_ value: JSONValue) -> String {
    let text = value.serialized
    return text.count > 60 ? "\(text.prefix(60))…" : text
  }
}
