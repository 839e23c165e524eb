import EventLoop
import Glibc
import WidgetCenter

/// The proxies of the session bus, one for each kind in a box that was granted names on it.
///
/// `xdg-dbus-proxy` lets a program talk to these names only. It runs as long as a program of the
/// kind does, by the supervisor, outside the box. The supervisor connects every local socket of the
/// box to it (`CPosix/Bus.c`).
final class BusProxies {
  /// The address that a program in a box is told.
  ///
  /// No file has this path, and the supervisor does not read it. Its length is unlike that of an
  /// address of IP, which the box's filter lets pass.
  static let addressInBox = "unix:path=/intentd-bus"
  static let program = "xdg-dbus-proxy"

  private let loop: Loop
  private let supervisor: Supervisor
  private let options: RuntimeOptions
  private let folder: String
  private var proxies: [Key: Proxy] = [:]
  private var lastNumber = 0

  /// The names that a kind was granted: others are another proxy.
  private struct Key: Hashable {
    var kind: String
    var names: [String]
  }

  private final class Proxy {
    let socket: String
    var child: ChildProcess?
    var isReady = false
    /// The processes of providers that use it.
    var userCount = 0
    var diagnostics = DiagnosticsTail()
    var waiting: [(token: RunToken, then: (String?) -> Void)] = []

    init(socket: String) { self.socket = socket }
  }

  /// `folder` gets the sockets of the proxies.
  init(loop: Loop, supervisor: Supervisor, options: RuntimeOptions, folder: String) {
    self.loop = loop
    self.supervisor = supervisor
    self.options = options
    self.folder = folder
  }

  func close() {
    for key in Array(proxies.keys) { end(key) }
  }

  /// Returns the words of a proxy's command line.
  static func arguments(address: String, socket: String, names: [String]) -> [String] {
    // The first descriptor says when it listens, and ends it when nobody reads it any more.
    [program, address, socket, "--fd=1", "--filter"] + names.map { "--talk=\($0)" }
  }

  /// Calls `then` when the proxy for a run listens, or with the reason why there is none.
  func whenReady(_ run: ProviderRun, names: [String], then: @escaping (String?) -> Void) {
    let key = Key(kind: run.bundle, names: names)
    if let proxy = proxies[key] {
      if proxy.isReady { return then(nil) }
      return proxy.waiting.append((run.token, then))
    }
    guard
      let address = ApplicationLauncher.busAddress(environment: { options.environment[$0] })
    else {
      return then(
        "its permissions.bus needs a session bus, and there is none: DBUS_SESSION_BUS_ADDRESS is not set"
      )
    }
    lastNumber += 1
    let proxy = Proxy(socket: "\(folder)/bus-\(getpid())-\(lastNumber)")
    guard proxy.socket.utf8.count <= ProviderLimits.socketPathBytesMax else {
      return then("its permissions.bus needs a socket below \(folder), whose path is too long")
    }
    makeFolder(folder)
    proxies[key] = proxy
    proxy.waiting.append((run.token, then))
    start(proxy, key, address: address)
  }

  private func start(_ proxy: Proxy, _ key: Key, address: String) {
    let environment = ["PATH", "HOME", "XDG_RUNTIME_DIR", "LANG"].compactMap { name in
      options.environment[name].map { (name, $0) }
    }
    var spec = ChildSpec(
      program: Self.program,
      arguments: Self.arguments(address: address, socket: proxy.socket, names: key.names),
      environment: environment, workingDirectory: "/")
    spec.limits.treeBytesMax = ProviderLimits.busProxyBytesMax
    spec.limits.processCountMax = ProviderLimits.busProxyProcessCountMax
    do throws(LoopError) {
      proxy.child = try ChildProcess.start(
        loop: loop, spec: spec, supervisor: supervisor,
        onStdout: { [weak self] _ in
          guard let self, proxies[key] === proxy else { return }
          proxy.isReady = true
          tell(proxy, nil)
        },
        onStderr: { proxy.diagnostics.append($0) },
        onExit: { [weak self] _ in
          proxy.child = nil
          guard let self, proxies[key] === proxy else { return }
          // Its programs lose the bus; the next run starts another one.
          proxies[key] = nil
          unlink(proxy.socket)
          let said = ErrorLine.last(of: proxy.diagnostics.text).map { ": \($0)" } ?? ""
          tell(proxy, "its permissions.bus cannot be kept: \(Self.program) ended\(said)")
        })
    } catch {
      proxies[key] = nil
      let reason =
        error.code == .notFound
        ? "its permissions.bus needs \(Self.program), which is not installed; install the package \(Self.program)"
        : "its permissions.bus cannot be kept: \(error.message)"
      tell(proxy, reason)
    }
  }

  private func tell(_ proxy: Proxy, _ refusal: String?) {
    let waiting = proxy.waiting
    proxy.waiting = []
    for run in waiting { run.then(refusal) }
  }

  /// Takes back a run that waits for its proxy; false: it does not.
  func forget(_ token: RunToken) -> Bool {
    for (key, proxy) in proxies {
      guard let index = proxy.waiting.firstIndex(where: { $0.token == token }) else { continue }
      proxy.waiting.remove(at: index)
      endIfUnused(key)
      return true
    }
    return false
  }

  /// Returns the socket of the proxy that a process of a kind now uses; `nil`: it has ended.
  func use(_ kind: String, names: [String]) -> String? {
    guard let proxy = proxies[Key(kind: kind, names: names)], proxy.isReady else { return nil }
    proxy.userCount += 1
    return proxy.socket
  }

  /// A process that used the proxy at this socket has ended.
  func release(_ socket: String) {
    guard let (key, proxy) = proxies.first(where: { $0.value.socket == socket }) else { return }
    proxy.userCount -= 1
    endIfUnused(key)
  }

  private func endIfUnused(_ key: Key) {
    guard let proxy = proxies[key], proxy.userCount == 0, proxy.waiting.isEmpty else { return }
    end(key)
  }

  private func end(_ key: Key) {
    guard let proxy = proxies.removeValue(forKey: key) else { return }
    proxy.child?.close()
    proxy.child = nil
    unlink(proxy.socket)
  }
}
