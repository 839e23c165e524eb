package import JSON
package import Timekeeping

/// Runs that perform an intent: code of a widget's program that a person asked for.
///
/// They cost no budget and change no timeline, and have slots of their own, since a person waits for
/// each of them. Such a run is never repeated: it may have done what it is for, whatever its end.
extension WidgetEngine {
  /// Asks the program of `kind` to perform an intent; `nil` when too many are performed already.
  package mutating func askPerform(
    _ intent: JSONValue, kind: WidgetKind, at now: Now, into output: inout EngineOutput
  ) -> RunToken? {
    let deadline = now.monotonic.advanced(byMilliseconds: kind.provider.timeout)
    guard let token = runs.startPerform(until: deadline) else { return nil }
    let request: JSONObject = [
      "now": .string(now.wall.rfc3339), "locale": .string(locale), "intent": intent,
    ]
    var bytes: [UInt8] = []
    JSONValue.object(request).write(into: &bytes)
    output.runs.append(
      ProviderRun(
        token: token, kind: kind.kind, family: kind.families.first ?? .systemSmall,
        provider: kind.provider, request: bytes,
        method: ProviderRequest.Request.perform.rawValue))
    return token
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
