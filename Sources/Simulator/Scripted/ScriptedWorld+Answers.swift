import DaemonCore
import JSON
import Timekeeping
import WidgetCenter

/// The answers of a scenario's providers, as their programs would write them.
extension ScriptedWorld {
  /// The outcome of a run that answers so; `nil`: it has none.
  func outcome(
    of answer: ScenarioDocument.Answer, _ run: ProviderRun
  ) -> ProviderOutcome? {
    let outcome: ProviderOutcome
    switch answer.outcome {
    case .hangs: return nil
    case .timeline(let entries, let policy, let windows):
      outcome = .answered(timeline(entries, policy, windows, of: answer, at: now.wall))
    case .noData(let policy):
      var said: JSONObject = ["result": "noData"]
      said["policy"] = policy.map { self.policy($0, at: now.wall) }
      said["downloads"] = answer.downloads
      outcome = .answered(Self.bytes(of: said))
    case .reports(let reason):
      outcome = .answered(Self.bytes(of: ["result": "failed", "reason": .string(reason)]))
    case .refuses(let words): outcome = .failed(ProviderFailure(.refused(words)))
    case .text(let text):
      outcome =
        run.plugin == nil
        ? .answered(Array(text.utf8)) : .printed(PluginOutput(Array(text.utf8)))
    case .exits(let code) where run.plugin != nil:
      outcome = .printed(PluginOutput([], exitStatus: code))
    case .exits(let code): outcome = .failed(ProviderFailure(.exited(code: code)))
    case .signaled(let signal): outcome = .failed(ProviderFailure(.signaled(signal: signal)))
    case .floods: outcome = .failed(ProviderFailure(.tooMuchOutput(limit: 1 << 20)))
    case .doesNotStart: outcome = .failed(ProviderFailure(.notStarted("no such file")))
    }
    return outcome
  }

  private func timeline(
    _ entries: [ScenarioDocument.Answer.Entry], _ policy: ScenarioDocument.Answer.Policy,
    _ windows: [ScenarioDocument.Answer.Window], of given: ScenarioDocument.Answer,
    at now: WallTime
  ) -> [UInt8] {
    let items = entries.map { entry -> JSONValue in
      let date = entry.date ?? now.advanced(byMilliseconds: entry.offset ?? 0).rfc3339
      var object: JSONObject = ["date": .string(date), "content": .object(entry.content)]
      if let relevance = entry.relevance { object["relevance"] = relevance }
      if let url = entry.url { object["url"] = url }
      return .object(object)
    }
    var answer: JSONObject = ["entries": .array(items), "policy": self.policy(policy, at: now)]
    answer["preferredHeight"] = given.preferredHeight
    answer["downloads"] = given.downloads
    if !windows.isEmpty {
      answer["relevance"] = .array(
        windows.map { window in
          [
            "from": .string(now.advanced(byMilliseconds: window.from).rfc3339),
            "to": .string(now.advanced(byMilliseconds: window.to).rfc3339),
            "kind": window.kind ?? .null,
          ]
        })
    }
    return Self.bytes(of: answer)
  }

  private func policy(_ policy: ScenarioDocument.Answer.Policy, at now: WallTime) -> JSONValue {
    switch policy {
    case .atEnd: "atEnd"
    case .never: "never"
    case .after(let span): ["after": .string(now.advanced(byMilliseconds: span).rfc3339)]
    case .afterDate(let date): ["after": .string(date)]
    }
  }

  private static func bytes(of answer: JSONObject) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONValue.object(answer).write(into: &bytes)
    return bytes
  }
}
