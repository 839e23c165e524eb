import Documents
import JSON
import Plugins
import Testing
import WidgetCenter

/// The keys of a script of another bar, under `provider:`.
@Suite struct ManifestPluginTests {
  private func read(_ lines: String...) throws -> (plugin: PluginDeclaration?, issues: [String]) {
    let right = ["kind: w", "name: W", "families: [systemSmall]", "provider:", "  exec: [w]"]
    let text = (right + lines.map { "  " + $0 }).joined(separator: "\n")
    let document = readYAML(text, file: "w.yaml")
    let value = try #require(document.value)
    let read = ManifestReader.read(
      ManifestSource(file: "w.yaml", directory: "/home/me/widgets", document: value))
    return (read.kind?.provider.plugin, read.issues.map(\.description))
  }

  @Test func `a provider that says no protocol is no plugin`() throws {
    let read = try read()
    #expect(read.plugin == nil)
    #expect(read.issues == [])
  }

  @Test(arguments: PluginFormat.allCases)
  func `each family is a protocol, and runs once when nothing else is said`(
    format: PluginFormat
  ) throws {
    let read = try read("protocol: \(format.rawValue)")
    #expect(read.issues == [])
    #expect(read.plugin == PluginDeclaration(format, .once))
  }

  @Test func `all keys of a plugin are read`() throws {
    let read = try read(
      "protocol: waybar", "every: 1.5m", "stream: true", "signal: 8", "restart: 10",
      "clicks: {left: [foot, -e, htop], right: foot -e htop, scrollUp: 'a | b', back: A=1 b}",
      "if: [which, sensors]", "retry: 30s", "recheck: 2.5")
    var expected = PluginDeclaration(.waybar, .every(90_000))
    expected.isStream = true
    expected.signal = 8
    expected.restart = 10_000
    expected.retry = 30_000
    expected.recheck = 2_500
    expected.clicks = [
      .left: ["foot", "-e", "htop"], .right: ["foot", "-e", "htop"],
      .scrollUp: ["/bin/sh", "-c", "a | b"], .back: ["/bin/sh", "-c", "A=1 b"],
    ]
    expected.condition = ["which", "sensors"]
    #expect(read.issues == [])
    #expect(read.plugin == expected)
  }

