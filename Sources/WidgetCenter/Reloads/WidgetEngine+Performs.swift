package import JSON
package import Timekeeping

/// As many intents are being performed as may be at once.
package struct TooManyPerforms: Error, Hashable, Sendable {
  package var max: Int
  /// Whether one program performs all of them, and others have room.
  package var isOfProgram: Bool
}

/// Runs that perform an intent: code of a widget's program that a person asked for.
///
/// They cost no budget and change no timeline, and have slots of their own, since a person waits for
/// each of them. Such a run is never repeated: it may have done what it is for, whatever its end.
extension WidgetEngine {
  /// Asks the program of `kind` to perform an intent; throws when too many are performed already.
  ///
  /// `isConfirmed` tells the program that the person was asked about it and said yes.
  package mutating func askPerform(
    _ intent: JSONValue, isConfirmed: Bool, kind: WidgetKind, at now: Now,
    into output: inout EngineOutput
  ) throws(TooManyPerforms) -> RunToken {
    let deadline = now.monotonic.advanced(byMilliseconds: kind.provider.timeout)
    let token = try runs.startPerform(kind.kind, of: kind.bundle, until: deadline)
    var request: JSONObject = [
      "now": .string(now.wall.rfc3339), "locale": .string(locale), "intent": intent,
    ]
    if isConfirmed { request["confirmed"] = true }
    var bytes: [UInt8] = []
    JSONValue.object(request).write(into: &bytes)
    output.runs.append(
      ProviderRun(
        token: token, kind: kind.kind, family: kind.families.first ?? .systemSmall,
        provider: kind.provider, request: bytes,
        method: ProviderRequest.Request.perform.rawValue))
    return token
  }

  /// Ends the runs of kinds that no manifest offers any more: nothing shows what they do.
  mutating func endPerformsOfGoneKinds(into output: inout EngineOutput) {
    output.cancellations += runs.performTokens { kinds[$0] == nil }
  }

  /// Ends such a run; `true` when its time had passed, `nil` when the token is none of them.
  package mutating func performEnded(_ token: RunToken) -> Bool? { runs.endPerform(token) }

  /// Returns the placed widgets of the program of `kind`, in the order of placing, at most `most`.
  ///
  /// O(widgets).
  package func placedWidgets(ofProgram kind: WidgetKind, most: Int) -> [String] {
    var found: [String] = []
    for id in order where found.count < most {
      guard let widget = widgets[id], kinds[widget.kind]?.bundle == kind.bundle else { continue }
      found.append(id)
    }
    return found
  }
}
