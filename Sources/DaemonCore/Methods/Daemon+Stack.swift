import Habits
import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Answers requests about the stack: its order, the reasons for it, dismissals, and its replay.
extension Daemon {
  /// Returns the order of the widgets of these families (`nil`: all).
  ///
  /// The order is computed again only when an input changed or the kept order is too old.
  mutating func stack(families: WidgetFamilies? = nil, at now: Now) -> [StackPlace] {
    if let places = stackOrders.places(families, at: now.wall) { return places }
    let places = engine.stack(families: families, at: now.wall)
    stackOrders.keep(places, families, at: now.wall)
    return places
  }

  /// Returns the kept result of a `stack.order` request with the same parameters, byte for byte;
  /// `nil`: there is none, or the request has to take the long way for another reason.
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
    let params = try Params(value, known: ["surface", "at", "limit", explained ? "id" : "ids"])
    let limit = try params.optionalInt("limit", in: 1...Int64(WidgetCenter.Limits.widgetCountMax))
      .map { Int($0) }
    let surface = try params.optionalString("surface")
    let moment = try self.moment(params)
    let id = explained ? try params.optionalString("id") : nil
    let wantsIDs = explained ? false : try params.bool("ids", default: false)
    let places = try places(surface, moment: moment, at: now)
    var chosen = places[..<min(places.count, limit ?? places.count)]
    if let id {
      guard let index = places.firstIndex(where: { $0.id == id }) else { throw notRanked(id) }
      chosen = places[index...index]
    }
    let notesReading =
      moment == nil && sessions.noteReadingStack(address.connection, at: now.monotonic)
    guard chosen.count <= options.widgetsInSliceMax || wantsIDs else {
      try answer(
        address, .ranked(chosen, explained: explained, at: moment), notesReading: notesReading,
        at: now, into: &effects)
      return
    }
    // Not in a closure: capturing self would copy the whole Daemon.
    var writer = JSONWriter()
    if wantsIDs {
      write(idsOf: chosen, to: &writer)
    } else {
      write(chosen, explained: explained, at: moment ?? now.wall, to: &writer)
    }
    outbox.answer(address) { $0.append(contentsOf: writer.bytes) }
    if let asked, surface == nil, moment == nil { stackOrders.keep(writer.bytes, to: asked) }
    guard notesReading else { return }
    noteReading(
      of: stack(at: now).prefix(limit ?? .max).map(\.id), address, at: now, into: &effects)
  }

  /// Returns the refusal for a widget that has no place in an order.
  private func notRanked(_ id: String) -> RPCError {
    guard engine.widgets[id]?.isSuggestion == true else {
      return RPCError(engine.unknownWidget(id))
    }
    return RPCError(
      .unknownWidget,
      "the suggestion '\(id.prefix(80))' has no place in this order: it shows one suggestion at most, the latest that has something to show",
      details: ["suggestions": []])
  }

  private func moment(_ params: Params) throws(RPCError) -> WallTime? {
    guard let text = try params.optionalString("at") else { return nil }
    guard let date = WallTime(rfc3339: text) else {
      throw Params.refusal(
        "at", "parameter 'at' is '\(text.prefix(40))'", expected: "an RFC 3339 date")
    }
    return date
  }

  private mutating func places(
    _ surface: String?, moment: WallTime?, at now: Now
  ) throws(RPCError) -> [StackPlace] {
    var families: WidgetFamilies?
    if let surface {
      guard let found = surfaces.surface(surface) else {
        throw Params.refusal(
          "surface", "no surface '\(surface.prefix(40))' is attached",
          expected: "the id that surface.attach answered")
      }
      families = found.families
    }
    if let moment { return engine.ranking(families: families, at: moment) }
    return stack(families: families, at: now)
  }

  private func write(
    _ places: ArraySlice<StackPlace>, explained: Bool, at moment: WallTime,
    to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("widgets")
    writer.beginArray()
    for place in places { _ = write(place, explained: explained, at: moment, to: &writer) }
    writer.endArray()
    writer.endObject()
  }

  /// Writes a widget and its score; `false`: the widget is gone, and nothing is written.
  func write(
    _ place: StackPlace, explained: Bool, at moment: WallTime, to writer: inout JSONWriter
  ) -> Bool {
    engine.writeView(of: place.id, at: moment, to: &writer) { writer in
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

  /// Answers how well the order would have served the person: the rank that the item of each kept
  /// use had just before that use.
  mutating func replayStack(
    _ value: JSONValue?, _ address: ReplyAddress
  ) throws(RPCError) {
    let params = try Params(value, known: ["limit"])
    let limit = Int(try params.optionalInt("limit", in: 0...1_000) ?? 20)
    let replay = engine.replayedUses(latest: limit)
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
