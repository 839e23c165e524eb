import AppIntents
import Intents
package import JSON
import SwiftUI
package import Timekeeping
package import WidgetExtension

/// Makes the answers to requests: asks a provider, evaluates its views, performs intents.
package struct AnswerMaker: Sendable {
  /// An answer, and what its author should know.
  package struct Answer: Sendable {
    package var result: JSONObject
    package var warnings: [String] = []
  }

  private let sources: [WidgetSource]
  /// The time of day in milliseconds since 1970, as the providers see it.
  private let readClock: @Sendable () -> WallTime

  package init(
    _ sources: [WidgetSource], clock readClock: @escaping @Sendable () -> WallTime = Self.ownClock
  ) {
    self.sources = sources
    self.readClock = readClock
  }

  /// The clock of this program.
  package static let ownClock: @Sendable () -> WallTime = {
    Date().wallTime ?? WallTime(milliseconds: 0)
  }

  /// The names by which requests mean kinds.
  package var kinds: KindNames { KindNames(sources.map(\.kind)) }

  /// Answers a request.
  package func answer(_ request: ProviderRequest) async throws(ExtensionError) -> Answer {
    switch request.sort {
    case .timeline, .snapshot, .placeholder: try await entries(request)
    case .options: try await options(request)
    case .perform: try await perform(request)
    }
  }

  private func source(of request: ProviderRequest) throws(ExtensionError) -> WidgetSource {
    guard let source = sources.first(where: { $0.kind == request.kind }) else {
      throw ExtensionError(.invalidParams, "no kind '\(request.kind ?? "")'")
    }
    return source
  }

  // MARK: Entries

  private func entries(_ request: ProviderRequest) async throws(ExtensionError) -> Answer {
    let source = try source(of: request)
    guard let family = WidgetFamily(name: request.family) else {
      throw ExtensionError(.invalidParams, "no family '\(request.family)'")
    }
    let context = TimelineProviderContext(
      family: family, isPreview: request.isPreview,
      displaySize: request.width.flatMap { width in
        request.height.map { CGSize(width: width, height: $0) }
      }, environment: environment(of: request, source))
    let provided: ProvidedTimeline?
    do throws(ParameterProblem) {
      switch request.sort {
      case .placeholder: provided = await source.placeholder(request.intent, context)
      case .snapshot: provided = try await source.snapshot(request.intent, context)
      case .timeline, .options, .perform:
        provided = try await source.timeline(request.intent, context)
      }
    } catch {
      throw error.ofEntry
    }
    guard let provided else {
      throw Task.isCancelled
        ? ExtensionError(.cancelled, "cancelled")
        : ExtensionError(
          .failed, "the provider of '\(source.kind)' let go of its completion without a call")
    }
    return await answer(request, provided, context)
  }

  private func answer(
    _ request: ProviderRequest, _ provided: ProvidedTimeline, _ context: TimelineProviderContext
  ) async -> Answer {
    let entries = provided.entries.map(\.answerEntry)
    let order = TimelineAnswer(entries, requested: request.now, answered: readClock())
    var drawing = EntryDrawing(
      context: context, isPlaceholder: request.sort == .placeholder,
      wantsPicture: request.wantsPicture)
    var contents: [JSONObject] = []
    contents.reserveCapacity(order.places.count)
    for place in order.places {
      if Task.isCancelled { break }
      contents.append(
        await drawing.draw(provided.entries[place.index], at: Date(place.date)))
    }
    let warnings = provided.warnings + order.warnings + drawing.warnings
    guard contents.count == order.places.count else { return Answer(result: [:]) }
    if request.sort != .timeline {
      return Answer(result: contents.first ?? ["content": [:]], warnings: warnings)
    }
    return Answer(
      result: order.json(
        contents: contents, of: entries, policy: provided.policy.answerPolicy,
        windows: provided.relevance.compactMap(\.answerWindow)),
      warnings: warnings)
  }

  private func environment(
    of request: ProviderRequest, _ source: WidgetSource
  ) -> EnvironmentValues {
    var environment = EnvironmentValues()
    environment.hasContentMargins = source.hasContentMargins
    if let locale = request.locale { environment.locale = Locale(identifier: locale) }
    if let size = DynamicTypeSize.allCases.first(where: { "\($0)" == request.textSize }) {
      environment.dynamicTypeSize = size
    }
    return environment
  }

  // MARK: Options

  private func options(_ request: ProviderRequest) async throws(ExtensionError) -> Answer {
    let source = try source(of: request)
    let name = request.parameter ?? ""
    do {
      switch source.configuration {
      case .none: return Answer(result: ["options": []])
      case .appIntent(let type):
        return try await ParameterOptions.answer(type, request, name)
      case .intent(let type):
        return try await ParameterOptions.answer(type, request, name)
      }
    } catch let error as ExtensionError {
      throw error
    } catch {
      throw ExtensionError(.failed, describe(error))
    }
  }

  // MARK: Intents

  private func perform(_ request: ProviderRequest) async throws(ExtensionError) -> Answer {
    let name = request.intent?["name"]?.stringValue ?? ""
    guard let type = OwnIntents.types[name] else {
      if let type = INIntent.generatedClasses[name] {
        return try await performDefined(type, request.intent)
      }
      let near = nearest(to: name, among: OwnIntents.types.keys.sorted())
      throw ExtensionError(
        .invalidParams, "this program has no intent '\(name)'\(didYouMean(near))")
    }
    do {
      return try await PersonsConsent.$isGiven.withValue(request.isConfirmed) {
        try await Self.perform(type, request.intent)
      }
    } catch let problem as ParameterProblem {
      throw problem.ofPerform
    } catch {
      throw ExtensionError(.failed, describe(error))
    }
  }

  /// Lets the handler of an intent of a definition file confirm and handle it.
  private func performDefined<Intent: INIntent>(
    _ type: Intent.Type, _ call: JSONValue?
  ) async throws(ExtensionError) -> Answer {
    let configured = ConfiguredIntent.configure(type, call)
    let intent = configured.intent
    if let refused = configured.refused { throw ExtensionError(.failed, refused) }
    guard let handler = INExtension.own?.handler(for: intent), intent._isHandled(by: handler) else {
      throw ExtensionError(.failed, "no class of the program handles \(type._intentName)")
    }
    let answer = await withCheckedContinuation { continuation in
      _ = intent._perform(by: handler) { continuation.resume(returning: $0) }
    }
    guard answer.isDone else {
      throw ExtensionError(
        .failed, answer.sentence ?? "its handler answered '\(answer.code)'")
    }
    var result = JSONObject()
    if let sentence = answer.sentence { result["dialog"] = .string(sentence) }
    if !answer.values.isEmpty { result["value"] = INIntent.Value.fields(answer.values).json }
    return Answer(result: result, warnings: configured.warnings)
  }

  private static func perform<Intent: AppIntent>(
    _ type: Intent.Type, _ call: JSONValue?
  ) async throws -> Answer {
    let configured = try await ConfiguredIntent.configureToPerform(type, call)
    let result = try await configured.intent.perform()
    return Answer(result: result.performAnswer, warnings: configured.warnings)
  }
}

