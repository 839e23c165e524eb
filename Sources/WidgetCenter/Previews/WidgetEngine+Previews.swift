package import JSON
import Plugins
package import Timekeeping

/// Previews of kinds in a gallery: a snapshot that the provider makes for it, else a shape.
///
/// Their runs have slots of their own, cost no budget, have no history, change no timeline, teach
/// the habits nothing, and a failure is none on the way to a quarantine.
extension WidgetEngine {
  /// The outcome of a run that makes a preview.
  package enum PreviewOutcome: Sendable {
    case answered([UInt8])
    /// A script of another bar ended by itself.
    case printed(PluginOutput)
    case failed(ProviderFailure)
  }

  /// A wish for a preview, and what becomes of it.
  package struct PreviewWish: Hashable, Sendable {
    package var key: PreviewKey
    package var origin: PreviewOrigin
  }

  /// Wishes for the preview of a kind, and asks its provider if the preview is not kept.
  ///
  /// `intent` is the configuration that it is asked for, or a sentence that says why there is none.
  /// The answer says whether the preview is to come: `isUnderWay` tells when it is there or failed.
  package mutating func wishPreview(
    of kind: WidgetKind, _ key: PreviewKey, intent: Result<JSONValue, PreviewAnswer.Problem>,
    at now: Now, into output: inout EngineOutput
  ) -> PreviewWish {
    let configuration: JSONValue = if case .success(let value) = intent { value } else { .null }
    let origin = PreviewOrigin(kind, intent: configuration)
    let wish = PreviewWish(key: key, origin: origin)
    if let kept = previews[key], !kept.isShape, kept.origin == origin { return wish }
    guard !previews.isUnderWay(key) else { return wish }
    let refusal: String? =
      if case .failure(let problem) = intent { problem.message } else { nil }
    if let message = previewRefusal(of: kind) ?? refusal {
      previews.note(
        Previews.Problem(message: message, origin: origin, until: now.monotonic), of: key)
      return wish
    }
    if let problem = previews.problem(of: key, origin), now.monotonic < problem.until {
      return wish
    }
    if let end = previews.countAsk(of: kind.kind, at: now.monotonic) {
      previews.note(
        Previews.Problem(
          message: "\(Limits.previewAskCountMax) previews of this kind were made within a minute;"
            + " ask again in a minute", origin: origin, until: end), of: key)
      return wish
    }
    let ask = Previews.Ask(
      key: key, origin: origin, provider: kind.provider, intent: configuration)
    if !previews.enqueue(ask) {
      previews.note(
        Previews.Problem(
          message: "too many previews are being made; ask again in a moment", origin: origin,
          until: now.monotonic), of: key)
    }
    return wish
  }

  /// Says why the provider of a kind is not asked for a preview; `nil`: it is.
  private func previewRefusal(of kind: WidgetKind) -> String? {
    guard kind.hasProvider else { return "it has no provider; it shows what is pushed to it" }
    if let quarantine = quarantineBook[kind.kind] {
      return "its provider is left alone until \(quarantine.until.rfc3339): \(quarantine.reason)"
    }
    if kind.provider.containment != .open, kind.consent == nil {
      return "its program is from elsewhere, and nobody agreed to it yet:"
        + " intent-send permissions \(kind.kind) --grant"
    }
    guard let plugin = kind.provider.plugin else { return nil }
    // A script of another bar cannot tell a preview from a run, so only the person's own is run.
    if kind.origin == .installed {
      return "it is a script from elsewhere, which is run only for a widget that is placed"
    }
    if plugin.isStream {
      return "it is a program that stays running, which a preview does not start"
    }
    if plugin.schedule == .never { return "it is a script that runs only when it is clicked" }
    return nil
  }

  /// Whether a wish waits for its run, or for the run's end.
  package func isUnderWay(_ wish: PreviewWish) -> Bool { previews.isUnderWay(wish.key) }

