import Downloads
import Glibc
import JSON
import PlainText
import ProgramStart
import Timekeeping

/// The options of the command line: `IntentFetch` has the meaning of each.
struct FetchOptions {
  var url: String?
  var output: String?
  var path = false
  var json = false
  var maxAge: String?
  var offline = false
  var fresh = false
  var force = false
  var unmetered = false
  var header: [String] = []
  var type: [String] = []
  var maxBytes: String?
  var timeout: String?
  var certificates: String?
  var serve = false

  /// Bytes of the largest body, and the longest time in milliseconds, where no option says it.
  private static let bytesMax: Int64 = 64 << 20
  private static let totalMilliseconds: Int64 = 60_000

  init() {}

  /// Reads a command line of a URL and nothing else than plain flags, or `--serve`; `nil`: another
  /// one.
  ///
  /// Scripts and the daemon make these calls again and again, and the library for arguments takes
  /// about a quarter of a conditional download: it looks at each option's type at run time. It
  /// reads all other command lines, and every mistake.
  init?(plain arguments: [String]) {
    for argument in arguments {
      switch argument {
      case "--path": path = true
      case "--json": json = true
      case "--serve": serve = true
      default:
        guard url == nil, argument.hasPrefix("https://") || argument.hasPrefix("http://") else {
          return nil
        }
        url = argument
      }
    }
    guard serve != (url != nil) else { return nil }
  }

  /// Fetches, and ends the program.
  func run() -> Never {
    if serve, url == nil { Self.end(ServedFetch(self).run()) }
    PersonsFetch(self).run()
  }

  /// Ends the program without the clean-up of its forty libraries: what was written is with the
  /// system.
  static func end(_ status: FetchStatus) -> Never { _exit(status.rawValue) }

  // MARK: - As values

  /// The request of the person; throws `DownloadMistake` for an option that cannot be read.
  func request() throws(DownloadMistake) -> DownloadRequest {
    for (isSet, name) in [(fresh, "--fresh"), (force, "--force")] where offline && isSet {
      throw DownloadMistake(
        "", "--offline and \(name) do not go together",
        "--offline asks no server: leave one of them out")
    }
    guard !serve else {
      throw DownloadMistake(
        "", "--serve and a URL do not go together",
        "--serve reads its URLs from standard input: leave one of them out")
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
    order.bytesMax = Self.bytesMax
    if let maxBytes { order.bytesMax = try Self.byteCount(maxBytes) }
    var request = DownloadRequest(byPerson: order)
    request.isOffline = offline
    request.mayCost = !unmetered
    if let maxAge { request.maxAgeMilliseconds = try Self.span(maxAge, "--max-age") }
    request.totalMilliseconds = Self.totalMilliseconds
    if let timeout {
      request.totalMilliseconds = try Self.span(timeout, "--timeout")
      guard (1...DownloadLimits.totalMillisecondsMax).contains(request.totalMilliseconds) else {
        throw DownloadMistake("--timeout", "\(quoted(timeout)) is no time to wait", "1s to 1h")
      }
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
