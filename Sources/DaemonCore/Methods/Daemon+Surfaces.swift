import Habits
import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Answers `surface.attach` and `surface.visibility`, and sends surfaces the changes, once a turn.
extension Daemon {
  mutating func attachSurface(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(
      value,
      known: [
        "families", "visible", "widgets", "stack", "locale", "textSize", "profile", "displaySizes",
        "configuration", "questions", "session", "appearance", "name", "limit", "wants", "add",
        "surface", "modes", "widgetModes", "entryPoint", "screen", "orientation",
      ])
    var families: WidgetFamilies?
    if let names = try params.optionalStrings("families", countMax: WidgetFamily.allCases.count) {
      var found: WidgetFamilies = []
      for name in names {
        guard let family = WidgetFamily(rawValue: name) else {
          throw Params.refusal(
            "families", "\(quoted(name)) is not a family",
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
    let hearsOfConfiguration = try params.bool("configuration", default: false)
    let hearsOfQuestions = try params.bool("questions", default: false)
    let surroundings = try surroundings(params)
    let session = try SurfaceSession(params)
    let name = try surfaceName(params)
    let limit = try stackLimit(params, isStack: isStack)
    let unwanted = try unwantedParts(params)
    let modes = try SurfaceModes(params) { id throws(RPCError) in
      if engine.widgets[id] == nil { throw RPCError(engine.unknownWidget(id)) }
    }
    let number = try numberToAttach(params, address.connection) ?? surfaces.nextNumber()
    var surface = Surface(
      number: number, connection: address.connection, families: families,
      widgets: ids.map { Set($0) }, isStack: isStack,
      visibleSince: isVisible ? now.monotonic : nil)
    surface.name = name
    surface.limit = limit
    surface.unwanted = unwanted
    surface.locale = surroundings.locale
    surface.modes = modes
    if isStack, let name {
      surface.rotation = surfaces.rotation(ofName: name) ?? StackRotation()
    }
    surface.hearsOfConfiguration = hearsOfConfiguration
    surface.hearsOfQuestions = hearsOfQuestions
    surface.expanded = expandedWidgets(on: surface)
    let textSize = engine.textSize
    try attach(surface, address, at: now, into: &effects)
    // Before the runs that the surface causes.
    if let session { effects.append(.useSession(session)) }
    var output = EngineOutput()
    engine.setSurroundings(surroundings, at: now.wall, into: &output)
    // Answers that are kept have the names of the daemon's language.
    if surroundings.locale != nil { stackOrders.forgetAnswers() }
    updateModeSizes(of: surface, at: now, into: &output)
    apply(output, at: now, into: &effects)
    if engine.textSize != textSize { surfaces.noteModeSizes() }
    updateWatches(at: now, into: &effects)
  }

  /// Attaches a surface and answers with what it shows; with a stack whose order has to wait, the
  /// answer waits too.
  private mutating func attach(
    _ surface: consuming Surface, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    var shown: [String] = []
    var waits = false
    if surface.isStack {
      var query = StackQuery(.attach(number: 0), families: surface.families)
      let places = orderAtOnce(for: &query, at: now)
      waits = places == nil
      shown = surface.shownOrder(ids(of: places ?? [], for: surface, at: now))
      surface.lastStack = shown
    } else {
      for id in engine.order where shows(surface, id) { shown.append(id) }
    }
    // An answer may wait for its turns: refuse it before anything is changed.
    try pagedLists.checkMayAppend(address.connection)
    try outbox.checkMayWait(address)
    surface.shown = Set(shown)
    let languages = [surface.locale ?? engine.locale]
    let about: JSONObject = ["surface": .string(surface.id)]
    let isStack = surface.isStack
    let (families, unwanted) = (surface.families, surface.unwanted)
    let viewer = surface.modes == nil ? nil : surface.number
    let number = surfaces.attach(surface)
    if waits {
      try wait(
        for: StackQuery(.attach(number: number), families: families),
        before: about, omitting: unwanted, in: languages, for: viewer, address)
    } else {
      try answer(
        address, before: about, .listed(shown),
        behind: isStack ? ["stack": .array(shown.map { .string($0) })] : [:],
        omitting: unwanted, in: languages, for: viewer, notesReading: false, at: now,
        into: &effects)
    }
  }

  mutating func setSurfaceVisibility(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["visible", "surface"])
    let meant = try meantSurfaces(params, address.connection)
    guard params.has("visible") else {
      throw Params.refusal("visible", "parameter 'visible' is missing", expected: "true or false")
    }
    let isVisible = try params.bool("visible", default: true)
    for number in meant {
      if !isVisible { noteDwell(number, at: now, into: &effects) }
      surfaces.setVisible(isVisible, number, at: now.monotonic)
    }
    outbox.answer(address, [:])
    updateWatches(at: now, into: &effects)
  }

  /// Records a look at the top widget of a stack that was shown for a while and is hidden now.
  ///
  /// A stack that was visible for longer than `Limits.dwellMax` does not count: it is always in
  /// sight, so nobody need have looked at it.
  mutating func noteDwell(
    _ number: UInt64, at now: Now, into effects: inout [Effect]
  ) {
    guard phase == .running, let surface = surfaces[number], surface.isStack,
      !surfaces.isVisibleElsewhere(surface.name, besides: number),
      let since = surface.visibleSince, let top = surface.lastStack.first,
      now.monotonic >= since.advanced(byMilliseconds: Limits.dwellMin),
      now.monotonic <= since.advanced(byMilliseconds: Limits.dwellMax)
    else { return }
    var output = EngineOutput()
    engine.record(.dwell, of: top, at: now.wall, into: &output)
    apply(output, at: now, into: &effects)
  }

  /// Notes the engine's changes for every surface; `updateSurfaces` sends them at the end of the
  /// turn.
  mutating func noteForSurfaces(_ output: EngineOutput) {
    guard surfaces.count > 0 else { return }
    let touched =
      !output.changedWidgets.isEmpty || !output.removedWidgets.isEmpty
      || !output.changedCompact.isEmpty || !output.changedExpanded.isEmpty
    guard touched || output.stackChanged else { return }
    // Looked up once for all surfaces. Not in a closure: capturing self would copy the whole
    // Daemon.
    var changes: [WidgetChange] = []
    changes.reserveCapacity(output.changedWidgets.count + output.removedWidgets.count)
    for id in output.changedWidgets {
      changes.append(WidgetChange(id: id, family: shownFamily(of: id), isChanged: true))
    }
    for (mode, ids) in [
      (WidgetMode.compact, output.changedCompact), (.expanded, output.changedExpanded),
    ] {
      for id in ids.subtracting(output.changedWidgets) {
        changes.append(
          WidgetChange(mode: mode, id: id, family: shownFamily(of: id), isChanged: true))
      }
    }
    for id in output.removedWidgets where !output.changedWidgets.contains(id) {
      changes.append(WidgetChange(id: id, family: shownFamily(of: id), isChanged: false))
    }
    surfaces.note(changes, stackChanged: output.stackChanged)
  }

  /// Sends the visible surfaces the changes since their last update, at most
  /// `Limits.updatedWidgetCountMax` widgets and about `Limits.pageBytes` each; the others follow in
  /// the next turns.
  mutating func updateSurfaces(at now: Now) {
    var roomBytes = Limits.pagesInTurnBytes
    // A view that two surfaces need is written once.
    var made = ViewsMade()
    for number in surfaces.beginUpdates() {
      // Checked in place, without a copy: in most turns most surfaces have no news.
      guard surfaces.hasNews(number), let connection = surfaces[number]?.connection,
        !outbox.isBackedUp(connection), pagedLists.count(of: connection) == 0
      else { continue }
      guard roomBytes > 0 else {
        surfaces.postpone(number)
        continue
      }
      guard var surface = surfaces.takeNews(number) else { continue }
      var changed = surface.changed
      var left: Set<String> = []
      var order: [String]?
      if surface.isStack {
        // The order is not computed again because time passed: when that matters, the engine's
        // rotation ranks the stack and sets `stackChanged`.
        var ids = surface.lastStack
        if surface.stackChanged {
          guard let places = stack(families: surface.families, at: now) else {
            surfaces.putBackWaiting(surface)
            continue
          }
          ids = surface.shownOrder(self.ids(of: places, for: surface, at: now))
        }
        if ids != surface.lastStack {
          order = ids
          changed.formUnion(newcomers(in: ids, to: surface.lastStack))
          surface.lastStack = ids
        }
        if !changed.isEmpty {
          changed =
            ids.count > Limits.comparedIDCountMax
            ? changed.intersection(ids) : changed.filter(ids.contains)
        }
      }
      var told = inOrder(changed)
      var views: [[UInt8]] = []
      views.reserveCapacity(min(told.count, Limits.updatedWidgetCountMax))
      let byteCount = appendViews(
        of: told, for: surface, to: &views, &made, at: now.wall)
      roomBytes -= byteCount
      if views.count < told.count {
        told.removeSubrange(views.count...)
        left = changed.subtracting(told)
        changed.subtract(left)
      }
      let removed = surface.removed.sorted()
      surface.shown.formUnion(changed)
      surface.shown.subtract(removed)
      let id = surface.id
      surfaces.putBack(surface, left: left)
      guard !told.isEmpty || !removed.isEmpty || order != nil else { continue }
      outbox.notify(connection, Self.update(of: id, views: views, removed: removed, order: order))
    }
  }

  /// Appends the views of the first widgets of `ids`: as many as one update may have.
  ///
  /// - Returns: their bytes.
  private func appendViews(
    of ids: [String], for surface: Surface, to views: inout [[UInt8]],
    _ made: inout ViewsMade, at now: WallTime
  ) -> Int {
    var byteCount = 0
    let languages = [surface.locale ?? engine.locale]
    for id in ids {
      guard views.count < Limits.updatedWidgetCountMax, byteCount < Limits.pageBytes else { break }
      // Of two surfaces with modes each has its own sizes in its views.
      let look = surface.modes == nil ? nil : look(of: id, on: surface)
      let unwanted = engine.partsToOmit(surface.unwanted, of: id, in: look?.mode ?? .compact)
      let version = engine.nameVersion(of: id, in: languages)
      let key = unwanted.isEmpty && version == 0 ? id : "\(unwanted.rawValue) \(version) \(id)"
      if look == nil, let view = made[key] {
        views.append(view)
      } else {
        // Not in a closure: capturing self would copy the engine.
        var writer = JSONWriter(capacity: 640)
        _ = engine.writeView(
          of: id, as: look, at: now, in: languages, to: &writer, omitting: unwanted)
        views.append(writer.bytes)
        if look == nil { made.append(key, writer.bytes) }
      }
      byteCount += views[views.count - 1].count
    }
    return byteCount
  }

  /// Returns the line of one `surface.update`.
  private static func update(
    of surface: String, views: [[UInt8]], removed: [String], order: [String]?
  ) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(views.reduce(256) { $0 + 1 + $1.count })
    appendNotification(method: DaemonNotification.surfaceUpdate.rawValue, to: &line) { buffer in
      appendJSON(to: &buffer) { writer in
        writer.beginObject()
        writer.key("surface")
        writer.string(surface)
        if let order { writer.strings(order, key: "stack") }
        writer.key("widgets")
        writer.beginArray()
        for view in views { writer.raw(view) }
        writer.endArray()
        if !removed.isEmpty { writer.strings(removed, key: "removed") }
        writer.endObject()
      }
    }
    return line
  }

  /// Returns the widgets of `ids` that `before` does not have.
  private func newcomers(in ids: [String], to before: [String]) -> [String] {
    // Most widgets keep their place and need no look-up.
    let moved = ids.indices.filter { $0 >= before.count || before[$0] != ids[$0] }.map { ids[$0] }
    // A few ids are compared faster than hashed.
    if max(moved.count, before.count) <= Limits.comparedIDCountMax {
      return moved.filter { !before.contains($0) }
    }
    return Array(Set(moved).subtracting(before))
  }

  func shows(_ surface: Surface, _ id: String) -> Bool {
    shownFamily(of: id).map { surface.shows(id, of: $0) } ?? false
  }

  /// Returns the family of a widget; `nil`: it does not exist, or must not be shown.
  private func shownFamily(of id: String) -> WidgetFamily? {
    guard let index = engine.widgets.index(forKey: id) else { return nil }
    if engine.widgets.values[index].isSuggestion, engine.isWithheld(id) { return nil }
    return engine.widgets.values[index].family
  }

  /// Returns the existing widgets of `ids` in the order of placing.
  private func inOrder(_ ids: Set<String>) -> [String] {
    guard ids.count > 1 else {
      guard let id = ids.first, engine.widgets.index(forKey: id) != nil else { return [] }
      return [id]
    }
    // A few ids are compared faster than every widget's id is hashed.
    let few = ids.count > Limits.comparedChangeCountMax ? [] : Array(ids)
    var found: [String] = []
    found.reserveCapacity(ids.count)
    for id in engine.order where few.isEmpty ? ids.contains(id) : few.contains(id) {
      found.append(id)
    }
    return found
  }

  /// Returns the ids of the places of an order that a surface has room for: of its widgets, and
  /// with a limit without those that are hidden now, which would leave a gap on a bar.
  ///
  /// Of a stack that nobody turned it looks at no more places than the surface shows.
  func ids(of places: [StackPlace], for surface: Surface, at now: Now) -> [String] {
    guard surface.widgets != nil || surface.limit != nil else { return places.map(\.id) }
    var ids: [String] = []
    for place in places where surface.widgets?.contains(place.id) ?? true {
      guard let limit = surface.limit else {
        ids.append(place.id)
        continue
      }
      if engine.isHidden(place.id, at: now.wall) { continue }
      ids.append(place.id)
      if ids.count == limit, !surface.rotation.isTurned { break }
    }
    return ids
  }
}

/// The views that were written in this turn, by the id of their widget, after the numbers of the
/// parts that are left out of it and of the version of its name, if any.
///
/// Mostly there are one or two; the first `Limits.comparedChangeCountMax` are found without a hash.
private struct ViewsMade {
  private var few: [(id: String, view: [UInt8])] = []
  private var many: [String: [UInt8]] = [:]

  subscript(id: String) -> [UInt8]? {
    few.first { $0.id == id }?.view ?? (many.isEmpty ? nil : many[id])
  }

  mutating func append(_ id: String, _ view: [UInt8]) {
    if few.count < Limits.comparedChangeCountMax {
      few.append((id, view))
    } else {
      many[id] = view
    }
  }
}

extension JSONWriter {
  /// Writes a member that is a list of strings.
  fileprivate mutating func strings(_ values: [String], key: StaticString) {
    self.key(key)
    beginArray()
    for value in values { string(value) }
    endArray()
  }
}