  /// Returns the `preview` object of `gallery.list`.
  ///
  /// Without `mayShow` there is no room for content, and it is a shape.
  package func previewView(of wish: PreviewWish, mayShow: Bool, at now: WallTime) -> JSONObject {
    let key = wish.key
    let kept = previews[key]
    let isCurrent = kept.map { !$0.isShape && $0.origin == wish.origin } ?? false
    let isShown = isCurrent && mayShow
    let content: JSONObject =
      if isShown, let kept { kept.content } else { previewShape(of: key) }
    var view: JSONObject = [
      "entry": [
        "date": .string((isShown ? kept?.madeAt ?? now : now).rfc3339),
        "content": .object(content),
      ], "isPlaceholder": .bool(!isShown), "family": .string(key.family.rawValue),
      "locale": .string(key.locale),
    ]
    if isCurrent { return view }
    if previews.isUnderWay(key) {
      view["isPending"] = true
    } else if let problem = previews.problem(of: key, wish.origin) {
      view["error"] = .string(problem.message)
    }
    return view
  }

  /// The shape of a kind: of its last good preview, else of what it has in another language, else
  /// the usual one of its family.
  private func previewShape(of key: PreviewKey) -> JSONObject {
    guard let kept = previews[key] ?? previews.otherShape(of: key) else {
      return PreviewShape.generic(key.family)
    }
    let shape = kept.isShape ? kept.content : PreviewShape.redacting(kept.content)
    return shape.members.isEmpty ? PreviewShape.generic(key.family) : shape
  }

  // MARK: Runs

  /// Starts the runs that wait, as far as there are slots.
  mutating func startPreviews(at now: Now, into output: inout EngineOutput) {
    while runs.hasPreviewSlot, let ask = previews.popNext() {
      guard kinds[ask.key.kind]?.provider == ask.provider else {
        fail(ask, "its manifest changed; ask again", for: 0, at: now, into: &output)
        continue
      }
      let time = min(Limits.previewTimeMax, ask.provider.timeout)
      let token = runs.startPreview(until: now.monotonic.advanced(byMilliseconds: time))
      previews.begin(token, ask)
      output.runs.append(run(token, ask, at: now))
    }
  }

  private func run(_ token: RunToken, _ ask: Previews.Ask, at now: Now) -> ProviderRun {
    let key = ask.key
    var bytes: [UInt8] = []
    if ask.provider.plugin == nil {
      let request = ProviderRequest(
        request: ask.request, kind: key.kind, family: key.family, intent: ask.intent,
        locale: key.locale, textSize: textSize, displaySize: displaySize(of: key.family),
        now: now.wall)
      request.json.write(into: &bytes)
    }
    var run = ProviderRun(
      token: token, kind: key.kind, family: key.family, provider: ask.provider, request: bytes,
      method: ask.request.rawValue)
    if ask.provider.plugin != nil {
      run.plugin = PluginRequest(
        .firstLook, variables: [.init(name: Self.previewVariable, value: "1")])
    }
    return run
  }

  /// The variable by which a script of another bar can know that its run is for a preview.
  package static let previewVariable = "INTENTD_PREVIEW"

