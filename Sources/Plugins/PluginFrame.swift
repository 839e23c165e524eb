package import JSON
import PlainText

/// The effect of a click; all of it that is there, in this order: the URL is opened, the program is
/// run, the text is written, the plugin is refreshed.
package struct PluginAction: Hashable, Sendable {
  package var url: String?
  /// A program and its arguments; empty: none is run.
  package var exec: [String] = []
  /// Whether the program runs in a terminal.
  package var isInTerminal = false
  /// A line for the standard input of a plugin that stays running.
  package var stdin: String?
  package var refreshes = false

  package init() {}

  package var isEmpty: Bool {
    url == nil && exec.isEmpty && !isInTerminal && stdin == nil && !refreshes
  }

  package var json: JSONValue {
    var action: JSONObject = [:]
    action["url"] = url.map { .string($0) }
    if !exec.isEmpty { action["exec"] = .array(exec.map { .string($0) }) }
    if isInTerminal { action["terminal"] = true }
    action["stdin"] = stdin.map { .string($0) }
    if refreshes { action["refresh"] = true }
    return .object(action)
  }
}

/// A line of a menu, with those below it; also a title.
package struct PluginItem: Hashable, Sendable {
  package var text = StyledText()
  package var isSeparator = false
  package var isChecked = false
  package var isDisabled = false
  package var badge: String?
  package var tooltip: String?
  package var color: PluginColor?
  /// The name of an icon of the desktop's theme.
  package var icon: String?
  /// A picture as it was printed: the bytes of a file such as PNG.
  package var image: [UInt8]?
  /// The same, if it can be shown; a reading that is cleaned has it.
  package var picture: PluginPicture?
  /// Whether the picture is a shape that takes the colour of the text.
  package var imageIsTemplate = false
  package var action = PluginAction()
  package var items: [PluginItem] = []
  /// Takes its place while a modifier key is held; at most one.
  package var alternate: [PluginItem] = []

  package init() {}

  package init(_ text: String) { self.text = StyledText(text) }

  package static var separator: PluginItem {
    var item = PluginItem()
    item.isSeparator = true
    return item
  }
}

/// All that a plugin shows at a moment: the common denominator of all families.
package struct PluginFrame: Hashable, Sendable {
  /// The lines of the bar, which take turns; empty: it is hidden.
  package var titles: [PluginItem] = []
  package var short: StyledText?
  /// Lines below the title.
  package var text: [StyledText] = []
  package var background: PluginColor?
  /// Its lines are divided by line feeds.
  package var tooltip: StyledText?
  package var classes: [String] = []
  /// From 0 to 100.
  package var percentage: Double?
  package var isUrgent = false
  /// The menu.
  package var items: [PluginItem] = []
  /// The actions of the bar's text by button, 1 to 9; those of a manifest's `clicks` win.
  package var clicks: [Int: PluginAction] = [:]
  /// Members that the plugin gets back as variables of its next run; `nil`: none.
  package var state: JSONObject?

  package init() {}

  /// Whether there is nothing to show: a surface leaves the widget out.
  package var isHidden: Bool { titles.isEmpty && items.isEmpty }
}

/// Something in an output that was read in another way than its author may have meant.
package struct PluginWarning: Hashable, Sendable {
  /// The line of the output, from 1; `nil`: all of it.
  package var line: Int?
  /// A sentence without its period.
  package var message: String

  package init(line: Int? = nil, _ message: String) {
    self.line = line
    self.message = message
  }
}

/// An output that was read: there is always a frame, whatever was printed.
package struct PluginReading: Hashable, Sendable {
  package var frame: PluginFrame
  /// At most `PluginLimits.warningCountMax`.
  package var warnings: [PluginWarning]

  package init(frame: PluginFrame = PluginFrame(), warnings: [PluginWarning] = []) {
    self.frame = frame
    self.warnings = warnings
  }

  /// Adds a warning, unless there are many already.
  ///
  /// Parts of the output in the message are cleaned here.
  package mutating func warn(line: Int? = nil, _ message: String) {
    guard warnings.count < PluginLimits.warningCountMax else { return }
    let message = cut(printable(message), toBytes: PluginLimits.warningBytesMax)
    warnings.append(PluginWarning(line: line, message))
  }
}
