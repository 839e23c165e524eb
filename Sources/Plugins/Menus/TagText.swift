/// A tag and its value: `<xbar.title>CPU</xbar.title>`.
struct TagText {
  /// `xbar`, `bitbar` or `swiftbar`.
  var prefix: String
  /// In lower case.
  var name: String
  var value: String

  /// Returns the tags of these apps in a line; one that is not closed there is none.
  ///
  /// Tags do not nest: the next one is looked for behind the end of the one before. O(length): the
  /// ends are found once, since a line of a download may have thousands of beginnings without one.
  static func all(in line: Substring.UTF8View.SubSequence) -> [TagText] {
    var tags: [TagText] = []
    var ends: Ends?
    var rest = line
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[rest.index(after: start)...]
      let head = rest.prefix(PluginLimits.tagNameBytesMax)
      guard let end = head.firstIndex(of: UInt8(ascii: ">")) else { continue }
      let name = String(Substring(head[..<end])).lowercased()
      guard let prefix = prefixes.first(where: name.hasPrefix) else { continue }
      let body = rest[rest.index(after: end)...]
      if ends == nil { ends = Ends(in: body) }
      guard let close = ends?.next(Array(name.utf8), from: body.startIndex) else { continue }
      rest = body[close.upperBound...]
      tags.append(
        TagText(
          prefix: String(prefix.dropLast()), name: String(name.dropFirst(prefix.utf8.count)),
          value: String(Substring(body[..<close.lowerBound]))))
    }
    return tags
  }

  static let prefixes = ["xbar.", "bitbar.", "swiftbar."]

  /// The places of each `</name>` in a line.
  private struct Ends {
    /// By the name with its prefix, in lower case; the first place is the last of its list.
    private var places: [[UInt8]: [Range<Substring.UTF8View.Index>]] = [:]

    init(in line: Substring.UTF8View.SubSequence) {
      var rest = line
      while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
        rest = rest[rest.index(after: start)...]
        guard rest.first == UInt8(ascii: "/") else { continue }
        let head = rest.dropFirst().prefix(PluginLimits.tagNameBytesMax)
        guard let end = head.firstIndex(of: UInt8(ascii: ">")) else { continue }
        let name = head[..<end].map { (65...90).contains($0) ? $0 + 32 : $0 }
        guard TagText.prefixes.contains(where: { name.starts(with: $0.utf8) }) else { continue }
        places[name, default: []].append(start..<rest.index(after: end))
      }
      places = places.mapValues { $0.reversed() }
    }

    /// Returns the first end of a tag at `start` or behind it, where no later call begins before
    /// `start`; `nil`: there is none.
    mutating func next(
      _ name: [UInt8], from start: Substring.UTF8View.Index
    ) -> Range<Substring.UTF8View.Index>? {
      while let place = places[name]?.last {
        if place.lowerBound >= start { return place }
        places[name]?.removeLast()
      }
      return nil
    }
  }
}