  /// Takes the outcome of a run that makes a preview; `false`: the run makes none.
  package mutating func previewEnded(
    _ token: RunToken, _ outcome: PreviewOutcome, at now: Now, into output: inout EngineOutput
  ) -> Bool {
    guard let hasTimedOut = runs.endPreview(token), let ask = previews.end(token) else {
      return false
    }
    let read: Result<JSONObject, PreviewAnswer.Problem>
    switch outcome {
    case .answered(let bytes):
      read = PreviewAnswer.read(bytes, at: now.wall)
        .mapError { .init(message: ProviderFailure(.badAnswer($0.message)).message) }
    case .printed(let printed): read = Self.preview(in: printed, of: ask.provider, at: now.wall)
    case .failed(var failure):
      if failure.reason == .cancelled, hasTimedOut {
        failure.reason = .timedOut(after: min(Limits.previewTimeMax, ask.provider.timeout))
      }
      let why = failure.stderr.map { ": \($0)" } ?? ""
      read = .failure(.init(message: failure.message + why))
    }
    switch (ask.request, read) {
    case (.placeholder, .success(let content)):
      let shape = PreviewShape.redacting(content)
      let kept = KeptPreview(
        content: shape, isShape: true, origin: ask.origin, madeAt: now.wall)
      output.routinePreviews.formUnion(previews.keep(ask.key, kept))
      fail(ask, ask.problem ?? "", at: now, into: &output)
    case (_, .success(let content)):
      let kept = KeptPreview(
        content: content, isShape: false, origin: ask.origin, madeAt: now.wall)
      output.routinePreviews.formUnion(previews.keep(ask.key, kept))
      output.previewsEnded = true
    case (.snapshot, .failure(let problem))
    where previews[ask.key] == nil && ask.provider.plugin == nil && kinds[ask.key.kind] != nil:
      var again = ask
      again.request = .placeholder
      again.problem = problem.message
      previews.askAgain(again)
    case (_, .failure(let problem)):
      fail(ask, ask.problem ?? problem.message, at: now, into: &output)
    }
    return true
  }

  /// Notes that an ask has no snapshot, and that nobody is asked again for a while (milliseconds).
  private mutating func fail(
    _ ask: Previews.Ask, _ message: String, for pause: Int64 = Limits.previewPause, at now: Now,
    into output: inout EngineOutput
  ) {
    let until = now.monotonic.advanced(byMilliseconds: pause)
    previews.note(
      Previews.Problem(message: message, origin: ask.origin, until: until), of: ask.key)
    output.previewsEnded = true
  }

  /// Reads what a script of another bar printed: one run of it is its preview.
  private static func preview(
    in printed: PluginOutput, of provider: ProviderDeclaration, at now: WallTime
  ) -> Result<JSONObject, PreviewAnswer.Problem> {
    switch judge(printed, by: provider, at: now) {
    case .failure(let failure):
      let why = failure.stderr.map { ": \($0)" } ?? ""
      return .failure(.init(message: failure.message + why))
    case .success(let answer) where answer.timeline.entries.isEmpty:
      return .failure(.init(message: "it has nothing to show now"))
    case .success(let answer): return PreviewAnswer.content(of: answer.timeline, at: now)
    }
  }

  // MARK: Keeping

  /// The previews that are kept, in ascending order.
  package var keptPreviews: [PreviewKey] { previews.keys }
  /// The tokens of the runs that make previews.
  package var previewTokens: Set<RunToken> { runs.previewTokens }

  /// The record of a preview for the store; `nil`: it is not kept.
  package func previewRecord(_ key: PreviewKey) -> JSONValue? { previews[key]?.record }

  /// Takes the record of a preview; `false`: it cannot be read.
  ///
  /// There may be too many, or a kind may be gone: `surplus` gets those that the store is to forget.
  package mutating func restorePreview(
    _ key: PreviewKey, _ record: JSONValue, surplus: inout Set<PreviewKey>
  ) -> Bool {
    guard let kept = KeptPreview(record: record) else { return false }
    if kinds[key.kind] == nil || !previews.restore(key, kept) { surplus.insert(key) }
    return true
  }

  /// Forgets the previews of kinds that are gone.
  mutating func forgetPreviewsOfGoneKinds(into output: inout EngineOutput) {
    let gone = previews.forget { kinds[$0] != nil }
    output.routinePreviews.formUnion(gone)
  }

  /// Takes the previews of the engine before, between `restore` and `resume`.
  ///
  /// - Returns: those that are still to be written.
  package mutating func takeBackPreviews(from before: WidgetEngine) -> Set<PreviewKey> {
    let running = runs.previewTokens
    return previews.takeBack(from: before.previews) { running.contains($0) }
  }

  /// A sentence for everything that is wrong about previews.
  func checkPreviews() -> [String] {
    var wrong = previews.checkInvariants()
    if previews.tokens != runs.previewTokens {
      wrong.append("the runs for previews are not those that are asked for")
    }
    return wrong
  }
}
