extension PluginReader {
  /// Reads plain lines: the first is the title, the others are text below it.
  ///
  /// Colours of a terminal become styles. Empty lines at the start and the end are left out.
  static func readText(_ output: [UInt8]) -> PluginReading {
    var reading = PluginReading()
    var lines = OutputLines(output, into: &reading).lines.map { ANSI.read($0.text) }
      .drop(while: \.isEmpty)
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard let first = lines.first else { return reading }
    reading.frame.titles = [title(first)]
    reading.frame.text = Array(lines.dropFirst())
    return reading
  }
}
