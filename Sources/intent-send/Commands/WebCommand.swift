import ArgumentParser
import Glibc
import IntentProtocol
import JSON
import PlainText
import WebPages

/// Opens the page, and gives panels their tokens.
struct Web: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Open the page of widgets in a browser, or announce a panel.",
    discussion: """
      intent-send web                      the page, in the browser
      intent-send web --print              its address, good once
      intent-send web --device kitchen --panel weather
      intent-send web --device desk --id AA:BB:CC:DD:EE:FF
      intent-send web --forget kitchen     its token is good no more
      intent-send web --log desk           what a TRMNL reported

      The page's address is good for two minutes, a panel's until you forget it. A TRMNL, which has an --id, fetches its token itself.

      The page is that of intent-web, which is started if need be. It is for this machine alone; \
      panels elsewhere need: intent-web --listen ADDRESS:PORT
      """)

  @OptionGroup var common: CommonOptions
  @Flag(name: .customLong("print"), help: "Print the address and open no browser.")
  var prints = false
  @Option(help: "Give a panel of this name a token, and print its address.") var device: String?
  @Option(
    help: "What the panel shows: a widget's id, or 'stack', which it is if left out.")
  var panel: String?
  @Option(help: "What a TRMNL calls itself: its MAC address.") var id: String?
  @Option(help: "Take the token of this panel back.") var forget: String?
  @Flag(
    help: "Give a panel another token, which ends the old one; what is left out stays.")
  var replace = false
  @Option(help: "Print what this panel reported last.") var log: String?
  @Flag(help: "List the panels that have a token.") var devices = false

  mutating func run() throws {
    let places = WebPlaces(socketPath: common.socketPath) { environment($0) }
    if let forget { return try forgetDevice(forget, places) }
    if let device { return try addDevice(device, places) }
    if let log { return try printLog(log, places) }
    if devices { return listDevices(places) }
    let server = try WebStart(places, socketPath: common.socketPath).port()
    let code = try random()
    let folder = places.codes
    mkdir(places.folder, 0o700)
    mkdir(folder, 0o700)
    try PrivateFile.write("", "\(folder)/\(code.text)")
    let address = "http://127.0.0.1:\(server)/?code=\(code.text)"
    if !prints, try open(address, code, places) { return }
    if common.json { return Output.print(["url": .string(address)]) }
    Output.print(address + "\n")
  }

  /// Opens the address in the person's browser; false if there is no screen or no opener.
  ///
  /// Everybody on the machine sees the arguments of a program. So the browser gets a file that only
  /// the person can read, and that leads to the address.
  private func open(
    _ address: String, _ code: WebSecret, _ places: WebPlaces
  ) throws(Failure) -> Bool {
    guard environment("DISPLAY") != nil || environment("WAYLAND_DISPLAY") != nil else {
      return false
    }
    let file = "\(places.folder)/open.html"
    let page = """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>intentd</title>
      <meta http-equiv="refresh" content="0;url=\(address)"><a href="\(address)">Widgets</a></html>

      """
    try PrivateFile.write(page, file)
    return ChildProgram.run(["xdg-open", file], isQuiet: true) == 0
  }

  // MARK: Panels

  private func addDevice(_ name: String, _ places: WebPlaces) throws(Failure) {
    guard PanelDevice.isName(name) else {
      throw Failure(
        status: .usage, message: "'\(name)' cannot be the name of a panel",
        hints: ["choose letters, digits, '.', '-' and '_', at most \(WebLimits.deviceNameBytesMax)"]
      )
    }
    var hardwareID: String?
    if let id {
      guard let read = PanelDevice.hardwareID(id) else {
        throw Failure(
          status: .usage, message: "'\(id)' is not what a TRMNL calls itself",
          hints: ["write its MAC address, such as AA:BB:CC:DD:EE:FF"])
      }
      hardwareID = read
    }
    let isThere = try checkIsNew(name, places)
    let before = isThere ? known(places).first { $0.name == name } : nil
    let panel = panel ?? before?.panel ?? PanelRequest.stackName
    hardwareID = hardwareID ?? before?.hardwareID
    try warnOfUnknownWidget(panel)
    let device = PanelDevice(
      name: name, token: try random(), panel: panel, hardwareID: hardwareID)
    makeFolders(places.devices)
    try PrivateFile.write(device.file.serialized + "\n", "\(places.devices)/\(name)")
    let place = PanelPlace(places, page: WebStart(places, socketPath: common.socketPath).running)
    let address = PanelRequest(name: panel, format: .png).address + "&token=\(device.token.text)"
    if common.json {
      return Output.print([
        "name": .string(name), "address": .string(address), "url": .string(place.base + address),
        "replaced": .bool(isThere),
      ])
    }
    var hints = place.hints(path: hardwareID == nil ? address : "")
    if isThere { hints.insert("the old token of \(name) is good no more", at: 0) }
    if hardwareID != nil {
      Output.print(
        "Set the server of \(name) to \(place.base) ; it fetches its token there, once.\n")
    } else {
      Output.print("\(place.base)\(address)\n")
    }
    for hint in hints { Output.complain("intent-send: \(hint)\n") }
  }

  /// Returns whether the panel has a token already, and is to get another one.
  ///
  /// Throws if it has one and nobody said `--replace`, and at the limit of panels.
  private func checkIsNew(_ name: String, _ places: WebPlaces) throws(Failure) -> Bool {
    if access("\(places.devices)/\(name)", F_OK) == 0 {
      guard replace else {
        throw Failure(
          status: .failed, message: "the panel '\(name)' has a token already",
          hints: ["give it another one, which ends the old one, with: --replace"])
      }
      return true
    }
    guard known(places).count < WebLimits.deviceCountMax else {
      throw Failure(
        status: .failed, message: "\(WebLimits.deviceCountMax) panels have a token already",
        hints: ["take one back: intent-send web --forget NAME"])
    }
    return false
  }

  /// Says that a panel is for a widget that is not placed, such as by a slip.
  private func warnOfUnknownWidget(_ panel: String) throws(Failure) {
    guard panel != PanelRequest.stackName else { return }
    guard (1...WebLimits.idBytesMax).contains(panel.utf8.count) else {
      throw Failure(
        status: .usage, message: "'\(panel)' cannot be the id of a widget",
        hints: ["all widgets: intent-send widgets"])
    }
    do throws(Failure) {
      var daemon = try Daemon(common)
      _ = try daemon.ask(.widgetTimeline, ["id": .string(panel)])
    } catch {
      // Without a daemon nobody can say; the token is good all the same.
      guard error.code == .unknownWidget else { return }
      Output.complain(
        "intent-send: \(error.message); the panel has nothing to show until it is placed\n")
    }
  }

  private func forgetDevice(_ name: String, _ places: WebPlaces) throws(Failure) {
    guard PanelDevice.isName(name), unlink("\(places.devices)/\(name)") == 0 else {
      throw Failure(
        status: .failed, message: "no panel is called '\(name)'",
        hints: ["all panels: intent-send web --devices"])
    }
    // Best effort: most panels reported nothing.
    unlink("\(places.logs)/\(name)")
    Output.print("\(name) has no token any more.\n")
  }

  private func printLog(_ name: String, _ places: WebPlaces) throws(Failure) {
    guard PanelDevice.isName(name), access("\(places.devices)/\(name)", F_OK) == 0 else {
      throw Failure(
        status: .failed, message: "no panel is called '\(name)'",
        hints: ["all panels: intent-send web --devices"])
    }
    let lines = (PrivateFile.read("\(places.logs)/\(name)") ?? "").split(separator: "\n")
    if common.json {
      return Output.print(["reports": .array(lines.map { .string(String($0)) })])
    }
    Output.print(
      lines.isEmpty
        ? "\(name) reported nothing.\n"
        : lines.map { printable(String($0)) + "\n" }.joined())
  }

  /// The panels that have a token, by name; says of a file that is none.
  private func known(_ places: WebPlaces) -> [PanelDevice] {
    var found: [PanelDevice] = []
    if let folder = opendir(places.devices) {
      defer { closedir(folder) }
      while found.count < WebLimits.deviceCountMax, let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
          place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard PanelDevice.isName(name),
          let text = PrivateFile.read("\(places.devices)/\(name)")
        else { continue }
        do throws(JSONError) {
          if let device = PanelDevice(name: name, file: try JSONValue(parsing: text)) {
            found.append(device)
          }
        } catch {
          Output.complain("intent-send: \(places.devices)/\(name) is not the file of a panel\n")
        }
      }
    }
    return found.sorted { $0.name < $1.name }
  }

  private func listDevices(_ places: WebPlaces) {
    let found = known(places)
    if common.json {
      let values = found.map { device -> JSONValue in
        ["name": .string(device.name), "panel": .string(device.panel)]
      }
      return Output.print(["devices": .array(values)])
    }
    for device in found {
      let id = device.hardwareID.map { "  \($0)\(device.hasToken ? "" : ", has not asked yet")" }
      Output.print("\(printable(device.name))  \(printable(device.panel))\(id ?? "")\n")
    }
    if found.isEmpty {
      Output.print("no panel has a token; make one: intent-send web --device NAME\n")
    }
  }

  private func makeFolders(_ path: String) {
    var partial = ""
    for part in path.split(separator: "/") {
      partial += "/" + part
      // It may be there; a folder that cannot be made is seen when the file is written.
      mkdir(partial, 0o700)
    }
  }

  private func random() throws(Failure) -> WebSecret {
    var bytes = [UInt8](repeating: 0, count: 32)
    guard getentropy(&bytes, bytes.count) == 0 else {
      throw Failure(status: .failed, message: "the kernel gave no random bytes")
    }
    return WebSecret(random: bytes)
  }
}

