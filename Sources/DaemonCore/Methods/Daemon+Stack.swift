import Habits
import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Answers the `stack.*` methods: the order, the reasons for it, dismissals, and how well the order
/// would have foreseen what the person did.
extension Daemon {
  /// Returns the order of the widgets of these families (`nil`: all); `nil`: it has to wait for the
  /// turns that follow, in which more of it is prepared.
  ///
  /// The order is computed again only when an input changed or the kept order is too old.
  mutating func stack(families: WidgetFamilies? = nil, at now: Now) -> [StackPlace]? {
    if let places = stackOrders.places(families, at: now.wall) { return places }
    guard engine.prepareStack(families: families, at: now.wall, room: &stackRoom.claims),
      stackRoom.takeRows(engine.order.count)
    else { return nil }
    let places = engine.stack(families: families, at: now.wall)
    stackOrders.keep(places, families, at: now.wall)
    return places
  }

  /// Returns the order that a request needs at once; `nil`: it has to wait, behind those that wait
  /// already.
  mutating func orderAtOnce(for query: inout StackQuery, at now: Now) -> [StackPlace]? {
    if query.moment == nil, let places = stackOrders.places(query.families, at: now.wall) {
      return places
    }
    guard !pagedLists.awaitsOrder, !surfaces.awaitsOrder else { return nil }
    return order(for: &query, at: now)
  }

  /// Returns the order that a request needs; `nil`: it has to wait.
  mutating func order(for query: inout StackQuery, at now: Now) -> [StackPlace]? {
    guard let moment = query.moment else { return stack(families: query.families, at: now) }
    // Taken out of the query meanwhile, so that it is changed in place and not copied.
    var forecast =
      query.forecast.take() ?? engine.forecast(families: query.families, at: moment)
    guard engine.prepare(&forecast, room: &stackRoom.claims),
      stackRoom.takeRows(engine.order.count)
    else {
      query.forecast = forecast
      return nil
    }
    return engine.order(of: forecast)
  }

  /// Returns the kept result of a `stack.order` request with the same parameters, byte for byte;
  /// `nil`: there is none, or `showStack` has to handle the request for another reason.
  func answerAgain(
    to params: Span<UInt8>, _ connection: ConnectionID, at now: Now
  ) -> [UInt8]? {
    guard phase == .running, !outbox.isFull(connection),
      sessions.hasReadStack(connection, at: now.monotonic)
    else { return nil }
    return stackOrders.answer(to: params, at: now.wall)
  }

  /// Answers `stack.order` and `stack.explain`.
  ///
  /// `asked` are the bytes of the parameters, if the answer may be kept for them.
  mutating func showStack(
    _ value: JSONValue?, _ address: ReplyAddress, explained: Bool, asked: [UInt8]?, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) {
    if let asked, let answer = answerAgain(to: asked.span, address.connection, at: now) {
      outbox.answer(address) { $0.append(contentsOf: answer) }
      return
    }
    var query = try stackQuery(value, explained: explained, asked: asked)
    guard let places = orderAtOnce(for: &query, at: now) else {
      // A notification gets no answer, so its order is not made.
      if address.id != nil { try wait(for: query, address) }
      return
    }
    let chosen = try choose(from: places, query)
    let notesReading = countsAsReading(query, address, at: now)
    if isAnsweredWhole(chosen, query) {
      answerWhole(
        chosen, of: places, query, address, notesReading: notesReading, at: now, into: &effects)
    } else {
      try answer(
        address, .ranked(chosen, explained: query.isExplained, at: query.moment),
        in: query.languages, notesReading: notesReading, at: now, into: &effects)
    }
  }

