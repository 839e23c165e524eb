/// The reason for which a plugin runs, and the variables that come with it.
package struct PluginRequest: Hashable, Sendable {
  /// The reason of a run, as SwiftBar names them to its plugins where it has a name.
  package enum Reason: Hashable, Sendable {
    case firstLook, schedule, click, menuOpened, signal, request, wakeUp
  }

  package var reason: Reason
  /// Variables of this run alone, such as BLOCK_BUTTON; they win over all others.
  package var variables: [ProviderDeclaration.Variable]
  /// Whether the person opened the menu of the widget, which waits for this run.
  package var isMenuOpen = false

  package init(_ reason: Reason, variables: [ProviderDeclaration.Variable] = []) {
    self.reason = reason
    self.variables = variables
  }
}

/// The output of a plugin that ended by itself.
package struct PluginOutput: Hashable, Sendable {
  package var bytes: [UInt8]
  package var exitStatus: Int32
  /// The end of its standard error.
  package var diagnostics: String
  /// Bytes that it printed after `bytes`, and that nobody kept.
  package var surplusByteCount = 0
  /// Whether the plugin was not run, since the condition of its manifest did not hold.
  package var isUnmet = false
  /// The exit status of that condition.
  package var conditionStatus: Int32 = 0

  package init(_ bytes: [UInt8], exitStatus: Int32 = 0, diagnostics: String = "") {
    self.bytes = bytes
    self.exitStatus = exitStatus
    self.diagnostics = diagnostics
  }
}

extension PluginRequest.Reason {
  /// The reason that a plugin is told for a run with this cause.
  init(_ cause: ReloadCause) {
    self =
      switch cause {
      case .interval, .policy, .retry: .schedule
      case .tap: .click
      case .menu: .menuOpened
      case .signal: .signal
      case .timeChange: .wakeUp
      case .placed: .firstLook
      case .intent, .link, .configuration, .mode, .reload, .hostForeground, .hostBackground,
        .download, .providerUpgrade, .locale, .textSize, .displaySize:
        .request
      }
  }
}
