import Timekeeping

/// Returns a moment as a person types it (`MomentText`) in the form of the protocol.
///
/// `day` says where a time, a weekday or a span without a direction points.
func date(
  _ text: String, _ day: MomentText.Day, now: WallTime,
  zoneOffset: @escaping (WallTime) -> Int
) throws(Failure) -> String {
  guard let moment = MomentText.read(text, now: now, day: day, secondsEast: zoneOffset) else {
    throw Failure(
      status: .usage, message: "'\(text)' is no moment",
      hints: [
        "a time: 18:30, 8am, noon; a day: tomorrow, monday, 2026-11-23; both: \"tomorrow 8am\"",
        "a span: 30m, 2h, \"in 2h\", \"2h ago\", -2h; or a date of RFC 3339: 2026-11-20T21:00:00Z",
      ])
  }
  return moment.rfc3339
}
