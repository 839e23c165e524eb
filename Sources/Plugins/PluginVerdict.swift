/// The meaning of a run that ended: what is shown, or that it failed.
package enum PluginVerdict: Hashable, Sendable {
  /// The frame is shown; one that is hidden takes the widget away until the next run.
  case shows(PluginReading)
  /// The last good frame stays, marked stale.
  case failed
}

extension PluginReader {
  /// Returns what a run that ended means by the rules of its family.
  ///
  /// A status other than 0 is a failure, whatever was printed; for i3blocks 33 is none, and makes
  /// the block urgent. Nothing on standard output with a good status is a frame that is hidden.
  package static func judge(
    _ output: [UInt8], _ format: PluginFormat, exitStatus: Int32, look: PluginLook? = nil
  ) -> PluginVerdict {
    let isGood = exitStatus == 0 || (format == .i3blocks && exitStatus == urgentStatus)
    guard isGood else { return .failed }
    return .shows(read(output, format, exitStatus: exitStatus, look: look))
  }
}
