import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Surfaces hear of changes once a turn, and only of changes; host apps say who they are.
extension Daemon {
  mutating func attachSurface(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(
      value,
      known: [
        "families", "visible", "widgets", "stack", "locale", "textSize", "profile", "displaySizes",
      ])
    var families: WidgetFamilies?
    if let names = try params.optionalStrings("families", countMax: WidgetFamily.allCases.count) {
      var found: WidgetFamilies = []
      for name in names {
        guard let family = WidgetFamily(rawValue: name) else {
          throw Params.refusal(
            "families", "'\(name.prefix(40))' is not a family",
            expected: "names such as systemSmall or accessoryInline")
        }
        found.insert(family)
      }
      families = found
    }
    let ids = try params.optionalStrings("widgets", countMax: WidgetCenter.Limits.widgetCountMax)
    for id in ids ?? [] where engine.widgets[id] == nil { throw RPCError(engine.unknownWidget(id)) }
    let isStack = try params.bool("stack", default: false)
    let isVisible = try params.bool("visible", default: true)
    let surroundings = try surroundings(params)
    // Its answer may take turns: refused before anything is changed.
    if takesTurns(engine.order.count, address) { try checkMayWait(address) }
    if sessions[address.connection]?.surface == nil {
      lastSurface += 1
      surfaceConnections.append(address.connection)
    }
    var surface = Surface(
      id: sessions[address.connection]?.surface?.id ?? "s\(lastSurface)", families: families,
      widgets: ids.map { Set($0) }, isStack: isStack, isVisible: isVisible)
    surface.lastStack = surface.isStack ? stackIDs(for: surface, at: now) : []
    let shown = surface.isStack ? surface.lastStack : engine.order.filter { shows(surface, $0) }
    surface.shown = Set(shown)
    if isVisible { surface.visibleSince = now.monotonic }
    sessions[address.connection]?.surface = surface
    try answer(
      address, before: ["surface": .string(surface.id)], .listed(shown),
      behind: surface.isStack ? ["stack": .array(surface.lastStack.map { .string($0) })] : [:],
      notesReading: false, at: now, into: &effects)
    var output = EngineOutput()
    engine.setSurroundings(surroundings, at: now.wall, into: &output)
    take(output, at: now, into: &effects)
    updateWatches(at: now, into: &effects)
  }

