import Downloads
import EventLoop
import Glibc
import JSON
import PlainText
import ProgramStart
import Timekeeping

/// The exit status; `--help` and the manual document it.
enum FetchStatus: Int32 {
  case done = 0
  case failed = 1
  case usage = 64
  case refused = 66
  case unreachable = 69
  case later = 75
  case unacceptable = 76
  case notAllowed = 77

  init(_ error: DownloadError) {
    self =
      switch error.code {
      case .badRequest: .usage
      case .unreachable, .notInCache: .unreachable
      case .metered, .timeout, .cut, .waiting: .later
      case .privateAddress, .notAllowed: .notAllowed
      case .tls, .tooLarge, .wrongType, .redirect, .protocolError: .unacceptable
      case .disk, .noProgram: .failed
      case .status: error.isTemporary ? .later : .refused
      }
  }
}

/// One URL for a person or a script: the body, a path or a line of JSON.
struct PersonsFetch {
  private let options: FetchOptions

  init(_ options: FetchOptions) { self.options = options }

  /// Fetches, prints, and ends the program.
  func run() -> Never {
    do throws(DownloadMistake) {
      fetch(try options.request())
    } catch {
      let place = error.member.isEmpty || error.member == "url" ? "" : "\(error.member): "
      FetchOptions.end(
        report(DownloadError(.badRequest, place + error.message, hint: error.expected)))
    }
  }

  private func fetch(_ request: DownloadRequest) -> Never {
    do {
      var result: DownloadResult?
      let loop = try Loop()
      var fetcher: Fetcher?
      func begin(isMetered: Bool) {
        var settings = options.settings
        settings.isMetered = isMetered
        let made = Fetcher(loop: loop, settings: settings)
        fetcher = made
        made.add(request) {
          result = $0
          loop.stop()
        }
      }
      for signal in [SIGINT, SIGTERM] {
        _ = try SignalSource(loop: loop, signal: signal) { loop.stop() }
      }
      if request.mayCost || request.isOffline {
        begin(isMetered: false)
      } else {
        MeteredNetwork.ask(loop: loop, address: FetchOptions.systemBus) { begin(isMetered: $0) }
      }
      if result == nil { loop.runUntilStopped() }
      // Nothing is closed in front of the end but what is half written.
      if result == nil { fetcher?.close() }
      let status = finish(result ?? Self.failure(.cut, "it was interrupted", hint: "run it again"))
      withExtendedLifetime((loop, fetcher)) { FetchOptions.end(status) }
    } catch {
      FetchOptions.end(
        finish(
          Self.failure(
            .disk, "cannot make an event loop: \(error)", hint: "are there descriptors left?")))
    }
  }

  private static func failure(
    _ code: DownloadError.Code, _ message: String, hint: String
  ) -> DownloadResult {
    DownloadResult(id: "url", file: nil, error: DownloadError(code, message, hint: hint))
  }

  private func finish(_ result: DownloadResult) -> FetchStatus {
    if let error = result.error {
      // A copy is good enough where the server may give it again later.
      guard let file = result.file, !options.fresh, error.isTemporary, error.code != .metered else {
        return report(error)
      }
      let status = show(result, file)
      if status == .done, !options.json {
        FetchOptions.complain("\(error.message); this copy is \(age(file)) old")
      }
      return status
    }
    guard let file = result.file else { return .failed }
    if options.offline, !options.json { FetchOptions.complain("this copy is \(age(file)) old") }
    return show(result, file)
  }

  private func age(_ file: DownloadResult.File) -> String {
    AgeText.words(milliseconds: Self.now.milliseconds(since: file.date))
  }

  private static var now: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  private func report(_ error: DownloadError) -> FetchStatus {
    if options.json {
      let line: JSONValue = ["error": error.json]
      _ = StandardDescriptors.write(TerminalText(json: line.serialized + "\n"), to: .data)
    } else {
      FetchOptions.complain("\(error.message)\n  \(error.hint)")
    }
    return FetchStatus(error)
  }

  // MARK: Output

  private func show(_ result: DownloadResult, _ file: DownloadResult.File) -> FetchStatus {
    if let output = options.output, output != "-" {
      guard copy(file.path, to: output) else { return .failed }
    }
    if options.json {
      guard case .object(var object) = result.json else { return .failed }
      object["id"] = nil
      object["ageSeconds"] = .int(max(0, Self.now.milliseconds(since: file.date) / 1_000))
      return written(TerminalText(json: JSONValue.object(object).serialized + "\n"))
    }
    if options.path { return written(TerminalText(file.path + "\n")) }
    return options.output == nil || options.output == "-" ? printBody(file) : .done
  }

  private func written(_ text: TerminalText) -> FetchStatus {
    guard let code = StandardDescriptors.write(text, to: .data) else { return .done }
    return failedToWrite("standard output", code)
  }

  private func failedToWrite(_ place: String, _ code: Int32) -> FetchStatus {
    // Nobody reads any more, as with head.
    if code != EPIPE {
      FetchOptions.complain("cannot write \(place): \(String(cString: strerror(code)))")
    }
    return code == EPIPE ? .done : .failed
  }

  /// Prints the body: as it is into a pipe or a file, and cleaned on a terminal.
  private func printBody(_ file: DownloadResult.File) -> FetchStatus {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if isTerminal, let type = file.type, !Self.isText(type) {
      FetchOptions.complain("the body is \(type)\n  write it into a file: -o FILE")
      return .usage
    }
    return eachPart(of: file.path) { part in
      isTerminal
        ? StandardDescriptors.write(TerminalText(String(decoding: part, as: UTF8.self)), to: .data)
        : StandardDescriptors.write(file: part)
    }
  }

  private static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/")
      || ["json", "xml", "yaml", "javascript", "calendar"].contains {
        type.hasSuffix($0)
      }
  }

  private func eachPart(of path: String, _ take: ([UInt8]) -> Int32?) -> FetchStatus {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return failedToWrite("what is in \(path)", errno) }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return failedToWrite("what is in \(path)", errno) }
      guard count > 0 else { return .done }
      if let code = take(Array(buffer[..<count])) { return failedToWrite("standard output", code) }
    }
  }

  /// Copies the body beside its destination, and gives it its name when it is whole.
  private func copy(_ path: String, to destination: String) -> Bool {
    let part = "\(destination).part-\(getpid())"
    unlink(part)
    let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      _ = failedToWrite(destination, errno)
      return false
    }
    let status = eachPart(of: path) { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return errno }
        rest = rest.dropFirst(count)
      }
      return nil
    }
    guard close(file) == 0, status == .done, rename(part, destination) == 0 else {
      _ = failedToWrite(destination, errno)
      unlink(part)
      return false
    }
    return true
  }
}
