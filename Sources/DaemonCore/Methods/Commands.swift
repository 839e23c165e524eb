package import WidgetCenter

/// A program that a click on a plugin runs, with the plugin's folder, environment and box.
package struct PluginCommand: Hashable, Sendable {
  package var kind: String
  package var family: WidgetFamily
  /// The plugin's own provider, whose folder, environment and box the program has.
  package var provider: ProviderDeclaration
  /// The program and its arguments; never empty.
  ///
  /// A program with a slash is relative to the provider's directory, others are looked for on PATH.
  package var exec: [String]
  /// Whether it is shown in a terminal.
  package var isInTerminal = false
}

/// The commands of clicks that are under way.
struct Commands: Sendable {
  /// A command, and what is to be done when it has ended.
  struct Running: Hashable, Sendable {
    var kind: String
    /// The widget that is reloaded then; `nil`: none is.
    var refreshed: String?
  }

  private var running: [LaunchToken: Running] = [:]

  /// Returns whether one more command of `kind` may begin.
  ///
  /// O(commands).
  func mayBegin(_ kind: String) -> Bool {
    running.count < Limits.commandCountMax
      && running.values.count { $0.kind == kind } < Limits.commandsOfKindMax
  }

  mutating func begin(_ token: LaunchToken, _ command: Running) { running[token] = command }

  /// Ends a command; `nil`: it is none that is under way.
  mutating func end(_ token: LaunchToken) -> Running? { running.removeValue(forKey: token) }
}