  mutating func setSurfaceVisibility(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["visible"])
    guard sessions[address.connection]?.surface != nil else {
      throw RPCError.invalidParams(
        "this connection is no surface; call surface.attach first",
        data: ["parameter": "visible", "expected": "an attached surface"])
    }
    guard params.has("visible") else {
      throw Params.refusal("visible", "parameter 'visible' is missing", expected: "true or false")
    }
    let isVisible = try params.bool("visible", default: true)
    if !isVisible { noteDwell(address.connection, at: now, into: &effects) }
    sessions[address.connection]?.surface?.isVisible = isVisible
    if !isVisible {
      sessions[address.connection]?.surface?.visibleSince = nil
    } else if sessions[address.connection]?.surface?.visibleSince == nil {
      sessions[address.connection]?.surface?.visibleSince = now.monotonic
    }
    answer(address, [:])
    updateWatches(at: now, into: &effects)
  }

  /// Somebody opened a stack, looked for a while and closed it: the widget on top was worth a look.
  ///
  /// What is always in sight says nothing about what is looked at.
  private mutating func noteDwell(
    _ connection: ConnectionID, at now: Now, into effects: inout [Effect]
  ) {
    guard phase == .running, let surface = sessions[connection]?.surface, surface.isStack,
      let since = surface.visibleSince, let top = surface.lastStack.first,
      now.monotonic >= since.advanced(byMilliseconds: Limits.dwellMin),
      now.monotonic <= since.advanced(byMilliseconds: Limits.dwellMax)
    else { return }
    var output = EngineOutput()
    engine.record(.dwell, of: top, at: now.wall, into: &output)
    take(output, at: now, into: &effects)
  }

  /// Remembers for every surface what changed; `flushSurfaces` tells them at the end of the turn.
  mutating func noteForSurfaces(_ output: EngineOutput) {
    guard !surfaceConnections.isEmpty else { return }
    let touched = !output.changedWidgets.isEmpty || !output.removedWidgets.isEmpty
    guard touched || output.stackChanged else { return }
    // Looked up once for all surfaces, and in no closure: that would have the daemon copied.
    var all: [(id: String, family: WidgetFamily?, isChanged: Bool)] = []
    all.reserveCapacity(output.changedWidgets.count + output.removedWidgets.count)
    for id in output.changedWidgets { all.append((id, shownFamily(of: id), true)) }
    for id in output.removedWidgets where !output.changedWidgets.contains(id) {
      all.append((id, shownFamily(of: id), false))
    }
    for connection in surfaceConnections {
      guard touched else {
        sessions[connection]?.surface?.stackChanged = true
        continue
      }
      guard let index = sessions.index(forKey: connection),
        var surface = sessions.values[index].surface
      else { continue }
      // One holder, so that its lists change in place.
      sessions.values[index].surface = nil
      for (id, family, isChanged) in all {
        if let family, surface.shows(id, of: family) {
          guard isChanged else { continue }
          surface.changed.insert(id)
          if !surface.removed.isEmpty { surface.removed.remove(id) }
        } else {
          // Gone, or configured to a family that this surface does not show.
          if !surface.changed.isEmpty { surface.changed.remove(id) }
          if surface.shown.contains(id) { surface.removed.insert(id) }
        }
      }
      if output.stackChanged { surface.stackChanged = true }
      sessions.values[index].surface = surface
    }
  }

  mutating func markStackForSurfaces() {
    for connection in surfaceConnections { sessions[connection]?.surface?.stackChanged = true }
  }

  mutating func flushSurfaces(at now: Now) {
    hasUnsaid = false
    // What two surfaces hear is worked out once.
    var made = ViewsMade()
    for connection in surfaceConnections {
      // Looked at in place: most of them hear nothing in most turns.
      guard let index = sessions.index(forKey: connection),
        var surface = sessions.values[index].takeNews()
      else { continue }
      var changed = surface.changed
      var later: Set<String> = []
      var order: [String]?
      if surface.isStack {
        // Time alone is the business of the rotation, which says that it looked.
        let ids = surface.stackChanged ? stackIDs(for: surface, at: now) : surface.lastStack
        if ids != surface.lastStack {
          order = ids
          changed.formUnion(newcomers(in: ids, to: surface.lastStack))
          surface.lastStack = ids
        }
        if !changed.isEmpty {
          changed = ids.count > 32 ? changed.intersection(ids) : changed.filter(ids.contains)
        }
      }
      var told = inOrder(changed)
      if told.count > Limits.updatedWidgetCountMax {
        // The rest follows in the next turns, when others have had theirs.
        told.removeSubrange(Limits.updatedWidgetCountMax...)
        let left = changed.subtracting(told)
        changed.subtract(left)
        later = left
        hasUnsaid = true
      }
      let removed = surface.removed.sorted()
      surface.shown.formUnion(changed)
      surface.shown.subtract(removed)
      surface.changed = later
      surface.removed = []
      surface.stackChanged = false
      let id = surface.id
      sessions.values[index].surface = surface
      guard !told.isEmpty || !removed.isEmpty || order != nil else { continue }
      var views: [[UInt8]] = []
      views.reserveCapacity(told.count)
      for id in told {
        if let view = made[id] {
          views.append(view)
        } else {
          // In no closure: that would have the engine copied.
          var writer = JSONWriter(capacity: 640)
          _ = engine.writeView(of: id, at: now.wall, to: &writer)
          views.append(writer.bytes)
          made.append(id, writer.bytes)
        }
      }
      var line: [UInt8] = []
      line.reserveCapacity(views.reduce(256) { $0 + 1 + $1.count })
      appendNotification(method: DaemonNotification.surfaceUpdate.rawValue, to: &line) { buffer in
        appendJSON(to: &buffer) { writer in
          writer.beginObject()
          writer.key("surface")
          writer.string(id)
          if let order { writer.strings(order, key: "stack") }
          writer.key("widgets")
          writer.beginArray()
          for view in views { writer.raw(view) }
          writer.endArray()
          if !removed.isEmpty { writer.strings(removed, key: "removed") }
          writer.endObject()
        }
      }
      outgoing.append((connection, line))
    }
  }

  /// Those that were not there before.
  private func newcomers(in ids: [String], to before: [String]) -> [String] {
    // Most stay where they are.
    let moved = ids.indices.filter { $0 >= before.count || before[$0] != ids[$0] }.map { ids[$0] }
    // Few are compared faster than they are hashed.
    if moved.count <= 32, before.count <= 32 { return moved.filter { !before.contains($0) } }
    return Array(Set(moved).subtracting(before))
  }

  private func shows(_ surface: Surface, _ id: String) -> Bool {
    shownFamily(of: id).map { surface.shows(id, of: $0) } ?? false
  }

  /// The family of a widget; `nil` when there is none, or none to be shown.
  private func shownFamily(of id: String) -> WidgetFamily? {
    guard let index = engine.widgets.index(forKey: id) else { return nil }
    if engine.widgets.values[index].isSuggestion, engine.isWithheld(id) { return nil }
    return engine.widgets.values[index].family
  }

  /// Those in the order of placing.
  private func inOrder(_ ids: Set<String>) -> [String] {
    guard ids.count > 1 else {
      guard let id = ids.first, engine.widgets.index(forKey: id) != nil else { return [] }
      return [id]
    }
    // A few are compared faster than all are hashed.
    let few = ids.count > 8 ? [] : Array(ids)
    var found: [String] = []
    found.reserveCapacity(ids.count)
    for id in engine.order where few.isEmpty ? ids.contains(id) : few.contains(id) {
      found.append(id)
    }
    return found
  }

  private mutating func stackIDs(for surface: Surface, at now: Now) -> [String] {
    let ids = stack(families: surface.families, at: now).map(\.id)
    guard let chosen = surface.widgets else { return ids }
    return ids.filter { chosen.contains($0) }
  }

  // MARK: Host apps

  mutating func registerApp(_ value: JSONValue?, _ address: ReplyAddress) throws(RPCError) {
    let params = try Params(value, known: ["app", "foreground"])
    let id = try params.string("app")
    guard ManifestReader.isIdentifier(id) else {
      throw Params.refusal(
        "app", "parameter 'app' is '\(id.prefix(40))'",
        expected: "a desktop id such as org.example.Weather")
    }
    sessions[address.connection]?.app = HostApp(
      id: id, isForeground: try params.bool("foreground", default: false))
    let kinds = engine.kinds.values.filter { $0.app == id }.map(\.kind).sorted()
    answer(address, ["app": .string(id), "kinds": .array(kinds.map { .string($0) })])
  }

  mutating func setAppState(_ value: JSONValue?, _ address: ReplyAddress) throws(RPCError) {
    let params = try Params(value, known: ["state"])
    let state = try params.string("state")
    guard state == "foreground" || state == "background" else {
      throw Params.refusal(
        "state", "parameter 'state' is '\(state.prefix(40))'", expected: "foreground or background")
    }
    guard sessions[address.connection]?.app != nil else {
      throw RPCError.invalidParams(
        "this connection is no host app; call app.register first",
        data: ["parameter": "state", "expected": "a registered app"])
    }
    sessions[address.connection]?.app?.isForeground = state == "foreground"
    answer(address, [:])
  }
}

/// What widgets look like to those who are told in this turn: mostly one or two, which are found without a hash.
private struct ViewsMade {
  private var few: [(id: String, view: [UInt8])] = []
  private var many: [String: [UInt8]] = [:]

  subscript(id: String) -> [UInt8]? {
    few.first { $0.id == id }?.view ?? (many.isEmpty ? nil : many[id])
  }

  mutating func append(_ id: String, _ view: [UInt8]) {
    if few.count < 8 { few.append((id, view)) } else { many[id] = view }
  }
}

extension JSONWriter {
  /// A member that is a list of strings.
  fileprivate mutating func strings(_ values: [String], key: StaticString) {
    self.key(key)
    beginArray()
    for value in values { string(value) }
    endArray()
  }
}
