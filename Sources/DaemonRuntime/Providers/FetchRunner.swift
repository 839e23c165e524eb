package import DaemonCore
import Downloads
package import EventLoop
import Glibc
import JSON
package import WidgetCenter

/// Starts `intent-fetch` for the downloads of widgets: one process for what is due together.
///
/// The daemon opens no network connection itself. The program stands beside `intentd`, or on the
/// PATH. Each request has exactly one outcome, whatever the program does.
package final class FetchRunner {
  private let loop: Loop
  private let supervisor: Supervisor
  private let environment: [String: String]
  private let ownProgram: String
  private let cacheFolder: String
  private let report: (Event) -> Void
  private var running: [FetchToken: Running] = [:]

  private final class Running {
    var child: ChildProcess?
    var output: [UInt8] = []
    var diagnostics = DiagnosticsTail()
    var isCancelled = false
    var hasOverflowed = false
  }

  package init(
    loop: Loop, supervisor: Supervisor, options: RuntimeOptions, cacheFolder: String,
    report: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.supervisor = supervisor
    environment = options.environment
    ownProgram = options.supervisorProgram
    self.cacheFolder = cacheFolder
    self.report = report
  }

  package func close() {
    for fetch in running.values { fetch.child?.close() }
    running = [:]
  }

  /// Starts downloads; `report` gets their outcome, perhaps before this returns.
  package func start(_ request: FetchRequest) {
    guard let program else { return report(.fetched(request.token, .noProgram)) }
    let names = Self.inherited.compactMap { name in environment[name].map { (name, $0) } }
    var spec = ChildSpec(
      program: program, arguments: ["intent-fetch", "--serve"], environment: names,
      workingDirectory: "/", wantsInput: true)
    spec.limits.treeBytesMax = ProviderLimits.fetchBytesMax
    let fetch = Running()
    running[request.token] = fetch
    do throws(LoopError) {
      let child = try ChildProcess.start(
        loop: loop, spec: spec, supervisor: supervisor,
        onStdout: { [weak fetch] bytes in
          guard let fetch, !fetch.hasOverflowed else { return }
          fetch.output += bytes
          guard fetch.output.count > ProviderLimits.outputBytesMax else { return }
          fetch.hasOverflowed = true
          fetch.child?.kill()
        },
        onStderr: { [weak fetch] in fetch?.diagnostics.append($0) },
        onExit: { [weak self] in self?.ended(request.token, $0) })
      fetch.child = child
      for item in request.items {
        let folder = "\(cacheFolder)/\(item.bundle)/downloads"
        child.writeInput(Array((item.line(folder: folder).serialized + "\n").utf8))
      }
      child.closeInput()
    } catch {
      running[request.token] = nil
      report(.fetched(request.token, .failed(error.message)))
    }
  }

  /// Ends downloads; their outcome follows.
  package func cancel(_ token: FetchToken) {
    guard let fetch = running[token], !fetch.isCancelled else { return }
    fetch.isCancelled = true
    fetch.child?.kill()
  }

  private func ended(_ token: FetchToken, _ exit: ChildExit) {
    guard let fetch = running.removeValue(forKey: token) else { return }
    fetch.child = nil
    let results = fetch.output.split(separator: UInt8(ascii: "\n")).compactMap { line in
      Self.result(line)
    }
    // Those that came before it was ended are good.
    guard results.isEmpty else { return report(.fetched(token, .ended(results))) }
    let reason =
      switch exit {
      case .notStarted(let reason): reason
      case .exited, .signaled, .overLimit, .unsupervised:
        ErrorLine.last(of: fetch.diagnostics.text) ?? "intent-fetch ended without a result"
      }
    report(.fetched(token, .failed(fetch.isCancelled ? "it took too long" : reason)))
  }

  private static func result(_ line: ArraySlice<UInt8>) -> DownloadResult? {
    do throws(JSONError) {
      return DownloadResult(try JSONValue(parsing: line))
    } catch {
      // The last line of a process that was ended may be cut.
      return nil
    }
  }

  /// The variables that the program gets: where its cache is, which proxies and certificates there
  /// are, and where NetworkManager answers.
  private static let inherited = [
    "PATH", "HOME", "LANG", "TMPDIR", "XDG_CACHE_HOME", "CURL_CA_BUNDLE", "DBUS_SYSTEM_BUS_ADDRESS",
    "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
  ]

  /// The path of `intent-fetch`; `nil`: it is not installed.
  private var program: String? {
    if let own = realpath(ownProgram, nil) {
      defer { free(own) }
      let path = String(cString: own)
      if let slash = path.lastIndex(of: "/") {
        let beside = path[...slash] + "intent-fetch"
        if access(String(beside), X_OK) == 0 { return String(beside) }
      }
    }
    return ChildSpec.place(of: "intent-fetch", onPath: environment["PATH"] ?? "")
  }
}
