import JSON
public import SwiftUI

/// A kind of widget without a configuration.
///
/// Source: WidgetKit.
public struct StaticConfiguration<Content> {
  private let widgetSource: WidgetSource
}

extension StaticConfiguration: WidgetConfiguration, SourcedConfiguration where Content: View {
  /// It has none.
  public typealias Body = Never
  package var source: WidgetSource { widgetSource }

  /// Makes a kind of its provider and its view.
  public nonisolated init<Provider: TimelineProvider>(
    kind: String, provider: Provider,
    @ViewBuilder content: @escaping (Provider.Entry) -> Content
  ) {
    widgetSource = WidgetSource(
      kind: kind, configuration: .none,
      placeholder: { _, context in
        ProvidedTimeline(
          entries: [ProvidedEntry(provider.placeholder(in: context), content)], policy: .never)
      },
      snapshot: { _, context in
        let entry = await Completion.value { provider.getSnapshot(in: context, completion: $0) }
        return entry.map {
          ProvidedTimeline(entries: [ProvidedEntry($0, content)], policy: .never)
        }
      },
      timeline: { _, context in
        let timeline = await Completion.value {
          provider.getTimeline(in: context, completion: $0)
        }
        guard let timeline else { return nil }
        return ProvidedTimeline(
          entries: timeline.entries.map { ProvidedEntry($0, content) }, policy: timeline.policy,
          relevance: await provider.relevance().attributes.compactMap(\.context))
      })
  }
}

/// A kind of widget that an intent of SiriKit configures.
///
/// Source: WidgetKit.
public struct IntentConfiguration<Intent, Content> {
  private let widgetSource: WidgetSource
}

extension IntentConfiguration: WidgetConfiguration, SourcedConfiguration
where Intent: INIntent, Content: View {
  /// It has none.
  public typealias Body = Never
  package var source: WidgetSource { widgetSource }

  /// Makes a kind of its provider and its view.
  public nonisolated init<Provider: IntentTimelineProvider>(
    kind: String, intent: Intent.Type, provider: Provider,
    @ViewBuilder content: @escaping (Provider.Entry) -> Content
  ) where Provider.Intent == Intent {
    widgetSource = WidgetSource(
      kind: kind, configuration: .intent(intent),
      placeholder: { _, context in
        ProvidedTimeline(
          entries: [ProvidedEntry(provider.placeholder(in: context), content)], policy: .never)
      },
      snapshot: { call, context in
        let configured = ConfiguredIntent.configure(intent, call)
        let entry = await Completion.value {
          provider.getSnapshot(for: configured.intent, in: context, completion: $0)
        }
        return entry.map {
          ProvidedTimeline(
            entries: [ProvidedEntry($0, content)], policy: .never, warnings: configured.warnings)
        }
      },
      timeline: { call, context in
        let configured = ConfiguredIntent.configure(intent, call)
        let timeline = await Completion.value {
          provider.getTimeline(for: configured.intent, in: context, completion: $0)
        }
        guard let timeline else { return nil }
        let own = configured.intent
        return ProvidedTimeline(
          entries: timeline.entries.map { ProvidedEntry($0, content) }, policy: timeline.policy,
          relevance: await provider.relevance().attributes.filter {
            $0.configuration.map { $0.isEqual(own) } ?? true
          }.compactMap(\.context),
          warnings: configured.warnings)
      },
      recommendations: {
        provider.recommendations().map { recommendation in
          let values = recommendation.intent._parameters.sorted { $0.key < $1.key }
          return WidgetSource.Recommendation(
            title: recommendation.description,
            parameters: JSONObject(
              values.filter { $0.value != .none }.map {
                JSONObject.Member(key: $0.key, value: $0.value.json)
              }))
        }
      })
  }
}

/// A kind of widget that an app intent configures.
///
/// Source: WidgetKit.
public struct AppIntentConfiguration<Intent, Content> {
  private let widgetSource: WidgetSource
}

extension AppIntentConfiguration: WidgetConfiguration, SourcedConfiguration
where Intent: WidgetConfigurationIntent, Content: View {
  /// It has none.
  public typealias Body = Never
  package var source: WidgetSource { widgetSource }

  /// Makes a kind of its provider and its view.
  public nonisolated init<Provider: AppIntentTimelineProvider>(
    kind: String, intent: Intent.Type = Intent.self, provider: Provider,
    @ViewBuilder content: @escaping (Provider.Entry) -> Content
  ) where Provider.Intent == Intent {
    widgetSource = WidgetSource(
      kind: kind, configuration: .appIntent(intent),
      placeholder: { _, context in
        ProvidedTimeline(
          entries: [ProvidedEntry(provider.placeholder(in: context), content)], policy: .never)
      },
      snapshot: { (call, context) async throws(ParameterProblem) in
        let configured = try await ConfiguredIntent.configure(intent, call)
        let entry = await provider.snapshot(for: configured.intent, in: context)
        return ProvidedTimeline(
          entries: [ProvidedEntry(entry, content)], policy: .never, warnings: configured.warnings)
      },
      timeline: { (call, context) async throws(ParameterProblem) in
        let configured = try await ConfiguredIntent.configure(intent, call)
        let timeline = await provider.timeline(for: configured.intent, in: context)
        let own = IntentCall(configured.intent)
        return ProvidedTimeline(
          entries: timeline.entries.map { ProvidedEntry($0, content) }, policy: timeline.policy,
          relevance: await provider.relevance().attributes.filter {
            $0.configuration.map { IntentCall($0) == own } ?? true
          }.compactMap(\.context),
          warnings: configured.warnings)
      },
      recommendations: {
        provider.recommendations().map {
          WidgetSource.Recommendation(
            title: $0.description, parameters: IntentCall($0.intent).parameters)
        }
      })
  }
}

/// A kind that is shown while it is relevant; it compiles, and gets no manifest.
///
/// Source: WidgetKit of watchOS.
public struct RelevanceConfiguration<Content> {
  fileprivate let kind: String
}

extension RelevanceConfiguration: WidgetConfiguration where Content: View {
  /// It has none.
  public typealias Body = Never

  /// Makes a kind of its provider and its view.
  public nonisolated init<Provider: RelevanceEntriesProvider>(
    kind: String, provider: Provider,
    @ViewBuilder content: @escaping @MainActor (Provider.Entry) -> Content
  ) { self.kind = kind }
}
