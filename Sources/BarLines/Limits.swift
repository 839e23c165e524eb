/// The limits of this module, with their units and reasons.
package enum BarLimits {
  /// Characters of a widget's text on a bar; lemonbar reads lines of 4,096 bytes, and no bar is
  /// wider.
  package static let textCharacterCountMax = 256
  /// Widgets on one line: the top of a stack; a bar has no room for more.
  package static let widgetCountMax = 32
  /// Lines of a tooltip, the age included.
  package static let tooltipLineCountMax = 40
  /// Characters of a line of a tooltip.
  package static let tooltipCharacterCountMax = 200
  /// Words for styling that a widget gives a bar.
  package static let classCountMax = 16
  /// Characters of a word for styling.
  package static let classCharacterCountMax = 64
  /// Runs of styled text that one widget's text has on a bar; the rest has no style.
  package static let runCountMax = 64
  /// Bytes of a line that a bar writes about a click; i3bar's have 300.
  package static let clickBytesMax = 4_096
  /// Values in such a line, containers included.
  package static let clickValueCountMax = 64
  /// Bytes of the name of a bar, as tmux takes it in the name of an option.
  package static let nameBytesMax = 64
  /// Bytes of the name of a range of tmux's status line.
  ///
  /// Source: tmux(1), "STYLES".
  package static let tmuxRangeBytesMax = 15
  /// Rows of a menu; further items are left out.
  package static let menuRowCountMax = 500
  /// Characters of a row of a menu.
  package static let menuCharacterCountMax = 200
  /// Levels of items inside items, as many as a widget's content has.
  package static let menuDepthMax = 8
  /// Characters of a template, such as `{title} {percentage}%`.
  package static let templateCharacterCountMax = 1_000
  /// Milliseconds for which each title of several is shown; xbar takes as long.
  package static let titleMilliseconds: Int64 = 5_000
  /// Moments that are tried for the next one at which a line differs; then the bar wakes in vain.
  package static let wakeAttemptCountMax = 16
}
