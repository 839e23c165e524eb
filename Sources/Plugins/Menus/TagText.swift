/// A tag and its value: `<xbar.title>CPU</xbar.title>`.
struct TagText {
  /// `xbar`, `bitbar` or `swiftbar`.
  var prefix: String
  /// In lower case.
  var name: String
  var value: String

  /// Takes the next tag of these apps from the front of a line, up to its end; `nil`: there is
  /// none.
  ///
  /// Each byte is looked at a few times, since tags do not nest. O(length) for each tag.
  static func next(_ rest: inout Substring.UTF8View.SubSequence) -> TagText? {
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[rest.index(after: start)...]
      let head = rest.prefix(PluginLimits.tagNameBytesMax)
      guard let end = head.firstIndex(of: UInt8(ascii: ">")) else { continue }
      let name = String(Substring(head[..<end])).lowercased()
      guard let prefix = ["xbar.", "bitbar.", "swiftbar."].first(where: name.hasPrefix) else {
        continue
      }
      let body = rest[rest.index(after: end)...]
      guard let close = closing(name, in: body) else { continue }
      rest = body[close.upperBound...]
      return TagText(
        prefix: String(prefix.dropLast()), name: String(name.dropFirst(prefix.utf8.count)),
        value: String(Substring(body[..<close.lowerBound])))
    }
    return nil
  }

  /// Returns the place of `</name>` in any case.
  private static func closing(
    _ name: String, in body: Substring.UTF8View.SubSequence
  ) -> Range<Substring.UTF8View.Index>? {
    let wanted = Array("</\(name)>".utf8)
    var index = body.startIndex
    while let start = body[index...].firstIndex(of: UInt8(ascii: "<")) {
      let candidate = body[start...].prefix(wanted.count)
      if candidate.elementsEqual(
        wanted, by: { $0 == $1 || ((65...90).contains($0) && $0 + 32 == $1) })
      {
        return start..<candidate.endIndex
      }
      index = body.index(after: start)
    }
    return nil
  }
}
