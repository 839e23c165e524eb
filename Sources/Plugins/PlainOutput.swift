extension PluginReader {
  /// Returns the text of an output that is one line without anything to read in it; `nil`: the
  /// family's reader has to look.
  ///
  /// Most clocks, loads and counters print such a line each second: printable ASCII without markup,
  /// an object, or spaces that may be trimmed.
  static func plainLine(_ output: [UInt8]) -> String? {
    let count = output.last == UInt8(ascii: "\n") ? output.count - 1 : output.count
    guard (1...PluginLimits.plainLineBytesMax).contains(count), output[0] != UInt8(ascii: " "),
      output[count - 1] != UInt8(ascii: " ")
    else { return nil }
    for index in 0..<count {
      switch output[index] {
      case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "{"): return nil
      case 0x20...0x7E: continue
      default: return nil
      }
    }
    return String(decoding: output.prefix(count), as: UTF8.self)
  }

  /// Returns the reading of such an output by the families whose whole frame it is.
  static func readPlain(
    _ output: [UInt8], _ format: PluginFormat, exitStatus: Int32, look: PluginLook?
  ) -> PluginReading? {
    guard format == .i3blocks || format == .text, exitStatus == 0, look == nil,
      let line = plainLine(output)
    else { return nil }
    var reading = PluginReading()
    reading.frame.titles = [PluginItem(line)]
    return reading
  }
}
