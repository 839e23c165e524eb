/// Reads what a plugin printed.
package enum PluginReader {
  /// Returns what is shown; never fails, whatever was printed: what cannot be read is left out or
  /// shown as text, and a warning says so.
  ///
  /// `exitStatus` is the one of the run, 0 for a frame of a stream; `look` what the bar's settings
  /// add, for the families that have it. O(bytes).
  package static func read(
    _ output: [UInt8], _ format: PluginFormat, exitStatus: Int32 = 0, look: PluginLook? = nil
  ) -> PluginReading {
    if let plain = readPlain(output, format, exitStatus: exitStatus, look: look) { return plain }
    let isGood = isGood(exitStatus, format)
    let look = isGood ? look : look?.afterFailure
    var reading =
      switch format {
      case .xbar, .swiftbar, .argos: readMenu(output, format)
      case .waybar: readWaybar(output, look ?? PluginLook())
      case .i3blocks: readBlock(output, exitStatus: exitStatus, look ?? PluginLook())
      case .polybar: readPolybar(output, look ?? PluginLook(), showsEmpty: !isGood)
      case .genmon: readGenmon(output)
      case .text: readText(output)
      }
    if let look, PluginLook.formats.contains(format) { reading.finish(look) }
    return reading.cleaned()
  }
}
