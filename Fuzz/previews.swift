import JSON
import Timekeeping
import WidgetCenter

/// Fuzzes the reader of previews, and the shapes that are made of them.
///
/// A preview that is taken is small and does nothing; its shape has no data in it, and the shape of
/// a shape has the same keys.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let now = WallTime(seconds: 1_795_161_600)
  let content: JSONObject
  switch PreviewAnswer.read(bytes(start, count), at: now) {
  case .failure(let problem):
    precondition(!problem.message.isEmpty)
    return 0
  case .success(let read): content = read
  }
  precondition(byteCount(.object(content)) <= Limits.previewBytesMax, "a large preview")
  for key in ["action", "clicks", "refresh", "image"] { precondition(content[key] == nil) }
  let shape = PreviewShape.redacting(content)
  checkHasNoData(.object(shape))
  let again = PreviewShape.redacting(shape)
  precondition(again.members.map(\.key) == shape.members.map(\.key), "another shape of a shape")
  return 0
}

/// The bytes of all keys and texts, and eight for each value.
private func byteCount(_ value: JSONValue) -> Int {
  switch value {
  case .string(let text): 8 + text.utf8.count
  case .array(let values): values.reduce(8) { $0 + byteCount($1) }
  case .object(let object):
    object.members.reduce(8) { $0 + $1.key.utf8.count + byteCount($1.value) }
  default: 8
  }
}

/// Checks that all texts are blocks, and that the keys are those of a shape.
private func checkHasNoData(_ value: JSONValue) {
  switch value {
  case .string(let text): precondition(text.allSatisfy { $0 == PreviewShape.block }, "a text")
  case .array(let values): for value in values { checkHasNoData(value) }
  case .object(let object):
    for member in object.members {
      let keys = ["title", "titles", "subtitle", "text", "short", "items", "separator"]
      precondition(keys.contains(member.key), "a key")
      checkHasNoData(member.value)
    }
  case .bool(let flag): precondition(flag, "a flag")
  case .null, .int, .double: preconditionFailure("a value")
  }
}
