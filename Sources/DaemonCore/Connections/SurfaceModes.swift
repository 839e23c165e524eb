import IntentProtocol
import JSON
import JSONRPC
import WidgetCenter

/// The modes that a surface has room for: for all its widgets, and for some of them alone.
struct SurfaceModes: Hashable, Sendable {
  /// The room of every widget that has none of its own.
  var room: ModeRoom
  /// The room of single widgets, by their ids.
  var ofWidgets: [String: ModeRoom]

  /// Returns the largest size of a widget in this mode; `nil`: there is no room for the mode.
  func size(of id: String, _ mode: WidgetMode, for textSize: TextSize) -> DisplaySize? {
    guard !ofWidgets.isEmpty, let own = ofWidgets[id] else {
      return room.size(of: mode, for: textSize)
    }
    return room.replaced(by: own, for: textSize).size(of: mode, for: textSize)
  }

  /// Reads `modes`, `widgetModes`, `entryPoint`, `screen` and `orientation` of `surface.attach`;
  /// `nil` if all are missing: the surface says nothing of modes.
  init?(_ params: Params, _ isWidget: (String) throws(RPCError) -> Void) throws(RPCError) {
    let said = try params.optionalObject("modes")
    let own = try params.optionalObject("widgetModes")
    let today = try Self.today(params)
    guard said != nil || own != nil || today != nil else { return nil }
    let sizes = try said.map { object throws(RPCError) in try Self.sizes(object, "modes") }
    room = ModeRoom(sizes: sizes ?? [:], today: today)
    ofWidgets = [:]
    guard let own else { return }
    guard own.members.count <= Limits.widgetsWithModesMax else {
      throw Params.refusal(
        "widgetModes", "parameter 'widgetModes' names \(own.members.count) widgets",
        expected: "at most \(Limits.widgetsWithModesMax)")
    }
    for member in own.members {
      try isWidget(member.key)
      guard case .object(let sizes) = member.value else {
        throw Params.refusal(
          "widgetModes", "the modes of \(quoted(member.key)) are \(member.value.typeName)",
          expected: Self.expected)
      }
      ofWidgets[member.key] = ModeRoom(sizes: try Self.sizes(sizes, "widgetModes"))
    }
  }

  private static let expected =
    "modes (compact, expanded) with width and height from 1 to \(WidgetCenter.Limits.displaySizeMax)"

  private static func sizes(
    _ object: JSONObject, _ name: String
  ) throws(RPCError) -> [WidgetMode: DisplaySize] {
    var sizes: [WidgetMode: DisplaySize] = [:]
    for member in object.members {
      guard let mode = WidgetMode(rawValue: member.key) else {
        throw Params.refusal(name, "\(quoted(member.key)) is not a mode", expected: Self.expected)
      }
      guard let size = DisplaySize(member.value) else {
        throw Params.refusal(
          name, "parameter '\(name)' has no size for the mode \(mode.rawValue)", expected: expected)
      }
      sizes[mode] = size
    }
    guard !sizes.isEmpty else {
      throw Params.refusal(name, "parameter '\(name)' names no mode", expected: expected)
    }
    if let compact = sizes[.compact], let expanded = sizes[.expanded],
      expanded.height < compact.height
    {
      throw Params.refusal(
        name, "parameter '\(name)' has an expanded height below the compact one",
        expected: "an expanded height of at least \(compact.height)")
    }
    return sizes
  }

  /// Reads the place on a phone that a surface is; `nil`: it says none.
  private static func today(_ params: Params) throws(RPCError) -> TodaySize? {
    let entryPoint: TodaySize.EntryPoint? = try word(params, "entryPoint")
    let screen: TodaySize.Screen? = try word(params, "screen")
    let orientation: TodaySize.Orientation? = try word(params, "orientation")
    guard entryPoint != nil || screen != nil || orientation != nil else { return nil }
    return TodaySize(entryPoint ?? .today, screen ?? .inches4_7, orientation ?? .portrait)
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ params: Params, _ name: String
  ) throws(RPCError) -> Word? {
    guard let text = try params.optionalString(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      let names = Word.allCases.map(\.rawValue)
      let near = didYouMean(nearest(to: text, among: names, countMax: 1))
      throw Params.refusal(
        name, "\(quoted(text)) is no \(name) that is known\(near)",
        expected: "one of \(names.joined(separator: ", "))")
    }
    return word
  }
}
