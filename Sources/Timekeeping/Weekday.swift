/// Days of the week by their English names.
package enum Weekday {
  /// 0 = Monday … 6 = Sunday.
  package static let names = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The weekday of a date in days since 1970-01-01.
  package static func number(of day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }

  /// Returns the number of a name in lower case; `nil` for any other text.
  package static func number(named name: String) -> Int? { names.firstIndex(of: name) }
}
