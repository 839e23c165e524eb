import Glibc
import Testing

@testable import EventLoop

/// Pipes that are used again.
@Suite struct PipeShelfTests {
  private func write(_ text: String, to pipe: OutputPipe) -> Int {
    let bytes = Array(text.utf8)
    return Glibc.write(pipe.writeEnd, bytes, bytes.count)
  }

  @Test func `a pipe comes back as it was made, whatever its program did to it`() throws {
    let shelf = PipeShelf()
    let pipe = try shelf.take()
    // A program sets flags of its standard output, and they stay.
    #expect(fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK | O_APPEND) == 0)
    shelf.putBack(pipe)
    let again = try shelf.take()
    #expect(again.writeEnd == pipe.writeEnd)
    #expect(fcntl(again.writeEnd, F_GETFL) & (O_NONBLOCK | O_APPEND) == 0)
    var byte: UInt8 = 0
    #expect(read(again.readEnd, &byte, 1) == -1)
    #expect(errno == EAGAIN)
    again.close()
  }

  @Test func `a pipe that somebody wrote to meanwhile is not used again`() throws {
    let shelf = PipeShelf()
    let pipe = try shelf.take()
    let outside = fcntl(pipe.writeEnd, F_DUPFD_CLOEXEC, 0)
    defer { close(outside) }
    shelf.putBack(pipe)
    #expect(Glibc.write(outside, "late", 4) == 4)
    let next = try shelf.take()
    #expect(write("x", to: next) == 1)
    var bytes: [UInt8] = [0, 0, 0, 0]
    #expect(read(next.readEnd, &bytes, bytes.count) == 1)
    #expect(bytes[0] == UInt8(ascii: "x"))
    next.close()
  }

  @Test func `outputs are read to their end, and their pipes are used again`() throws {
    let shelf = PipeShelf()
    var ends: [Int32] = []
    for round in 0..<3 {
      let outputs = try UnwatchedOutputs(from: shelf)
      var text: [UInt8] = []
      outputs.onStdout = { text += $0 }
      ends.append(outputs.writeEnds.output)
      #expect(Glibc.write(outputs.writeEnds.output, "\(round)", 1) == 1)
      #expect(outputs.drain(isOver: true))
      #expect(text == Array("\(round)".utf8))
    }
    #expect(Set(ends).count <= 2)
  }

  @Test func `outputs that another process holds open are not used again`() throws {
    let shelf = PipeShelf()
    let outputs = try UnwatchedOutputs(from: shelf)
    let outside = fcntl(outputs.writeEnds.output, F_DUPFD_CLOEXEC, 0)
    #expect(!outputs.drain(isOver: false))
    let ends = outputs.take()
    #expect(ends.output >= 0)
    #expect(ends.errors == -1, "its end was seen")
    close(outside)
    var byte: UInt8 = 0
    #expect(read(ends.output, &byte, 1) == 0, "the end is seen when the last writer has closed")
    close(ends.output)
  }
}
