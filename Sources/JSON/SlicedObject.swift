/// An object with one long list that is written in slices, into buffers that may leave in between.
///
/// ```
/// {"total":2,"widgets":[        init
///   {…}                         append
///   ,{…}                        append
/// ],"stale":false}              close
/// ```
///
/// The slices, one behind the other, are one JSON value once `close` has run.
package struct SlicedObject: Sendable {
  private var hasElements = false

  /// Appends an object with `members` and a list `name`, and leaves both open.
  package init(_ name: StaticString, after members: JSONObject = [:], to buffer: inout [UInt8]) {
    precondition(members["\(name)"] == nil, "the list is the only member of its name")
    JSONValue.object(members).write(into: &buffer)
    let brace = buffer.removeLast()
    assert(brace == ASCII.closeBrace)
    appendKey(name, comma: !members.members.isEmpty, to: &buffer)
    buffer.append(ASCII.openBracket)
  }

  /// Appends one element, with the comma that may be due.
  ///
  /// `body` writes one value, or nothing: then there is no element.
  package mutating func append(to buffer: inout [UInt8], _ body: (inout JSONWriter) -> Void) {
    let start = buffer.count
    if hasElements { buffer.append(ASCII.comma) }
    let valueStart = buffer.count
    appendJSON(to: &buffer, body)
    assert(buffer.count >= valueStart, "an element was removed")
    if buffer.count > valueStart {
      hasElements = true
    } else {
      buffer.removeLast(valueStart - start)
    }
  }

  /// Closes the list, appends `members`, and closes the object.
  package consuming func close(with members: JSONObject = [:], to buffer: inout [UInt8]) {
    buffer.append(ASCII.closeBracket)
    let start = buffer.count
    JSONValue.object(members).write(into: &buffer)
    if members.members.isEmpty {
      buffer.remove(at: start)
    } else {
      assert(buffer[start] == ASCII.openBrace)
      buffer[start] = ASCII.comma
    }
  }
}
