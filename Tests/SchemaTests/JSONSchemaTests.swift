import JSON
import Testing

/// Tests the validator of these tests.
@Suite struct JSONSchemaTests {
  /// A schema, a value that is valid by it, and one that is not.
  static let rules: [(String, String, String)] = [
    (#"{"type":"string"}"#, #""a""#, "1"),
    (#"{"type":["string","null"]}"#, "null", "1"),
    (#"{"type":"integer"}"#, "1", "1.5"),
    (#"{"type":"number"}"#, "1.5", "true"),
    (#"{"enum":[1,"a"]}"#, #""a""#, #""b""#),
    (#"{"const":true}"#, "true", "false"),
    (#"{"minimum":2}"#, "2", "1"),
    (#"{"maximum":2}"#, "2", "3"),
    (#"{"minLength":1,"maxLength":2}"#, #""ab""#, #""abc""#),
    (#"{"pattern":"^a"}"#, #""ab""#, #""ba""#),
    (#"{"minItems":1,"maxItems":1}"#, "[1]", "[]"),
    (#"{"minProperties":1,"maxProperties":1}"#, #"{"a":1}"#, "{}"),
    (#"{"required":["a"]}"#, #"{"a":null}"#, "{}"),
    (#"{"prefixItems":[{"type":"string"}]}"#, #"["a",1]"#, "[1]"),
    (#"{"items":{"type":"string"}}"#, #"["a"]"#, #"["a",1]"#),
    (#"{"propertyNames":{"pattern":"^a"}}"#, #"{"ab":1}"#, #"{"b":1}"#),
    (#"{"properties":{"a":{"type":"string"}}}"#, #"{"a":"","b":1}"#, #"{"a":1}"#),
    (#"{"properties":{"a":true},"additionalProperties":false}"#, #"{"a":1}"#, #"{"b":1}"#),
    (
      #"{"patternProperties":{"^x":{"type":"null"}},"additionalProperties":false}"#,
      #"{"xy":null}"#, #"{"xy":1}"#
    ),
    (#"{"not":{"type":"string"}}"#, "1", #""a""#),
    (#"{"oneOf":[{"minimum":1},{"minimum":3}]}"#, "2", "4"),
    (#"{"anyOf":[{"minimum":1},{"const":0}]}"#, "0", "-1"),
    (#"{"$ref":"\#u{23}/$defs/a","$defs":{"a":{"type":"string"}}}"#, #""a""#, "1"),
  ]

  @Test(arguments: rules)
  func `a rule takes one value and refuses another`(schema: String, good: String, bad: String)
    throws
  {
    let schema = JSONSchema(try JSONValue(parsing: schema))
    #expect(schema.mistakes(in: try JSONValue(parsing: good)) == [])
    #expect(!schema.isValid(try JSONValue(parsing: bad)))
  }

  @Test func `every place of a value can be replaced and taken away`() throws {
    let value = try JSONValue(parsing: #"{"a":[1,{"b":2}]}"#)
    #expect(value.places.map(written) == ["a", "a[0]", "a[1]", "a[1].b"])
    #expect(
      value.places.map { value.replacing($0, with: "x").serialized }
        == [#"{"a":"x"}"#, #"{"a":["x",{"b":2}]}"#, #"{"a":[1,"x"]}"#, #"{"a":[1,{"b":"x"}]}"#])
    #expect(
      value.places.map { value.replacing($0, with: nil).serialized }
        == ["{}", #"{"a":[{"b":2}]}"#, #"{"a":[1]}"#, #"{"a":[1,{}]}"#])
  }
}