/// Finds the server of the page, or starts it.
struct WebStart {
  private let places: WebPlaces
  private let socketPath: String

  /// Milliseconds that a server has to start.
  private static let startMilliseconds: Int64 = 5_000
  /// Milliseconds that it has where it is not certain that systemd starts it.
  private static let wakeMilliseconds: Int64 = 2_000

  init(_ places: WebPlaces, socketPath: String) {
    self.places = places
    self.socketPath = socketPath
  }

  /// Returns the port of the person's own server, and starts it if there is none.
  func port() throws(Failure) -> UInt16 {
    if let port = running { return port }
    // systemd listens for it where the units are enabled; then a connection starts it. A server that
    // noted no port here is one of another daemon.
    if PortOwner.isOurs(WebPlaces.usualPort, of: [.manager]) { return WebPlaces.usualPort }
    if PortOwner.mayBeManager(WebPlaces.usualPort), let port = woken() { return port }
    start()
    if let port = awaited(Self.startMilliseconds) { return port }
    throw Failure(
      status: .failed, message: "the page does not start",
      hints: [
        "see why: intent-web --port 0",
        "if it is not installed: apt-get install intentd-web",
      ])
  }

  /// Returns the port that a server notes within so many milliseconds.
  private func awaited(_ milliseconds: Int64) -> UInt16? {
    let end = monotonicMilliseconds() + milliseconds
    while monotonicMilliseconds() < end {
      if let port = running { return port }
      poll(nil, 0, 20)
      ChildProgram.reap()
    }
    return nil
  }

