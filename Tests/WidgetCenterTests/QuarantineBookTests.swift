import Testing
import Timekeeping

@testable import WidgetCenter

/// The book of quarantines: when each ends, and how many runs failed in a row.
struct QuarantineBookTests {
  private static let now = WallTime(seconds: 1_795_161_600)

  @Test func `a quarantine lasts as long as its cause says, and is over once`() {
    var book = QuarantineBook()
    #expect(book.isEmpty)
    let failing = book.begin("a", .failing, "10 runs failed", at: Self.now)
    let looping = book.begin("b", .looping, "30 runs", at: Self.now)
    #expect(failing.until == Self.now.advanced(byMilliseconds: Limits.failureQuarantine))
    #expect(looping.until == Self.now.advanced(byMilliseconds: Limits.loopQuarantine))
    #expect(book["a"] == failing)
    #expect(book.nextRelease() == looping.until)
    #expect(book.popOver(at: looping.until.advanced(byMilliseconds: -1)) == nil)
    #expect(book.popOver(at: looping.until) == "b")
    #expect(book["b"] == looping, "whoever takes it ends it")
    #expect(book.end("b") == true)
    #expect(book.end("b") == false)
    #expect(book.popOver(at: looping.until) == nil)
    #expect(book.nextRelease() == failing.until)
    #expect(book.checkInvariants() == [])
  }

  @Test func `a quarantine that begins again has one end`() {
    var book = QuarantineBook()
    _ = book.begin("a", .failing, "it failed", at: Self.now)
    let again = book.begin("a", .looping, "it loops", at: Self.now.advanced(bySeconds: 1))
    #expect(book.nextRelease() == again.until)
    #expect(book.checkInvariants() == [])
    #expect(book.end("a") == true)
    #expect(book.nextRelease() == nil)
    #expect(book.isEmpty)
  }

  @Test func `failures are counted in a row, for each kind`() {
    var book = QuarantineBook()
    #expect((1...3).map { _ in book.countFailure("a") } == [1, 2, 3])
    #expect(book.countFailure("b") == 1)
    book.forgetFailures("a")
    #expect(book.countFailure("a") == 1)
    #expect(book.countFailure("b") == 2)
  }

  @Test func `a clock that was set back brings an end back with it`() {
    var book = QuarantineBook()
    _ = book.begin("a", .looping, "it loops", at: Self.now)
    let before = Self.now.advanced(bySeconds: -86_400)
    book.clockChanged(at: before)
    let end = before.advanced(byMilliseconds: Limits.loopQuarantine)
    #expect(book["a"]?.until == end)
    #expect(book.nextRelease() == end)
    #expect(book.checkInvariants() == [])
    // A clock that was set forwards leaves the end where it is.
    book.clockChanged(at: Self.now)
    #expect(book["a"]?.until == end)
  }
}
