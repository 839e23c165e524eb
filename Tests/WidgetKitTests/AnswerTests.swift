import JSON
import SwiftUI
import Synchronization
import Testing
import Timekeeping
import WidgetExtension
import WidgetKit

/// Providers that do what they should not.
@Suite struct AnswerTests {
  private static let now = WallTime(seconds: 1_780_000_000)

  private struct Moment: TimelineEntry {
    var date: Date
    var relevance: TimelineEntryRelevance? = nil
  }

  /// Completes as its closure says.
  private struct Provider: TimelineProvider {
    let complete: @Sendable (@escaping @Sendable (Timeline<Moment>) -> Void) -> Void

    func placeholder(in context: Context) -> Moment { Moment(date: at(0)) }
    func getSnapshot(in context: Context, completion: @escaping @Sendable (Moment) -> Void) {
      completion(Moment(date: at(60)))
    }
    func getTimeline(
      in context: Context, completion: @escaping @Sendable (Timeline<Moment>) -> Void
    ) { complete(completion) }
  }

  private struct Moments: Widget {
    var provider = Provider { _ in }
    var body: some WidgetConfiguration {
      StaticConfiguration(kind: "moments", provider: provider) { entry in
        Text("\(Int(entry.date.timeIntervalSince1970) - 1_780_000_000)")
      }
    }
  }

  /// A completion that its provider keeps and does not call.
  private final class Kept: Sendable {
    let completion = Mutex<(@Sendable (Timeline<Moment>) -> Void)?>(nil)
  }

  /// A date so many seconds after the request.
  private static func at(_ seconds: Double) -> Date {
    Date(timeIntervalSince1970: 1_780_000_000 + seconds)
  }

  private static func timeline(
    _ seconds: [Double], _ policy: TimelineReloadPolicy = .never
  ) -> Timeline<Moment> {
    Timeline(entries: seconds.map { Moment(date: at($0)) }, policy: policy)
  }

  private func answer(
    _ sort: ProviderRequest.Sort = .timeline,
    _ complete: @escaping @Sendable (@escaping @Sendable (Timeline<Moment>) -> Void) -> Void
  ) async throws -> AnswerMaker.Answer {
    let sources = await MainActor.run {
      WidgetProgram(of: Moments(provider: Provider(complete: complete))).kinds.map(\.source)
    }
    let maker = AnswerMaker(sources) { Self.now.advanced(byMilliseconds: 40) }
    let params: JSONValue = ["kind": "moments", "now": .string(Self.now.rfc3339)]
    return try await maker.answer(ProviderRequest(sort, params, kinds: maker.kinds))
  }

  private func titles(_ answer: AnswerMaker.Answer) -> [String] {
    (answer.result["entries"]?.arrayValue ?? []).compactMap { $0["content"]?["title"]?.stringValue }
  }

  @Test func `entries that are not sorted are`() async throws {
    let answer = try await answer { $0(Self.timeline([300, 100, 200], .atEnd)) }
    #expect(titles(answer) == ["100", "200", "300"])
    #expect(answer.result["policy"] == "atEnd")
  }

  @Test func `entries of the past stay`() async throws {
    #expect(titles(try await answer { $0(Self.timeline([-200, -100])) }) == ["-200", "-100"])
  }

  @Test func `no entries keep what is shown`() async throws {
    let answer = try await answer { $0(Self.timeline([], .after(Self.at(60)))) }
    #expect(answer.result["result"] == "noData")
    #expect(answer.result["policy"]?["after"] == "2026-05-28T20:27:40Z")
    #expect(!answer.warnings.isEmpty)
  }

  @Test func `the first completion counts`() async throws {
    let answer = try await answer { complete in
      complete(Self.timeline([1]))
      complete(Self.timeline([2]))
    }
    #expect(titles(answer) == ["1"])
  }

  @Test func `a completion may come later, from any thread`() async throws {
    let answer = try await answer { complete in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) {
        Thread { complete(Self.timeline([5])) }.start()
      }
    }
    #expect(titles(answer) == ["5"])
  }

  @Test func `a completion may come from the main queue`() async throws {
    let answer = try await answer { complete in
      DispatchQueue.main.async { complete(Self.timeline([6])) }
    }
    #expect(titles(answer) == ["6"])
  }

  @Test func `a provider that lets go of its completion fails at once`() async {
    await #expect(throws: ExtensionError.self) { try await answer { _ in } }
  }

  @Test func `a provider that never completes ends with its request`() async throws {
    let kept = Kept()
    let task = Task { try await answer { complete in kept.completion.withLock { $0 = complete } } }
    while kept.completion.withLock({ $0 == nil }) { await Task.yield() }
    task.cancel()
    await #expect(throws: ExtensionError(.cancelled, "cancelled")) { try await task.value }
    // Too late: nobody waits.
    kept.completion.withLock { $0 }?(Self.timeline([1]))
  }

  @Test func `an entry of the moment of the run counts from the request`() async throws {
    let answer = try await answer { $0(Self.timeline([0.02])) }
    #expect(answer.result["entries"]?.arrayValue?.first?["date"] == .string(Self.now.rfc3339))
  }

  /// An entry whose date is a second later each time.
  private final class Sliding: TimelineEntry, @unchecked Sendable {
    private let reads = Mutex(0)
    var date: Date {
      at(
        Double(
          reads.withLock { reads in
            reads += 1
            return reads
          }))
    }
  }

  private struct SlidingProvider: TimelineProvider {
    func placeholder(in context: Context) -> Sliding { Sliding() }
    func getSnapshot(in context: Context, completion: @escaping @Sendable (Sliding) -> Void) {
      completion(Sliding())
    }
    func getTimeline(
      in context: Context, completion: @escaping @Sendable (Timeline<Sliding>) -> Void
    ) { completion(Timeline(entries: [Sliding()], policy: .never)) }
  }

  private struct SlidingWidget: Widget {
    var body: some WidgetConfiguration {
      StaticConfiguration(kind: "sliding", provider: SlidingProvider()) { _ in Text("x") }
    }
  }

  @Test func `a date is read once`() async throws {
    let sources = await MainActor.run { WidgetProgram(of: SlidingWidget()).kinds.map(\.source) }
    let maker = AnswerMaker(sources) { Self.now }
    let params: JSONValue = ["kind": "sliding", "now": .string(Self.now.rfc3339)]
    let answer = try await maker.answer(ProviderRequest(.timeline, params, kinds: maker.kinds))
    #expect(
      answer.result["entries"]?.arrayValue?.first?["date"]
        == .string(Self.now.advanced(bySeconds: 1).rfc3339))
  }

  @Test func `a snapshot is one content`() async throws {
    let answer = try await answer(.snapshot) { _ in }
    #expect(answer.result["content"]?["title"] == "60")
    #expect(answer.result["entries"] == nil)
  }

  @Test func `a placeholder is one content`() async throws {
    #expect(try await answer(.placeholder) { _ in }.result["content"] != nil)
  }
}
