import DaemonCore
import Testing
import Timekeeping

@testable import DaemonRuntime

struct LogLimiterTests {
  private static func moment(_ seconds: Int64) -> Instant {
    Instant(nanoseconds: 5).advanced(byMilliseconds: seconds * 1_000)
  }

  private static func failed(_ kind: String) -> LogLine {
    LogLine(.warning, "provider.failed", ["kind": kind, "reason": "exit code 1"])
  }

  @Test func `a cause has a number of lines, and the next minute reports how many were left out`() {
    var limiter = LogLimiter()
    var passed = 0
    for second in 0..<59 {
      if limiter.pass(Self.failed("clock"), at: Self.moment(Int64(second))) != nil { passed += 1 }
    }
    #expect(passed == RuntimeLimits.logLineCountMax)
    let next = limiter.pass(Self.failed("clock"), at: Self.moment(60))
    #expect(next?.fields.last == LogLine.Field(key: "suppressed", value: "49"))
    #expect(limiter.pass(Self.failed("clock"), at: Self.moment(61)) == Self.failed("clock"))
  }

  @Test func `other causes are not silenced with it`() {
    var limiter = LogLimiter()
    for _ in 0..<100 { _ = limiter.pass(Self.failed("clock"), at: Self.moment(0)) }
    #expect(limiter.pass(Self.failed("clock"), at: Self.moment(0)) == nil)
    #expect(limiter.pass(Self.failed("news"), at: Self.moment(0)) != nil)
    let full = LogLine(.error, "store.failed", ["code": "diskFull", "reason": "a"])
    #expect(limiter.pass(full, at: Self.moment(0)) == full)
  }

  @Test func `the causes that are remembered are bounded`() {
    var limiter = LogLimiter()
    for round in 0..<3 {
      for number in 0..<1_000 {
        #expect(limiter.pass(Self.failed("kind \(number)"), at: Self.moment(Int64(round))) != nil)
      }
    }
    #expect(limiter.causeCount == RuntimeLimits.logCauseCountMax)
  }
}