  @Test func `a stream of SwiftBar may end its frames with their separator`() throws {
    let key = "useTrailingStreamSeparator: true"
    let read = try read("protocol: swiftbar", "stream: true", key)
    #expect(read.issues == [])
    #expect(read.plugin?.hasTrailingSeparator == true)
    #expect(
      try self.read("protocol: swiftbar", key).issues == [
        "w.yaml:7: error: provider.useTrailingStreamSeparator stands beside no stream; expected it only with protocol: swiftbar and stream: true"
      ])
    #expect(
      try self.read("protocol: waybar", "stream: true", key).issues == [
        "w.yaml:8: error: provider.useTrailingStreamSeparator stands beside the protocol waybar; expected it only with protocol: swiftbar and stream: true"
      ])
    #expect(
      try self.read("protocol: swiftbar", "useTrailingStreamSeparator: x").issues.count == 1)
  }

  @Test func `a plugin may stay visible without an output, with the name of its kind`() throws {
    let read = try read("protocol: swiftbar", "alwaysVisible: true")
    #expect(read.issues == [])
    #expect(read.plugin?.emptyTitle == "W")
    #expect(
      try self.read("protocol: argos", "refreshOnOpen: true").plugin?.runsWhenOpened == true)
    #expect(
      try self.read("protocol: argos", "refreshOnOpen: 1").issues == [
        "w.yaml:7: error: provider.refreshOnOpen is '1'; expected true or false"
      ])
    #expect(try self.read("protocol: xbar", "alwaysVisible: false").plugin?.emptyTitle == nil)
    #expect(
      try self.read("protocol: xbar", "alwaysVisible: 1").issues == [
        "w.yaml:7: error: provider.alwaysVisible is '1'; expected true or false"
      ])
  }

  @Test(
    arguments: [
      ("never", .never), ("once", .once), ("250ms", .every(250)), ("7", .every(7_000)),
      ("366d", .every(31_622_400_000)),
    ] as [(String, PluginSchedule)])
  func `every is a duration or a word`(text: String, schedule: PluginSchedule) throws {
    let read = try read("protocol: text", "every: \(text)")
    #expect(read.issues == [])
    #expect(read.plugin?.schedule == schedule)
  }

  @Test func `mistakes are told with their lines and what is expected`() throws {
    let read = try read(
      "protocol: text", "every: sometimes", "stream: 5", "signal: 31", "restart: 5s",
      "clicks: {left: [], middel: [a], right: {}}", "if: ''")
    #expect(read.plugin == nil)
    let list = "a list such as [pavucontrol, --tab=3], of 1 to 64, or a command as a text"
    #expect(
      read.issues == [
        "w.yaml:7: error: provider.every is 'sometimes'; expected a duration such as 5s, from 100ms to 366d, once, never, or a line of a crontab such as \"*/15 * * * *\"",
        "w.yaml:8: error: provider.stream is '5'; expected true or false",
        "w.yaml:9: error: provider.signal is '31'; expected a whole number from 1 to 30, as in pkill -RTMIN+8",
        "w.yaml:10: error: provider.restart stands beside no stream; expected stream: true, or every in place of restart",
        "w.yaml:11: warning: 'provider.clicks.middel' is not a key of a manifest and is ignored; did you mean 'middle'?; expected one of left, middle, right, scrollUp, scrollDown, scrollLeft, scrollRight, back, forward",
        "w.yaml:11: error: provider.clicks.left is a list of 0; expected \(list)",
        "w.yaml:11: error: provider.clicks.right is a mapping of 0; expected \(list)",
        "w.yaml:12: error: provider.if is ''; expected \(list)",
      ])
  }

  @Test(arguments: ["timeline", "extension"])
  func `the keys of a plugin are a mistake beside a provider of ours`(name: String) throws {
    let read = try read("protocol: \(name)", "every: 5s", "signal: 8")
    #expect(
      read.issues
        == ["every", "signal"].enumerated().map { index, key in
          "w.yaml:\(7 + index): error: provider.\(key) stands beside the protocol \(name); expected it only with a protocol such as i3blocks; reload has the rules of \(name)"
        })
    #expect(try self.read("every: 5s").issues.count == 1)
    #expect(try self.read("every:").issues == [])
  }

  @Test func `an unknown protocol is named with the nearest one`() throws {
    #expect(
      try read("protocol: i3block").issues == [
        "w.yaml:6: error: provider.protocol is 'i3block'; did you mean 'i3blocks'?; expected timeline (a process a request), extension (long-lived), or the program that the script was written for: xbar, swiftbar, argos, waybar, i3blocks, polybar, genmon, text"
      ])
  }

  @Test func `the look of a module is read, and each mistake in it is told`() throws {
    let read = try read(
      "protocol: waybar",
      "look: {format: '{icon} {text}', icons: {default: [a, b], on: c}, tooltip: '{alt}',"
        + " maxLength: 9, color: '#F80', background: '#00000080', plain: true, hideEmpty: true,"
        + " alternate: '{alt}', alternateClick: right, failFormat: no, ellipsis: false,"
        + " minLength: 3, align: center}")
    var look = PluginLook()
    look.format = "{icon} {text}"
    look.icons = ["default": ["a", "b"], "on": ["c"]]
    look.tooltip = .format("{alt}")
    look.lengthMax = 9
    look.color = PluginColor(light: "#ff8800")
    look.background = PluginColor(light: "#00000080")
    look.isPlain = true
    look.hidesEmpty = true
    look.alternate = "{alt}"
    look.alternateButton = .right
    look.failFormat = "no"
    look.hasEllipsis = false
    look.lengthMin = 3
    look.alignment = .center
    #expect(read.issues == [])
    #expect(read.plugin?.look == look)
    #expect(try self.read("protocol: i3blocks", "look: {}").plugin?.look == PluginLook())

    let wrong = try self.read(
      "protocol: polybar",
      "look: {format: 5, icons: [1], tooltip: [], maxLength: 0, color: red, plain: 1, colour: x,"
        + " alternate: 5, alternateClick: up, failFormat: '', ellipsis: 1, minLength: 1001,"
        + " align: 0}")
    #expect(wrong.plugin == nil)
    let places = wrong.issues.map { issue in
      issue.split(separator: " ").dropFirst(2).prefix(2).joined(separator: " ")
    }
    #expect(
      places == [
        "'provider.look.colour' is", "provider.look.format is", "provider.look.alternate is",
        "provider.look.alternateClick is", "provider.look.failFormat is",
        "provider.look.icons is", "provider.look.tooltip is", "provider.look.maxLength is",
        "provider.look.ellipsis is", "provider.look.minLength is", "provider.look.align is",
        "provider.look.color is", "provider.look.plain is",
      ])
    #expect(
      try self.read("protocol: xbar", "look: {format: a}").issues == [
        "w.yaml:7: error: provider.look stands beside the protocol xbar; expected it only with waybar, i3blocks, polybar"
      ])
  }
}
