import BarLines
import PlainText

/// The lines that a person pastes to have widgets on a bar, and the way to try them.
struct BarSetup {
  private let format: BarFormat
  private let name: String
  private let arguments: [String]

  init(_ format: BarFormat, _ name: BarName, arguments: [String]) {
    self.format = format
    self.name = name.text
    self.arguments = arguments
  }

  /// The command that the bar runs.
  private var command: String {
    shellLine(["intent-send", "bar", format.rawValue] + arguments)
  }

  /// The text of `--setup`.
  var text: String {
    switch format {
    case .waybar: waybar
    case .i3bar: i3bar
    case .polybar: polybar
    case .lemonbar: lemonbar
    case .tmux: tmux
    case .genmon: genmon
    case .conky: conky
    case .text: "Run it in a terminal, or read its lines in a program of yours:\n\n  \(command)\n"
    }
  }

  private var waybar: String {
    let clicks = [
      ("on-click", "left"), ("on-click-middle", "middle"), ("on-click-right", "right"),
      ("on-scroll-up", "up"), ("on-scroll-down", "down"),
    ]
    .map { "    \(quoted($0.0)): \(quoted("intent-send click \(name) \($0.1)"))" }
    return """
      Into ~/.config/waybar/config, and "custom/\(name)" into one of its lists of modules:

        "custom/\(name)": {
          "exec": \(quoted(command)),
          "return-type": "json",
          "restart-interval": 5,
      \(clicks.joined(separator: ",\n"))
        }

      Into ~/.config/waybar/style.css:

        #custom-\(name).stale { opacity: 0.85; }
        #custom-\(name).urgent { color: #ff5555; }

      Try it: killall -SIGUSR2 waybar

      """
  }

  private var i3bar: String {
    """
    Into ~/.config/i3/config or ~/.config/sway/config, inside of bar { }:

      status_command \(command)

    Try it: i3-msg restart, or swaymsg reload

    """
  }

  private var polybar: String {
    """
    Into ~/.config/polybar/config.ini, and \(name) into modules-left, -center or -right:

      [module/\(name)]
      type = custom/script
      exec = \(command)
      tail = true

    Try it: polybar-msg cmd restart

    """
  }

  private var lemonbar: String {
    """
    Into the script that starts your bar; -a is the number of places for clicks:

      \(command) | lemonbar -p -a 60 | intent-send click \(name) -

    """
  }

  private var tmux: String {
    """
    Into ~/.tmux.conf:

      run-shell -b \(shellQuoted([command]))
      set -ag status-right ' #{@intentd_\(name)}'

    With tmux 3.4 or later, clicks too:

      bind -n MouseDown1Status run-shell -b 'intent-send click "#{mouse_status_range}" left'
      bind -n MouseDown3Status run-shell -b 'intent-send click "#{mouse_status_range}" right'

    Try it: tmux source-file ~/.tmux.conf

    """
  }

  private var genmon: String {
    """
    Add a Generic Monitor to the panel, with this command and a period of 5 seconds:

      \(command) --once

    Or let changes draw it at once: the command is 'cat ~/.cache/intentd-\(name)' with a long period,
    and this runs beside it; the number is that of the monitor (xfce4-panel --preferences, Items):

      \(command) --file ~/.cache/intentd-\(name) \\
        --then 'xfce4-panel --plugin-event=genmon-NUMBER:refresh:bool:true'

    """
  }

  private var conky: String {
    """
    Let this run beside conky, from the script that starts it:

      \(command) --file ~/.cache/intentd-\(name)

    Into conky.text of ~/.config/conky/conky.conf; it reads the file, and starts no program of ours:

      ${execpi 1 cat ~/.cache/intentd-\(name)}

    conky has no clicks.

    """
  }

  /// Returns a text of JSON, as Waybar's configuration is written.
  private func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
