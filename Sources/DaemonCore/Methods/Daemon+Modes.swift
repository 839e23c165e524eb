import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// The mode in which a client that is no surface reads or taps widgets.
enum AskedMode: Hashable, Sendable {
  case mode(WidgetMode)
  /// That which the person chose for each widget on the surface of this name.
  case chosen(on: String)
}

/// Answers `widget.setMode`, and decides in which mode each surface shows a widget.
///
/// A choice is kept by the engine, for the name of a surface or for a surface without one. What the
/// surface has room for is known here. A widget is expanded where both agree.
extension Daemon {
  /// Returns how a surface shows a widget; `nil`: the surface says nothing of modes.
  func look(of id: String, on surface: Surface?) -> WidgetLook? {
    guard let surface, let room = surface.modes, let widget = engine.widgets[id] else { return nil }
    let textSize = engine.textSize
    guard let compact = room.size(of: id, .compact, for: textSize) else { return nil }
    guard engine.modes(of: widget).contains(.expanded),
      let expanded = room.size(of: id, .expanded, for: textSize)
    else {
      return WidgetLook(
        mode: .compact, modes: [.compact], maximumSize: compact, compactHeight: compact.height)
    }
    let mode: WidgetMode = engine.isExpanded(id, in: surface.place) ? .expanded : .compact
    return WidgetLook(
      mode: mode, modes: WidgetMode.allCases,
      maximumSize: mode == .expanded ? expanded : compact, compactHeight: compact.height)
  }

  /// Returns the widgets that a surface shows expanded.
  func expandedWidgets(on surface: Surface) -> Set<String> {
    guard surface.modes != nil else { return [] }
    return engine.expandedWidgets.filter { id in
      guard let family = engine.widgets[id]?.family else { return false }
      return surface.shows(id, of: family) && look(of: id, on: surface)?.mode == .expanded
    }
  }

