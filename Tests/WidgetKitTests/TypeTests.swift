import Testing
import WidgetKit

/// Uses the types as iOS code does.
struct TypeTests {
  private struct Entry: TimelineEntry {
    var date: Date
  }

  @Test func `a provider's code reads as on iOS`() {
    let now = Date(timeIntervalSince1970: 0)
    let timeline = Timeline(entries: [Entry(date: now)], policy: .after(now.addingTimeInterval(60)))
    #expect(timeline.entries.map(\.date) == [now])
    #expect(timeline.entries.first?.relevance == nil)
    #expect(timeline.policy == .after(Date(timeIntervalSince1970: 60)))
    #expect(timeline.policy != .after(now))
    #expect(TimelineReloadPolicy.atEnd != .never)
    #expect(TimelineEntryRelevance(score: 10).duration == 0)
  }

  @Test func `relevance survives coding`() throws {
    let relevance = TimelineEntryRelevance(score: 0.5, duration: 60)
    let data = try JSONEncoder().encode(relevance)
    #expect(try JSONDecoder().decode(TimelineEntryRelevance.self, from: data) == relevance)
  }

  @Test(arguments: [
    WidgetFamily.systemSmall, .systemMedium, .systemLarge, .systemExtraLarge,
    .systemExtraLargePortrait, .accessoryCircular, .accessoryRectangular, .accessoryInline,
    .accessoryCorner,
  ])
  func `a family is found by its name`(_ family: WidgetFamily) {
    #expect(WidgetFamily(name: family.description) == family)
    #expect("\(family)" == family.description)
    #expect(WidgetFamily(name: family.description.uppercased()) == nil)
  }
}
