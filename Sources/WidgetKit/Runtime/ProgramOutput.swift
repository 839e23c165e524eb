import Foundation
import PlainText

/// The words of a widget's program for the person who started it.
enum ProgramOutput {
  /// Writes lines to standard output.
  static func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }
}

/// Writes a sentence to standard error, with the name of the program, and made printable: it may
/// quote what others wrote.
func complain(_ sentence: String) {
  let line = "\(ProgramCommand.programName): \(printable(sentence))\n"
  FileHandle.standardError.write(Data(line.utf8))
}
