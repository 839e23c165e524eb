import JSON
import Timekeeping
import ViewMarkup
import WidgetCenter

/// Fuzzes the reader of a provider's whole answer, what its author is told, and the acts of its
/// items.
///
/// The same input is an answer to an intent that was performed: whatever it is, what is taken of it
/// keeps its limits.
///
/// Each input has a result or a sentence. A reason is one line within its limit. Views are as we write
/// them, within their limits. The values that taps on all items set, one after the other, stay within
/// their limits, and `null` takes each away again.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  let now = WallTime(milliseconds: 1_795_204_800_000)
  check(within(2_000, "reading what was performed") { PerformAnswer.read(input) })
  let read = within(2_000, "reading an answer") { WidgetEngine.readAnswer(input, at: now) }
  guard let value = value(of: input) else {
    guard case .failure(let failure) = read else { preconditionFailure("no JSON is an answer") }
    precondition(!failure.message.isEmpty)
    return 0
  }
  switch ProviderAnswer.read(value, at: now) {
  case .failure(let error):
    precondition(!error.message.isEmpty)
    guard case .failure(let failure) = read, case .badAnswer = failure.reason else {
      preconditionFailure("the engine took what the reader refused")
    }
  case .success(let answer):
    let said = within(2_000, "reviewing an answer") {
      AnswerReview.warnings(on: value, read: answer, arrivedAt: now)
    }
    precondition(said.count <= Limits.warningCountMax + 1)
    check(answer, read)
  }
  var values = WidgetValues.none
  visit(value, depth: 0, &values)
  for member in values.json.members {
    do throws(WidgetError) {
      values = try values.setting(JSONObject([.init(key: member.key, value: .null)]))
    } catch {
      preconditionFailure("a value cannot be taken away: \(error.message)")
    }
  }
  precondition(values.isEmpty)
  return 0
}

private func check(_ answer: PerformAnswer) {
  precondition(answer.dialog.map { !$0.isEmpty && $0.utf8.count <= Limits.dialogBytesMax } ?? true)
  precondition(answer.value != .null)
  precondition(answer.url != "")
  precondition(
    answer.next.map { (1...Limits.intentNameBytesMax).contains($0.name.utf8.count) } ?? true)
  precondition(answer.warnings.count <= 4 && answer.warnings.allSatisfy { !$0.isEmpty })
}

private func check(_ answer: ProviderAnswer, _ read: Result<ProviderAnswer, ProviderFailure>) {
  switch answer.result {
  case .newData, .noData:
    guard case .success(let taken) = read else { preconditionFailure("a good answer is a failure") }
    precondition(taken == answer)
    if let timeline = answer.timeline { check(timeline) }
  case .failed(let reason):
    precondition(!reason.isEmpty && reason.utf8.count <= Limits.failureReasonBytesMax)
    precondition(!reason.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    guard case .failure(let failure) = read, failure.reason == .reported(reason) else {
      preconditionFailure("a failure is a good answer")
    }
  }
}

/// Checks that all views are within their limits, and such that they may be shown as they are.
private func check(_ timeline: Timeline) {
  precondition(timeline.viewBytes <= Limits.timelineViewBytesMax, "too many bytes of views")
  for view in timeline.entries.compactMap(\.view) {
    precondition(view.byteCount <= MarkupLimits.bytesMax, "too large a view")
    for html in [view.light, view.dark].compactMap({ $0 }) {
      guard case .success(let element) = MarkupReader.read(html), element.html == html else {
        preconditionFailure("a view that is not as we write it: \(html)")
      }
    }
  }
}

/// Taps everything in a value as if it were an item.
private func visit(_ value: JSONValue, depth: Int, _ values: inout WidgetValues) {
  guard depth < 64 else { return }
  switch value {
  case .array(let elements): for element in elements { visit(element, depth: depth + 1, &values) }
  case .object(let object):
    do throws(ItemActError) {
      switch try ItemAct.read(value) {
      case nil: break
      case .intent(let name, _): precondition(!name.isEmpty)
      case .set(let change): set(change, &values)
      }
    } catch {
      precondition(error.message.hasPrefix("set ") || error.message.hasPrefix("intent "))
    }
    for member in object.members { visit(member.value, depth: depth + 1, &values) }
  default: break
  }
}

private func set(_ change: JSONObject, _ values: inout WidgetValues) {
  let before = values
  do throws(WidgetError) {
    values = try values.setting(change)
  } catch {
    precondition(error.code == .tooManyValues && values == before)
    return
  }
  let text = JSONValue.object(values.json).serialized
  precondition(text.utf8.count <= Limits.valuesBytesMax)
  precondition(values.json.members.count <= Limits.valueCountMax)
  precondition(!values.json.members.contains { $0.value.isNull })
}

private func value(of bytes: [UInt8]) -> JSONValue? {
  do throws(JSONError) { return try JSONValue(parsing: bytes) } catch { return nil }
}
