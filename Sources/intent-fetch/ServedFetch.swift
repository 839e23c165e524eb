import Downloads
import EventLoop
import Glibc
import JSON
import PlainText
import ProgramStart

/// The downloads of one bundle, for the daemon: a line of JSON each way.
///
/// All requests are read first; each result is written as soon as it is there, and the program ends
/// with the last one. A line that cannot be read has a result, too, so that nobody waits for it.
struct ServedFetch {
  private let options: FetchOptions

  init(_ options: FetchOptions) { self.options = options }

  func run() -> FetchStatus {
    let bytesMax = DownloadLimits.requestBytesMax * 64
    guard let input = SmallFile.readAll(STDIN_FILENO, bytesMax: bytesMax) else {
      FetchOptions.complain("the requests cannot be read, or have more than \(bytesMax) bytes")
      return .usage
    }
    var requests: [DownloadRequest] = []
    for line in input.split(separator: UInt8(ascii: "\n")) {
      do {
        guard requests.count < DownloadLimits.requestCountMax,
          line.count <= DownloadLimits.requestBytesMax
        else {
          throw DownloadMistake("", "there are too many requests", "another process for the rest")
        }
        requests.append(try DownloadRequest(try JSONValue(parsing: line)))
      } catch {
        answer(Self.refusal(of: line, error))
      }
    }
    return requests.isEmpty ? .done : fetch(requests)
  }

  private func fetch(_ requests: [DownloadRequest]) -> FetchStatus {
    var left = requests.count
    var status = FetchStatus.done
    do {
      let loop = try Loop()
      var fetcher: Fetcher?
      func begin(isMetered: Bool) {
        var settings = options.settings
        settings.isMetered = isMetered
        let made = Fetcher(loop: loop, settings: settings)
        fetcher = made
        for request in requests {
          made.add(request) { result in
            answer(result)
            left -= 1
            if left == 0 { loop.stop() }
          }
        }
      }
      for signal in [SIGINT, SIGTERM] {
        _ = try SignalSource(loop: loop, signal: signal) {
          status = .later
          loop.stop()
        }
      }
      if requests.allSatisfy(\.mayCost) {
        begin(isMetered: false)
      } else {
        MeteredNetwork.ask(loop: loop, address: FetchOptions.systemBus) { begin(isMetered: $0) }
      }
      if left > 0 { loop.runUntilStopped() }
      fetcher?.close()
      loop.close()
    } catch {
      FetchOptions.complain("cannot make an event loop: \(error)")
      status = .failed
    }
    return status
  }

  private func answer(_ result: DownloadResult) {
    // Best effort: a daemon that is gone begins again when it is back.
    _ = StandardDescriptors.write(
      TerminalText(json: result.json.serialized + "\n"), to: .data)
  }

  private static func refusal(of line: ArraySlice<UInt8>, _ error: any Error) -> DownloadResult {
    var id = ""
    do {
      id = try JSONValue(parsing: line)["id"]?.stringValue ?? ""
    } catch {
      // It is no JSON: the result has no name.
    }
    let message =
      (error as? DownloadMistake).map { "\($0.member): \($0.message)" } ?? "it is no JSON: \(error)"
    return DownloadResult(
      id: String(id.prefix(DownloadLimits.idBytesMax)), file: nil,
      error: DownloadError(
        .badRequest, message, hint: (error as? DownloadMistake)?.expected ?? "a line of JSON"))
  }
}
