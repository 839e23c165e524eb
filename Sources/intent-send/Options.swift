import ArgumentParser
import BlockingClient
import Glibc
import IntentProtocol
import JSON
import PlainText
import Timekeeping

/// The options of all commands.
struct CommonOptions: ParsableArguments {
  @Flag(help: "Print the answer as one line of JSON, a refusal as {\"error\":…}.")
  var json = false

  @Option(help: "The daemon's socket, if it is not the usual one.", completion: .file())
  var socket: String?

  var socketPath: String { socket ?? Self.usualSocketPath }

  /// The daemon's socket path according to the environment.
  static var usualSocketPath: String {
    SocketLocation.find(userID: getuid(), environment: environment).path
  }
}

/// The options of commands that may wait for a run of a provider.
struct WaitOptions: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Wait until the reload has ended, and print the outcome.")
  var wait = true

  @Option(help: "How long to wait: seconds, or a number with s, m or h.")
  var timeout = Seconds(milliseconds: 35_000)
}

/// A span of time that a person typed: `35`, `1.5`, `90s`, `1h30m`, `2 hours`.
///
/// A bare number is in seconds.
struct Seconds: ExpressibleByArgument, Hashable {
  var milliseconds: Int64

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Reads a span; `nil` if the text is no span, or if the span is negative or longer than a year.
  init?(argument: String) {
    // A bare number has seconds.
    guard let read = MomentText.span(argument) ?? MomentText.span(argument + "s"),
      read <= 366 * 86_400_000
    else { return nil }
    milliseconds = read
  }

  var defaultValueDescription: String { "\(milliseconds / 1000)" }
}

/// The option `--context name=value` of a sentence.
struct ContextOptions: ParsableArguments {
  @Option(
    name: .customLong("context"),
    help: ArgumentHelp(
      "What surrounds the sentence, as area=kitchen; may be repeated. 'name:=JSON' for what is no text.",
      valueName: "name=value"))
  var assignments: [String] = []

  /// Returns the context as an object; `nil` if the option was not given.
  func value() throws(Failure) -> JSONValue? {
    guard !assignments.isEmpty else { return nil }
    var object = JSONObject()
    for assignment in assignments {
      let (name, value) = try ParameterOptions.parse(assignment)
      object[name] = value
    }
    return .object(object)
  }
}

/// The option `--set name=value` for the parameters of a widget's intent.
struct ParameterOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter of the widget's intent; may be repeated. 'name:=JSON' sets a value that is no text.",
      valueName: "name=value"))
  var assignments: [String] = []

  /// Returns the parameters as they were typed; `nil` if none was given.
  func parameters() throws(Failure) -> JSONObject? {
    guard !assignments.isEmpty else { return nil }
    var object = JSONObject()
    for assignment in assignments {
      let (name, value) = try Self.parse(assignment)
      object[name] = value
    }
    return object
  }

  /// Returns the parameters; turns a text into a number, a boolean or a moment if the intent of
  /// `kind` wants one.
  ///
  /// Asks the daemon for the types only if a text could be one of these.
  func parameters(
    ofKind kind: (inout Daemon) throws(Failure) -> String?, _ daemon: inout Daemon
  ) throws(Failure) -> JSONObject? {
    guard var object = try parameters() else { return nil }
    let renderer = daemon.renderer
    guard
      object.members.contains(where: {
        Self.scalar($0.value) != nil || Self.moment($0.value, renderer) != nil
      })
    else { return object }
    guard let kind = try kind(&daemon) else { return object }
    let gallery = try daemon.ask(.galleryList)
    let offered = (gallery["kinds"]?.arrayValue ?? []).first { $0["kind"]?.stringValue == kind }
    for parameter in offered?["parameters"]?.arrayValue ?? [] {
      guard let name = parameter["name"]?.stringValue, parameter["type"] != "string",
        let value = object[name]
      else { continue }
      let typed =
        parameter["type"] == "date" ? Self.moment(value, renderer) : Self.scalar(value)
      if let typed { object[name] = typed }
    }
    return object
  }

  /// Returns the moment that a person's text means (`tomorrow 8am`), as the protocol writes it.
  ///
  /// `nil` for a text that is no moment, or has the form of a day or a time already: the daemon
  /// takes these as they are.
  static func moment(_ value: JSONValue, _ renderer: Renderer) -> JSONValue? {
    guard let text = value.stringValue, !text.allSatisfy({ $0.isNumber || "-:".contains($0) }),
      let moment = MomentText.read(text, now: renderer.now, secondsEast: renderer.zoneOffset)
    else { return nil }
    return .string(moment.rfc3339)
  }

  /// Returns the command line with a value for the parameter that `need` asks for.
  func line(
    _ command: String, _ target: String, others: [(option: String, value: String?)],
    asking need: JSONValue
  ) -> String? {
    guard let parameter = need["parameter"]?.stringValue else { return nil }
    let choice = need["choices"]?.arrayValue?.first
    let example =
      (choice?["title"] ?? choice?["value"] ?? need["values"]?.arrayValue?.first)?.stringValue
    let asked = ["--set", "\(parameter)=\(example ?? "VALUE")"]
    let known = assignments.filter { !$0.hasPrefix("\(parameter)=") }.flatMap { ["--set", $0] }
    let options = others.flatMap { other in other.value.map { [other.option, $0] } ?? [] }
    return printable("intent-send \(shellLine([command, target] + options + known + asked))")
  }

  /// Returns the number or boolean that a text could mean; `nil` if it can only be text.
  static func scalar(_ value: JSONValue) -> JSONValue? {
    guard let text = value.stringValue else { return nil }
    do {
      let parsed = try JSONValue(parsing: text)
      switch parsed {
      case .bool, .int, .double: return parsed
      case .null, .string, .array, .object: return nil
      }
    } catch {
      return nil
    }
  }

  /// Reads an assignment: `name=value` for a string, `name:=JSON` for any value.
  static func parse(_ assignment: String) throws(Failure) -> (name: String, value: JSONValue) {
    guard let equals = assignment.firstIndex(of: "="), equals > assignment.startIndex else {
      throw Failure(
        status: .usage, message: "'\(assignment)' sets nothing",
        hints: ["write it as: --set name=value"])
    }
    let text = String(assignment[assignment.index(after: equals)...])
    let name = assignment[..<equals]
    guard name.hasSuffix(":"), name.count > 1 else { return (String(name), .string(text)) }
    do {
      return (String(name.dropLast()), try JSONValue(parsing: text))
    } catch {
      throw Failure(
        status: .usage, message: "the value of '\(name)=' is not JSON: \(error.message)",
        hints: ["for text write: --set \(shellQuoted(["\(name.dropLast())=\(text)"]))"])
    }
  }
}

