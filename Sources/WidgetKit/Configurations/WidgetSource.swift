package import JSON
package import SwiftUI

/// A kind of widget, whatever its types: what the runtime asks.
///
/// The closures hold the provider, and the view of an entry. They run on any thread, as providers do
/// on iOS; only `ProvidedEntry.view` needs the main one.
package struct WidgetSource: @unchecked Sendable {
  package let kind: String
  package let configuration: ConfigurationType
  /// Whether the content of the pictures stands within margins.
  package var hasContentMargins = true
  package let placeholder: (JSONValue?, TimelineProviderContext) async -> ProvidedTimeline?
  /// Throws where a parameter of the configuration has no value.
  package let snapshot:
    (JSONValue?, TimelineProviderContext) async throws(ParameterProblem) -> ProvidedTimeline?
  /// Throws where a parameter of the configuration has no value.
  package let timeline:
    (JSONValue?, TimelineProviderContext) async throws(ParameterProblem) -> ProvidedTimeline?

  /// The configurations that the provider recommends.
  package var recommendations: () -> [Recommendation] = { [] }

  /// A configuration that a provider recommends.
  package struct Recommendation {
    package let title: Text
    package let parameters: JSONObject
  }

  /// How a kind is configured.
  package enum ConfigurationType {
    case none
    case appIntent(any WidgetConfigurationIntent.Type)
    case intent(INIntent.Type)
  }
}

/// The product of a provider.
package struct ProvidedTimeline {
  package var entries: [ProvidedEntry]
  package var policy: TimelineReloadPolicy
  /// When the widget is relevant, whatever it shows.
  package var relevance: [RelevantContext] = []
  /// Sentences for the author.
  package var warnings: [String] = []
}

/// An entry, whose date was read once; its view is made on the main thread alone.
package struct ProvidedEntry: @unchecked Sendable {
  package let date: Date
  package let relevance: TimelineEntryRelevance?
  package let view: @MainActor () -> any View

  init<Entry: TimelineEntry, Content: View>(
    _ entry: Entry, _ content: @escaping (Entry) -> Content
  ) {
    date = entry.date
    relevance = entry.relevance
    // The closure was written for the main thread, and runs on it alone.
    nonisolated(unsafe) let (entry, content) = (entry, content)
    view = { content(entry) }
  }
}

/// A configuration that has a source.
@MainActor
package protocol SourcedConfiguration {
  var source: WidgetSource { get }
}

/// The completion of a provider, exactly once.
///
/// A provider may call from any thread, later, twice or never. The first call counts. When the
/// request is cancelled, or the provider lets go of its closure without a call, there is no value.
/// A lock guards the continuation.
final class Completion<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var continuation: UnsafeContinuation<Value?, Never>?

  private init(_ continuation: UnsafeContinuation<Value?, Never>) {
    self.continuation = continuation
  }

  deinit { complete(nil) }

  func complete(_ value: Value?) {
    let waiting = lock.withLock {
      defer { continuation = nil }
      return continuation
    }
    // The thread that completes has no more use for it.
    nonisolated(unsafe) let value = value
    waiting?.resume(returning: value)
  }

  /// Calls `body` on a thread of its own, which may block, and waits for the value.
  static func value(
    of body: @escaping (@escaping @Sendable (Value) -> Void) -> Void
  ) async -> Value? {
    let pending = WeakCompletion<Value>()
    // One thread calls it, once; the value goes from that thread to the one that waits.
    nonisolated(unsafe) let body = body
    nonisolated(unsafe) let value = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let completion = Completion(continuation)
        pending.set(completion)
        // A provider may block its thread, and those of Swift's tasks are few.
        DispatchQueue.global().async { body { completion.complete($0) } }
      }
    } onCancel: {
      pending.cancel()
    }
    return value
  }
}

/// Finds the completion of a request that is cancelled, without keeping it alive; a lock guards it.
private final class WeakCompletion<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private weak var completion: Completion<Value>?
  private var isCancelled = false

  func set(_ completion: Completion<Value>) {
    let isLate = lock.withLock {
      self.completion = completion
      return isCancelled
    }
    if isLate { completion.complete(nil) }
  }

  func cancel() {
    let found = lock.withLock {
      isCancelled = true
      return completion
    }
    found?.complete(nil)
  }
}
