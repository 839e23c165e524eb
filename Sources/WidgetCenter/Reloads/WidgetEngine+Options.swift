package import JSON
package import Timekeeping

/// Runs that ask a provider which values a parameter may have, while somebody waits for the answer.
/// They cost no budget, change no timeline, and are few at a time.
extension WidgetEngine {
  /// Asks the provider of `kind` for the options of a parameter; `nil` when too many ask already.
  ///
  /// `search` is the text that was said for it.
  package mutating func askOptions(
    of parameter: String, kind: WidgetKind, intent: JSONValue, search: String?, at now: Now,
    into output: inout EngineOutput
  ) -> RunToken? {
    guard optionRuns.count < Limits.optionRunCountMax else { return nil }
    lastRun += 1
    let token = RunToken(lastRun)
    optionRuns.insert(token)
    timeouts.schedule(token, at: now.monotonic.advanced(byMilliseconds: kind.provider.timeout))
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
    guard optionRuns.remove(token) != nil else { return false }
    let timedOut = timeouts.moment(of: token) == nil
    timeouts.cancel(token)
    return timedOut
  }
}
