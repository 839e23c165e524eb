/// The limits of a simulation, with their units and reasons.
enum RehearsalLimits {
  /// Milliseconds of virtual time: less shows nothing.
  static let durationMin: Int64 = 60_000
  /// Milliseconds of virtual time: a leap year.
  static let durationMax: Int64 = 366 * 86_400_000
  /// Runs of providers: each is a process, and ten a second take half an hour.
  static let runCountMax = 20_000
  /// Milliseconds of real time.
  static let realTimeMax: Int64 = 900_000
  /// Decisions that are printed; the summary counts the others.
  static let printedDecisionCountMax = 100_000
  /// Turns of the core at one virtual moment: more is a loop that time does not get out of.
  static let turnsWithoutTimeMax = 10_000
  /// Bytes of a recording.
  static let recordingBytesMax = 256 << 20
  /// Bytes that a recording keeps of an answer that is no JSON: replayed, they are none either.
  static let recordedOutputBytesMax = 4_096
  /// Kinds at once: each has its own widget.
  static let kindCountMax = 1_000
}
