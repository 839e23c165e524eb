import ArgumentParser
import EventLoop
import Glibc
import IntentProtocol
import PlainText
import ProgramStart
import WebPages
import WebServer

/// The program: serves the page and the panels.
@main
struct IntentWeb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "intent-web",
    abstract: "Shows widgets on a page and on panels.",
    discussion: """
      intent-send web                       starts it and opens the page
      intent-web --port 8080                another port of 127.0.0.1
      intent-web --listen 192.168.1.5:8737  for panels in this network, with a token each

      It serves the page on 127.0.0.1 alone. Sockets that systemd passes take the place of its own.

      Exit status: 0 stopped, 64 usage, 69 the port is taken.
      """,
    version: "intent-web 0.1.0")

  @Option(help: ArgumentHelp("The daemon's socket, if it is not the usual one.", valueName: "path"))
  var socket: String?

  @Option(help: "The port of the page on 127.0.0.1; 0 takes any.")
  var port = WebPlaces.usualPort

  @Option(
    help: ArgumentHelp(
      "Serve panels here, too; may be repeated.", valueName: "address:port"))
  var listen: [String] = []

  @Option(help: ArgumentHelp("End after so long without a connection.", valueName: "seconds"))
  var idle: UInt32?

  static func main() {
    StandardDescriptors.fill()
    ProgramSignals.unblock()
    let arguments = ProgramArguments.read(by: "intent-web")
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      Glibc.exit(report(error))
    }
  }

  private static func report(_ error: any Error) -> Int32 {
    let status = exitCode(for: error)
    if let code = error as? ExitCode { return code.rawValue }
    let output: StandardDescriptors.Output = status == .success ? .data : .messages
    // Best effort: the status says the same.
    _ = StandardDescriptors.write(TerminalText(fullMessage(for: error) + "\n"), to: output)
    return status == .success ? 0 : 64
  }

  mutating func run() throws {
    let places = WebPlaces(socketPath: socketPath) { Self.variable($0) }
    do throws(WebServerError) {
      let program = try WebProgram(
        socketPath: socketPath, places: places, sockets: try sockets(),
        idleSeconds: idle.map { Int64($0) })
      program.run()
    } catch {
      Self.complain(error.message)
      if error.errno == EADDRINUSE {
        Self.complain("  another program has it; choose another port: intent-web --port 0")
      }
      throw ExitCode(69)
    }
  }

  private var socketPath: String {
    socket ?? SocketLocation.find(userID: getuid()) { Self.variable($0) }.path
  }

  /// The sockets of the service manager, else our own.
  private func sockets() throws(WebServerError) -> [ListeningSocket] {
    var environment: [String: String] = [:]
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] {
      environment[name] = Self.variable(name)
    }
    var sockets: [ListeningSocket] = []
    for socket in readSocketActivation(environment: environment) {
      sockets.append(try ListeningSocket(inherited: socket.descriptor))
    }
    if sockets.isEmpty { sockets.append(try ListeningSocket(address: "127.0.0.1", port: port)) }
    for place in listen {
      guard let colon = place.lastIndex(of: ":"),
        let port = UInt16(place[place.index(after: colon)...])
      else {
        throw WebServerError(
          operation: "listen on", context: "\(place): write ADDRESS:PORT", errno: 0)
      }
      var address = String(place[..<colon])
      if address.hasPrefix("["), address.hasSuffix("]") {
        address = String(address.dropFirst().dropLast())
      }
      var socket = try ListeningSocket(address: address, port: port)
      // Whatever the address is: the page has one place, which its cookie and its checks are for.
      socket.servesPage = false
      sockets.append(socket)
    }
    return sockets
  }

  static func variable(_ name: String) -> String? {
    getenv(name).flatMap { String(validatingCString: $0) }
  }

  static func complain(_ line: String) {
    StandardDescriptors.complainAtOnce(TerminalText("intent-web: \(line)\n"))
  }
}