/// The app intents of this program.
enum OwnIntents {
  /// By their names.
  static let types: [String: any AppIntent.Type] = Dictionary(
    ImageTypes.conforming(to: (any AppIntent).self).compactMap { type in
      (type as? any AppIntent.Type).map { ($0.persistentIdentifier, $0) }
    }
  ) { first, _ in first }
}

extension ProvidedEntry {
  /// The entry without its view.
  fileprivate var answerEntry: TimelineAnswer.Entry {
    TimelineAnswer.Entry(
      // A date that no calendar has is that of an entry that never comes.
      date: date.wallTime ?? Date.distantFuture.wallTime ?? WallTime(milliseconds: 0),
      score: relevance.map { Double($0.score) }, duration: relevance?.duration ?? 0)
  }
}

extension TimelineReloadPolicy {
  fileprivate var answerPolicy: TimelineAnswer.Policy {
    switch rule {
    case .atEnd: .atEnd
    case .never: .never
    case .after(let date): date.wallTime.map { .after($0) } ?? .never
    }
  }
}

extension RelevantContext {
  fileprivate var answerWindow: TimelineAnswer.Window? {
    guard let interval, let from = interval.start.wallTime, let to = interval.end.wallTime else {
      return nil
    }
    return TimelineAnswer.Window(from: from, to: to, kind: kind.rawValue)
  }
}

extension Date {
  /// The moment in milliseconds; `nil` for a date beyond the years 0 to 9999.
  var wallTime: WallTime? {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded(.down)
    guard milliseconds.isFinite, abs(milliseconds) < 253_402_300_800_000 else { return nil }
    return WallTime(milliseconds: Int64(milliseconds))
  }

  init(_ time: WallTime) {
    self.init(timeIntervalSince1970: Double(time.milliseconds) / 1000)
  }
}
