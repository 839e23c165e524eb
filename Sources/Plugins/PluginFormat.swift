/// The program whose contract a provider was written for: what it is given, what it prints.
///
/// Source of each rule: docs/PLUGINS.md, a table for each family.
package enum PluginFormat: String, CaseIterable, Hashable, Sendable {
  case xbar, swiftbar, argos, waybar, i3blocks, polybar, genmon
  /// Each line is content: the first is the title, the others are its text.
  case text

  /// Whether its output is a title and a menu: lines of `text | key=value`.
  package var isMenu: Bool { self == .xbar || self == .swiftbar || self == .argos }
}
