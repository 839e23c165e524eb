import FoundationAdditions
import Timekeeping

extension WallTime {
  /// The date to the millisecond; dates outside of the years 0 to 9999 become the nearest inside.
  init(_ date: Date) {
    let seconds = date.timeIntervalSince1970
    let clamped = min(max(seconds.isNaN ? 0 : seconds, -62_167_219_200), 253_402_300_799)
    self.init(milliseconds: Int64((clamped * 1_000).rounded()))
  }
}
