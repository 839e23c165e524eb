/// The program of a click: `bash=` or `shell=`, with `param1=`, `param2=` and so on.
struct MenuCommand {
  var program = ""
  /// By number; 0 to `PluginLimits.menuArgumentMax`.
  var arguments: [Int: String] = [:]

  var hasArguments: Bool { !arguments.isEmpty }

  /// Returns the program and its arguments; `nil` if there is no program.
  ///
  /// xbar and SwiftBar run a program by its path, blanks and all; a path without a slash before its
  /// first blank is none, and is split into words. Argos' `bash` is a command line. Only one with
  /// the syntax of a shell gets one: that is a process less for each of the others.
  func argv(_ format: PluginFormat) -> [String]? {
    guard !program.trimmed.isEmpty else { return nil }
    let list = list(format)
    guard format == .argos || isCommandLine else { return [program] + list }
    if case .words(let words) = ShellWords.read(program) { return words + list }
    return ["bash", "-c", ([program] + list.map(Self.quoted)).joined(separator: " ")]
  }

  private var isCommandLine: Bool {
    guard arguments.isEmpty, let blank = program.firstIndex(of: " ") else { return false }
    return !program[..<blank].contains("/")
  }

  /// Returns the arguments in order: for xbar with empty ones in the gaps, from 1 on.
  private func list(_ format: PluginFormat) -> [String] {
    guard format == .xbar, let last = arguments.keys.max(), last > 0 else {
      return arguments.sorted { $0.key < $1.key }.map(\.value)
    }
    let first = arguments[0].map { [$0] } ?? []
    return first + (1...last).map { arguments[$0] ?? "" }
  }

  /// Returns a word that a shell reads as this text.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
