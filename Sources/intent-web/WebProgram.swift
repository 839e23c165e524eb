import EventLoop
import Glibc
import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WebPages
import WebServer

/// The server between browsers and panels on one side and the daemon on the other, on one loop.
final class WebProgram {
  private let loop: Loop
  private let link: DaemonLink
  private let keys: WebKeys
  private let devices: DeviceFolder
  private let reports: PanelReports
  private let panels: PanelBooth
  private let page: PageFeed
  private var servers: [WebServer] = []
  private let idleTimer: LoopTimer
  private let idleSeconds: Int64?

  /// Opens the sockets and writes the port where `intent-send web` looks for it.
  init(
    socketPath: String, places: WebPlaces, sockets: [ListeningSocket], idleSeconds: Int64?
  ) throws(WebServerError) {
    do throws(LoopError) {
      loop = try Loop()
    } catch {
      throw WebServerError(operation: "make", context: "an event loop", errno: error.errno)
    }
    keys = WebKeys(places)
    devices = DeviceFolder(places)
    reports = PanelReports(places)
    link = DaemonLink(loop: loop, socketPath: socketPath)
    panels = PanelBooth(loop: loop, link: link)
    page = PageFeed(loop: loop, link: link)
    idleTimer = LoopTimer(loop: loop)
    self.idleSeconds = idleSeconds
    do {
      for socket in sockets {
        let door = WebDoor(port: socket.port, isLocal: socket.servesPage)
        servers.append(
          try WebServer(
            loop: loop, listening: socket.descriptor,
            connectionsOfAddressMax: socket.isLoopback
              ? 0 : WebLimits.connectionCountOfAddressMax
          ) { [unowned self] exchange in
            self.serve(exchange, door)
          })
      }
      for signal in [SIGTERM, SIGINT] {
        _ = try SignalSource(loop: loop, signal: signal) { [unowned self] in self.stop() }
      }
    } catch let error as WebServerError {
      close()
      throw error
    } catch {
      close()
      throw WebServerError(operation: "serve", context: "\(error)", errno: 0)
    }
    let folder = PrivateFolder(path: places.folder)
    if let page = sockets.first(where: \.servesPage), !folder.write("port", "\(page.port)\n") {
      let code = errno
      close()
      throw WebServerError(operation: "write", context: places.port, errno: code)
    }
    // Best effort: without it the address of a panel is printed for this machine alone.
    _ = folder.write(
      "panels",
      sockets.filter { !$0.servesPage }.map { "\($0.address) \($0.port)\n" }.joined())
  }

  /// Serves until a signal comes, or nobody has come for the idle time.
  func run() {
    watchIdleness()
    notifySystemd("READY=1")
    // With each turn the loop gives its streams the room to read anew; it has no other work here.
    loop.onTurn { false }
    loop.run()
  }

  private func stop() {
    close()
    loop.stop()
  }

  private func close() {
    page.close()
    for server in servers { server.close() }
    link.close()
    idleTimer.close()
    if !loop.isClosed, servers.isEmpty { loop.close() }
  }

  private func watchIdleness() {
    guard let idleSeconds else { return }
    let next = loop.readNow().monotonic.advanced(byMilliseconds: idleSeconds * 1_000)
    idleTimer.arm(at: next) { [unowned self] in
      guard servers.allSatisfy({ $0.connectionCount == 0 }) else { return watchIdleness() }
      stop()
    }
  }

  // MARK: Requests

  private func serve(_ exchange: WebExchange, _ door: WebDoor) {
    let request = exchange.request
    do throws(WebRefusal) {
      let route = try WebRoute.find(request)
      let visitor = try door.visitor(
        request, route, devices: route.isForPanels ? devices.all() : [],
        isSession: { keys.isSession($0) })
      try serve(exchange, route, visitor, door)
    } catch {
      exchange.answer(WebAnswer(error))
    }
  }

  private func serve(
    _ exchange: WebExchange, _ route: WebRoute, _ visitor: WebDoor.Visitor, _ door: WebDoor
  ) throws(WebRefusal) {
    switch route {
    case .page: exchange.answer(PageFiles.page)
    case .file(let file): exchange.answer(PageFiles.answer(file))
    case .enter(let code):
      guard let session = keys.enter(code) else {
        throw WebRefusal(403, "The code is too old, or was used already. Run: intent-send web")
      }
      exchange.answer(WebDoor.welcome(session, port: door.port))
    case .events(let id): page.stream(exchange, after: id)
    case .picture(let hash): page.picture(exchange, hash)
    case .tap(let tap): page.tap(exchange, tap)
    case .reload(let id): page.reload(exchange, id)
    case .setMode(let id, let isExpanded): page.setMode(exchange, id, isExpanded: isExpanded)
    case .panel(let panel): panels.show(exchange, panel)
    case .setup: exchange.answer(try setup(exchange.request))
    case .display:
      guard case .device(let device) = visitor, let host = PanelAnswer.host(of: exchange.request)
      else { throw WebRefusal(400, "The request needs a Host.") }
      panels.display(exchange, device, host: host)
    case .log:
      if case .device(let device) = visitor {
        reports.keep(exchange.body, of: device, at: loop.readNow().wall)
      }
      exchange.answer(WebAnswer(empty: 204))
    }
  }

  private func setup(_ request: WebRequest) throws(WebRefusal) -> WebAnswer {
    guard let host = PanelAnswer.host(of: request) else {
      throw WebRefusal(400, "The request needs a Host.")
    }
    let id = request.header("id").flatMap { PanelDevice.hardwareID($0) }
    let device = id.flatMap { id in devices.all().first { $0.hardwareID == id } }
    if let device, !device.hasToken, !devices.noteToken(of: device) {
      throw WebRefusal(500, "The device cannot be noted; look at the disk.")
    }
    return PanelAnswer.setup(device, host: host)
  }
}
