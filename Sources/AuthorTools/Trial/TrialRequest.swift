import JSON
import Timekeeping
import WidgetCenter

/// The request that a trial makes: for a reload, or for a preview in a gallery.
package enum TrialRequest: String, CaseIterable, Hashable, Sendable {
  case timeline, snapshot, placeholder

  var asked: ProviderRequest.Request {
    switch self {
    case .timeline: .timeline
    case .snapshot: .snapshot
    case .placeholder: .placeholder
    }
  }

  /// Milliseconds that a provider may take for it.
  func time(of provider: ProviderDeclaration) -> Int64 {
    self == .timeline ? provider.timeout : min(Limits.previewTimeMax, provider.timeout)
  }

  /// The variables by which a script of another bar can know the request.
  var variables: [ProviderDeclaration.Variable] {
    self == .timeline ? [] : [.init(name: WidgetEngine.previewVariable, value: "1")]
  }

  /// Judges the answer to a request for a preview, and reports it as a timeline of one entry.
  func judge(_ bytes: [UInt8], at now: WallTime, _ report: inout JSONObject) {
    switch PreviewAnswer.read(bytes, at: now) {
    case .failure(let problem):
      report["problem"] = .string("the answer cannot be used as a preview: \(problem.message)")
      let beginning = bytes.prefix(TrialLimits.shownOutputBytesMax)
      report["output"] = .string(String(decoding: beginning, as: UTF8.self))
    case .success(let content):
      let warnings = Self.warnings(on: bytes, at: now)
      let shown = self == .placeholder ? PreviewShape.redacting(content) : content
      report["ok"] = .bool(warnings.isEmpty)
      report["timeline"] =
        Timeline(entries: [TimelineEntry(date: now, content: shown)], policy: .never).json
      report["warnings"] = .array(warnings.map { .string($0) })
    }
  }

  /// The warnings on the entries of an answer; a preview has no policy to warn of.
  private static func warnings(on bytes: [UInt8], at now: WallTime) -> [String] {
    do throws(JSONError) {
      var value = PreviewAnswer.timeline(try JSONValue(parsing: bytes), at: now)
      if case .object(var object) = value {
        object["policy"] = "never"
        value = .object(object)
      }
      guard case .success(let answer) = ProviderAnswer.read(value, at: now) else { return [] }
      // A preview shows no pictures, so it does not matter where they are.
      let told = answer.warnings.filter { !answer.pictureWarnings.contains($0) }
      return told + AnswerReview.warnings(on: value, read: answer, arrivedAt: now)
    } catch {
      // The report has it as its problem.
      return []
    }
  }
}
