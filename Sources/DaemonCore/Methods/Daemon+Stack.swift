import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// The order of all widgets as it was last computed, and how long it is good.
struct StackCache: Sendable {
  var places: [StackPlace]
  var validUntil: WallTime
  var computedAt: WallTime
  /// Answers to `stack.order` as bytes.
  ///
  /// Anything that is taken from the engine may change them.
  var answers: [Question: [UInt8]] = [:] {
    didSet { asked = nil }
  }

  struct Question: Hashable, Sendable {
    var limit: Int?
    var wantsIDs: Bool
  }

  /// The parameters of the last plain question as they were written: who asks again and again is answered
  /// without reading them.
  fileprivate var asked: (params: [UInt8], answer: [UInt8])?
  /// What was answered just now, when it was plain.
  var latest: Question?

  mutating func remember(_ params: Span<UInt8>) {
    guard let latest, let answer = answers[latest],
      params.count <= Limits.rememberedParamsBytesMax
    else { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(params.count)
    for index in params.indices { bytes.append(params[index]) }
    asked = (bytes, answer)
  }

  /// The answer to the same parameters as last time, if it still holds.
  func answer(to params: Span<UInt8>, at now: WallTime) -> [UInt8]? {
    guard let asked, asked.params.count == params.count, isGood(at: now) else { return nil }
    for index in params.indices where params[index] != asked.params[index] { return nil }
    return asked.answer
  }

  mutating func keep(_ answer: [UInt8], for question: Question) {
    if answers.count >= Limits.stackAnswerCountMax { answers = [:] }
    answers[question] = answer
  }

  func isGood(at now: WallTime) -> Bool { now < validUntil && now >= computedAt }
}

extension Daemon {
  /// The order for everyone; computed again only when an input changed or habits are a minute older.
  mutating func stack(at now: Now) -> [StackPlace] {
    if let cache = stackCache, cache.isGood(at: now.wall) { return cache.places }
    let places = engine.stack(families: nil, at: now.wall)
    stackCache = StackCache(
      places: places, validUntil: now.wall.advanced(byMilliseconds: Limits.stackCacheInterval),
      computedAt: now.wall)
    return places
  }

  /// The same for a surface with some families; `nil`: every family.
  mutating func stack(families: WidgetFamilies?, at now: Now) -> [StackPlace] {
    guard let families else { return stack(at: now) }
    if let cache = familyStacks[families], cache.isGood(at: now.wall) { return cache.places }
    let places = engine.stack(families: families, at: now.wall)
    if familyStacks.count >= Limits.familyStackCountMax { familyStacks = [:] }
    familyStacks[families] = StackCache(
      places: places, validUntil: now.wall.advanced(byMilliseconds: Limits.stackCacheInterval),
      computedAt: now.wall)
    return places
  }

  /// The result of `stack.order` for parameters that were asked just so before; `nil`: they have to be read, or
  /// the client is refused.
  mutating func answerAgain(
    to params: Span<UInt8>, _ connection: ConnectionID, at now: Now
  ) -> [UInt8]? {
    guard phase == .running, let index = sessions.index(forKey: connection),
      sessions.values[index].mayReadAgain(
        turn: counters.turns, pending: currentReplies.count, at: now.monotonic)
    else { return nil }
    return stackCache?.answer(to: params, at: now.wall)
  }

  mutating func showStack(
    _ value: JSONValue?, _ address: ReplyAddress, explained: Bool, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["surface", "at", "limit", explained ? "id" : "ids"])
    let limit = try params.optionalInt("limit", in: 1...Int64(WidgetCenter.Limits.widgetCountMax))
      .map { Int($0) }
    let surface = try params.optionalString("surface")
    let moment = try self.moment(params)
    let id = explained ? try params.optionalString("id") : nil
    let question = StackCache.Question(
      limit: limit, wantsIDs: explained ? false : try params.bool("ids", default: false))
    let isPlain = surface == nil && moment == nil && !explained
    defer { stackCache?.latest = isPlain ? question : nil }
    if isPlain, let cache = stackCache, cache.isGood(at: now.wall),
      let bytes = cache.answers[question]
    {
      answer(address) { $0.append(contentsOf: bytes) }
    } else {
      let places = try places(surface, moment: moment, at: now)
      var chosen = places[..<min(places.count, limit ?? places.count)]
      if let id {
        guard let index = places.firstIndex(where: { $0.id == id }) else {
          throw notRanked(id)
        }
        chosen = places[index...index]
      }
      guard chosen.count <= options.widgetsInPieceMax || question.wantsIDs else {
        try answer(
          address, .ranked(chosen, explained: explained, at: moment),
          notesReading: moment == nil && mayNoteReading(address, at: now), at: now, into: &effects)
        return
      }
      // In no closure: that would have the daemon copied.
      var writer = JSONWriter()
      if question.wantsIDs {
        write(idsOf: chosen, to: &writer)
      } else {
        write(chosen, explained: explained, at: moment ?? now.wall, to: &writer)
      }
      answer(address) { $0.append(contentsOf: writer.bytes) }
      if isPlain { stackCache?.keep(writer.bytes, for: question) }
    }
    guard moment == nil, mayNoteReading(address, at: now) else { return }
    noteReading(
      of: stack(at: now).prefix(limit ?? .max).map(\.id), address, at: now, into: &effects)
  }

  /// Why a widget has no place in an order.
  private func notRanked(_ id: String) -> RPCError {
    guard engine.widgets[id]?.isSuggestion == true else {
      return RPCError(engine.unknownWidget(id))
    }
    return RPCError(
      .unknownWidget,
      "the suggestion '\(id.prefix(80))' has no place in this order: it shows one suggestion at most, the latest that has something to show",
      details: ["suggestions": []])
  }

  /// A client that asks again and again is noted once a minute.
  private mutating func mayNoteReading(_ address: ReplyAddress, at now: Now) -> Bool {
    guard let last = sessions[address.connection]?.readStackAt,
      now.monotonic < last.advanced(byMilliseconds: Limits.stackCacheInterval)
    else {
      sessions[address.connection]?.readStackAt = now.monotonic
      return true
    }
    return false
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
      guard let found = sessions.values.first(where: { $0.surface?.id == surface })?.surface else {
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

  /// - Returns: whether the widget is still there; if not, nothing is written.
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
    take(output, at: now, into: &effects)
    answerWhenDurable(address, ["dismissed": .string(id)])
  }

  /// How well the order would have served the person: every kept use, and where its item stood just before.
  mutating func replayStack(
    _ value: JSONValue?, _ address: ReplyAddress
  ) throws(RPCError) {
    let params = try Params(value, known: ["limit"])
    let limit = Int(try params.optionalInt("limit", in: 0...1_000) ?? 20)
    let replay = engine.replayedUses(latest: limit)
    answer(
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
