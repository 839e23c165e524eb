import Foundation
import FoundationAdditions
import Testing

/// The texts are those of iOS 17 in English and German.
@Suite struct RelativeDateTimeFormatterTests {
  private static let reference = Date(timeIntervalSince1970: 1_795_208_400)

  private static func formatter(_ locale: String) -> RelativeDateTimeFormatter {
    let formatter = RelativeDateTimeFormatter()
    formatter.locale = Locale(identifier: locale)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    formatter.calendar = calendar
    return formatter
  }

  @Test(arguments: [
    (-7_200.0, "2 hours ago"), (7_200, "in 2 hours"), (-86_400, "1 day ago"), (120, "in 2 minutes"),
  ])
  func `numbers are the usual style`(seconds: TimeInterval, text: String) {
    #expect(
      Self.formatter("en_US").localizedString(
        for: Self.reference.addingTimeInterval(seconds), relativeTo: Self.reference) == text)
  }

  @Test func `names stand for days that have one`() {
    let formatter = Self.formatter("de_DE")
    formatter.dateTimeStyle = .named
    let yesterday = Self.reference.addingTimeInterval(-86_400)
    #expect(formatter.localizedString(for: yesterday, relativeTo: Self.reference) == "gestern")
  }

  @Test(arguments: [
    (RelativeDateTimeFormatter.UnitsStyle.spellOut, "two hours ago"), (.short, "2 hr. ago"),
    (.abbreviated, "2h ago"),
  ])
  func `units have four lengths`(style: RelativeDateTimeFormatter.UnitsStyle, text: String) {
    let formatter = Self.formatter("en_US")
    formatter.unitsStyle = style
    let date = Self.reference.addingTimeInterval(-7_200)
    #expect(formatter.localizedString(for: date, relativeTo: Self.reference) == text)
  }

  @Test func `a span and components count from now`() {
    let formatter = Self.formatter("en_US")
    #expect(formatter.localizedString(fromTimeInterval: -300) == "5 minutes ago")
    #expect(formatter.localizedString(from: DateComponents(day: -3)) == "3 days ago")
    #expect(formatter.string(for: "no date") == nil)
  }
}
