/// Changes the settings of a bar so that it shows the widgets that an import made of its modules.
///
/// A module keeps its name, its place in the bar, and the settings that the bar itself carries out;
/// the manifest has the others by now. Modules whose widget is not placed stay as they are.
package struct SettingsPatch {
  /// A module and the widget that takes its place.
  package struct Replacement: Hashable, Sendable {
    /// As the bar names it.
    package var module: String
    /// Its line, from 1.
    package var line: Int
    /// The widget's id: letters, digits, `.`, `-` and `_`, so that it needs no quotes.
    package var widget: String
    /// The settings that the import left out: the bar goes on with them.
    package var leftOut: [String]

    package init(module: String, line: Int, widget: String, leftOut: [String]) {
      self.module = module
      self.line = line
      self.widget = widget
      self.leftOut = leftOut
    }
  }

  package internal(set) var edits: TextEdits
  /// Modules that cannot be changed here, each with the reason.
  package internal(set) var kept: [(module: String, reason: String)] = []
  /// Things to know before the patch is applied, a sentence each.
  package internal(set) var advice: [String] = []

  let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    edits = TextEdits(bytes)
  }

  // MARK: Waybar

  /// Replaces modules of Waybar.
  package mutating func waybar(_ replacements: [Replacement]) {
    let members: [CommentedJSON.Member]
    do throws(CommentedJSON.Mistake) {
      members = try CommentedJSON.members(bytes)
    } catch {
      kept += replacements.map { ($0.module, "line \(error.line): \(error.message)") }
      return
    }
    for replacement in replacements {
      let found = members.first { $0.key == replacement.module && $0.line == replacement.line }
      guard let module = found else {
        kept.append((replacement.module, "it is not found on line \(replacement.line)"))
        continue
      }
      let inner = members.filter {
        $0.depth == module.depth + 1 && module.value.contains($0.start)
      }
      edits.replace(module.value, by: waybarModule(replacement, module, inner))
    }
  }

  /// The settings of a module that Waybar carries out on its own, beside those left out.
  private static let waybarOwn: Set<String> = ["cursor", "smooth-scrolling-threshold"]
  /// Settings that say when a command runs: there is one that stays running now.
  private static let waybarTimes: Set<String> = [
    "exec", "exec-if", "exec-on-event", "interval", "restart-interval", "return-type", "signal",
  ]

  private func waybarModule(
    _ replacement: Replacement, _ module: CommentedJSON.Member, _ inner: [CommentedJSON.Member]
  ) -> String {
    let outer = edits.indentation(at: module.start)
    let first = inner.first.map { edits.indentation(at: $0.start) } ?? ""
    let indentation = first.utf8.count > outer.utf8.count ? first : outer + "  "
    let widget = replacement.widget
    let clicks = [
      ("on-click", "left"), ("on-click-middle", "middle"), ("on-click-right", "right"),
      ("on-scroll-up", "up"), ("on-scroll-down", "down"),
    ]
    var lines = [
      "\"exec\": \"intent-send bar waybar \(widget)\"", "\"return-type\": \"json\"",
      "\"restart-interval\": 5",
    ]
    lines += clicks.map { "\"\($0.0)\": \"intent-send click \(widget) \($0.1)\"" }
    for member in inner {
      let isKept = replacement.leftOut.contains(member.key) || Self.waybarOwn.contains(member.key)
      guard isKept, !Self.waybarTimes.contains(member.key),
        !clicks.contains(where: { $0.0 == member.key })
      else { continue }
      lines.append(edits.text(member.start..<member.value.upperBound))
    }
    return "{\n" + lines.map { indentation + $0 }.joined(separator: ",\n") + "\n" + outer + "}"
  }

  // MARK: i3bar and swaybar

  /// Replaces each `status_command` of i3 or sway that runs i3blocks.
  ///
  /// - Returns: whether there was one.
  package mutating func statusCommand(_ widgets: [String]) -> Bool {
    let command = "status_command intent-send bar i3bar " + widgets.joined(separator: " ")
    for number in 0..<edits.lineCount {
      let line = edits.line(number)
      let words = ShellWords.trimmed(line).split { $0 == " " || $0 == "\t" }
      guard words.first == "status_command", words.contains(where: { $0.contains("i3blocks") })
      else { continue }
      let blank = line.prefix { $0 == " " || $0 == "\t" }
      edits.replaceLines(number..<(number + 1), by: [blank + command + "\n"])
    }
    return !edits.isEmpty
  }
}
