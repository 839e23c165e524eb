/// Reads what a plugin printed.
package enum PluginReader {
  /// Returns what is shown; never fails, whatever was printed: what cannot be read is left out or
  /// shown as text, and a warning says so.
  ///
  /// `exitStatus` is the one of the run, 0 for a frame of a stream. O(bytes).
  package static func read(
    _ output: [UInt8], _ format: PluginFormat, exitStatus: Int32 = 0
  ) -> PluginReading {
    let reading =
      switch format {
      case .xbar, .swiftbar, .argos: readMenu(output, format)
      case .waybar: readWaybar(output)
      case .i3blocks: readBlock(output, exitStatus: exitStatus)
      case .polybar: readPolybar(output)
      case .genmon: readGenmon(output)
      case .text: readText(output)
      }
    return reading.cleaned()
  }
}