  mutating func setMode(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["id", "mode", "surface", "name", "wait"])
    let wait = try params.bool("wait", default: false)
    if wait { try outbox.checkMayWait(address) }
    let id = try params.string("id")
    guard let widget = engine.widgets[id] else { throw RPCError(engine.unknownWidget(id)) }
    guard let mode = try mode(params) else {
      throw Params.refusal(
        "mode", "parameter 'mode' is missing", expected: "compact or expanded")
    }
    // A kind that cannot is told before a surface that has no room.
    if mode == .expanded { try checkHasModes(widget) }
    let meant = try surfacesMeant(by: params, to: mode, widget, address.connection)
    var places: [ModePlace] = []
    for surface in meant where !places.contains(surface.place) { places.append(surface.place) }
    if meant.isEmpty, let name = try surfaceName(params) { places = [.name(name)] }
    var output = EngineOutput()
    let set: (receipt: Receipt?, hasChanged: Bool)
    do throws(WidgetError) {
      set = try engine.setMode(mode, of: id, in: places, at: now.wall, into: &output)
    } catch {
      throw RPCError(error)
    }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
    if set.hasChanged { updateWatches(at: now, into: &effects) }
    _ = surfaces.takeOtherModes()
    let look = look(of: id, on: meant.first.flatMap { surfaces[$0.number] })
    var result: JSONObject = [
      "widget": .object(engine.view(of: id, as: look, at: now.wall) ?? [:]),
      "surfaces": .array(meant.map { .string($0.name ?? $0.id) }),
    ]
    guard let receipt = set.receipt else {
      outbox.answerWhenDurable(address, result)
      return
    }
    result["receipt"] = .object(engine.view(of: receipt))
    try answer(
      address, result, receipts: [receipt.id], wait: wait, entryOf: nil, isSingle: true,
      viewOf: id, as: look, at: now)
  }

  /// Reads the mode in which a client reads or taps widgets.
  ///
  /// That is `mode`, else that which the person chose on the surface `name`, attached or not; `nil`:
  /// neither is said.
  func askedMode(_ params: Params) throws(RPCError) -> AskedMode? {
    let name = try surfaceName(params)
    if let mode = try mode(params) { return .mode(mode) }
    return name.map { .chosen(on: $0) }
  }

  /// Returns the mode that is asked for of a widget; compact where nothing is said.
  func mode(_ asked: AskedMode?, of id: String) -> WidgetMode {
    switch asked {
    case nil: .compact
    case .mode(let mode): mode
    case .chosen(let name): engine.isExpanded(id, in: .name(name)) ? .expanded : .compact
    }
  }

  /// Reads `mode`; `nil` if it is missing.
  func mode(_ params: Params) throws(RPCError) -> WidgetMode? {
    guard let name = try params.optionalString("mode") else { return nil }
    guard let mode = WidgetMode(rawValue: name) else {
      throw Params.refusal(
        "mode", "\(quoted(name)) is not a mode", expected: "compact or expanded")
    }
    return mode
  }

  private func checkHasModes(_ widget: Widget) throws(RPCError) {
    guard let kind = engine.kinds[widget.kind] else {
      throw RPCError(engine.unknownKind(widget.kind))
    }
    guard !kind.hasModes else { return }
    throw RPCError(
      .unsupportedMode,
      "'\(widget.id)' has the compact mode only; a kind whose provider makes more says so in its"
        + " manifest (modes: [compact, expanded])",
      details: ["modes": .array(kind.modes.map { .string($0.rawValue) })])
  }

  /// Returns the surfaces on which a widget is to have a mode: the client's own that `surface` names,
  /// those that have the name `name`, else all that show the widget and have room for the mode.
  ///
  /// It is empty only for a choice of a name that no surface has now, which can be taken back.
  private func surfacesMeant(
    by params: Params, to mode: WidgetMode, _ widget: Widget, _ connection: ConnectionID
  ) throws(RPCError) -> [Surface] {
    let name = try surfaceName(params)
    let all = surfaces.numbers.compactMap { surfaces[$0] }
    var named = all
    if params.has("surface") {
      guard name == nil else {
        throw Params.refusal(
          "name", "both 'surface' and 'name' say where the widget is \(mode.rawValue)",
          expected: "one of the two, or neither for all surfaces that show it")
      }
      let own = try meantSurfaces(params, connection)
      named = all.filter { own.contains($0.number) }
    } else if let name {
      named = all.filter { $0.name == name }
      if named.isEmpty {
        if mode == .compact, widget.expansion.contains(.name(name)) { return [] }
        let known = Set(all.compactMap(\.name)).sorted()
        throw RPCError(
          .unknownSurface,
          "no surface with the name \(quoted(name)) is attached"
            + didYouMean(nearest(to: name, among: known)),
          details: ["suggestions": .array(known.map { .string($0) })])
      }
    }
    let showing = named.filter { shows($0, widget.id) }
    guard mode == .expanded else {
      if !showing.isEmpty || params.has("surface") || name != nil { return named }
      throw unsupported(mode, widget, "no surface that is attached shows '\(widget.id)'")
    }
    let able = showing.filter { look(of: widget.id, on: $0)?.modes.contains(.expanded) == true }
    guard able.isEmpty else { return able }
    let place = named.count == 1 ? named.first.map { "the surface '\($0.name ?? $0.id)'" } : nil
    throw unsupported(
      mode, widget,
      showing.isEmpty
        ? "\(place.map { "\($0) does not show" } ?? "no surface that is attached shows")"
          + " '\(widget.id)'"
        : "\(place.map { "\($0) has" } ?? "no surface that shows '\(widget.id)' has") room for it"
          + " expanded")
  }

  private func unsupported(_ mode: WidgetMode, _ widget: Widget, _ why: String) -> RPCError {
    RPCError(
      .unsupportedMode,
      "'\(widget.id)' cannot be \(mode.rawValue) there: \(why); a surface says by 'modes' of"
        + " surface.attach what it has room for",
      details: ["modes": .array([.string(WidgetMode.compact.rawValue)])])
  }

  // MARK: Room

  /// Tells the engine the largest size of each mode that attached surfaces have room for, after one
  /// was attached.
  ///
  /// The largest counts, so that a small surface beside a large one makes no content anew; each
  /// surface shows as much of it as it has room for. When surfaces leave, what they said stays.
  mutating func updateModeSizes(
    of attached: Surface, at now: Now, into output: inout EngineOutput
  ) {
    guard let modes = attached.modes else { return }
    let rooms = surfaces.numbers.compactMap { surfaces[$0]?.modes }
    let textSize = engine.textSize
    var sizes: [WidgetMode: DisplaySize] = [:]
    for mode in WidgetMode.allCases {
      sizes[mode] = Self.largest(rooms.compactMap { $0.room.size(of: mode, for: textSize) })
    }
    engine.setModeSizes(sizes, at: now.wall, into: &output)
    for id in modes.ofWidgets.keys.sorted() {
      var own: [WidgetMode: DisplaySize] = [:]
      let named = rooms.filter { $0.ofWidgets[id] != nil }
      for mode in WidgetMode.allCases {
        own[mode] = Self.largest(named.compactMap { $0.size(of: id, mode, for: textSize) })
      }
      engine.setModeSizes(own, of: id, at: now.wall, into: &output)
    }
  }

  private static func largest(_ sizes: [DisplaySize]) -> DisplaySize? {
    guard var largest = sizes.first else { return nil }
    for size in sizes.dropFirst() {
      largest.width = max(largest.width, size.width)
      largest.height = max(largest.height, size.height)
    }
    return largest
  }
}
