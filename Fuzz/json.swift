import JSON

/// Fuzzes the JSON reader: no input may crash it, and each accepted value must survive a round
/// trip.
///
/// - The walk that builds nothing and the reader that builds values accept the same inputs.
/// - Reading, writing and reading again gives the same value; writing it again gives the same
///   bytes. The comparison is of bytes, because Swift's string equality ignores normalisation.
/// - The position of an error is inside the input or at its end.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Span(
    _unsafeStart: start ?? UnsafePointer(("" as StaticString).utf8Start), count: count)
  let skips = input.withUnsafeBytes { raw in
    var scanner = JSONScanner(raw)
    do throws(JSONError) {
      try scanner.skipValue()
      try scanner.expectEnd()
      return true
    } catch {
      return false
    }
  }

  do throws(JSONError) {
    let value = try JSONValue(parsing: input)
    precondition(skips, "the reader accepts what the walk refuses")
    var written: [UInt8] = []
    value.write(into: &written)
    precondition(!written.contains(10), "a line break in compact JSON")
    do throws(JSONError) {
      let again = try JSONValue(parsing: written)
      precondition(again == value, "another value came back")
      var rewritten: [UInt8] = []
      again.write(into: &rewritten)
      precondition(rewritten == written, "other bytes came back")
      var pretty: [UInt8] = []
      value.writePretty(into: &pretty)
      let readPretty = try JSONValue(parsing: pretty)
      precondition(readPretty == value, "pretty JSON is another value")
    } catch {
      preconditionFailure("what was written is refused: \(error.message)")
    }
  } catch {
    precondition(!skips, "the walk accepts what the reader refuses")
    precondition((0...count).contains(error.offset), "a mistake outside the input")
    precondition(!error.message.isEmpty)
  }
  return 0
}
