extension JSONValue {
  /// Parses an object except for its member `key`, which is checked and returned as its bytes.
  ///
  /// The bytes share the storage of `bytes`. Meant for a large member that may never be read:
  /// checking costs a tenth of building values. A document that is no object, or that has the
  /// member twice, is parsed as a whole, and `left` is `nil`.
  package static func parse(
    _ bytes: [UInt8], leaving key: StaticString
  ) throws(JSONError) -> (value: JSONValue, left: ArraySlice<UInt8>?) {
    var left: Range<Int>?
    var object = JSONObject()
    let isRead = try bytes.span.withUnsafeBytes { (raw) throws(JSONError) -> Bool in
      var scanner = JSONScanner(raw)
      scanner.skipWhitespace()
      guard scanner.peek == ASCII.openBrace else { return false }
      try scanner.open(depth: 0)
      var member = JSONScanner.Member()
      var isFirst = true
      while try scanner.nextMember(into: &member, isFirst: isFirst, depth: 1) {
        isFirst = false
        let name = scanner.text(of: member.key)
        let range = member.value.range
        if name == "\(key)" {
          guard left == nil else { return false }
          left = range
        } else {
          let value = try JSONValue(parsing: bytes.span.extracting(range))
          object.members.append(JSONObject.Member(key: name, value: value))
        }
      }
      try scanner.expectEnd()
      return true
    }
    guard isRead else { return (try JSONValue(parsing: bytes), nil) }
    return (.object(object), left.map { bytes[$0] })
  }
}
