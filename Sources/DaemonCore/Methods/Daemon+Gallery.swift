import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Handles `gallery.list`: the kinds that can be placed, and how each of them looks.
///
/// With `previews` the answer waits until each preview is there or failed, at most
/// `Limits.galleryWait`. It promises nothing and waits for no disk.
extension Daemon {
  mutating func listGallery(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["kind", "previews", "family"] + Self.languageKeys)
    let languages = try languages(params, of: address.connection)
    var kinds = engine.kinds.values.sorted { $0.kind < $1.kind }
    if let name = try params.optionalString("kind") {
      guard let kind = engine.kinds[name] else { throw RPCError(engine.unknownKind(name)) }
      kinds = [kind]
    }
    let family = try family(params)
    if let name = try params.optionalString("language") {
      _ = try Self.localeName(name, "language")
    }
    var request = OpenGalleries.Waiting(
      address: address, kinds: kinds.map(\.kind), wishes: [:], languages: languages,
      deadline: now.monotonic.advanced(byMilliseconds: Limits.galleryWait))
    guard try params.bool("previews", default: false) else {
      outbox.answer(address, gallery(request, at: now))
      return
    }
    try outbox.checkMayWait(address)
    var output = EngineOutput()
    let locale = try previewLocale(params, languages)
    for kind in kinds {
      let shown = family.flatMap { kind.families.contains($0) ? $0 : nil } ?? kind.families[0]
      request.wishes[kind.kind] = engine.wishPreview(
        of: kind, PreviewKey(kind: kind.kind, family: shown, locale: locale),
        intent: previewIntent(of: kind, locale), at: now, into: &output)
    }
    engine.advance(at: now, into: &output)
    if address.id != nil, request.wishes.values.contains(where: { engine.isUnderWay($0) }) {
      try outbox.reserveWaiting(address)
      galleries.wait(request)
    } else {
      outbox.answer(address, gallery(request, at: now))
    }
    apply(output, at: now, into: &effects)
  }

  /// Returns the locale that previews are made for: the first of the languages of who asks that
  /// names one, in the form that providers are given.
  private func previewLocale(
    _ params: Params, _ languages: [String]
  ) throws(RPCError) -> String {
    if let name = try params.optionalString("language") {
      return try Self.localeName(name, "language")
    }
    guard let first = languages.first(where: { $0 != "*" }) else { return engine.locale }
    return try Self.localeName(
      String(first.map { $0 == "-" ? "_" : $0 }), "languages")
  }

  /// Takes the outcome of a run that makes a preview; `false`: the run was none.
  mutating func takePreview(
    _ token: RunToken, _ outcome: ProviderOutcome, at now: Now, into effects: inout [Effect]
  ) -> Bool {
    let ended: WidgetEngine.PreviewOutcome =
      switch outcome {
      case .answered(let bytes, _): .answered(bytes)
      case .printed(let output): .printed(output)
      case .failed(let failure): .failed(failure)
      }
    var output = EngineOutput()
    guard engine.previewEnded(token, ended, at: now, into: &output) else { return false }
    // A stop ended the run; what waits now would begin another one.
    if phase == .running { engine.advance(at: now, into: &output) }
    apply(output, at: now, into: &effects)
    return true
  }

  /// Answers the galleries whose previews are there or failed, and those that waited long enough.
  mutating func answerGalleries(at now: Now) {
    for request in galleries.take(at: now.monotonic, unless: { engine.isUnderWay($0) }) {
      outbox.releaseWaiting(request.address)
      outbox.answer(request.address, gallery(request, at: now))
    }
  }

  /// The answer to a request; kinds that went meanwhile are left out.
  private func gallery(_ request: OpenGalleries.Waiting, at now: Now) -> JSONObject {
    var room = Limits.galleryPreviewBytesMax
    let kinds = request.kinds.compactMap { engine.kinds[$0] }
    return [
      "kinds": .array(
        kinds.map { kind in
          var view = engine.galleryView(of: kind, in: request.languages)
          if let intent = kind.intent,
            let definition = configuration.catalog.definition(named: intent)
          {
            view["parameters"] = definition.localized(in: request.languages)
              .parametersView(in: configuration.catalog)
          }
          if let wish = request.wishes[kind.kind] {
            let preview = engine.previewView(of: wish, mayShow: room > 0, at: now.wall)
            room -= JSONValue.object(preview).serialized.utf8.count
            view["preview"] = .object(preview)
          }
          return .object(view)
        })
    ]
  }

  /// The configuration that a preview of a kind is asked for, as a provider gets it.
  ///
  /// A parameter has its default. One that is required and has none gets the first value of its list,
  /// else its first case, else the value of the first example sentence. So `intent-send simulate`
  /// chooses, too.
  private func previewIntent(
    of kind: WidgetKind, _ locale: String
  ) -> Result<JSONValue, PreviewAnswer.Problem> {
    guard let name = kind.intent else { return .success(.null) }
    let catalog = configuration.catalog
    guard let definition = catalog.definition(named: name) else {
      return .failure(
        .init(message: "its intent \(quoted(name)) is not there, so nothing configures it"))
    }
    let language = String(locale.prefix { $0.isLetter }).lowercased()
    let languages = catalog.languages.sorted { left, right in
      (left.hasPrefix(language) ? 0 : 1, left) < (right.hasPrefix(language) ? 0 : 1, right)
    }
    let example = languages.lazy.compactMap { definition.examples[$0]?.first }.first
    var values: [String: JSONValue] = [:]
    for parameter in definition.parameters
    where parameter.isRequired && parameter.defaultValue == nil {
      let value =
        parameter.list.flatMap { catalog.values(ofList: $0)?.first }
        ?? parameter.cases.first.map { .string($0.identifier) }
        ?? example?.parameters[parameter.name]
      if let value { values[parameter.name] = value }
    }
    switch catalog.resolve(name: name, parameters: values) {
    case .success(let intent): return .success(.object(intent.view))
    case .failure(let error):
      return .failure(.init(message: "no values are known for its preview: \(error.message)"))
    }
  }
}
