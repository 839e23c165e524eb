import Glibc

/// The first line of a script, which names its interpreter: `#!/usr/bin/env -S python3 -u`.
struct ScriptLine: Hashable {
  /// As it is written: `/usr/bin/env`; may be empty.
  var interpreter: String
  /// Everything after it; the kernel passes it as one argument.
  var argument: String
  /// Whether the line ends in a carriage return, as Windows writes it.
  var hasReturn: Bool

  /// Reads a first line; `nil`: it names no interpreter.
  init?(_ line: String) {
    guard line.hasPrefix("#!") else { return nil }
    hasReturn = line.unicodeScalars.last == "\r"
    let scalars = line.unicodeScalars.dropFirst(2).filter { $0 != "\r" }
    let words = String(String.UnicodeScalarView(scalars))
      .split(maxSplits: 1) { $0 == " " || $0 == "\t" }
    interpreter = words.first.map(String.init) ?? ""
    argument = words.dropFirst().first.map(String.init) ?? ""
  }

  /// The last part of the interpreter's path.
  var baseName: String { interpreter.split(separator: "/").last.map(String.init) ?? "" }

  /// The words for which `env` looks in PATH, without its options; empty for other interpreters.
  var wordsOfEnv: [String] {
    guard baseName == "env" else { return [] }
    return argument.split { $0 == " " || $0 == "\t" }.map(String.init)
      .drop { $0.hasPrefix("-") || $0.contains("=") }.map { $0 }
  }

  /// The first line of a file; `nil` when it cannot be read.
  static func first(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: ProviderLimits.firstLineBytesMax)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
