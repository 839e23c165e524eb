/// Appends JSON to a byte buffer without building values, for the hot paths.
///
/// The writer adds the commas: the last token written decides whether one is due. The caller
/// decides which token comes next (a key, a value, a bracket); debug builds trap on a wrong one.
package struct JSONWriter {
  package var bytes: [UInt8]
  /// A value or member stands before, in the same container.
  private var needsComma = false
  /// A key was written and its value is due.
  private var awaitsValue = false
  /// Containers that are open; the innermost is bit 0 of `objects`, one for an object.
  private var depth = 0
  private var objects: UInt128 = 0

  package init() { bytes = [] }

  /// With room for so many bytes.
  package init(capacity: Int) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Writes into the storage of `buffer`, whose content is thrown away.
  ///
  /// Hand over the only reference (`JSONWriter(reusing: consume buffer)`) to keep its capacity.
  package init(reusing buffer: consuming [UInt8]) {
    bytes = buffer
    bytes.removeAll(keepingCapacity: true)
  }

  /// Whether everything that was opened is closed, and every key has its value.
  package var isBalanced: Bool { depth == 0 && !awaitsValue }

  /// Opens an object; `endObject` closes it.
  package mutating func beginObject() {
    open(ASCII.openBrace)
    objects = objects << 1 | 1
  }

  /// Closes the innermost container, which must be an object.
  package mutating func endObject() {
    assert(depth > 0 && objects & 1 == 1, "endObject() without its beginObject()")
    close(ASCII.closeBrace)
  }

  /// Opens an array; `endArray` closes it.
  package mutating func beginArray() {
    open(ASCII.openBracket)
    objects <<= 1
  }

  /// Closes the innermost container, which must be an array.
  package mutating func endArray() {
    assert(depth > 0 && objects & 1 == 0, "endArray() without its beginArray()")
    close(ASCII.closeBracket)
  }

  /// A key that is known when this is compiled: ASCII without anything to escape.
  package mutating func key(_ key: StaticString) {
    appendKey(key, comma: needsComma, to: &bytes)
    noteKey()
  }

  /// A key that is known only when it is written.
  ///
  /// It is slower, because it looks for escapes; the label keeps literals from being written so.
  package mutating func key(escaping key: String) {
    prepareKey()
    appendJSONString(key, to: &bytes)
    bytes.append(ASCII.colon)
  }

  /// Writes a string, with escapes where they are needed.
  package mutating func string(_ value: String) {
    prepareValue()
    appendJSONString(value, to: &bytes)
  }

  /// A string whose bytes are already valid UTF-8.
  package mutating func string(utf8 value: Span<UInt8>) {
    prepareValue()
    appendJSONString(utf8: value, to: &bytes)
  }

  /// Writes a whole number.
  package mutating func int(_ value: Int64) {
    prepareValue()
    appendJSON(value, to: &bytes)
  }

  /// A double in its shortest form; `null` when it is not finite.
  package mutating func double(_ value: Double) {
    prepareValue()
    appendJSON(value, to: &bytes)
  }

  /// Writes `true` or `false`.
  package mutating func bool(_ value: Bool) {
    prepareValue()
    if value { appendASCII("true", to: &bytes) } else { appendASCII("false", to: &bytes) }
  }

  /// Writes `null`.
  package mutating func null() {
    prepareValue()
    appendASCII("null", to: &bytes)
  }

  /// Writes a whole value.
  package mutating func value(_ value: JSONValue) {
    prepareValue()
    value.write(into: &bytes)
  }

  /// One value that is already valid JSON on one line, as every writer of ours makes it.
  package mutating func raw(_ json: [UInt8]) { raw(json.span) }

  /// One value that is already valid JSON on one line, as every writer of ours makes it.
  package mutating func raw(_ json: Span<UInt8>) {
    json.withUnsafeBufferPointer {
      assert(!$0.isEmpty, "no value")
      assert(!$0.contains(ASCII.lineFeed), "a line break would end the message")
      prepareValue()
      bytes.append(contentsOf: $0)
    }
  }

  @inline(__always)
  private mutating func open(_ bracket: UInt8) {
    assert(depth < JSONValue.depthMax, "deeper than any reader of ours accepts")
    prepareValue()
    bytes.append(bracket)
    needsComma = false
    depth += 1
  }

  @inline(__always)
  private mutating func close(_ bracket: UInt8) {
    assert(!awaitsValue, "a key without its value")
    bytes.append(bracket)
    needsComma = true
    depth -= 1
    objects >>= 1
  }

  @inline(__always)
  private mutating func prepareKey() {
    if needsComma { bytes.append(ASCII.comma) }
    noteKey()
  }

  @inline(__always)
  private mutating func noteKey() {
    assert(depth > 0 && objects & 1 == 1, "a key outside an object")
    assert(!awaitsValue, "a key where the value of the last one is due")
    needsComma = false
    awaitsValue = true
  }

  @inline(__always)
  private mutating func prepareValue() {
    assert(depth == 0 || awaitsValue || objects & 1 == 0, "a value without its key")
    assert(depth > 0 || !needsComma, "a second value outside any container")
    if needsComma { bytes.append(ASCII.comma) }
    needsComma = true
    awaitsValue = false
  }
}

/// Appends one JSON value to `buffer` with a writer, in place: no copy, no allocation but to grow.
package func appendJSON(to buffer: inout [UInt8], _ body: (inout JSONWriter) -> Void) {
  var writer = JSONWriter()
  swap(&writer.bytes, &buffer)
  body(&writer)
  assert(writer.isBalanced, "JSON left open")
  swap(&writer.bytes, &buffer)
}
