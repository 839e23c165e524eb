import EventLoop
import Glibc
import IntentProtocol
import JSON
import JSONRPC
import PanelPictures
import Timekeeping
import WebPages
import WebServer

/// Draws panels of what the daemon shows now, and keeps the last pictures.
///
/// A panel asks seldom, so nothing is kept fresh for it here: its question makes the daemon watch
/// the widgets for an hour.
final class PanelBooth {
  private let loop: Loop
  private let link: DaemonLink
  /// The widgets as the daemon last listed them, for a panel that asks while it is gone.
  private var known: [String: [JSONValue]] = [:]
  private var drawn: [Drawn] = []
  /// The bytes of widgets' pictures, by their hashes, in the order in which they came.
  private var pictures: [(hash: String, bytes: [UInt8])] = []

  private struct Drawn {
    let page: PanelPage
    let request: PanelRequest
    let bytes: [UInt8]
    let tag: String
  }

  /// Pictures that are kept: those of a household's panels, and as many of widgets, of which a panel
  /// shows one for each tile.
  private static let pictureCountMax = 16

  init(loop: Loop, link: DaemonLink) {
    self.loop = loop
    self.link = link
  }

  /// Answers with the picture of a panel.
  func show(_ exchange: WebExchange, _ panel: PanelRequest) {
    widgets(for: panel) { [self] widgets, isLost in
      answer(exchange, panel, widgets, isLost: isLost) { drawn in
        PanelAnswer.picture(drawn.bytes, tag: drawn.tag, panel, to: exchange.request)
      }
    }
  }

  /// Tells a TRMNL the address of its picture, and how long it sleeps.
  func display(_ exchange: WebExchange, _ device: PanelDevice, host: String) {
    var panel = PanelRequest(name: device.panel, format: .bmp)
    panel.takeSize(exchange.request)
    widgets(for: panel) { [self] widgets, isLost in
      timelines(of: widgets ?? [], panel) { [self] timelines in
        answer(exchange, panel, widgets, isLost: isLost) { [self] drawn in
          PanelAnswer.display(
            panel, device, tag: drawn.tag,
            sleepSeconds: PanelAnswer.sleepSeconds(
              timelines: timelines, now: loop.readNow().wall), host: host)
        }
      }
    }
  }

  private func answer(
    _ exchange: WebExchange, _ panel: PanelRequest, _ widgets: [JSONValue]?, isLost: Bool,
    _ body: @escaping (Drawn) -> WebAnswer
  ) {
    guard let widgets else {
      return exchange.answer(
        WebAnswer(503, text: "intentd does not answer. Start it: intent-send status"))
    }
    let page = PanelPage(
      panel, widgets: widgets, isLost: isLost, clock: LocalClock(now: loop.readNow().wall).text)
    guard var page else {
      return exchange.answer(WebAnswer(404, text: "There is no widget of this name."))
    }
    fetchPictures(page.pictureHashes) { [self] in
      page.keepPictures(Set(pictures.map(\.hash)))
      guard let drawn = picture(page, panel) else {
        return exchange.answer(WebAnswer(500, text: "There is no memory for the picture."))
      }
      exchange.answer(body(drawn))
    }
  }

  /// Asks the daemon for the pictures that are not here yet; one that it does not have stays away.
  private func fetchPictures(_ hashes: Set<String>, _ body: @escaping () -> Void) {
    let wanted = hashes.filter { hash in !pictures.contains { $0.hash == hash } }
    var missing = wanted.count
    guard missing > 0 else { return body() }
    for hash in wanted {
      link.request(.imageGet, ["hash": .string(hash)]) { [weak self] answer in
        if let self, case .success(let value) = answer, let data = value["data"]?.stringValue,
          let bytes = Base64.decode(data[...].utf8)
        {
          if pictures.count >= Self.pictureCountMax { pictures.removeFirst() }
          pictures.append((hash, bytes))
        }
        missing -= 1
        if missing == 0 { body() }
      }
    }
  }

  private func picture(_ page: PanelPage, _ panel: PanelRequest) -> Drawn? {
    if let known = drawn.first(where: { $0.page == page && $0.request == panel }) { return known }
    let known = Dictionary(pictures.map { ($0.hash, $0.bytes) }) { first, _ in first }
    guard let bytes = PanelPicture.file(page, panel, pictures: known) else { return nil }
    let new = Drawn(page: page, request: panel, bytes: bytes, tag: PanelAnswer.tag(of: bytes))
    drawn.removeAll { $0.request == panel }
    if drawn.count >= Self.pictureCountMax { drawn.removeFirst() }
    drawn.append(new)
    return new
  }

  /// Returns the widgets that a panel may show, from the top; `nil`: the daemon never told them.
  private func widgets(
    for panel: PanelRequest, _ body: @escaping ([JSONValue]?, _ isLost: Bool) -> Void
  ) {
    let isStack = panel.name == PanelRequest.stackName
    let method = isStack ? Method.stackOrder : .widgetList
    let params: JSONValue =
      isStack ? ["limit": .int(Int64(WebLimits.stackCountMax))] : .object(JSONObject())
    let key = isStack ? "stack" : "list"
    link.request(method, params) { [weak self] answer in
      guard let self else { return body(nil, true) }
      if case .success(let value) = answer, let widgets = value["widgets"]?.arrayValue {
        known[key] = widgets
        body(widgets, false)
      } else {
        body(known[key], true)
      }
    }
  }

  /// Returns the timelines of the widgets that a panel shows.
  private func timelines(
    of widgets: [JSONValue], _ panel: PanelRequest, _ body: @escaping ([JSONValue]) -> Void
  ) {
    let isStack = panel.name == PanelRequest.stackName
    let shown = widgets.filter {
      isStack ? !PageWidget.isHidden($0) : $0["id"]?.stringValue == panel.name
    }
    let ids = shown.prefix(WebLimits.tileCountMax).compactMap { $0["id"]?.stringValue }
    var missing = ids.count
    var found: [JSONValue] = []
    guard missing > 0 else { return body([]) }
    for id in ids {
      link.request(.widgetTimeline, ["id": .string(id)]) { answer in
        if case .success(let timeline) = answer { found.append(timeline) }
        missing -= 1
        if missing == 0 { body(found) }
      }
    }
  }
}

/// Writes moments as the person's clock shows them.
struct LocalClock {
  let now: WallTime

  /// Returns `08:30`, with the date in front if it is another day: `2026-11-20 08:30`.
  func text(_ moment: WallTime) -> String {
    guard let there = Self.fields(moment), let here = Self.fields(now) else {
      return moment.rfc3339
    }
    let clock = "\(Self.two(there.tm_hour)):\(Self.two(there.tm_min))"
    if there.tm_year == here.tm_year, there.tm_yday == here.tm_yday { return clock }
    let month = "\(Int(there.tm_year) + 1_900)-\(Self.two(there.tm_mon + 1))"
    return "\(month)-\(Self.two(there.tm_mday)) \(clock)"
  }

  private static func fields(_ moment: WallTime) -> tm? {
    var seconds = time_t(moment.milliseconds / 1_000)
    var fields = tm()
    return localtime_r(&seconds, &fields) == nil ? nil : fields
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
