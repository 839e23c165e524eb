import Digests
package import JSON
import Plugins
package import Timekeeping

/// The answers that panels get: pictures with their tags, and those of TRMNL's devices.
///
/// Source: TRMNL, "Bring your own server": `setup`, `display` and `log`.
package enum PanelAnswer {
  /// Returns the tag of a picture: its hash, which changes only with the picture.
  package static func tag(of picture: [UInt8]) -> String { String(SHA256.digest(of: picture)) }

  /// Answers a panel: its picture, or 304 if it has it already.
  package static func picture(
    _ bytes: [UInt8], tag: String, _ panel: PanelRequest, to request: WebRequest
  ) -> WebAnswer {
    let fields = [
      WebRequest.Field("ETag", "\"\(tag)\""),
      WebRequest.Field("Cache-Control", "private, no-cache"),
    ]
    if let known = request.header("if-none-match"), names(known, tag) {
      return WebAnswer(empty: 304, head: fields)
    }
    return WebAnswer(200, "image/\(panel.format.rawValue)", bytes, head: fields)
  }

  /// Whether a list of tags has this one; weak tags match too.
  ///
  /// Source: RFC 9110, 13.1.2.
  static func names(_ list: String, _ tag: String) -> Bool {
    list.split(separator: ",").contains { entry in
      var entry = entry.drop { $0 == " " }
      while entry.last == " " { entry.removeLast() }
      if entry == "*" { return true }
      if entry.hasPrefix("W/") { entry = entry.dropFirst(2) }
      return entry == "\"\(tag)\""
    }
  }

  /// Answers the first request of a device that the person announced, and gives it its token once.
  package static func setup(_ device: PanelDevice?, host: String) -> WebAnswer {
    guard let device, !device.hasToken else {
      return json(
        404,
        [
          "status": 404, "api_key": .null, "friendly_id": .null, "image_url": .null,
          "filename": .null,
          "message":
            "This device is not announced, or has its token. Run: intent-send web --device NAME --id ID",
        ])
    }
    let panel = PanelRequest(name: device.panel, format: .bmp)
    return json(
      200,
      [
        "status": 200, "api_key": .string(device.token.text), "friendly_id": .string(device.name),
        "image_url": .string(address(panel, device, host: host)), "filename": "empty_state",
        "message": "Welcome to intentd",
      ])
  }

  /// Tells a device where its picture is, and how long it sleeps then.
  ///
  /// `filename` is the hash of the picture: the same name, and the device draws nothing anew.
  package static func display(
    _ panel: PanelRequest, _ device: PanelDevice, tag: String, sleepSeconds: Int64, host: String
  ) -> WebAnswer {
    json(
      200,
      [
        "status": 0, "image_url": .string(address(panel, device, host: host)),
        "image_url_timeout": 0, "filename": .string(tag), "refresh_rate": .int(sleepSeconds),
        "update_firmware": false, "firmware_url": "", "reset_firmware": false,
        "special_function": "none", "action": "",
      ])
  }

  /// Returns the seconds that a panel sleeps after `now`: to the next entry of the timelines that it
  /// shows, else to the next reload.
  package static func sleepSeconds(timelines: [JSONValue], now: WallTime) -> Int64 {
    func soonest(_ texts: [String?]) -> WallTime? {
      texts.compactMap { $0.flatMap { WallTime(rfc3339: $0) } }.filter { $0 > now }.min()
    }
    let entries = timelines.flatMap { $0["entries"]?.arrayValue ?? [] }
    let next =
      soonest(entries.map { $0["date"]?.stringValue })
      ?? soonest(timelines.map { $0["nextReload"]?.stringValue })
    guard let next else { return WebLimits.sleepSecondsUsual }
    // Rounded up: a panel that is awake a moment too early sleeps for another turn.
    let seconds = (next.milliseconds(since: now) + 999) / 1_000
    return min(max(seconds, WebLimits.sleepSecondsMin), WebLimits.sleepSecondsMax)
  }

  /// Returns the `Host` of a request if it can stand in an address.
  package static func host(of request: WebRequest) -> String? {
    guard let host = request.header("host"), (1...255).contains(host.utf8.count),
      host.utf8.allSatisfy({
        (48...58).contains($0) || (65...91).contains($0) || $0 == 93 || (97...122).contains($0)
          || $0 == 45 || $0 == 46
      })
    else { return nil }
    return host
  }

  private static func address(
    _ panel: PanelRequest, _ device: PanelDevice, host: String
  ) -> String {
    "http://\(host)\(panel.address)&token=\(device.token.text)"
  }

  package static func json(_ status: Int, _ value: JSONValue) -> WebAnswer {
    WebAnswer(
      status, "application/json", Array(value.serialized.utf8),
      head: [WebRequest.Field("Cache-Control", "no-store")])
  }
}
