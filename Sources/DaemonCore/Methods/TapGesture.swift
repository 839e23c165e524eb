import IntentProtocol
import JSON
import JSONRPC
import Plugins
import Timekeeping
import WidgetCenter

/// The gesture of a person on a widget, as `widget.tap` names it.
struct TapGesture: Hashable, Sendable {
  /// The path to the item: `[1, 0]` is the first item of the second one; empty: the widget itself.
  var path: [Int64] = []
  var click = PluginClick(button: 1)
  /// The number of what the person saw; `nil`: it does not matter.
  var revision: Int64?
  /// The mode in which the person saw the widget.
  var mode = WidgetMode.compact

  /// The names of its parameters.
  static let parameters = ["item", "button", "modifiers", "position", "revision"]

  init(_ params: Params) throws(RPCError) {
    path = try Self.path(params)
    click.button = Int(try params.optionalInt("button", in: 1...9) ?? 1)
    click.modifiers = try Self.modifiers(params)
    click.measures = try Self.measures(params)
    revision = try params.optionalInt("revision", in: 0...Limits.revisionMax)
  }

  private static func path(_ params: Params) throws(RPCError) -> [Int64] {
    guard let value = params.optionalValue("item") else { return [] }
    let range = 0...Limits.tappedItemMax
    if case .array(let values) = value {
      let path = values.compactMap(\.intValue).filter(range.contains)
      guard path.count == values.count, (1...Limits.tappedDepthMax).contains(path.count) else {
        throw Params.refusal(
          "item", "parameter 'item' is no path to an item",
          expected: "1 to \(Limits.tappedDepthMax) whole numbers from 0 to \(range.upperBound)")
      }
      return path
    }
    return try params.optionalInt("item", in: range).map { [$0] } ?? []
  }

  private static func modifiers(_ params: Params) throws(RPCError) -> Set<PluginClick.Modifier> {
    let all = PluginClick.Modifier.allCases
    var modifiers: Set<PluginClick.Modifier> = []
    for name in try params.optionalStrings("modifiers", countMax: all.count) ?? [] {
      guard let modifier = PluginClick.Modifier(rawValue: name) else {
        throw Params.refusal(
          "modifiers", "\(quoted(name)) is no modifier key",
          expected: all.map(\.rawValue).joined(separator: ", "))
      }
      modifiers.insert(modifier)
    }
    return modifiers
  }

  private static func measures(
    _ params: Params
  ) throws(RPCError) -> [PluginClick.Measure: Int64] {
    var measures: [PluginClick.Measure: Int64] = [:]
    let range = -Limits.tappedPixelMax...Limits.tappedPixelMax
    for member in try params.optionalObject("position")?.members ?? [] {
      let name = member.key
      guard let measure = PluginClick.Measure(rawValue: name) else {
        throw Params.refusal(
          "position", "\(quoted(name)) is no part of a position",
          expected: PluginClick.Measure.allCases.map(\.rawValue).joined(separator: ", "))
      }
      guard let pixels = member.value.intValue, range.contains(pixels) else {
        throw Params.refusal(
          "position", "'\(name)' of parameter 'position' is no number of pixels",
          expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      measures[measure] = pixels
    }
    return measures
  }

  /// Returns the item of `entry` that was tapped, or what takes its place while Alt is held; `nil`:
  /// the widget itself was tapped.
  func item(of entry: TimelineEntry?, on widget: String) throws(RPCError) -> JSONValue? {
    var items = entry?.content["items"]?.arrayValue ?? []
    var item: JSONValue?
    for (depth, index) in path.enumerated() {
      guard index < items.count else {
        let place = depth == 0 ? "'\(widget)'" : "item \(path[..<depth]) of '\(widget)'"
        throw Params.refusal(
          "item", "\(place) shows \(items.count) items, counted from 0, and \(index) was tapped",
          expected: items.isEmpty ? "no item: there is none" : "0 to \(items.count - 1)")
      }
      item = items[Int(index)]
      items = item?["items"]?.arrayValue ?? []
    }
    guard click.modifiers.contains(.alt), let other = item?["alternate"], other["text"] != nil
    else { return item }
    return other
  }
}
