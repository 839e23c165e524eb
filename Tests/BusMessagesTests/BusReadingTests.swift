import BusMessages
import Testing

@Suite struct BusReadingTests {
  private func written(_ values: [BusValue]) -> Tokens {
    var tokens = Tokens()
    for value in values { value.write(into: &tokens) }
    return tokens
  }

  @Test func `a message of every type is read as it was written`() throws {
    let values: [BusValue] = [
      .byte(1), .boolean(true), .int16(-2), .uint16(3), .int32(-4), .uint32(5), .int64(-6),
      .uint64(.max), .double(0.5), .string("Zürich"), .objectPath("/a"), .signature("a{sv}"),
      .strings(["a", "b"]), .array([], of: "(sasas)"), .structure([.string("x"), .int32(1)]),
      .dictionary(["name": .string("x"), "empty": .dictionary([:])]),
      .variant(.variant(.array([.variant(.byte(1))], of: "v"))),
    ]
    var tokens = written(values)
    #expect(try BusLimits().read(&tokens) == values)
    #expect(
      values.map(\.typeSignature).joined() == "ybnqiuxtdsogasa(sasas)(si)a{sv}v")
  }

  @Test func `a message that is deeper, longer or has more values is refused`() throws {
    var deep = BusValue.byte(1)
    for _ in 0..<4 { deep = .variant(deep) }
    var limits = BusLimits()
    limits.depthMax = 4
    limits.valueCountMax = 6
    limits.bytesMax = 5
    var tokens = written([deep])
    #expect(try limits.read(&tokens) == [deep])
    tokens = written([.variant(deep)])
    #expect(throws: BusReadError.tooLarge) { try limits.read(&tokens) }
    tokens = written([.strings(["12", "", "", "", "345"])])
    #expect(try limits.read(&tokens).first?.elements?.count == 5)
    tokens = written([.strings(["12", "", "", "", "3456"])])
    #expect(throws: BusReadError.tooLarge) { try limits.read(&tokens) }
    tokens = written([.strings(["", "", "", "", "", ""])])
    #expect(throws: BusReadError.tooLarge) { try limits.read(&tokens) }
  }

  @Test func `an entry of one value is malformed`() throws {
    let item = BusItem(type: UInt8(ascii: "e"), contents: "s")
    var tokens = Tokens(tokens: [.open(item), .value(.string("key")), .close])
    #expect(throws: BusReadError.malformed) { try BusLimits().read(&tokens) }
    tokens = Tokens(tokens: [.open(BusItem(type: UInt8(ascii: "v"), contents: "s")), .close])
    #expect(throws: BusReadError.malformed) { try BusLimits().read(&tokens) }
  }

  @Test func `values are found by name, without their variants`() {
    let values = BusValue.dictionary([
      "on": .boolean(true), "level": .variant(.double(0.5)), "count": .uint32(7),
      "names": .strings(["a"]),
    ])
    #expect(values["on"]?.boolean == true)
    #expect(values["level"]?.number == 0.5)
    #expect(values["count"]?.integer == 7 && values["count"]?.number == 7)
    #expect(values["names"]?.texts == ["a"])
    #expect(values["nothing"] == nil && BusValue.byte(1)["on"] == nil)
    #expect(BusValue.uint64(.max).integer == nil)
  }

  @Test func `a rule has the members that are known, and none with a quotation mark`() {
    let rule = BusSignalRule(
      sender: "org.freedesktop.DBus", member: "NameOwnerChanged", firstArgument: ":1.2")
    #expect(
      rule.text
        == "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0=':1.2'")
    #expect(BusSignalRule(member: "a',sender='b").text == nil)
  }
}
