import Glibc

/// Memory that only the start of a program needs.
///
/// A bar has an adapter for each module and monitor, and they wait nearly all of their time. Reading
/// the command line takes a deeper stack and other code than all that follows: some 24 KiB of stack,
/// and 5 MiB of code, which twenty adapters share.
enum SpareMemory {
  /// Bytes below this call's frame that stay: whatever it calls needs some.
  private static let stackBytesKept = 16 << 10
  /// Bytes of the stack that are looked at: the kernel maps so many before a program asks for more.
  private static let stackBytesMax = 128 << 10

  /// Gives it back to the kernel.
  ///
  /// Code that is needed again is mapped again, from memory while it is in use anywhere.
  static func release() {
    let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))
    var here: UInt8 = 0
    let frame = withUnsafePointer(to: &here) { Int(bitPattern: $0) }
    // The stack grows down. A part that is not mapped is an error that changes nothing.
    let top = (frame - stackBytesKept) / pageBytes * pageBytes
    madvise(UnsafeMutableRawPointer(bitPattern: top - stackBytesMax), stackBytesMax, MADV_DONTNEED)
    if let code = codeRange() {
      madvise(
        UnsafeMutableRawPointer(bitPattern: code.lowerBound), code.count, MADV_DONTNEED)
    }
  }

  /// Returns the addresses of this program's code, which nothing writes to; `nil` without /proc.
  private static func codeRange() -> Range<Int>? {
    guard let file = fopen("/proc/self/maps", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: Int(PATH_MAX) + 128)
    while fgets(&line, Int32(line.count), file) != nil {
      // `START-END r-xp …`, in hexadecimal digits.
      let words = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self
      )
      .split(separator: " ", maxSplits: 2)
      let ends = (words.first ?? "").split(separator: "-").compactMap { Int($0, radix: 16) }
      guard words.count == 3, words[1] == "r-xp", ends.count == 2, ends[0] < ends[1] else {
        continue
      }
      // The program lies below its libraries.
      return ends[0]..<ends[1]
    }
    return nil
  }
}
