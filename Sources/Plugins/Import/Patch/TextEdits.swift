/// Changes of a text file, and the unified diff that makes them.
///
/// Source of the format: POSIX `diff -u`, as `patch` reads it; three lines of context.
package struct TextEdits {
  private static let contextLineCount = 3

  private let bytes: [UInt8]
  /// The first byte of each line, and the end of the text.
  private var starts: [Int] = [0]
  private var edits: [(range: Range<Int>, text: [UInt8])] = []

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    for (place, byte) in bytes.enumerated() where byte == 0x0a { starts.append(place + 1) }
    if starts.last != bytes.count { starts.append(bytes.count) }
  }

  package var isEmpty: Bool { edits.isEmpty }

  /// Puts a text in the place of some bytes; edits must not overlap.
  package mutating func replace(_ range: Range<Int>, by text: String) {
    edits.append((range, Array(text.utf8)))
  }

  /// Puts lines, each with its end, in the place of the lines `range`, which count from 0.
  package mutating func replaceLines(_ range: Range<Int>, by lines: [String]) {
    replace(starts[range.lowerBound]..<starts[range.upperBound], by: lines.joined())
  }

  /// The number of lines.
  package var lineCount: Int { starts.count - 1 }

  /// A line without its end; counts from 0.
  package func line(_ number: Int) -> String {
    var end = starts[number + 1]
    if end > starts[number], bytes[end - 1] == 0x0a { end -= 1 }
    return String(decoding: bytes[starts[number]..<end], as: UTF8.self)
  }

  /// The bytes of the file as it is.
  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The white space at the beginning of the line in which a byte stands.
  package func indentation(at place: Int) -> String {
    let start = starts.last { $0 <= place } ?? 0
    let blank = bytes[start..<place].prefix { $0 == 0x20 || $0 == 0x09 }
    return String(decoding: blank, as: UTF8.self)
  }

  /// The whole text with all edits.
  package var result: [UInt8] {
    applied(edits.sorted { $0.range.lowerBound < $1.range.lowerBound }, 0..<bytes.count)
  }

  private func applied(
    _ edits: [(range: Range<Int>, text: [UInt8])], _ range: Range<Int>
  ) -> [UInt8] {
    var result: [UInt8] = []
    var place = range.lowerBound
    for edit in edits {
      precondition(edit.range.lowerBound >= place, "two edits change the same bytes")
      result += bytes[place..<edit.range.lowerBound] + edit.text
      place = edit.range.upperBound
    }
    return result + bytes[place..<range.upperBound]
  }

  // MARK: The diff

  /// Lines that are replaced: those of `old`, by number, by `new`.
  private struct Change {
    var old: Range<Int>
    var new: [ArraySlice<UInt8>]
  }

  /// Returns the unified diff of a file with this name; empty without edits.
  package func diff(_ name: String) -> String {
    let changes = changes()
    guard !changes.isEmpty else { return "" }
    let name = Self.header(name)
    var output = "--- \(name)\n+++ \(name)\n"
    var shift = 0
    var index = 0
    while index < changes.count {
      var last = index
      while last + 1 < changes.count,
        changes[last + 1].old.lowerBound - changes[last].old.upperBound
          <= 2 * Self.contextLineCount
      { last += 1 }
      output += hunk(Array(changes[index...last]), &shift)
      index = last + 1
    }
    return output
  }

  /// A file's name as GNU diff writes it: quoted where a line break in it could begin another
  /// header, and with a tab behind it where it has a blank.
  private static func header(_ name: String) -> String {
    let bytes = Array(name.utf8)
    let quoted: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "\\")]
    guard bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || quoted.contains($0) }) else {
      return bytes.contains(UInt8(ascii: " ")) ? name + "\t" : name
    }
    var output: [UInt8] = [UInt8(ascii: "\"")]
    for byte in bytes {
      if byte < 0x20 || byte == 0x7F {
        let octal = String(byte, radix: 8)
        output += Array(("\\" + String(repeating: "0", count: 3 - octal.count) + octal).utf8)
      } else {
        if quoted.contains(byte) { output.append(UInt8(ascii: "\\")) }
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self) + "\""
  }

  private func hunk(_ changes: [Change], _ shift: inout Int) -> String {
    let start = max(0, changes[0].old.lowerBound - Self.contextLineCount)
    let end = min(lineCount, changes[changes.count - 1].old.upperBound + Self.contextLineCount)
    var body = ""
    var newCount = 0
    var place = start
    func add(_ sign: String, _ line: ArraySlice<UInt8>) {
      body += sign + String(decoding: line, as: UTF8.self)
      if line.last != 0x0a { body += "\n\\ No newline at end of file\n" }
    }
    func keep(until limit: Int) {
      while place < limit {
        add(" ", bytes[starts[place]..<starts[place + 1]])
        place += 1
        newCount += 1
      }
    }
    for change in changes {
      keep(until: change.old.lowerBound)
      for number in change.old { add("-", bytes[starts[number]..<starts[number + 1]]) }
      for line in change.new { add("+", line) }
      newCount += change.new.count
      place = change.old.upperBound
    }
    keep(until: end)
    // An empty side has the number of the line before it.
    let oldCount = end - start
    let first = oldCount == 0 ? start : start + 1
    let newFirst = newCount == 0 ? start + shift : start + shift + 1
    shift += newCount - oldCount
    return "@@ -\(first),\(oldCount) +\(newFirst),\(newCount) @@\n" + body
  }

  /// The lines that change, without those that are the same on both sides.
  private func changes() -> [Change] {
    var changes: [Change] = []
    var pending = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }[...]
    while let first = pending.popFirst() {
      var group = [first]
      var lines = lines(of: first.range)
      while let next = pending.first, self.lines(of: next.range).lowerBound < lines.upperBound {
        group.append(next)
        lines = lines.lowerBound..<max(lines.upperBound, self.lines(of: next.range).upperBound)
        pending.removeFirst()
      }
      let whole = applied(group, starts[lines.lowerBound]..<starts[lines.upperBound])
      var change = Change(old: lines, new: Self.lines(whole))
      while let last = change.new.last, let number = change.old.last,
        last.elementsEqual(bytes[starts[number]..<starts[number + 1]])
      {
        change.new.removeLast()
        change.old = change.old.dropLast()
      }
      while let line = change.new.first, let number = change.old.first,
        line.elementsEqual(bytes[starts[number]..<starts[number + 1]])
      {
        change.new.removeFirst()
        change.old = change.old.dropFirst()
      }
      if !(change.old.isEmpty && change.new.isEmpty) { changes.append(change) }
    }
    return changes
  }

  /// The numbers of the lines in which bytes stand; for none, the line before which they would.
  private func lines(of range: Range<Int>) -> Range<Int> {
    let first = (starts.lastIndex { $0 <= range.lowerBound } ?? 0)
    if range.isEmpty, starts[first] == range.lowerBound { return first..<first }
    let last = starts.firstIndex { $0 >= max(range.upperBound, range.lowerBound + 1) }
    return first..<(last ?? lineCount)
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for (place, byte) in bytes.enumerated() where byte == 0x0a {
      lines.append(bytes[start...place])
      start = place + 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }
}
