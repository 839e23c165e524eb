import JSON

/// The modes that a surface has room for, with the largest size of each.
package struct ModeRoom: Hashable, Sendable {
  /// The sizes that it says, in points.
  package var sizes: [WidgetMode: DisplaySize]
  /// The place on a phone that it is; `nil`: it is none, and has the sizes alone that it says.
  package var today: TodaySize?

  package init(sizes: [WidgetMode: DisplaySize] = [:], today: TodaySize? = nil) {
    self.sizes = sizes
    self.today = today
  }

  /// Returns the largest size of a widget in this mode; `nil`: there is no room for the mode.
  ///
  /// A size that the surface says goes before that of its place. There is always room for a compact
  /// widget, and an expanded one is never lower than that.
  package func size(of mode: WidgetMode, for textSize: TextSize) -> DisplaySize? {
    let compact =
      sizes[.compact]
      ?? DisplaySize(
        width: sizes[.expanded]?.width ?? (today ?? TodaySize()).compact(textSize).width,
        height: TodaySize.compactHeight(textSize))
    guard mode == .expanded else { return compact }
    guard var expanded = sizes[.expanded] ?? today?.expanded else { return nil }
    expanded.height = max(expanded.height, compact.height)
    return expanded
  }

  /// Returns the same with the sizes that `other` says in place of its own.
  ///
  /// A room for a single widget says which modes there are for it: where it says no expanded size,
  /// there is none.
  package func replaced(by other: ModeRoom, for textSize: TextSize) -> ModeRoom {
    var room = other
    if room.sizes[.compact] == nil {
      room.sizes[.compact] = sizes[.compact] ?? size(of: .compact, for: textSize)
    }
    return room
  }
}

/// How a surface shows one widget: its mode there, and the room that it has.
package struct WidgetLook: Hashable, Sendable {
  package var mode: WidgetMode
  /// The modes in which the widget can be shown there.
  package var modes: [WidgetMode]
  /// The largest size in its mode.
  package var maximumSize: DisplaySize
  /// Points of height that it has in the compact mode, and at least in the expanded one.
  package var compactHeight: Int64

  package init(
    mode: WidgetMode, modes: [WidgetMode], maximumSize: DisplaySize, compactHeight: Int64
  ) {
    self.mode = mode
    self.modes = modes
    self.maximumSize = maximumSize
    self.compactHeight = compactHeight
  }

  /// Returns the height of the widget, in points: compact that of the mode, expanded what its content
  /// wants, between the compact height and the maximum.
  ///
  /// Content that says nothing has all the room.
  func height(preferred: Int64?) -> Int64 {
    guard mode == .expanded else { return compactHeight }
    let most = max(maximumSize.height, compactHeight)
    return min(max(preferred ?? most, compactHeight), most)
  }

  func write(preferred: Int64?, to writer: inout JSONWriter) {
    writer.key("mode")
    writer.string(mode.rawValue)
    writer.key("modes")
    writer.beginArray()
    for mode in modes { writer.string(mode.rawValue) }
    writer.endArray()
    writer.key("height")
    writer.int(height(preferred: preferred))
    writer.key("maximumSize")
    writer.value(maximumSize.json)
  }
}

extension [WidgetMode: DisplaySize] {
  /// The form in which the store keeps them.
  var json: JSONValue {
    var object: JSONObject = [:]
    for mode in WidgetMode.allCases { object[mode.rawValue] = self[mode]?.json }
    return .object(object)
  }

  /// Takes what the store kept; what cannot be read is left out.
  init(record: JSONValue?) {
    self.init()
    for mode in WidgetMode.allCases {
      self[mode] = record?[mode.rawValue].flatMap { DisplaySize($0) }
    }
  }
}
