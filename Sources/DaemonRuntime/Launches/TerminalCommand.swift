/// A command that is shown in a terminal.
///
/// No program is the terminal of every desktop, so those that are there are tried in an order: the
/// one that asks the desktop (`xdg-terminal-exec`, the proposal of freedesktop.org), the one that
/// the person named in TERMINAL, Debian's alternative, then the terminals of the larger desktops.
struct TerminalCommand: Hashable {
  /// Absolute.
  var program: String
  /// All of argv.
  var arguments: [String]

  /// Terminals, and their option behind which the command stands; empty: it stands at once.
  private static let known: [(name: String, option: [String])] = [
    ("x-terminal-emulator", ["-e"]), ("kitty", []), ("foot", []), ("alacritty", ["-e"]),
    ("wezterm", ["start", "--"]), ("ghostty", ["-e"]), ("kgx", ["--"]), ("ptyxis", ["--"]),
    ("gnome-terminal", ["--"]), ("konsole", ["-e"]), ("xfce4-terminal", ["-x"]),
    ("mate-terminal", ["-x"]), ("lxterminal", ["-e"]), ("urxvt", ["-e"]), ("st", ["-e"]),
    ("xterm", ["-e"]),
  ]

  /// Returns the start of `command` in a terminal; `nil`: there is none.
  ///
  /// - `preferred`: the value of TERMINAL.
  /// - `find`: returns the absolute path of a program that is on PATH, or is a path itself; `nil`:
  ///   it is not there.
  init?(_ command: [String], preferred: String?, find: (String) -> String?) {
    var candidates: [(name: String, option: [String])] = [("xdg-terminal-exec", [])]
    if let preferred, !preferred.isEmpty {
      let base = String(preferred.split(separator: "/").last ?? "")
      let option = Self.known.first { $0.name == base }?.option ?? ["-e"]
      candidates.append((preferred, option))
    }
    for (name, option) in candidates + Self.known {
      guard let path = find(name) else { continue }
      program = path
      arguments = [name] + option + command
      return
    }
    return nil
  }
}
