import JSON
import Testing
import Timekeeping
import WebPages

/// Tests the content of panels, their files, and the answers that their devices get.
@Suite struct PanelTests {
  let now = WallTime(milliseconds: 1_795_161_600_000)

  func widget(_ content: JSONValue, stale: Bool = false) -> JSONValue {
    [
      "id": "weather", "name": "Weather", "stale": .bool(stale),
      "staleSince": "2026-11-20T08:00:00Z",
      "entry": ["date": "2026-11-20T08:00:00Z", "content": content],
    ]
  }

  func tile(_ content: JSONValue, depth: Int = 1, stale: Bool = false, isLost: Bool = false)
    -> PanelTile?
  {
    var panel = PanelRequest(name: "weather", format: .png)
    panel.depth = depth
    return PanelPage(
      panel, widgets: [widget(content, stale: stale)], isLost: isLost, clock: { $0.rfc3339 })?
      .tiles.first
  }

  @Test func `a tile has the lines, the rows and the share`() {
    let content: JSONValue = [
      "title": "Beijing", "text": ["3° clear", ["runs": [["text": "wind "], ["text": "4"]]]],
      "percentage": 39.6, "urgent": true,
      "items": [
        ["text": "22:00", "badge": "2", "items": [["text": "inner"]]], ["separator": true],
        ["text": "23:00", "checked": true],
      ],
    ]
    #expect(
      tile(content)
        == PanelTile(
          name: "Weather", title: "Beijing", lines: ["3° clear", "wind 4"],
          rows: ["22:00  (2)", "    inner", "✓ 23:00"], percentage: 40, isUrgent: true))
  }

  @Test func `a date stands as a time, since a panel cannot tick`() {
    let content: JSONValue = ["text": ["date": "2026-11-21T07:28:29Z", "style": "timer"]]
    #expect(tile(content)?.lines == ["2026-11-21T07:28:29Z"])
  }

  @Test func `emoji stay away at one bit`() {
    let content: JSONValue = ["text": "sun ☀️ and 😀 rain 1 #2 ✓ 🇩🇪!"]
    #expect(tile(content)?.lines == ["sun and rain 1 #2 ✓ !"])
    #expect(tile(content, depth: 8)?.lines == ["sun ☀️ and 😀 rain 1 #2 ✓ 🇩🇪!"])
  }

  @Test func `text that steers is cleaned, and what is long is cut`() {
    let content: JSONValue = [
      "title": "a\u{202E}b\u{1B}[2J", "text": .string(String(repeating: "x", count: 9_999)),
    ]
    #expect(tile(content)?.title == "ab\\x1B[2J")
    #expect(tile(content)?.lines.first?.count == 300)
  }

  @Test func `what is not current says so, and since when`() {
    #expect(tile(["text": "a"])?.note == nil)
    #expect(tile(["text": "a"], stale: true)?.note == "not current, since 2026-11-20T08:00:00Z")
    #expect(tile(["text": "a"], isLost: true)?.note?.hasPrefix("intentd is not running") == true)
  }

  @Test func `a panel of the stack has as many tiles as can be read`() throws {
    let widgets = (0..<20).map { index -> JSONValue in ["id": .string("w\(index)")] }
    var panel = PanelRequest(name: "stack", format: .png)
    let page = try #require(PanelPage(panel, widgets: widgets, isLost: false, clock: { _ in "" }))
    #expect(page.tiles.map(\.name) == ["w0", "w1", "w2", "w3"])
    #expect(page.columnCount == 2 && page.rowCount == 2)
    panel.width = 64
    panel.height = 64
    let small = try #require(PanelPage(panel, widgets: widgets, isLost: false, clock: { _ in "" }))
    #expect(small.tiles.count == 1 && small.columnCount == 1 && small.rowCount == 1)
    let none = try #require(PanelPage(panel, widgets: [], isLost: false, clock: { _ in "" }))
    #expect(none.tiles.isEmpty && none.columnCount == 1)
    let other = PanelRequest(name: "none", format: .png)
    #expect(PanelPage(other, widgets: widgets, isLost: false, clock: { _ in "" }) == nil)
  }

  @Test func `a widget that is hidden has no tile in the stack, and says so on its own panel`()
    throws
  {
    let hidden: JSONValue = ["id": "vpn", "name": "VPN", "hidden": "noOutput"]
    let stack = PanelRequest(name: "stack", format: .png)
    let page = try #require(
      PanelPage(
        stack, widgets: [hidden, widget(["text": "a"])], isLost: false, clock: { _ in "" }))
    #expect(page.tiles.map(\.name) == ["Weather"] && page.columnCount == 1)
    let none = try #require(
      PanelPage(stack, widgets: [hidden], isLost: false, clock: { _ in "" }))
    #expect(none.tiles.isEmpty)
    let own = PanelRequest(name: "vpn", format: .png)
    let alone = try #require(PanelPage(own, widgets: [hidden], isLost: false, clock: { _ in "" }))
    #expect(alone.tiles == [PanelTile(name: "VPN", lines: ["nothing to show now"])])
    #expect(PageWidget.members(of: hidden)?["hidden"] == true)
    #expect(PageWidget.members(of: widget(["text": "a"]))?["hidden"] == nil)
  }

  @Test func `the last reports of a panel are kept, as lines that steer nothing`() {
    let first = PanelLog.adding(Array("a\u{1B}[2J\nb".utf8) + [0xFF], at: now, to: "")
    #expect(first == "\(now.rfc3339) a\\x1B[2J\\x0Ab\u{FFFD}\n")
    #expect(PanelLog.adding([], at: now, to: first) == first)
    var log = first
    for number in 0..<60 { log = PanelLog.adding(Array("report \(number)".utf8), at: now, to: log) }
    #expect(log.split(separator: "\n").count == 50)
    #expect(log.hasPrefix("\(now.rfc3339) report 10\n") && log.hasSuffix(" report 59\n"))
    let long = String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", count: 9_999)
    for _ in 0..<9 { log = PanelLog.adding(Array(long.utf8), at: now, to: log) }
    #expect(log.utf8.count <= 60_000 && log.hasSuffix("\n"))
    // One character of many marks does not drive the others out.
    let marks = "e" + String(repeating: "\u{301}", count: 31_000)
    let kept = PanelLog.adding(Array(marks.utf8), at: now, to: first)
    #expect(kept.hasPrefix(first) && kept.split(separator: "\n").count == 2)
  }

  // MARK: Files

  @Test func `a BMP of 800 by 480 at one bit has the bytes that the firmware wants`() {
    var pixels = [UInt8](repeating: 255, count: 800 * 480)
    pixels[0] = 0
    pixels[9] = 127
    pixels[10] = 128
    let bytes = GrayPicture(width: 800, height: 480, pixels: pixels).bmp(depth: 1)
    #expect(bytes.count == 48_062)
    #expect(
      Array(bytes[..<62]) == [
        0x42, 0x4D, 0xBE, 0xBB, 0, 0, 0, 0, 0, 0, 62, 0, 0, 0, 40, 0, 0, 0, 0x20, 3, 0, 0, 0xE0, 1,
        0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0,
        0, 0, 0, 0, 0, 0, 255, 255, 255, 0,
      ])
    // The last row of the file is the first of the picture.
    #expect(Array(bytes[(48_062 - 100)..<(48_062 - 98)]) == [0b0111_1111, 0b1011_1111])
  }

  @Test func `rows of a BMP end at four bytes, and those of a PNG at one`() {
    let picture = GrayPicture(width: 3, height: 2, pixels: [0, 255, 0, 255, 85, 170])
    #expect(picture.bmp(depth: 4).count == 14 + 40 + 64 + 8)
    #expect(picture.bmp(depth: 8).count == 14 + 40 + 1_024 + 8)
    var rows: [UInt8] = []
    _ = picture.png(depth: 2) {
      rows = $0
      return []
    }
    #expect(rows == [0, 0b0011_0000, 0, 0b1101_1000])
    _ = picture.png(depth: 8) {
      rows = $0
      return []
    }
    #expect(rows == [0, 0, 255, 0, 0, 255, 85, 170])
  }

  @Test func `a PNG has its chunks with their checksums`() {
    let bytes = GrayPicture(width: 1, height: 1, pixels: [0]).png(depth: 1) { _ in [] }
    #expect(bytes.count == 8 + 25 + 12 + 12)
    // The checksum of an empty IEND, as every PNG has it.
    #expect(Array(bytes.suffix(12)) == [0, 0, 0, 0, 73, 69, 78, 68, 0xAE, 0x42, 0x60, 0x82])
  }

  // MARK: Answers

  @Test(arguments: [
    ("\"x\"", true), ("W/\"x\"", true), ("\"y\", \"x\"", true), ("*", true), ("\"y\"", false),
    ("x", false), ("", false), ("\"x", false),
  ])
  func `a picture that is known is not sent again`(list: String, isKnown: Bool) {
    let answer = PanelAnswer.picture(
      [1], tag: "x", PanelRequest(name: "w", format: .png),
      to: request("GET", "/panel/w.png", ("If-None-Match", list)))
    #expect(answer.status == (isKnown ? 304 : 200))
    #expect(answer.body.isEmpty == isKnown)
    #expect(answer.head.contains(WebRequest.Field("ETag", "\"x\"")))
  }

  @Test func `a panel sleeps to the next entry`() {
    func seconds(_ timelines: JSONValue...) -> Int64 {
      PanelAnswer.sleepSeconds(timelines: timelines, now: now)
    }
    let past: JSONValue = ["date": "2026-11-20T07:00:00Z"]
    let soon: JSONValue = ["date": "2026-11-20T08:10:00.5Z"]
    let late: JSONValue = ["date": "2026-11-25T08:00:00Z"]
    #expect(seconds(["entries": [past, soon, late], "nextReload": "2026-11-20T08:01:00Z"]) == 601)
    #expect(seconds(["entries": [past], "nextReload": "2026-11-20T08:30:00Z"]) == 1_800)
    #expect(seconds(["entries": [late]], ["entries": [soon]]) == 601)
    #expect(seconds(["entries": [late]]) == 86_400)
    #expect(seconds(["entries": [["date": "2026-11-20T08:00:01Z"]]]) == 60)
    #expect(seconds(["entries": [["date": "nonsense"], 7]]) == 3_600)
    #expect(seconds() == 3_600)
  }

  @Test func `a device that was announced gets its token once`() throws {
    var device = PanelDevice(
      name: "desk", token: secret("c"), panel: "stack", hardwareID: "AA:BB")
    let first = PanelAnswer.setup(device, host: "10.0.0.1:8737")
    let value = try JSONValue(parsing: first.body)
    #expect(first.status == 200 && value["api_key"] == .string(device.token.text))
    device.hasToken = true
    #expect(PanelAnswer.setup(device, host: "h").status == 404)
    #expect(PanelAnswer.setup(nil, host: "h").status == 404)
  }

  @Test func `a device is told its picture's hash and address`() throws {
    let device = PanelDevice(name: "desk", token: secret("c"), panel: "stack")
    var panel = PanelRequest(name: "stack", format: .bmp)
    panel.takeSize(request("GET", "/api/display", ("Width", "1872"), ("Height", "1404")))
    let answer = PanelAnswer.display(
      panel, device, tag: "hash", sleepSeconds: 900, host: "10.0.0.1:8737")
    let value = try JSONValue(parsing: answer.body)
    #expect(value["filename"] == "hash" && value["refresh_rate"] == 900 && value["status"] == 0)
    #expect(
      value["image_url"]?.stringValue
        == "http://10.0.0.1:8737/panel/stack.bmp?w=1872&h=1404&depth=1&token=\(secret("c").text)")
    panel.takeSize(request("GET", "/api/display", ("Width", "99999"), ("Height", "99999")))
    #expect(panel.width == 1_872, "an impossible size changes nothing")
  }

  @Test(arguments: ["a b", "a\"b", "a/b", "", "evil\r\nX: y", "<x>"])
  func `a host that cannot stand in an address is refused`(host: String) {
    #expect(PanelAnswer.host(of: request("GET", "/api/display", ("Host", host))) == nil)
  }

  @Test func `a device's file is read as it was written, and nothing else`() {
    let device = PanelDevice(
      name: "kitchen-1", token: secret("d"), panel: "weather", hardwareID: "AA:BB", hasToken: true)
    #expect(PanelDevice(name: "kitchen-1", file: device.file) == device)
    for name in ["", "..", ".x", "-x", "a/b", "a b", String(repeating: "a", count: 33)] {
      #expect(PanelDevice(name: name, file: device.file) == nil, "\(name)")
    }
    #expect(PanelDevice(name: "a", file: ["token": "x", "panel": "w"]) == nil)
    #expect(PanelDevice(name: "a", file: []) == nil)
    #expect(PanelDevice.hardwareID("aa:bb") == "AA:BB")
    #expect(PanelDevice.hardwareID("a\nb") == nil)
  }
}