/// A command that sends requests to the daemon.
protocol DaemonCommand: ParsableCommand {
  var common: CommonOptions { get }
  func run(_ daemon: inout Daemon) throws(Failure)
}

extension DaemonCommand {
  mutating func run() throws {
    var daemon = try Daemon(common)
    try run(&daemon)
  }
}

/// The connection of one command: it sends requests and prints results.
struct Daemon: ~Copyable {
  private var client: DaemonClient
  let printsJSON: Bool
  /// Whether answers are waited for as long as the daemon is there, where no time was given: code
  /// of a program may be at work, whose time-out is in its manifest.
  var isPatient = false
  let renderer: Renderer

  /// The longest wait for an answer that needs no provider, in milliseconds.
  static let answerMilliseconds: Int64 = 10_000

  init(_ common: CommonOptions) throws(Failure) {
    try self.init(socketPath: common.socketPath, printsJSON: common.json)
  }

  init(socketPath: String, printsJSON: Bool) throws(Failure) {
    self.printsJSON = printsJSON
    renderer = .current
    do throws(ClientError) {
      client = try DaemonClient(connectingTo: socketPath)
    } catch {
      throw Failure(error)
    }
  }

  /// Sends `method` and returns its result.
  ///
  /// `milliseconds` is the person's `--timeout`; `nil`: the command has none, or it was not given.
  mutating func ask(
    _ method: Method, _ params: JSONObject = [:], milliseconds: Int64? = nil
  ) throws(Failure) -> JSONValue {
    try ask(named: method.rawValue, .object(params), milliseconds: milliseconds)
  }

  /// Sends a method by its name and returns its result.
  mutating func ask(
    named method: String, _ params: JSONValue?, milliseconds: Int64?
  ) throws(Failure) -> JSONValue {
    do throws(ClientError) {
      if milliseconds == nil, isPatient {
        return try client.request(
          patiently: method, params, silenceMilliseconds: Self.answerMilliseconds)
      }
      return try client.request(
        named: method, params, timeoutMilliseconds: milliseconds ?? Self.answerMilliseconds)
    } catch {
      var failure = Failure(error)
      if milliseconds == nil, case .answerTimedOut = error {
        failure.hints = [
          "see what became of it: intent-send history",
          "its log may say why: journalctl --user -u intentd -n 20",
        ]
      }
      if !printsJSON { failure.json = nil }
      throw failure
    }
  }

  /// Returns `result` if it is printed beside a failure, which `--json` asks for; else `nil`.
  func printed(_ result: JSONValue) -> JSONValue? {
    // Not `printsJSON ? result : nil`: there the nil becomes JSON's null.
    guard printsJSON else { return nil }
    return result
  }

  /// Prints `result`: unchanged with `--json`, else as the text that `text` makes of it.
  func show(_ result: JSONValue, _ text: (Renderer) -> String) {
    if printsJSON { Output.print(result) } else { Output.print(text(renderer)) }
  }
}
