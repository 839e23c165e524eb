/// The part that the readers of all bars share: commands and times become a plugin.
struct ModuleBuilding {
  /// A reason why a module is not taken.
  struct Refusal: Error, Hashable {
    var reason: String
  }

  let home: String
  /// The folder to which relative paths of commands belong.
  let folder: String

  /// Returns the program and the arguments of a command of `sh -c`.
  ///
  /// `what` names the command in a refusal, such as "exec". Empty for an empty command.
  func arguments(_ command: String, _ what: String) throws(Refusal) -> [String] {
    switch ShellWords.read(command, home: home) {
    case .unreadable(let reason): throw Refusal(reason: "\(what): \(reason)")
    case .shell: return ["/bin/sh", "-c", placed(ShellWords.trimmed(command))]
    case .words(let words):
      guard let program = words.first else { return [] }
      return [absolute(program)] + words.dropFirst()
    }
  }

  /// A program with a slash is a file, and a relative one is found from the bar's folder.
  private func absolute(_ program: String) -> String {
    guard program.contains("/"), !program.hasPrefix("/") else { return program }
    return folder + "/" + (program.hasPrefix("./") ? String(program.dropFirst(2)) : program)
  }

  /// A command of the shell that names files beside it runs in their folder.
  private func placed(_ command: String) -> String {
    let isRelative = command.hasPrefix("./") || command.hasPrefix("../")
    guard isRelative, folder != home else { return command }
    let quoted = folder.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''")
    return "cd '\(quoted)' && \(command)"
  }

  /// Milliseconds of a time in seconds, within what a manifest takes; `nil`: it is not above 0.
  static func milliseconds(_ seconds: Double) -> Int64? {
    guard seconds > 0 else { return nil }
    let range = PluginLimits.importIntervalMilliseconds
    guard seconds < Double(range.upperBound) / 1_000 else { return range.upperBound }
    return max(range.lowerBound, Int64((seconds * 1_000).rounded()))
  }

  /// A signal that a manifest can name; `nil`: it is none, or out of range.
  static func signal(_ number: Int64?) -> Int? {
    number.flatMap { (1...30).contains($0) ? Int($0) : nil }
  }
}