  /// Connects to the usual port, by which systemd starts the server, and returns its port.
  ///
  /// Nothing is sent: somebody else who listens there learns nothing.
  private func woken() -> UInt16? {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(AF_INET, Int32(kind), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = WebPlaces.usualPort.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // The result does not count: the server notes its port, or it does not.
    _ = withUnsafePointer(to: &address) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return awaited(Self.wakeMilliseconds)
  }

  /// The port that a running server noted, if it is one of this user.
  var running: UInt16? {
    guard let text = PrivateFile.read(places.port),
      let port = UInt16(text.split(separator: "\n").first ?? ""), PortOwner.isOurs(port)
    else { return nil }
    return port
  }

  /// Starts the server beside this program, else one from PATH; it goes on without us.
  private func start() {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    var program = "intent-web"
    let length = readlink("/proc/self/exe", &path, path.count)
    if length > 0 {
      let own = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let beside = own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + "intent-web"
      if access(String(beside), X_OK) == 0 { program = String(beside) }
    }
    // The usual port may belong to another user of the machine, or another program.
    let port = PortOwner.isTaken(WebPlaces.usualPort) ? 0 : WebPlaces.usualPort
    // It outlives this command: whoever reads the command's output to its end would wait for it.
    ChildProgram.start(
      ["setsid", program, "--socket", socketPath, "--port", "\(port)", "--idle", "3600"],
      isQuiet: true)
  }
}
