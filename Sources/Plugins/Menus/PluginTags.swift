/// The tags in a script of xbar, BitBar or SwiftBar: `<xbar.title>CPU</xbar.title>`.
///
/// They stand anywhere in a file, in comments of any language. Source: the READMEs of xbar and
/// SwiftBar. Everything here is text of others, cleaned for one line.
package struct PluginTags: Hashable, Sendable {
  package var title: String?
  package var version: String?
  package var author: String?
  package var authorGitHub: String?
  package var summary: String?
  package var about: String?
  /// Programs that the script needs, such as `python3`; at most
  /// `PluginLimits.dependencyCountMax`.
  package var dependencies: [String] = []
  /// In the order of the file; at most `PluginLimits.variableCountMax`.
  package var variables: [Variable] = []
  /// The lines of `<swiftbar.schedule>`; empty: its name decides.
  package var schedule: [CronLine] = []
  /// Whether the script stays running and prints frames: `<swiftbar.type>streamable`.
  package var isStream = false
  /// Whether a frame of a stream is shown when its separator arrives, and not as it grows.
  package var hasTrailingSeparator = false
  /// The variables of `<swiftbar.environment>`.
  package var environment: [PluginVariable] = []
  /// Whether SwiftBar would run it in a login shell, as it does by default; we run no shell.
  package var runsInShell = true
  package var runsWhenOpened = false
  /// Whether it is shown when it has printed nothing.
  package var isAlwaysVisible = false
  /// The family of the prefix that most tags have; `nil`: there is none.
  package var format: PluginFormat?
  /// Tags that are read in another way than their author may have meant.
  package var warnings: [PluginWarning] = []

  /// A variable that a person may set: `<xbar.var>number(COUNT=5): Lines.</xbar.var>`.
  package struct Variable: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
      case string, number, boolean, select
    }

    package var kind: Kind
    /// A name of an environment variable.
    package var name: String
    /// Without its quotes.
    package var value: String
    package var summary: String
    /// The values of a `select`.
    package var options: [String] = []
  }

  /// Reads the tags of lines that were found in a file.
  package init(_ lines: PluginTagLines) { self.init(lines.text, numbers: lines.numbers) }

  /// Reads the tags of a text.
  ///
  /// A tag that is not closed on its line, or that is not known, is ignored. A warning has the
  /// number that `numbers` give to the line, else its own. O(length).
  package init(_ text: String, numbers: [Int] = []) {
    var ofXbar = 0
    var ofSwiftBar = 0
    // By bytes: the two of a line end of Windows are one character.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      for tag in TagText.all(in: line) {
        if tag.prefix != "swiftbar" {
          ofXbar += 1
        } else if !tag.name.hasPrefix("hide") {
          // Scripts for xbar, too, hide SwiftBar's own lines of the menu.
          ofSwiftBar += 1
        }
        take(tag, line: index < numbers.count ? numbers[index] : index + 1)
      }
    }
    if ofXbar + ofSwiftBar > 0 { format = ofSwiftBar > 0 ? .swiftbar : .xbar }
  }
}
