import JSON
import Testing

/// Checks which texts the reader accepts and refuses, by RFC 8259.
///
/// A new case is a line of a table.
struct JSONReadingTests {
  @Test(
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
      (" \t\r\n0 \t\r\n", .int(0)), ("-0", .int(0)), ("12", .int(12)), ("-7", .int(-7)),
      ("123456789012345678", .int(123_456_789_012_345_678)),
      ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
      ("9223372036854775808", .double(0x1p63)),
      ("[9223372036854775807,-9223372036854775808]", [.int(.max), .int(.min)]),
      (
        "[9223372036854775808,123456789012345678,1234567890123456789 ]",
        [.double(0x1p63), .int(123_456_789_012_345_678), .int(1_234_567_890_123_456_789)]
      ),
      // Larger than 64 bits by five: an integer that wrapped around would look small.
      ("[18446744073709551621,1,2]", [.double(0x1p64), 1, 2]),
      ("[1234567890123456789012,0,-0,-1]", [.double(1_234_567_890_123_456_774_144), 0, 0, -1]),
      ("-9223372036854775809", .double(-0x1p63)),
      ("18446744073709551616", .double(0x1p64)),
      ("99999999999999999999999", .double(1e23)),
      ("0.0", .double(0)), ("-0.0", .double(-0.0)), ("1.0", .double(1)), ("0.5", .double(0.5)),
      ("-12.5", .double(-12.5)), ("1e2", .double(100)), ("1E+2", .double(100)),
      ("1e-2", .double(0.01)), ("0e0", .double(0)), ("0e999999999999999999999", .double(0)),
      ("0.1", .double(0.1)), ("0.30000000000000004", .double(0.1 + 0.2)),
      ("9007199254740993.0", .double(9_007_199_254_740_992)),
      ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
      ("0.00000017976931348623157e315", .double(.greatestFiniteMagnitude)),
      ("5e-324", .double(.leastNonzeroMagnitude)), ("1e-400", .double(0)),
      ("1e-99999999999999999999", .double(0)),
      ("2.2250738585072014e-308", .double(.leastNormalMagnitude)),
      ("[]", []), ("[ ]", []), ("{}", [:]), ("{ }", [:]), ("[1,[2],{}]", [1, [2], [:]]),
      (#"{"a":1 , "b" : [ true ] }"#, ["a": 1, "b": [true]]),
      (#"{"a":1,"a":2}"#, ["a": 1, "a": 2]), (#"{"":null}"#, ["": nil]),
    ] as [(String, JSONValue)])
  func `a value is read exactly`(text: String, expected: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == expected)
    #expect(skips(Array(text.utf8)))
  }

  @Test func `a minus zero keeps its sign as a double`() throws {
    let value = try JSONValue(parsing: "-0.0").doubleValue
    #expect(value?.sign == .minus)
  }

