import Plugins
import Testing

struct StreamFramesTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a line is a frame at its end, ten times a second at most`() {
    var stream = StreamFrames(.lines)
    #expect(stream.nextMoment == nil)
    stream.take(bytes("one\n"), at: 1_000)
    #expect(stream.nextMoment == 1_000)
    #expect(text(stream.frame(at: 1_000)) == "one\n")
    #expect(stream.nextMoment == nil)
    stream.take(bytes("two\nthree\n"), at: 1_020)
    stream.take(bytes("four\n"), at: 1_060)
    #expect(stream.nextMoment == 1_100)
    #expect(stream.frame(at: 1_099) == nil)
    #expect(text(stream.frame(at: 1_100)) == "four\n")
    #expect(stream.frame(at: 5_000) == nil)
    #expect(stream.nextMoment == nil)
  }

  @Test func `frames that a newer one replaced before their turn are counted`() {
    var stream = StreamFrames(.lines)
    stream.take(bytes("1\n2\n3\n"), at: 0)
    #expect(stream.omittedFrameCount == 2)
    #expect(text(stream.frame(at: 0)) == "3\n")
    stream.take(bytes("4\n"), at: 10)
    #expect(stream.omittedFrameCount == 2, "it may still be shown")
    stream.take(bytes("5\nha"), at: 20)
    #expect(stream.omittedFrameCount == 3)
    #expect(text(stream.frame(at: 100)) == "5\n")
    #expect(text(stream.frame(at: 200)) == "ha")
    stream.take(bytes("lf\n"), at: 210)
    stream.take(bytes("a part"), at: 220)
    #expect(text(stream.frame(at: 300)) == "half\n")
    #expect(text(stream.frame(at: 400)) == "a part")
    #expect(stream.omittedFrameCount == 3, "a part that a silence showed is no frame")

    var menu = StreamFrames(.leading)
    menu.take(bytes("a\n~~~\n~~~\nb\n~~~\nc\n~~~\n"), at: 0)
    #expect(menu.omittedFrameCount == 2)
    #expect(text(menu.frame(at: 0)) == "c\n")
  }

  @Test func `silence shows half a line, and the line goes on`() {
    var stream = StreamFrames(.lines)
    stream.take(bytes("ha"), at: 0)
    #expect(stream.frame(at: 50) == nil)
    stream.take(bytes("lf"), at: 60)
    #expect(stream.nextMoment == 160)
    #expect(stream.frame(at: 159) == nil)
    #expect(text(stream.frame(at: 160)) == "half")
    #expect(stream.nextMoment == nil)
    stream.take(bytes(" line\n"), at: 400)
    #expect(text(stream.frame(at: 400)) == "half line\n")
  }

  @Test func `an empty line is a frame that hides`() {
    var stream = StreamFrames(.lines)
    stream.take(bytes("x\n\n"), at: 0)
    #expect(text(stream.frame(at: 0)) == "\n")
  }

  @Test func `a frame that leads with the separator grows until the next one`() {
    var stream = StreamFrames(.leading)
    stream.take(bytes("Test 1\n---\nTest 2\n"), at: 0)
    #expect(stream.frame(at: 99) == nil)
    #expect(text(stream.frame(at: 100)) == "Test 1\n---\nTest 2\n")
    stream.take(bytes("Test 3\n~~"), at: 500)
    #expect(text(stream.frame(at: 600)) == "Test 1\n---\nTest 2\nTest 3\n")
    stream.take(bytes("~\r\n~~~\n"), at: 700)
    #expect(text(stream.frame(at: 700)) == "Test 1\n---\nTest 2\nTest 3\n")
    #expect(stream.nextMoment == nil)
    stream.take(bytes("Test 2\n"), at: 800)
    #expect(stream.nextMoment == 900)
    #expect(text(stream.frame(at: 900)) == "Test 2\n")
  }

  @Test func `a frame that ends with the separator is shown whole or not at all`() {
    var stream = StreamFrames(.swiftbar, hasTrailingSeparator: true)
    stream.take(bytes("a\n---\n"), at: 0)
    #expect(stream.nextMoment == nil)
    #expect(stream.frame(at: 10_000) == nil)
    stream.take(bytes("b\n~~~\nc"), at: 10_000)
    #expect(text(stream.frame(at: 10_000)) == "a\n---\nb\n")
    #expect(stream.lastFrame() == nil)
  }

  @Test(arguments: [StreamFrames.Division.lines, .leading, .trailing])
  func `every split of the bytes gives the same last frame`(_ division: StreamFrames.Division) {
    let output = bytes("é one\n---\nx\n~~~\r\ntwo ~~~\n~~~\nthré\n~~~\n")
    var whole = StreamFrames(division)
    whole.take(output, at: 0)
    let expected = whole.lastFrame()
    #expect(text(expected) == (division == .lines ? "~~~\n" : "thré\n"))
    for first in output.indices {
      for second in first..<output.count {
        var stream = StreamFrames(division)
        stream.take(Array(output[..<first]), at: 0)
        stream.take(Array(output[first..<second]), at: 0)
        stream.take(Array(output[second...]), at: 0)
        let last = stream.lastFrame()
        #expect(last == expected, "\(first) \(second)")
      }
    }
  }

  @Test(arguments: [StreamFrames.Division.lines, .leading, .trailing])
  func `a frame without end is cut, and the next one is whole`(_ division: StreamFrames.Division) {
    var stream = StreamFrames(division)
    for now in 0..<300 { stream.take([UInt8](repeating: 97, count: 4_096), at: Int64(now)) }
    var cut = stream
    let size = division == .trailing ? nil : PluginLimits.streamFrameBytesMax
    #expect(cut.lastFrame()?.count == size)
    stream.take(bytes("\n~~~\nnext\n~~~\n"), at: 300)
    let last = stream.lastFrame()
    #expect(text(last) == (division == .lines ? "~~~\n" : "next\n"))
  }

  @Test func `a flood is ten frames a second`() {
    var stream = StreamFrames(.lines)
    var shown = 0
    for now in 0..<10_000 {
      stream.take(bytes("\(now)\n"), at: Int64(now))
      if stream.frame(at: Int64(now)) != nil { shown += 1 }
    }
    #expect(shown == 100)
    #expect(text(stream.lastFrame()) == "9999\n")
  }

  @Test func `a program that ended shows what it printed last`() {
    var stream = StreamFrames(.argos)
    stream.take(bytes("bye"), at: 0)
    #expect(text(stream.lastFrame()) == "bye")
    #expect(stream.lastFrame() == nil)
  }
}
