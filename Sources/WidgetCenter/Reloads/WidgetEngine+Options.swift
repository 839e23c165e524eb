package import JSON
package import Timekeeping

/// Runs that ask a provider for the values of a parameter while a client waits for the answer.
///
/// They cost no budget, change no timeline, and are few at a time.
extension WidgetEngine {
  /// Asks the provider of `kind` for the options of a parameter; `nil` when too many ask already.
  ///
  /// `search` is the person's text for the parameter.
  package mutating func askOptions(
    of parameter: String, kind: WidgetKind, intent: JSONValue, search: String?, at now: Now,
    into output: inout EngineOutput
  ) -> RunToken? {
    let deadline = now.monotonic.advanced(byMilliseconds: kind.provider.timeout)
    guard let token = runs.startOptions(until: deadline) else { return nil }
    let family = kind.families.first ?? .systemSmall
    var request = ProviderRequest(
      request: .options, kind: kind.kind, family: family, intent: intent, locale: locale,
      textSize: textSize, displaySize: displaySize(of: family), now: now.wall)
    request.parameter = parameter
    request.search = search
    var bytes: [UInt8] = []
    request.json.write(into: &bytes)
    output.runs.append(
      ProviderRun(
        token: token, kind: kind.kind, family: family, provider: kind.provider, request: bytes,
        method: ProviderRequest.Request.options.rawValue))
    return token
  }

  /// Ends such a run; `true` when its time had passed.
  package mutating func optionsEnded(_ token: RunToken) -> Bool {
    runs.endOptions(token) ?? false
  }
}
