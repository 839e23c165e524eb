import IntentProtocol
import JSON
import JSONRPC
import Timekeeping

/// Answers `surface.detach`, and finds which of a client's surfaces a request means.
extension Daemon {
  mutating func detachSurface(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["surface"])
    for number in try meantSurfaces(params, address.connection) { surfaces.detach(number) }
    outbox.answer(address, [:])
    updateWatches(at: now, into: &effects)
  }

  /// Returns the number of the surface that `surface.attach` replaces; `nil`: it attaches another.
  ///
  /// Without `add` and `surface` it is the client's first, as for a client with one surface.
  func numberToAttach(
    _ params: Params, _ connection: ConnectionID
  ) throws(RPCError) -> UInt64? {
    let own = surfaces.numbers(of: connection)
    let id = try params.optionalString("surface")
    guard try params.bool("add", default: false) else {
      return id == nil ? own.first : try meantSurfaces(params, connection).first
    }
    guard id == nil else {
      throw Params.refusal(
        "add", "parameter 'add' is for another surface, and 'surface' names one that is there",
        expected: "either add or surface")
    }
    guard own.count < Limits.surfacesOfConnectionMax else {
      throw RPCError(
        .limitReached,
        "this connection has \(Limits.surfacesOfConnectionMax) surfaces already; detach one first"
          + " (surface.detach), or open another connection")
    }
    return nil
  }

  /// Returns the surfaces of this client that a request means: the one that `surface` names, or all.
  ///
  /// Throws when there is none, or `surface` names one of another client.
  func meantSurfaces(
    _ params: Params, _ connection: ConnectionID
  ) throws(RPCError) -> [UInt64] {
    let own = surfaces.numbers(of: connection)
    guard !own.isEmpty else {
      throw RPCError.invalidParams(
        "this connection is no surface; call surface.attach first",
        data: ["parameter": "surface", "expected": "an attached surface"])
    }
    guard let id = try params.optionalString("surface") else { return own }
    guard let number = own.first(where: { surfaces[$0]?.id == id }) else {
      throw Params.refusal(
        "surface", "this connection has no surface \(quoted(id))",
        expected: "one of \(own.map { "s\($0)" }.joined(separator: ", "))")
    }
    return [number]
  }
}
