import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping

/// Answers `intent.setList`: a list of a sentence gets other values, which a restart keeps.
extension Daemon {
  mutating func setList(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) {
    let params = try Params(value, known: ["name", "values", "add", "remove"])
    let name = try params.string("name")
    let edit: ListEdit
    if let values = try entries("values", params) {
      guard !params.has("add"), !params.has("remove") else {
        throw Params.refusal(
          "values", "'values' is given with 'add' or 'remove'",
          expected: "'values' for all, or 'add' and 'remove' for some")
      }
      edit = ListEdit(replacement: values)
    } else {
      let more = try entries("add", params)
      let less = try params.optionalStrings("remove", countMax: Limits.listValueCountMax)
      guard more != nil || less != nil else {
        throw Params.refusal(
          "values", "parameter 'values' is missing",
          expected: "'values', a list of texts for the whole list; or 'add' and 'remove'")
      }
      edit = (configuration.editedLists[name] ?? ListEdit()).changed(
        adding: more ?? [], removing: less ?? [])
    }
    let indexedCount = configuration.catalog.valueCount(after: edit, of: name)
    work.spend(Limits.workOfListChange + indexedCount * Limits.workOfListValue)
    try takeListChange(indexedCount, at: now)
    switch configuration.setList(name, edit) {
    case .failure(let error): throw RPCError(error)
    case .success(let count):
      writes.put(.setting, Self.listKey(name), edit.json)
      journal.append(
        "list.set", at: now.wall, fields: ["list": .string(name), "count": .int(Int64(count))])
      outbox.answerWhenDurable(address, ["name": .string(name), "count": .int(Int64(count))])
    }
  }

  /// Refuses a long change of a list without reading it, while long ones come too often: to read a
  /// hundred thousand values only to refuse them would hold everybody up, too.
  func refuseUnread(_ method: Method, byteCount: Int, at now: Now) throws(RPCError) {
    guard method == .intentSetList, byteCount >= Limits.longListBytes,
      let until = longListsWaitUntil, now.monotonic < until
    else { return }
    throw Self.listsTooOften(milliseconds: until.milliseconds(since: now.monotonic))
  }

  /// Refuses a change of a list when long ones came too often: while a list is indexed, nobody is
  /// served.
  private mutating func takeListChange(_ indexedCount: Int, at now: Now) throws(RPCError) {
    let count = min(Int64(indexedCount), Limits.listValueBurst)
    guard !listPace.take(count, at: now.monotonic) else { return }
    let moment = listPace.moment(for: count, at: now.monotonic)
    longListsWaitUntil = moment
    throw Self.listsTooOften(milliseconds: moment.milliseconds(since: now.monotonic))
  }

  private static func listsTooOften(milliseconds: Int64) -> RPCError {
    let seconds = (milliseconds + 999) / 1_000
    return RPCError(
      .limitReached,
      "lists have changed by \(Limits.listValueBurst) values in a short time; try again in"
        + " \(seconds) s, and send the changes of a list together",
      details: ["max": .int(Limits.listValueBurst), "seconds": .int(seconds)])
  }

  /// Reads values of a list, each a text or `{"in": TEXT, "out": VALUE}`; `nil`: the parameter is
  /// missing.
  private func entries(_ name: String, _ params: Params) throws(RPCError) -> [ListEdit.Entry]? {
    guard params.has(name) else { return nil }
    let value = try params.value(name)
    var entries: [ListEdit.Entry] = []
    guard case .array(let elements) = value, elements.count <= Limits.listValueCountMax else {
      throw Params.refusal(
        name, "parameter '\(name)' is \(value.typeName)",
        expected: "a list of at most \(Limits.listValueCountMax) values")
    }
    entries.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      guard let entry = ListEdit.Entry(element) else {
        throw Params.refusal(
          name, "value \(index + 1) of '\(name)' is \(element.typeName)",
          expected: "a text, or {\"in\": TEXT, \"out\": VALUE}")
      }
      entries.append(entry)
    }
    return entries
  }
}
