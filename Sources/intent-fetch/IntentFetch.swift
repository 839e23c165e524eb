import ArgumentParser
import Downloads
import EventLoop
import Glibc
import JSON
import PlainText
import ProgramStart
import Timekeeping

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

  @Option(help: ArgumentHelp("The largest body, as 500K, 20M or 20MB.", valueName: "size"))
  var maxBytes = "64M"

  @Option(help: ArgumentHelp("The longest time, redirects included.", valueName: "span"))
  var timeout = "60s"

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
    let status = serve ? ServedFetch(self).run() : try PersonsFetch(self).run()
    guard status == 0 else { throw ExitCode(status) }
  }

  // MARK: - Options as values

  /// The request of the person; throws `DownloadMistake` for an option that cannot be read.
  func request() throws(DownloadMistake) -> DownloadRequest {
    for (isSet, name) in [(fresh, "--fresh"), (force, "--force")] where offline && isSet {
      throw DownloadMistake(
        "", "--offline and \(name) do not go together",
        "--offline asks no server: leave one of them out")
    }
    guard let url else {
      throw DownloadMistake("url", "there is no URL", "intent-fetch https://example.org/feed.json")
    }
    var order: DownloadOrder
    do throws(DownloadURL.Mistake) {
      order = DownloadOrder(id: "url", url: try DownloadURL(url))
    } catch {
      throw DownloadMistake("url", "\(quoted(url)) \(error.message)", error.hint)
    }
    for line in try headerLines() {
      guard let colon = line.firstIndex(of: ":") else {
        throw DownloadMistake("--header", "\(quoted(line)) has no colon", "'Name: value'")
      }
      order.headers.append(
        try DownloadHeader(
          name: String(line[..<colon]),
          value: String(line[line.index(after: colon)...].drop { $0 == " " })))
    }
    for text in type {
      guard let pattern = MediaType.pattern(text) else {
        throw DownloadMistake(
          "--type", "\(quoted(text)) is no type", "application/json or 'image/*'")
      }
      order.types.append(pattern)
    }
    order.bytesMax = try Self.byteCount(maxBytes)
    var request = DownloadRequest(byPerson: order)
    request.isOffline = offline
    request.mayCost = !unmetered
    if let maxAge { request.maxAgeMilliseconds = try Self.span(maxAge, "--max-age") }
    request.totalMilliseconds = try Self.span(timeout, "--timeout")
    guard (1...DownloadLimits.totalMillisecondsMax).contains(request.totalMilliseconds) else {
      throw DownloadMistake("--timeout", "\(quoted(timeout)) is no time to wait", "1s to 1h")
    }
    return request
  }

  private func headerLines() throws(DownloadMistake) -> [String] {
    var lines: [String] = []
    for text in header {
      guard text.hasPrefix("@") else {
        lines.append(text)
        continue
      }
      let path = String(text.dropFirst())
      guard let bytes = SmallFile.read(path) else {
        throw DownloadMistake(
          "--header", "the file \(quoted(path)) cannot be read", "a line for each header")
      }
      lines += String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map { String($0) }
    }
    return lines
  }

  private static func span(_ text: String, _ option: String) throws(DownloadMistake) -> Int64 {
    guard let span = MomentText.span(text) ?? MomentText.span(text + "s"), span >= 0 else {
      throw DownloadMistake(option, "\(quoted(text)) is no span of time", "30s, 10m, 2h or 1d")
    }
    return span
  }

  private static func byteCount(_ text: String) throws(DownloadMistake) -> Int64 {
    let units: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    // As manifests have it: 64MB.
    let upper = text.uppercased()
    let short = upper.hasSuffix("B") ? upper.dropLast() : upper[...]
    let unit = short.last.flatMap { units[$0] }
    let digits = unit == nil ? short : short.dropLast()
    guard let count = Int64(digits), count > 0,
      case (let total, let isTooLarge) = count.multipliedReportingOverflow(by: unit ?? 1),
      !isTooLarge,
      total <= DownloadLimits.bodyBytesMax
    else {
      throw DownloadMistake(
        "--max-bytes", "\(quoted(text)) is no size", "such as 500K, 20MB; at most 1G")
    }
    return total
  }

  // MARK: - Surroundings

  static func variable(_ name: String) -> String? {
    getenv(name).flatMap { String(validatingCString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The person's cache of downloads.
  ///
  /// The caches of kinds are beside it, and no name of a kind begins with a dot.
  static var cache: String {
    let base = variable("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (base ?? (variable("HOME") ?? "") + "/.cache") + "/intentd/.fetch"
  }

  var settings: Fetcher.Settings {
    Fetcher.Settings(
      userAgent: "intentd-fetch/0.1", certificates: certificates ?? Self.variable("CURL_CA_BUNDLE"),
      cache: Self.cache, ignoresPauses: force)
  }

  static var systemBus: String {
    variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
  }

  static func complain(_ line: String) {
    let lines = line.split(separator: "\n").map { printable(String($0)) }
    StandardDescriptors.complainAtOnce(
      TerminalText("intent-fetch: \(lines.joined(separator: "\n"))\n"))
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
