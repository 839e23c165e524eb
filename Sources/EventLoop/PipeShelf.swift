import CPosix
import Glibc

/// A pipe for an output of a program.
struct OutputPipe {
  /// Does not block.
  let readEnd: Int32
  let writeEnd: Int32

  func close() {
    _ = Glibc.close(readEnd)
    _ = Glibc.close(writeEnd)
  }
}

/// Pipes whose programs have ended, for the next programs.
///
/// To make and to free two pipes was a tenth of the daemon's time for a script's refresh. A pipe
/// comes back only when no process of its run is left, and its program ended by itself.
@safe
final class PipeShelf {
  /// Pipes that are kept: two for each of eight scripts at the same time.
  static let pipeCountMax = 16

  private var pipes: [OutputPipe] = []

  /// Returns an empty pipe, a used one if there is one.
  func take() throws(LoopError) -> OutputPipe {
    while let pipe = pipes.popLast() {
      if Self.isEmpty(pipe) { return pipe }
      // Its program gave it to somebody outside its run, who wrote since.
      pipe.close()
    }
    var readEnd: Int32 = -1
    var writeEnd: Int32 = -1
    try check(unsafe cposix_pipe(&readEnd, &writeEnd), ChildSpec.operation, "a pipe")
    _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    return OutputPipe(readEnd: readEnd, writeEnd: writeEnd)
  }

  /// Keeps a pipe that was read until it was empty, or closes it.
  func putBack(_ pipe: OutputPipe) {
    // Programs set flags of their standard output, which belong to the pipe and not to them.
    guard pipes.count < Self.pipeCountMax, fcntl(pipe.writeEnd, F_SETFL, 0) == 0 else {
      return pipe.close()
    }
    pipes.append(pipe)
  }

  private static func isEmpty(_ pipe: OutputPipe) -> Bool {
    var count: Int32 = 0
    return unsafe ioctl(pipe.readEnd, UInt(FIONREAD), &count) == 0 && count == 0
  }

  deinit {
    for pipe in pipes { pipe.close() }
  }
}
