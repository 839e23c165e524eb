package import Timekeeping

/// The command in the arguments of a widget's program.
package enum ProgramCommand: Hashable, Sendable {
  /// Answer the daemon's requests.
  case serve
  case help
  case manifest(ManifestOptions)
  case render(RenderOptions)

  /// Where the manifest goes, and what it says that the code does not.
  package struct ManifestOptions: Hashable, Sendable {
    /// A configuration folder.
    package var folder: String
    /// The program as the manifest names it; `nil`: this one, by its path.
    package var program: String?
    /// The desktop id of the app.
    package var app: String?
    /// The name of the app in sentences; `nil`: that of the program.
    package var name: String?
    /// The group of the app.
    package var group: String?
  }

  /// Which widget is drawn, and how.
  package struct RenderOptions: Hashable, Sendable {
    /// The forms of a drawing.
    package enum Form: Hashable, Sendable { case content, html, ansi }
    package var kind: String?
    /// `nil`: the small one of the kind, or else its first.
    package var family: String?
    package var moment: WallTime?
    package var form = Form.content
    package var isDark = false
    /// The values of the configuration's parameters, as they were written.
    package var values: [String: String] = [:]
  }

  /// Reads arguments.
  package init(_ words: [String]) throws(UsageError) {
    let isQuestion = words.dropFirst().contains { $0 == "--help" || $0 == "-h" }
    switch words.first {
    case "manifest" where isQuestion, "render" where isQuestion: self = .help
    case nil: self = .serve
    case "--help", "-h", "help": self = .help
    case "manifest": self = .manifest(try Self.manifest(Array(words.dropFirst())))
    case "render": self = .render(try Self.render(Array(words.dropFirst())))
    case let word?:
      throw UsageError("no command '\(word)'; expected manifest or render, see --help")
    }
  }

  private static func manifest(_ words: [String]) throws(UsageError) -> ManifestOptions {
    var rest = words[...]
    var options = ManifestOptions(folder: "")
    while let word = rest.popFirst() {
      switch word {
      case "--into": options.folder = try value(of: word, &rest)
      case "--exec": options.program = try value(of: word, &rest)
      case "--app": options.app = try value(of: word, &rest)
      case "--name": options.name = try value(of: word, &rest)
      case "--group": options.group = try value(of: word, &rest)
      default: throw UsageError("manifest has no option '\(word)'")
      }
    }
    guard !options.folder.isEmpty else {
      throw UsageError("manifest needs --into DIR, such as ~/.config/intentd")
    }
    return options
  }

  private static func render(_ words: [String]) throws(UsageError) -> RenderOptions {
    var rest = words[...]
    var options = RenderOptions()
    while let word = rest.popFirst() {
      switch word {
      case "--kind": options.kind = try value(of: word, &rest)
      case "--family": options.family = try value(of: word, &rest)
      case "--html", "--ansi":
        let form: RenderOptions.Form = word == "--html" ? .html : .ansi
        guard options.form == .content || options.form == form else {
          throw UsageError("render draws one form: leave out --html or --ansi")
        }
        options.form = form
      case "--dark": options.isDark = true
      case "--at":
        let text = try value(of: word, &rest)
        guard let moment = WallTime(rfc3339: text) else {
          throw UsageError("'\(text)' is no date; expected one such as 2026-11-21T09:00:00Z")
        }
        options.moment = moment
      case "--set":
        let parts = try value(of: word, &rest).split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { throw UsageError("--set needs NAME=VALUE") }
        options.values[String(parts[0])] = String(parts[1])
      default: throw UsageError("render has no option '\(word)'")
      }
    }
    return options
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
    return value
  }

  /// The name of this program, without its folder.
  package static var programName: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "widget"
  }

  /// The text of `--help`.
  package static func help(for program: String) -> String {
    """
    \(program) manifest --into ~/.config/intentd
    \(program) render --kind KIND --family systemMedium --ansi

    Without a command the program answers the requests of intentd on its standard input.

    manifest --into DIR   writes the manifest, the intents and their sentences
      --exec PATH         the program as the manifest names it
      --app ID            the desktop id of the app that taps open
      --name NAME         the name of the app in sentences
      --group NAME        the group whose folder the widgets share with the app
    render                draws the entry of now; as JSON without --html and --ansi
      --kind KIND         the kind; the first without it
      --family FAMILY     one of the kind; systemSmall or the first without it
      --at DATE           another moment, such as 2026-11-21T09:00:00Z
      --set NAME=VALUE    a value of the configuration
      --html, --ansi      as HTML, or for a terminal
      --dark              for dark surroundings
    """
  }
}

/// Arguments that make no sense, or a drawing that came to nothing.
package struct UsageError: Error, Hashable, Sendable {
  /// A sentence that says what is expected.
  package var message: String
  /// The exit status: 64 for arguments, 1 for a failure of the widget's code.
  package var status: Int32

  init(_ message: String, status: Int32 = 64) {
    self.message = message
    self.status = status
  }
}