  @Test(arguments: [
    (#""""#, ""), (#""a""#, "a"), (#""seven..""#, "seven.."), (#""eight...""#, "eight..."),
    (#""sixteen characte""#, "sixteen characte"),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
    (#""\u0000""#, "\0"), (#""\ud83d\ude00""#, "😀"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
    (#""x\uE000\uFFFFy""#, "x\u{E000}\u{FFFF}y"), (#""é 中文 😀""#, "é 中文 😀"),
    (#""12345678é\n12345678""#, "12345678é\n12345678"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
    (#""\u007F\u0080\u07FF\u0800""#, "\u{7F}\u{80}\u{7FF}\u{800}"),
  ])
  func `a string is read exactly`(text: String, expected: String) throws {
    let value = try JSONValue(parsing: text).stringValue
    // Compare bytes: Swift's string equality ignores normalisation.
    #expect(value.map { Array($0.utf8) } == Array(expected.utf8))
    #expect(skips(Array(text.utf8)))
  }

  @Test(
    arguments: [
      ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("x", .unexpectedByte, 0),
      ("nul", .unexpectedEnd, 3), ("nulx", .unexpectedByte, 3), ("True", .unexpectedByte, 0),
      ("nullx", .trailingBytes, 4), ("1 2", .trailingBytes, 2), ("{}}", .trailingBytes, 2),
      ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
      ("[,]", .unexpectedByte, 1), ("[1,]", .unexpectedByte, 3), ("[1 2]", .unexpectedByte, 3),
      ("[1}", .unexpectedByte, 2), ("]", .unexpectedByte, 0),
      ("{", .unexpectedEnd, 1), (#"{"a""#, .unexpectedEnd, 4), (#"{"a":"#, .unexpectedEnd, 5),
      (#"{"a":1"#, .unexpectedEnd, 6), (#"{"a":1,}"#, .unexpectedByte, 7),
      ("{a:1}", .unexpectedByte, 1), ("{1:1}", .unexpectedByte, 1),
      (#"{"a" 1}"#, .unexpectedByte, 5),
      (#"{"a":1]"#, .unexpectedByte, 6), (#"{"a":1 "b":2}"#, .unexpectedByte, 7),
      ("-", .unexpectedEnd, 1), ("-x", .invalidNumber, 1), ("+1", .unexpectedByte, 0),
      ("01", .invalidNumber, 1), ("-01", .invalidNumber, 2), ("00", .invalidNumber, 1),
      ("[01]", .invalidNumber, 2), ("[-01,1]", .invalidNumber, 3), ("[1.e1]", .invalidNumber, 3),
      ("[-]", .invalidNumber, 2), ("[1-1]", .unexpectedByte, 2),
      ("000000000000000000000", .invalidNumber, 1),
      ("1.", .unexpectedEnd, 2), ("1.x", .invalidNumber, 2), (".5", .unexpectedByte, 0),
      ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3), ("1ex", .invalidNumber, 2),
      ("1e5.5", .trailingBytes, 3), ("0x10", .trailingBytes, 1), ("NaN", .unexpectedByte, 0),
      ("-Infinity", .invalidNumber, 1), ("1e309", .invalidNumber, 0), ("-1e309", .invalidNumber, 0),
      ("[1e99999999999999999999]", .invalidNumber, 1), ("1.8e308", .invalidNumber, 0),
      ("1.7976931348623159e308", .invalidNumber, 0),
      (#"""#, .unexpectedEnd, 1), (#""abc"#, .unexpectedEnd, 4), ("\"a\nb\"", .invalidString, 2),
      ("\"\0\"", .invalidString, 1), ("\"12345678\u{1F}\"", .invalidString, 9),
      ("\"12\u{1F}4567890123\"", .invalidString, 3),
      (#""\x""#, .invalidEscape, 2), (#""\"#, .unexpectedEnd, 2), (#""\u12"#, .unexpectedEnd, 5),
      (#""\u12x4""#, .invalidEscape, 5), (#""\U0041""#, .invalidEscape, 2),
      (#""\ud800""#, .invalidEscape, 1), (#""\udc00""#, .invalidEscape, 1),
      (#""\ud800\n""#, .invalidEscape, 1), (#""\ud800\u0041""#, .invalidEscape, 1),
      (#""\ud800\ud800""#, .invalidEscape, 1), (#""\udc00\ud800""#, .invalidEscape, 1),
      ("'a'", .unexpectedByte, 0), ("// a\n1", .unexpectedByte, 0),
      ("\u{FEFF}1", .unexpectedByte, 0),
      ("\u{A0}1", .unexpectedByte, 0), ("\u{B}1", .unexpectedByte, 0),
    ] as [(String, JSONError.Code, Int)])
  func `an error is refused with its position`(
    text: String, code: JSONError.Code, offset: Int
  ) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.code == code)
    #expect(error?.offset == offset)
    #expect(!skips(Array(text.utf8)))
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF], [0xE1, 0x80], [0xE1, 0x80, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80],
      [0xF1, 0x80, 0x80, 0xC0],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused`(sequence: [UInt8]) {
    // Try each distance from the start of an eight-byte word, with and without a closing quote.
    for lead in 0...9 {
      let plain = [UInt8](repeating: UInt8(ascii: "a"), count: lead)
      let text = [UInt8(ascii: "\"")] + plain + sequence + [UInt8(ascii: "\"")]
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
      #expect(error?.code == .invalidUTF8)
      #expect(error?.offset == lead + 1)
      #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.dropLast())) }
      #expect(!skips(text))
    }
  }

  @Test func `the first and last of each length of UTF-8 are accepted`() throws {
    let edges: [Unicode.Scalar] = [
      "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFF}", "\u{1000}", "\u{CFFF}", "\u{D000}",
      "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{3FFFF}", "\u{40000}", "\u{FFFFF}",
      "\u{100000}", "\u{10FFFF}",
    ]
    for scalar in edges {
      let text = String(Character(scalar))
      #expect(try JSONValue(parsing: "\"\(text)\"") == .string(text))
    }
  }

  @Test func `as many containers as the limit are read, and one more is refused`() throws {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      func nested(_ depth: Int) -> String {
        let inner = open == "[" ? "" : "1"
        return String(repeating: open, count: depth) + inner
          + String(repeating: close, count: depth)
      }
      #expect(throws: Never.self) { try JSONValue(parsing: nested(JSONValue.depthMax)) }
      #expect(skips(Array(nested(JSONValue.depthMax).utf8)))
      let error = #expect(throws: JSONError.self) {
        try JSONValue(parsing: nested(JSONValue.depthMax + 1))
      }
      #expect(error?.code == .tooDeep)
      #expect(!skips(Array(nested(JSONValue.depthMax + 1).utf8)))
    }
  }

  @Test(arguments: ["[1,[],{}]", "[[[1]]]", #"{"a":1,"b":"c","d":null}"#])
  func `as many values as are asked for are read, and one more is refused`(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(throws: Never.self) { try JSONValue(parsing: bytes.span, valueCountMax: 4) }
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: bytes.span, valueCountMax: 3)
    }
    #expect(error?.code == .tooManyValues)
  }

  @Test func `a million brackets are refused without using up the stack`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    #expect(!skips(bytes))
  }

  @Test func `siblings do not count as depth`() throws {
    let text = "[" + repeatElement("[[]]", count: 1000).joined(separator: ",") + "]"
    #expect(try JSONValue(parsing: text).arrayValue?.count == 1000)
    #expect(skips(Array(text.utf8)))
  }

  @Test(arguments: [
    (#"{"a":1 x"#, "expected ',' or '}' at byte 7, found 'x'"),
    ("[1", "expected ',' or ']' at byte 2, found the end"),
    ("", "expected a value at byte 0, found the end"),
    (#"{"a" 1}"#, "expected ':' after the key at byte 5, found '1'"),
    ("1 2", "expected the end after the value at byte 2, found '2'"),
    (#""ab"#, "expected the '\"' that closes the string opened at byte 0, found the end"),
    ("\"\t\"", "expected an escape such as \\n at byte 1, found the control character 0x09"),
    ("01", "expected no digit after a leading zero at byte 1, found '1'"),
    ("é", "expected a value at byte 0, found 0xC3"),
  ])
  func `an error is a sentence`(text: String, message: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.message == message)
  }

  @Test func `every prefix of a document is refused`() throws {
    let text = Array(#"{"a":[1,-2.5e3,true,null,"é\u00e9\ud83d\ude00"],"b":{"c":false}}"#.utf8)
    for end in 0..<text.count {
      #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text[..<end])) }
      #expect(!skips(Array(text[..<end])))
    }
    #expect(throws: Never.self) { try JSONValue(parsing: text) }
  }

  @Test func `a part of a larger buffer is read within its bounds`() throws {
    // The bytes behind the span would change the value.
    let bytes = Array("[12]345\"".utf8)
    let number = try JSONValue(parsing: bytes.span.extracting(1..<3))
    #expect(number == .int(12))
    let array = try JSONValue(parsing: bytes.span.extracting(0..<4))
    #expect(array == [12])
    #expect(throws: JSONError.self) { try JSONValue(parsing: bytes.span.extracting(0..<3)) }
  }
}

/// Returns whether the walk that builds nothing accepts the bytes.
///
/// It must agree with the reader.
private func skips(_ bytes: [UInt8]) -> Bool {
  bytes.withUnsafeBytes { raw in
    var scanner = JSONScanner(raw)
    do throws(JSONError) {
      try scanner.skipValue()
      try scanner.expectEnd()
      return true
    } catch {
      return false
    }
  }
}
