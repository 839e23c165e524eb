import JSON
import Testing

/// Written JSON is valid, minimal and deterministic, and it reads back as an equal value.
struct JSONWritingTests {
  @Test(
    arguments: [
      (nil, "null"), (true, "true"), (false, "false"), (0, "0"), (9, "9"), (10, "10"),
      (-1, "-1"), (.int(.max), "9223372036854775807"), (.int(.min), "-9223372036854775808"),
      (0.5, "0.5"), (1.0, "1.0"), (.double(-0.0), "-0.0"), (1e21, "1e+21"), (0.1, "0.1"),
      (.double(.leastNonzeroMagnitude), "5e-324"), (.double(.infinity), "null"),
      (.double(-.infinity), "null"), (.double(.nan), "null"), ("", #""""#),
      ("a\"b\\c/d", #""a\"b\\c/d""#), ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#),
      ("\0\u{1F}\u{7F}", #""\u0000\u001f"# + "\u{7F}\""), ("é 中 😀\u{2028}", "\"é 中 😀\u{2028}\""),
      ("plain12\nplain123\"", #""plain12\nplain123\"""#), ([], "[]"), ([:], "{}"),
      ([1, [2, [:]], "x"], #"[1,[2,{}],"x"]"#),
      (["b": 1, "a": [nil], "b\n": 2], #"{"b":1,"a":[null],"b\n":2}"#),
    ] as [(JSONValue, String)])
  func `a value is written compactly`(value: JSONValue, expected: String) {
    #expect(value.serialized == expected)
  }

  @Test func `pretty JSON has a member a line and two spaces a level`() throws {
    let value: JSONValue = ["a": [1, ["b": []]], "c": [:], "d": "x"]
    var buffer: [UInt8] = []
    value.writePretty(into: &buffer)
    let expected = """
      {
        "a": [
          1,
          {
            "b": []
          }
        ],
        "c": {},
        "d": "x"
      }
      """
    #expect(String(decoding: buffer, as: UTF8.self) == expected)
    #expect(try JSONValue(parsing: buffer) == value)
  }

  @Test func `every double reads back as itself`() throws {
    // Walk over bit patterns with a fixed multiplier, so that each run tries the same numbers.
    var bits: UInt64 = 0x9E37_79B9_7F4A_7C15
    for _ in 0..<20_000 {
      bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Double(bitPattern: bits)
      guard value.isFinite else { continue }
      let read = try JSONValue(parsing: JSONValue.double(value).serialized)
      guard case .double(let back) = read else {
        Issue.record("\(value) came back as \(read)")
        return
      }
      #expect(back.bitPattern == value.bitPattern)
    }
  }

  @Test func `decimals of every length read as Swift reads them`() throws {
    var bits: UInt64 = 42
    for step in 0..<20_000 {
      bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let digits = String(bits).prefix(1 + step % 20)
      let text = "\(digits).\(String(bits, radix: 8).prefix(1 + step % 7))e\(step % 61 - 30)"
      guard case .double(let value) = try JSONValue(parsing: text) else {
        Issue.record("\(text) is no double")
        return
      }
      #expect(value == Double(text), "\(text)")
    }
  }

  @Test func `every scalar survives in a string`() throws {
    for start in stride(from: UInt32(0), to: 0x11_0000, by: 997) {
      var text = ""
      for code in start..<start + 16 {
        if let scalar = Unicode.Scalar(code) { text.unicodeScalars.append(scalar) }
      }
      let read = try JSONValue(parsing: JSONValue.string(text).serialized).stringValue
      #expect(read.map { Array($0.utf8) } == Array(text.utf8))
    }
  }

  @Test func `a byte to escape is found at every distance`() {
    for lead in 0...20 {
      for trail in 0...9 {
        let text = String(repeating: "a", count: lead) + "\"" + String(repeating: "b", count: trail)
        let expected =
          "\"" + String(repeating: "a", count: lead) + "\\\"" + String(repeating: "b", count: trail)
          + "\""
        #expect(JSONValue.string(text).serialized == expected)
      }
    }
  }

  @Test func `the writer puts commas where they belong`() throws {
    let accented = Array("é".utf8)
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.int(-12)
    writer.key(escaping: "b\n")
    writer.beginArray()
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.double(2.5)
    writer.bool(true)
    writer.bool(false)
    writer.null()
    writer.string("x\"")
    writer.string(utf8: accented.span)
    writer.value(["k": 1])
    writer.raw(Array("[0]".utf8))
    writer.endArray()
    #expect(!writer.isBalanced)
    writer.key("c")
    writer.null()
    writer.endObject()
    #expect(writer.isBalanced)
    let expected =
      #"{"a":-12,"b\n":[{},[],2.5,true,false,null,"x\"","é",{"k":1},[0]],"c":null}"#
    #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    #expect(throws: Never.self) { try JSONValue(parsing: writer.bytes) }
  }

  @Test func `a reused writer starts empty and keeps its room`() {
    var buffer = Array("old".utf8)
    buffer.reserveCapacity(500)
    var writer = JSONWriter(reusing: consume buffer)
    writer.int(1)
    #expect(writer.bytes == Array("1".utf8))
    #expect(writer.bytes.capacity >= 500)
  }

  @Test func `a writer over a buffer appends to what is there`() {
    var buffer = Array("x=".utf8)
    appendJSON(to: &buffer) { writer in
      writer.beginArray()
      writer.int(1)
      writer.int(2)
      writer.endArray()
    }
    #expect(String(decoding: buffer, as: UTF8.self) == "x=[1,2]")
  }

  @Test(
    arguments: [
      ([:], 0, [:], #"{"list":[]}"#), (["a": 1], 1, [:], #"{"a":1,"list":[0]}"#),
      ([:], 3, ["b": "x"], #"{"list":[0,2],"b":"x"}"#),
      (["a": nil, "b": 2], 3, ["c": [], "d": 4], #"{"a":null,"b":2,"list":[0,2],"c":[],"d":4}"#),
    ] as [(JSONObject, Int, JSONObject, String)])
  func `an object with an open list is one value once it is closed`(
    before: JSONObject, count: Int, after: JSONObject, expected: String
  ) {
    var slices: [[UInt8]] = [[]]
    var list = SlicedObject("list", after: before, to: &slices[0])
    for number in 0..<count {
      slices.append([])
      // An element that writes nothing leaves no comma behind.
      list.append(to: &slices[slices.count - 1]) { if number != 1 { $0.int(Int64(number)) } }
    }
    slices.append([])
    list.close(with: after, to: &slices[slices.count - 1])
    #expect(String(decoding: slices.joined(), as: UTF8.self) == expected)
  }
}

/// Tests that end a process of their own; `make test` runs them apart (docs/TESTING.md).
struct JSONWriterExitTests {
  #if DEBUG
    @Test func `a writer traps on brackets that do not match`() async {
      await #expect(processExitsWith: .failure) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.endArray()
      }
      await #expect(processExitsWith: .failure) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.int(1)
      }
    }
  #endif
}