  private func stackQuery(
    _ value: JSONValue?, explained: Bool, asked: [UInt8]?
  ) throws(RPCError) -> StackQuery {
    let params = try Params(
      value, known: ["surface", "at", "limit", explained ? "id" : "ids"] + Self.languageKeys)
    let limit = try params.optionalInt("limit", in: 1...Int64(WidgetCenter.Limits.widgetCountMax))
    let surface = try params.optionalString("surface")
    let moment = try self.moment(params)
    let id = explained ? try params.optionalString("id") : nil
    let wantsIDs = explained ? false : try params.bool("ids", default: false)
    var query = StackQuery(
      .order(explained: explained, wantsIDs: wantsIDs, id: id),
      families: try surface.flatMap { id throws(RPCError) in try families(of: id) })
    query.moment = moment
    query.limit = limit.map { Int($0) }
    // An answer that is kept is that of everybody who asks with the same words.
    let named = try namedLanguages(params)
    let locale = surface.flatMap { surfaces.surface($0)?.locale } ?? engine.locale
    query.languages = named.isEmpty ? [locale] : named
    // An answer is kept while the order of all widgets holds.
    if surface == nil, moment == nil { query.asked = asked }
    return query
  }

  /// Lets a request wait for its order, with the lists that are sent in pages.
  mutating func wait(
    for query: consuming StackQuery, before: JSONObject = [:],
    omitting unwanted: ContentParts = .view, in languages: [String] = [], for viewer: UInt64? = nil,
    _ address: ReplyAddress
  ) throws(RPCError) {
    try pagedLists.checkMayAppend(address.connection)
    try outbox.reserveWaiting(address)
    pagedLists.append(
      PagedList(
        address: address, widgets: .awaited(query), before: before, behind: [:],
        notesReading: false, unwanted: unwanted, languages: languages, viewer: viewer))
  }

  /// Returns the part of an order that a request asked for.
  func choose(
    from places: [StackPlace], _ query: StackQuery
  ) throws(RPCError) -> ArraySlice<StackPlace> {
    guard case .order(_, _, let id?) = query.purpose else {
      return places.prefix(query.limit ?? places.count)
    }
    guard let index = places.firstIndex(where: { $0.id == id }) else { throw notRanked(id) }
    return places[index...index]
  }

  /// Returns whether this request counts as reading the stack: it asks for the order of now, and
  /// none of this client's was noted in the last `Limits.stackCacheInterval`.
  mutating func countsAsReading(
    _ query: StackQuery, _ address: ReplyAddress, at now: Now
  ) -> Bool {
    query.moment == nil && sessions.noteReadingStack(address.connection, at: now.monotonic)
  }

  /// Returns whether an answer is short enough to be written in one turn.
  func isAnsweredWhole(_ chosen: ArraySlice<StackPlace>, _ query: StackQuery) -> Bool {
    query.wantsIDs || chosen.count <= options.widgetsInSliceMax
  }

  /// Answers with the chosen places of an order, in this turn.
  mutating func answerWhole(
    _ chosen: ArraySlice<StackPlace>, of places: [StackPlace], _ query: StackQuery,
    _ address: ReplyAddress, notesReading: Bool, at now: Now,
    into effects: inout [Effect]
  ) {
    // Not in a closure: capturing self would copy the whole Daemon.
    var writer = JSONWriter()
    if query.wantsIDs {
      write(idsOf: chosen, to: &writer)
    } else {
      write(
        chosen, explained: query.isExplained, at: query.moment ?? now.wall, in: query.languages,
        to: &writer)
    }
    outbox.answer(address) { $0.append(contentsOf: writer.bytes) }
    if let asked = query.asked { stackOrders.keep(writer.bytes, to: asked) }
    guard notesReading else { return }
    noteReading(
      of: places.prefix(query.limit ?? .max).map(\.id), address, at: now, into: &effects)
  }

  /// Returns the refusal for a widget that has no place in an order.
  private func notRanked(_ id: String) -> RPCError {
    guard engine.widgets[id]?.isSuggestion == true else {
      return RPCError(engine.unknownWidget(id))
    }
    return RPCError(
      .unknownWidget,
      "the suggestion \(quoted(id)) has no place in this order: it shows one suggestion at most, the latest that has something to show",
      details: ["suggestions": []])
  }

