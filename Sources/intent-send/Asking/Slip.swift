import JSON
import PlainText

/// A slip of the pen with one clear reading: an argument that was typed, and the better one.
///
/// A person at a terminal is asked, and answers with Enter.
struct Slip: Hashable {
  /// The argument that was typed; `nil`: the one that the message quotes.
  var said: String?
  /// The arguments that were meant in its place; none while `candidates` are to be compared.
  var meant: [String]
  /// The names that may have been meant.
  private var candidates: [String] = []
  /// Whether `meant` takes the argument after `said` into it.
  private var takesNext = false

  init(said: String? = nil, meant: String) {
    self.said = said
    self.meant = [meant]
  }

  /// A slip in a name that the message quotes: the candidate that is clearly nearest was meant.
  init?(meantAmong candidates: [String]) {
    guard !candidates.isEmpty else { return nil }
    meant = []
    self.candidates = candidates
  }

  /// Reads `--city Paris` and `--city=Paris` as `--set city=Paris`, for the commands that take
  /// parameters; `nil` if the parser refused something else, or knows a similar option.
  static func parameter(in arguments: [String], _ parserMessage: String) -> Slip? {
    guard let command = arguments.first, parameterCommands.contains(command),
      let option = arguments.dropFirst().first(where: {
        $0.hasPrefix("--") && $0.count > 3
          && parserMessage.contains("option '\($0.prefix { $0 != "=" })")
      })
    else { return nil }
    let parts = option.dropFirst(2).split(separator: "=", maxSplits: 1)
    guard let name = parts.first.map(String.init), nearest(to: name, among: optionNames).isEmpty,
      let index = arguments.firstIndex(of: option)
    else { return nil }
    let next = index + 1 < arguments.count ? arguments[index + 1] : nil
    guard let value = parts.count > 1 ? String(parts[1]) : next, !value.hasPrefix("-") else {
      return nil
    }
    var slip = Slip(said: option, meant: "--set")
    slip.meant.append("\(name)=\(value)")
    slip.takesNext = parts.count == 1
    return slip
  }

  /// The commands with the option `--set`.
  private static let parameterCommands = ["add", "configure", "try", "simulate"]
  /// The options of these commands, whose names may be mistyped too.
  private static let optionNames = [
    "json", "socket", "wait", "no-wait", "timeout", "set", "family", "id", "reload", "from", "for",
    "seed", "profile", "record", "replay", "help", "version", "watch", "limit", "verbose",
  ]

  /// Returns the arguments with the better one; unchanged if it is not among them.
  func corrected(_ arguments: [String]) -> [String] {
    guard let said, let index = arguments.firstIndex(of: said) else { return arguments }
    var better = arguments
    better.replaceSubrange(index...(takesNext ? index + 1 : index), with: meant)
    return better
  }

  /// Finds the argument that `message` quotes, if it is the only one.
  func placed(in arguments: [String], by message: String) -> Slip? {
    if said != nil { return self }
    let quoted = arguments.dropFirst().filter { message.contains("'\(printable($0))'") }
    guard Set(quoted).count == 1 else { return nil }
    var slip = self
    slip.said = quoted.first
    if meant.isEmpty {
      guard let name = quoted.first.flatMap({ clearlyNearest(to: $0, among: candidates) }) else {
        return nil
      }
      slip.meant = [name]
    }
    return slip
  }
}
