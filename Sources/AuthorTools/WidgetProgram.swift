import Glibc
import JSON
import PlainText

/// The program of widgets for iOS, which is no manifest and no script: it writes its own manifest.
enum WidgetProgram {
  /// A text that each such program has in its message about the command `manifest`.
  ///
  /// It is put together here, so that the programs that look for it do not have it themselves.
  private static let mark = ["manifest", "needs", "--into"].joined(separator: " ")

  /// Whether the file at `path` is such a program: an executable of the system, in ELF, with the
  /// words of its command `manifest`.
  ///
  /// It is looked at and not run. O(size), at most `TrialLimits.programBytesMax`.
  static func isAt(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (4...TrialLimits.programBytesMax).contains(Int(status.st_size))
    else { return false }
    let size = Int(status.st_size)
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED else {
      return false
    }
    defer { munmap(start, size) }
    let bytes = UnsafeRawBufferPointer(start: start, count: size)
    return bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]) && has(mark, bytes)
  }

  /// Whether the bytes have a text, of ASCII, somewhere.
  private static func has(_ text: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let wanted = Array(text.utf8)
    guard var place = bytes.baseAddress, let first = wanted.first else { return false }
    var left = bytes.count
    while left >= wanted.count, let found = memchr(place, Int32(first), left - wanted.count + 1) {
      if memcmp(found, wanted, wanted.count) == 0 { return true }
      left -= UnsafeMutableRawPointer(mutating: place).distance(to: found) + 1
      place = UnsafeRawPointer(found + 1)
    }
    return false
  }

  /// The sentence about such a program; `configuration` is the person's configuration folder as a
  /// shell reads it.
  static func advice(_ path: String, _ configuration: String) -> String {
    let word = shellWord(path.contains("/") ? path : "./\(path)")
    return
      "\(quoted(path)) is the program of a widget for iOS, and no script; it writes its manifest:"
      + " \(word) manifest --into \(configuration), and then a kind of it can be tried:"
      + " intent-send try KIND"
  }

  /// The sentence about a folder with the package of one.
  static func adviceAboutPackage(_ folder: String, _ configuration: String) -> String {
    "the folder \(quoted(folder)) is a package in Swift, which is built first:"
      + " swift build -c release --package-path \(shellWord(folder)); its program, in"
      + " \(folder)/.build/release, writes the manifest: PROGRAM manifest --into \(configuration);"
      + " then a kind of it can be tried: intent-send try KIND"
  }
}
