/// The limits of this module, each with its unit and reason.
package enum Limits {
  /// Entries in one timeline, as the daemon takes them: one a minute for a day.
  package static let timelineEntryCountMax = 1_440
  /// Relevant windows beside the entries, as the daemon takes them.
  package static let relevantWindowCountMax = 256
  /// Milliseconds between the request's moment and the clock up to which both are the same time: a
  /// request waits in a queue that long, and nobody simulates so little.
  package static let clockDifferenceMax: Int64 = 5_000
  /// Warnings about one answer that are written; the rest is counted.
  package static let warningCountMax = 20
}
