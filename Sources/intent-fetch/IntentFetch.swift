import ArgumentParser
import Glibc
import PlainText
import ProgramStart

/// The program: fetches a URL through a cache, for scripts and for the daemon.
@main
struct IntentFetch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "intent-fetch",
    abstract: "Fetches a URL through a cache that also works offline.",
    discussion: """
      intent-fetch https://example.org/feed.json | jq .     the body
      icon=$(intent-fetch --path --max-age 1d https://…/a)  a file in the cache

      A server that was asked before is asked whether the body changed (ETag,
      Last-Modified). If it cannot be reached, the copy in the cache is printed,
      and standard error says how old it is.

      Exit status: 0 done, also with a copy; 1 the file cannot be written;
      64 usage; 66 the server refuses (4xx); 69 it cannot be reached, and there
      is no copy; 75 try again later; 76 the answer is not acceptable (type,
      size, redirect, certificate); 77 the address is not allowed.
      """,
    version: "intent-fetch 0.1.0")

  @Argument(help: ArgumentHelp("The URL: https:// or http://.", valueName: "url"))
  var url: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the body into a file, whole or not at all.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Print the path of the body in the cache, and not the body.")
  var path = false

  @Flag(help: "Print one line of JSON: file, type, bytes, date, unchanged; or the error.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Use a copy that is younger than this, without asking the server: 30s, 10m, 1d.",
      valueName: "span"))
  var maxAge: String?

  @Flag(help: "Do not use the network: the copy in the cache, however old.")
  var offline = false

  @Flag(help: "Fail where an old copy would do, because the server cannot be reached.")
  var fresh = false

  @Flag(help: "Ask a server that wanted to be left alone for a while (Retry-After), too.")
  var force = false

  @Flag(help: "Do nothing on a network that NetworkManager calls metered.")
  var unmetered = false

  @Option(
    name: [.customShort("H"), .long],
    help: ArgumentHelp(
      "Send this header, 'Name: value', too; @FILE: the lines of a file, for what is secret.",
      valueName: "header"))
  var header: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Accept only this type, such as application/json or 'image/*'; may be repeated.",
      valueName: "type"))
  var type: [String] = []

  @Option(
    help: ArgumentHelp(
      "The largest body, as 500K, 20M or 20MB (default: 64M).", valueName: "size"))
  var maxBytes: String?

  @Option(
    help: ArgumentHelp(
      "The longest time, redirects included (default: 60s).", valueName: "span"))
  var timeout: String?

  @Option(
    help: ArgumentHelp(
      "Trust these certificates (PEM) in place of the system's; without it, $CURL_CA_BUNDLE.",
      valueName: "file"),
    completion: .file())
  var certificates: String?

  @Flag(
    help: ArgumentHelp(
      "For the daemon: read a line of JSON for each download from standard input, and write one for each result."
    ))
  var serve = false

  static func main() {
    StandardDescriptors.fill()
    ProgramSignals.unblock()
    let arguments = ProgramArguments.read(by: "intent-fetch")
    if let options = FetchOptions(plain: arguments) { options.run() }
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      FetchOptions.end(report(error))
    }
  }

  private static func report(_ error: any Error) -> FetchStatus {
    let isHelp = exitCode(for: error) == .success
    // Best effort: the status says the same.
    _ = StandardDescriptors.write(
      TerminalText(fullMessage(for: error) + "\n"), to: isHelp ? .data : .messages)
    return isHelp ? .done : .usage
  }

  mutating func run() { options.run() }

  private var options: FetchOptions {
    var options = FetchOptions()
    options.url = url
    options.output = output
    options.path = path
    options.json = json
    options.maxAge = maxAge
    options.offline = offline
    options.fresh = fresh
    options.force = force
    options.unmetered = unmetered
    options.header = header
    options.type = type
    options.maxBytes = maxBytes
    options.timeout = timeout
    options.certificates = certificates
    options.serve = serve
    return options
  }
}

/// Small files that a person names.
enum SmallFile {
  private static let bytesMax = 65_536

  /// Returns the bytes of a file of at most 64 KiB; `nil` if it cannot be read, or is longer.
  static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return readAll(file, bytesMax: bytesMax)
  }

  /// Returns all bytes up to the end; `nil` if there are more than `bytesMax`, or reading fails.
  static func readAll(_ file: Int32, bytesMax: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= bytesMax else { return nil }
    }
  }
}
