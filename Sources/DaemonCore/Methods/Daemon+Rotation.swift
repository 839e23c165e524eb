import IntentProtocol
import JSON
import JSONRPC
import WidgetCenter

/// Answers `surface.rotate`, and reads what a surface says of its name, its size and its wants.
extension Daemon {
  /// Turns the stack of a surface, or those of all surfaces with a name; they get the order at the
  /// end of the turn.
  mutating func rotateSurface(
    _ value: JSONValue?, _ address: ReplyAddress
  ) throws(RPCError) {
    let params = try Params(value, known: ["name", "by", "surface"])
    let name = try params.optionalString("name")
    var meant = surfaces.numbers(of: address.connection)
    if params.has("surface") {
      guard name == nil else {
        throw Params.refusal(
          "surface", "both 'name' and 'surface' say what is turned",
          expected: "either name or surface")
      }
      meant = try meantSurfaces(params, address.connection)
    }
    let turnsMax = Int64(Limits.stackTurnsMax)
    let by = try params.optionalInt("by", in: -turnsMax...turnsMax) ?? 1
    let count = surfaces.rotate(by: Int(by), name: name, meant)
    guard count > 0 else {
      throw Params.refusal(
        "name",
        name.map { "no stack is attached with the name \(quoted($0))" }
          ?? "this connection shows no stack; call surface.attach with stack first",
        expected: "the name of an attached surface with a stack")
    }
    outbox.answer(address, ["surfaces": .int(Int64(count))])
  }

  /// Reads `name` of `surface.attach`.
  func surfaceName(_ params: Params) throws(RPCError) -> String? {
    guard let name = try params.optionalString("name") else { return nil }
    let isName =
      (1...Limits.surfaceNameBytesMax).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (97...122).contains(byte | 0x20) || [45, 46, 95].contains(byte)
      }
    guard isName else {
      throw Params.refusal(
        "name", "\(quoted(name)) cannot be the name of a surface",
        expected: "letters, digits, '.', '-' and '_', at most \(Limits.surfaceNameBytesMax)")
    }
    return name
  }

  /// Reads `limit` of `surface.attach`, which only a stack has.
  func stackLimit(_ params: Params, isStack: Bool) throws(RPCError) -> Int? {
    let range = 1...Int64(WidgetCenter.Limits.widgetCountMax)
    guard let limit = try params.optionalInt("limit", in: range) else { return nil }
    guard isStack else {
      throw Params.refusal(
        "limit", "parameter 'limit' is for stacks", expected: "stack: true beside it")
    }
    return Int(limit)
  }

  /// Reads `wants` of `surface.attach`: the parts that are named come, the others stay away.
  ///
  /// Without it all come but views and pictures that move.
  func unwantedParts(_ params: Params) throws(RPCError) -> ContentParts {
    let names = ContentParts.names
    guard let wants = try params.optionalStrings("wants", countMax: names.count) else {
      return .onlyByName
    }
    var unwanted: ContentParts = []
    for (_, part) in names { unwanted.insert(part) }
    for want in wants {
      guard let known = names.first(where: { $0.name == want }) else {
        throw Params.refusal(
          "wants", "\(quoted(want)) is no part of a content",
          expected: "some of \(names.map(\.name).joined(separator: ", "))")
      }
      unwanted.remove(known.part)
    }
    return unwanted
  }
}
