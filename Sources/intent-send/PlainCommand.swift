import JSON

/// The listings that scripts and people run most, without options: `intent-send`, `status`, `stack`
/// and `widgets`, each with `--json` or without.
///
/// They run without swift-argument-parser, which reads a command's declaration by reflection: that
/// was three quarters of the instructions of such a run (8.4 of 11.4 million). Every other argument
/// goes to the parser, which ends in the same functions.
struct PlainCommand: Hashable {
  enum Name: String, CaseIterable { case show, status, stack, widgets }

  let name: Name
  let printsJSON: Bool

  /// `nil` if the arguments, subcommand first, are for the parser.
  init?(_ arguments: [String]) {
    guard let name = arguments.first.flatMap({ Name(rawValue: $0) }) else { return nil }
    switch arguments.dropFirst() {
    case []: printsJSON = false
    case ["--json"]: printsJSON = true
    default: return nil
    }
    self.name = name
  }

  func run() throws(Failure) {
    let path = CommonOptions.usualSocketPath
    if name == .show { return try Show.run(nil, socketPath: path, printsJSON: printsJSON) }
    var daemon = try Daemon(socketPath: path, printsJSON: printsJSON)
    switch name {
    case .show: break
    case .status: try Status.print(nil, showsAll: false, &daemon)
    case .stack: try Stack.print([:], isVerbose: false, &daemon)
    case .widgets: try Widgets.print(kind: nil, isVerbose: false, &daemon)
    }
  }
}
