import PlainText
package import Timekeeping

/// The last reports of a panel about itself, oldest first, a line each: `DATE TEXT`.
///
/// A panel has no screen for its troubles, so they are kept where the person can read them:
/// `intent-send web --log NAME`.
package enum PanelLog {
  /// Returns the log with one more report; the oldest make room.
  ///
  /// The report is foreign: everything in it that could steer a terminal is a visible escape, and
  /// what is longer than `WebLimits.reportScalarCountMax` is cut.
  package static func adding(_ report: [UInt8], at now: WallTime, to log: String) -> String {
    // By scalars: one character may have any number of them, and so any number of bytes.
    let kept = String(decoding: report, as: UTF8.self).unicodeScalars
      .prefix(WebLimits.reportScalarCountMax)
    let text = escaped(String(String.UnicodeScalarView(kept)))
    guard !text.isEmpty else { return log }
    var lines = log.split(separator: "\n").map(String.init)
    lines.append("\(now.rfc3339) \(text)")
    // A scalar can have many bytes, so both are limited.
    while lines.count > WebLimits.reportCountMax
      || lines.reduce(0, { $0 + $1.utf8.count + 1 }) > WebLimits.logBytesMax
    {
      lines.removeFirst()
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
