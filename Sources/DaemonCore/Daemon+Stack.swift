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
}

extension Daemon {
  /// The order for everyone; computed again only when an input changed or the fading counts are a minute old.
  mutating func stack(at now: Now) -> [StackPlace] {
    if let cache = stackCache, now.wall < cache.validUntil, now.wall >= cache.computedAt {
      return cache.places
    }
    let places = engine.stack(families: nil, at: now.wall)
    stackCache = StackCache(
      places: places, validUntil: now.wall.advanced(byMilliseconds: Limits.stackCacheInterval),
      computedAt: now.wall)
    return places
  }

  mutating func showStack(
    _ value: JSONValue?, _ address: ReplyAddress, explained: Bool, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["surface"])
    var places = stack(at: now)
    if let id = try params.optionalString("surface") {
      guard let surface = sessions.values.first(where: { $0.surface?.id == id })?.surface else {
        throw Params.refusal(
          "surface", "no surface '\(id.prefix(40))' is attached", expected: "the id that surface.attach answered")
      }
      if let families = surface.families { places = engine.stack(families: families, at: now.wall) }
    }
    answer(address, [
      "widgets": .array(
        places.compactMap { place in
          guard var view = engine.view(of: place.id, at: now.wall) else { return nil }
          view["score"] = .double(place.score)
          if explained {
            view["contributions"] = .array(
              place.contributions.map { part in
                [
                  "name": .string(part.name), "value": .double(part.value),
                  "because": .string(part.because),
                ]
              })
            view["why"] = .string(Self.why(place))
          }
          return .object(view)
        })
    ])
    noteReading(of: places.map(\.id), address, at: now, into: &effects)
  }

  /// One sentence from the contributions, the weightiest first.
  private static func why(_ place: StackPlace) -> String {
    let weighty = place.contributions.filter { $0.value != 0 }
      .sorted { abs($0.value) > abs($1.value) }
    guard !weighty.isEmpty else { return "nothing speaks for or against it: it keeps its place" }
    return weighty.map(\.because).joined(separator: "; ")
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
    journal.append("dismissed", at: now.wall, fields: ["widget": .string(id)])
    take(output, at: now, into: &effects)
    answerWhenDurable(address, ["dismissed": .string(id)])
  }
}
