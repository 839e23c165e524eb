import Glibc

/// The outputs of a program that is expected to end soon; nobody watches them until then.
///
/// It owns this side's ends of two pipes, and closes them; of pipes from a shelf it owns both ends,
/// and puts them back if it can.
@safe
final class UnwatchedOutputs {
  /// The bytes of one read: the size of a pipe.
  private static let readBytesMax = 64 * 1024

  var onStdout: (UnsafeRawBufferPointer) -> Void = { _ in }
  var onStderr: (UnsafeRawBufferPointer) -> Void = { _ in }
  private var output: End
  private var errors: End
  private let shelf: PipeShelf?

  /// One of the outputs.
  private struct End {
    /// -1: taken, or closed.
    var reading: Int32
    /// -1: the pipe is not from a shelf, or the program may share the end with others.
    var writing: Int32 = -1

    mutating func closeWriting() {
      if writing >= 0 { close(writing) }
      writing = -1
    }

    mutating func closeBoth() {
      closeWriting()
      if reading >= 0 { close(reading) }
      reading = -1
    }
  }

  init(output: Int32, errors: Int32) {
    self.output = End(reading: output)
    self.errors = End(reading: errors)
    shelf = nil
  }

  /// Takes two pipes from a shelf; `writeEnds` are for the program.
  init(from shelf: PipeShelf) throws(LoopError) {
    let output = try shelf.take()
    self.output = End(reading: output.readEnd, writing: output.writeEnd)
    errors = End(reading: -1)
    self.shelf = shelf
    let errors = try shelf.take()
    self.errors = End(reading: errors.readEnd, writing: errors.writeEnd)
  }

  /// The other ends of both pipes, as long as they are held here; else -1.
  var writeEnds: (output: Int32, errors: Int32) { (output.writing, errors.writing) }

  /// Hands over this side's ends; -1 for one that has ended.
  func take() -> (output: Int32, errors: Int32) {
    closeWriteEnds()
    defer { (output.reading, errors.reading) = (-1, -1) }
    return (output.reading, errors.reading)
  }

  /// From here on the end of an output can be seen.
  private func closeWriteEnds() {
    output.closeWriting()
    errors.closeWriting()
  }

  /// Reads what is there, without waiting; false if an end is still open on the other side.
  ///
  /// `isOver`: the program ended by itself, and no process is left that could write.
  func drain(isOver: Bool) -> Bool {
    if !isOver { closeWriteEnds() }
    return unsafe withUnsafeTemporaryAllocation(byteCount: Self.readBytesMax, alignment: 16) {
      buffer in
      let hasOutput = unsafe drain(&output, buffer, onStdout)
      let hasErrors = unsafe drain(&errors, buffer, onStderr)
      return hasOutput && hasErrors
    }
  }

  private func drain(
    _ end: inout End, _ buffer: UnsafeMutableRawBufferPointer,
    _ onBytes: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    let reading = end.reading
    guard reading >= 0 else { return true }
    // A writer that is left would make a read wait.
    guard shelf != nil || fcntl(reading, F_SETFL, O_NONBLOCK) == 0 else { return false }
    while true {
      let count = unsafe Glibc.read(reading, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        guard let shelf, end.writing >= 0 else { return false }
        shelf.putBack(OutputPipe(readEnd: reading, writeEnd: end.writing))
        end = End(reading: -1)
        return true
      }
      guard count > 0 else { break }
      unsafe onBytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    end.closeBoth()
    return true
  }

  deinit {
    output.closeBoth()
    errors.closeBoth()
  }
}
