import JSON
import SwiftUI
import Testing
import Timekeeping
import ViewMarkup
import WidgetExtension
import WidgetKit

/// Pictures of entries: only where they are asked for, and within the limits that the daemon has.
@Suite struct PictureTests {
  private static let now = WallTime(seconds: 1_780_000_000)

  private struct Moment: TimelineEntry {
    var date: Date
    var number: Int
  }

  private struct Provider: TimelineProvider {
    var count = 1
    func placeholder(in context: Context) -> Moment { moment(0) }
    func getSnapshot(in context: Context, completion: @escaping @Sendable (Moment) -> Void) {
      completion(moment(0))
    }
    func getTimeline(
      in context: Context, completion: @escaping @Sendable (Timeline<Moment>) -> Void
    ) {
      completion(Timeline(entries: (0..<count).map { moment($0) }, policy: .never))
    }
    private func moment(_ number: Int) -> Moment {
      Moment(date: Date(timeIntervalSince1970: 1_780_000_000 + Double(number)), number: number)
    }
  }

  /// Draws `length` letters in each entry.
  private struct Drawn: Widget {
    var count = 1
    var length = 10
    var body: some WidgetConfiguration {
      StaticConfiguration(kind: "drawn", provider: Provider(count: count)) { _ in
        Text(verbatim: String(repeating: "x", count: length))
      }
    }
  }

  private func answer(_ widget: Drawn, wantsPicture: Bool = true) async throws
    -> AnswerMaker.Answer
  {
    let sources = await MainActor.run { WidgetProgram(of: widget).kinds.map(\.source) }
    let maker = AnswerMaker(sources) { Self.now }
    var params: JSONObject = ["kind": "drawn", "now": .string(Self.now.rfc3339)]
    if wantsPicture { params["view"] = "html" }
    return try await maker.answer(
      ProviderRequest(.timeline, .object(params), kinds: maker.kinds))
  }

  private func views(_ answer: AnswerMaker.Answer) -> [JSONValue?] {
    (answer.result["entries"]?.arrayValue ?? []).map { $0["view"] }
  }

  @Test func `an entry has its picture where the request wants it, as the daemon takes it`()
    async throws
  {
    let drawn = try await answer(Drawn())
    #expect(drawn.warnings == [])
    let view = try #require(views(drawn).first ?? nil)
    for scheme in ["light", "dark"] {
      let html = try #require(view[scheme]?.stringValue)
      #expect(html.contains("xxxxxxxxxx"))
      #expect(try MarkupReader.read(html).get().html == html)
    }
    #expect(views(try await answer(Drawn(), wantsPicture: false)) == [nil])
  }

  @Test func `light and dark together have 64 KiB, or the entry has its content alone`()
    async throws
  {
    let large = try await answer(Drawn(length: 32_000))
    #expect(views(large).allSatisfy { $0 != nil })
    let tooLarge = try await answer(Drawn(length: 33_000))
    #expect(views(tooLarge) == [nil])
    #expect(tooLarge.warnings.contains { $0.hasPrefix("the picture is left out: light and dark") })
    #expect(tooLarge.result["entries"]?.arrayValue?.first?["content"]?["title"] != nil)
    let far = try await answer(Drawn(length: 70_000))
    #expect(views(far) == [nil] && far.warnings.count == 1, "\(far.warnings)")
  }

  @Test func `a timeline has 2 MiB of pictures, and a warning counts the others`() async throws {
    let answer = try await answer(Drawn(count: 40, length: 30_000))
    let bytes = views(answer).compactMap { $0 }.reduce(0) { sum, view in
      sum + ["light", "dark"].reduce(0) { $0 + (view[$1]?.stringValue?.utf8.count ?? 0) }
    }
    let left = views(answer).count { $0 == nil }
    #expect(bytes <= 2_097_152 && left > 0)
    #expect(answer.warnings.contains { $0.hasPrefix("\(left) entries have no picture") })
  }
}