  private func moment(_ params: Params) throws(RPCError) -> WallTime? {
    guard let text = try params.optionalString("at") else { return nil }
    guard let date = WallTime(rfc3339: text) else {
      throw Params.refusal(
        "at", "parameter 'at' is \(quoted(text))", expected: "an RFC 3339 date")
    }
    return date
  }

  /// Returns the families that an attached surface shows; `nil`: all.
  private func families(of surface: String) throws(RPCError) -> WidgetFamilies? {
    guard let found = surfaces.surface(surface) else {
      throw Params.refusal(
        "surface", "no surface \(quoted(surface)) is attached",
        expected: "the id that surface.attach answered")
    }
    return found.families
  }

  private func write(
    _ places: ArraySlice<StackPlace>, explained: Bool, at moment: WallTime,
    in languages: [String], to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("widgets")
    writer.beginArray()
    for place in places {
      _ = write(place, explained: explained, at: moment, in: languages, to: &writer)
    }
    writer.endArray()
    writer.endObject()
  }

  /// Writes a widget and its score; `false`: the widget is gone, and nothing is written.
  func write(
    _ place: StackPlace, explained: Bool, at moment: WallTime, in languages: [String],
    to writer: inout JSONWriter
  ) -> Bool {
    engine.writeView(of: place.id, at: moment, in: languages, to: &writer) { writer in
      writer.key("score")
      writer.double(place.score)
      guard explained else { return }
      writer.key("contributions")
      writer.beginArray()
      for reason in engine.reasons(for: place, at: moment) {
        writer.beginObject()
        writer.key("name")
        writer.string(reason.cause.name)
        writer.key("value")
        writer.double(reason.value)
        writer.key("because")
        writer.string(reason.because)
        writer.endObject()
      }
      writer.endArray()
      writer.key("why")
      writer.string(engine.sentence(for: place, at: moment))
    }
  }

  private func write(idsOf places: ArraySlice<StackPlace>, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("ids")
    writer.beginArray()
    for place in places { writer.string(place.id) }
    writer.endArray()
    writer.endObject()
  }

  mutating func dismissWidget(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["id"])
    let id = try params.string("id")
    var output = EngineOutput()
    do throws(WidgetError) {
      try engine.dismiss(id, at: now.wall, into: &output)
    } catch {
      throw RPCError(error)
    }
    journal.append(
      "dismissed", at: now.wall,
      fields: engine.isPrivate ? ["private": true] : ["widget": .string(id)])
    apply(output, at: now, into: &effects)
    outbox.answerWhenDurable(address, ["dismissed": .string(id)])
  }

  /// Answers `stack.replay`: the rank that the item of each kept use had just before that use.
  mutating func replayStack(
    _ value: JSONValue?, _ address: ReplyAddress
  ) throws(RPCError) {
    let params = try Params(value, known: ["limit"])
    let limit =
      try params.optionalInt("limit", in: 0...Limits.replayedUseCountMax)
      ?? Limits.replayedUseCountDefault
    let replay = engine.replayedUses(latest: Int(limit))
    outbox.answer(
      address,
      [
        "uses": .int(Int64(replay.uses)), "foreseen": .int(Int64(replay.foreseen)),
        "first": .int(Int64(replay.first)), "firstThree": .int(Int64(replay.firstThree)),
        "meanReciprocalRank": .double(
          (replay.reciprocalSum / Double(max(1, replay.uses)) * 1000).rounded() / 1000),
        "latest": .array(
          replay.latest.map { use in
            var row: JSONObject = [
              "at": .string(use.donation.at.rfc3339), "act": .string(use.donation.act.rawValue),
              "kind": .string(use.donation.kind),
            ]
            if use.donation.configuration.intent != nil {
              row["intent"] = use.donation.configuration.json
            }
            if let rank = use.rank { row["rank"] = .int(Int64(rank)) }
            return .object(row)
          }),
      ])
  }
}
