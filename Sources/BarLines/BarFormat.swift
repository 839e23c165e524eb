/// The bars that show widgets; each case is a format of lines, named as people type it.
package enum BarFormat: String, CaseIterable, Hashable, Sendable {
  /// A custom module of Waybar, from 0.9.17: JSON whose texts are Pango markup.
  case waybar
  /// The protocol of i3bar 4.22 and swaybar 1.7.
  case i3bar
  /// A script of polybar 3.6: text with tags.
  case polybar
  /// The input of lemonbar 1.4: text with tags.
  case lemonbar
  /// The value of an option of tmux 3.3 and 3.4: text with styles.
  case tmux
  /// The output of a command of Xfce's generic monitor 4.1: elements with Pango markup.
  case genmon
  /// The output of a program that conky 1.18 parses (`execp`): text with variables.
  case conky
  /// Text alone.
  case text

  /// Whether the bar shows a tooltip; the others would wake for an age that nobody sees.
  package var hasTooltip: Bool { self == .waybar || self == .genmon }

  /// Whether the bar takes a short text beside the text, and shows it where room is short.
  package var hasShortText: Bool { self == .i3bar }

  /// Whether the clicks arrive on the standard input of the program that writes the lines.
  package var readsClicks: Bool { self == .i3bar }

  /// Whether a click says only on which bar it was, so that what the bar shows has to be noted.
  package var hasBareClicks: Bool { self == .waybar || self == .tmux }
}
