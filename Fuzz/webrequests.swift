import JSON
import Timekeeping
import WebPages

/// Fuzzes requests of browsers and panels, and the content of panels.
///
/// The input has sections: a request (method, path, `?name=value` and `Name: value`, a line each);
/// the file of a device; the content of a widget as JSON; the kernel's list of listeners.
///
/// - Without a session and a token nothing but a code and the introduction of a device gets in.
/// - Beyond this machine there are panels alone.
/// - An address of a panel leads back to it, and its files have the size of their form.
/// - A number of an event is read as it was written.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = sections(bytes(start, count), countMax: 4)
  let request = request(parts[0])
  within(2_000, "a request") {
    check(request, devices: parts.count > 1 ? device(parts[1]) : [])
    if parts.count > 2 { checkPanel(parts[2]) }
    if parts.count > 3 { _ = ListenerTable.listeners(on: 8_736, isAnywhere: true, text(parts[3])) }
  }
  return 0
}

private func request(_ part: [UInt8]) -> WebRequest {
  var lines = text(part).split(separator: "\n", omittingEmptySubsequences: false)[...]
  var request = WebRequest(String(lines.popFirst() ?? ""), String(lines.popFirst() ?? ""))
  for line in lines {
    if line.hasPrefix("?"), let equals = line.firstIndex(of: "=") {
      request.query.append(
        WebRequest.Field(
          String(line[line.index(after: line.startIndex)..<equals]),
          String(line[line.index(after: equals)...])))
    } else if let colon = line.firstRange(of: ": ") {
      request.head.append(
        WebRequest.Field(String(line[..<colon.lowerBound]), String(line[colon.upperBound...])))
    }
  }
  return request
}

private func device(_ part: [UInt8]) -> [PanelDevice] {
  guard let value = try? JSONValue(parsing: part),
    let device = PanelDevice(name: "kitchen", file: value)
  else { return [] }
  precondition(PanelDevice(name: "kitchen", file: device.file) == device, "it changed in its file")
  return [device]
}

private func check(_ request: WebRequest, devices: [PanelDevice]) {
  let door = WebDoor(port: 8_736, isLocal: true)
  let outer = WebDoor(port: 8_737, isLocal: false)
  guard let route = try? WebRoute.find(request) else { return }
  if let visitor = try? door.visitor(request, route, devices: [], isSession: { _ in false }) {
    precondition(visitor == .stranger, "somebody without a key is believed")
    switch route {
    case .enter, .setup: break
    default: fatalError("somebody without a key gets in")
    }
  }
  if let visitor = try? outer.visitor(request, route, devices: devices, isSession: { _ in true }) {
    precondition(route.isForPanels && visitor != .person, "the page is served elsewhere")
    if case .panel(let panel) = route, case .device(let device) = visitor {
      precondition(panel.name == device.panel, "a token opens another panel")
    }
  }
  if case .events(let id?) = route { precondition(EventID(id.text) == id, "a number changed") }
  if case .panel(var panel) = route {
    panel.takeSize(request)
    precondition(panel.width * panel.height <= WebLimits.panelPixelsMax)
    precondition(panel.address.utf8.allSatisfy { $0 > 32 && $0 < 127 }, "an address has a blank")
  }
  _ = PanelAnswer.host(of: request)
  let answer = PanelAnswer.picture(
    [1], tag: "x", PanelRequest(name: "w", format: .png), to: request)
  precondition(answer.status == 200 || answer.status == 304)
}

private func checkPanel(_ part: [UInt8]) {
  guard let content = try? JSONValue(parsing: part) else { return }
  let widget: JSONValue = ["id": "w", "name": content, "entry": ["content": content]]
  if let members = PageWidget.members(of: widget) {
    let frame = EventLog.frame("update", members, id: EventID(epoch: 1, number: 1))
    precondition(frame.count { $0 == 10 } == 4, "an event has more lines than its own")
  }
  let panel = PanelRequest(name: "w", format: .bmp)
  guard let page = PanelPage(panel, widgets: [widget], isLost: false, clock: { $0.rfc3339 }),
    let tile = page.tiles.first
  else { fatalError("the widget has no tile") }
  for line in [tile.name, tile.title] + tile.lines + tile.rows {
    precondition(
      line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "a control")
  }
  _ = PanelAnswer.sleepSeconds(
    timelines: [content], now: WallTime(milliseconds: 1_795_161_600_000))
}
