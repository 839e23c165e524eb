package import Downloads
package import JSON
package import Plugins
package import Timekeeping

/// The whole answer of a provider to a request for a timeline.
///
/// `Timeline` is the part of it with entries. An answer may also say that there is no news, or that
/// the provider failed; its `result` tells the three apart:
///
/// ```json
/// {"result": "newData", "entries": […], "policy": …}        (the default)
/// {"result": "noData", "policy": …}
/// {"result": "failed", "reason": "the service wants a key"}
/// ```
package struct ProviderAnswer: Hashable, Sendable {
  /// The outcome that a provider reports.
  ///
  /// Source: Today extensions, `NCUpdateResult`.
  package enum Result: Hashable, Sendable {
    case newData(Timeline)
    /// Nothing is new: the widget keeps its content. `policy` is the new one; `nil`: that of the
    /// last answer goes on.
    case noData(policy: TimelineReloadPolicy?)
    /// The provider could not do its work; its own words say why, at most
    /// `Limits.failureReasonBytesMax` bytes without control characters.
    case failed(reason: String)

    /// The names on the wire.
    package static let names = ["newData", "noData", "failed"]
  }

  package var result: Result
  /// Points of height that the content wants in the expanded mode; `nil`: all that there are.
  ///
  /// From 1 on; what is larger than any surface is `Limits.displaySizeMax`.
  package var preferredHeight: Int64?
  /// The files that the provider wants; `nil`: the answer says nothing about them.
  package var downloads: [DownloadOrder]?
  /// Sentences for the provider's author, to which `AnswerReview` adds.
  package var warnings: [String] = []
  /// The pictures that its content names, each once.
  package var pictures: [PluginPicture] = []
  /// Those of the warnings that are about pictures and views that were left out.
  package var pictureWarnings: [String] = []

  package init(_ result: Result, warnings: [String] = []) {
    self.result = result
    self.warnings = warnings
  }

  /// The new timeline; `nil`: the answer has none.
  package var timeline: Timeline? {
    if case .newData(let timeline) = result { timeline } else { nil }
  }

  /// Reads the wire form.
  ///
  /// `now` is the moment for which an error writes its example. `known` returns the pictures that the
  /// kind shows now, which an answer may name by their hashes; `nil`: nobody knows them here.
  package static func read(
    _ value: JSONValue, at now: WallTime? = nil, known: () -> [PluginPicture]? = { nil }
  ) -> Swift.Result<ProviderAnswer, TimelineError> {
    do throws(TimelineError) {
      var answer: ProviderAnswer
      switch try resultName(of: value) {
      case "noData": answer = ProviderAnswer(try readNoData(value))
      case "failed": return .success(try readFailure(value))
      default:
        let taken = AnswerPictures.take(from: value, known: known)
        let read = try Timeline.read(taken.answer, at: now).get()
        answer = ProviderAnswer(
          .newData(read.timeline), warnings: read.warnings + taken.warnings + read.viewWarnings)
        answer.pictures = taken.pictures
        answer.pictureWarnings = taken.warnings + read.viewWarnings
        answer.preferredHeight = try preferredHeight(of: value)
      }
      answer.downloads = try readDownloads(value["downloads"])
      return .success(answer)
    } catch {
      return .failure(error)
    }
  }

  /// Returns the name of the result that an answer declares.
  private static func resultName(of value: JSONValue) throws(TimelineError) -> String {
    guard let said = value["result"], !said.isNull else { return "newData" }
    if let name = said.stringValue, Result.names.contains(name) { return name }
    let near = said.stringValue.map { nearest(to: $0, among: Result.names, countMax: 1) }
    throw TimelineError(
      path: "result",
      message:
        "result is \(said.serialized.prefix(60))\(didYouMean(near ?? [])); expected \"newData\", \"noData\" or \"failed\""
    )
  }

  private static func preferredHeight(of value: JSONValue) throws(TimelineError) -> Int64? {
    guard let said = value["preferredHeight"], !said.isNull else { return nil }
    guard let points = said.doubleValue, points.isFinite, points >= 1 else {
      throw TimelineError(
        path: "preferredHeight",
        message:
          "preferredHeight is \(said.doubleValue == nil ? said.typeName : "\(said.serialized.prefix(40))"); expected the height that the content wants in the expanded mode, in points, such as 280"
      )
    }
    return Int64(min(points, Double(Limits.displaySizeMax)).rounded(.up))
  }

  private static func readNoData(_ value: JSONValue) throws(TimelineError) -> Result {
    for key in ["entries", "relevance", "preferredHeight"]
    where value[key].map({ !$0.isNull }) ?? false {
      throw TimelineError(
        path: key,
        message:
          "\(key) stands beside \"result\":\"noData\", which says that nothing is new; leave out one of the two"
      )
    }
    guard let policy = value["policy"] else { return .noData(policy: nil) }
    return .noData(policy: try Timeline.readPolicy(policy))
  }

  private static func readFailure(_ value: JSONValue) throws(TimelineError) -> ProviderAnswer {
    let said = value["reason"]
    guard let text = said?.stringValue, let reason = ErrorLine.joined(text) else {
      let problem = said.map { $0.stringValue == nil ? $0.typeName : "an empty text" }
      throw TimelineError(
        path: "reason",
        message:
          "the provider says that it failed, and reason is \(problem ?? "missing"); expected a sentence that says why, such as \"reason\":\"the service wants a key\""
      )
    }
    var answer = ProviderAnswer(.failed(reason: reason))
    if text.utf8.count > Limits.failureReasonBytesMax {
      answer.warnings.append(
        "reason has \(text.utf8.count) bytes; at most \(Limits.failureReasonBytesMax) of them are shown"
      )
    }
    return answer
  }
}
