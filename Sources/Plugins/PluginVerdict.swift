/// The meaning of a run that ended: what is shown, or that it failed.
package enum PluginVerdict: Hashable, Sendable {
  /// The frame is shown; one that is hidden takes the widget away until the next run.
  case shows(PluginReading)
  /// The last good frame stays, marked stale.
  case failed
}

extension PluginReader {
  /// Whether a status is one of a run that did not fail, in the family's eyes.
  package static func isGood(_ exitStatus: Int32, _ format: PluginFormat) -> Bool {
    exitStatus == 0 || (format == .i3blocks && exitStatus == urgentStatus)
  }

  /// Returns what a run that ended means by the rules of its family.
  ///
  /// A status other than 0 is a failure, whatever was printed; for i3blocks 33 is none, and makes
  /// the block urgent. A look that has a template for failures shows that one. Nothing on standard
  /// output with a good status is a frame that is hidden.
  package static func judge(
    _ output: [UInt8], _ format: PluginFormat, exitStatus: Int32, look: PluginLook? = nil
  ) -> PluginVerdict {
    guard isGood(exitStatus, format) || look?.failFormat != nil else { return .failed }
    return .shows(read(output, format, exitStatus: exitStatus, look: look))
  }
}
