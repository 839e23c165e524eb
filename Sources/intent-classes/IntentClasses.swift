// The tool of the plugin IntentDefinitions: makes Swift code of a definition file of Xcode's.

import DefinitionClasses
import Glibc
import JSON
import PropertyLists

@main
enum IntentClasses {
  /// `intent-classes INPUT OUTPUT`; a mistake in the file fails the build with its line and key.
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      complain("use: intent-classes FILE.intentdefinition FILE.swift")
      exit(64)
    }
    let (input, output) = (arguments[1], arguments[2])
    guard let bytes = contents(of: input) else {
      complain("\(input): error: cannot read it: \(String(cString: strerror(errno)))")
      exit(66)
    }
    let document = readPropertyList(bytes, file: input)
    var issues = document.issues
    var code = ""
    if let value = document.value {
      let read = readDefinedTypes(value, file: input)
      issues += read.issues
      code = writeClasses(
        of: read.types, file: input.split(separator: "/").last.map(String.init) ?? input,
        definition: decodedText(bytes) ?? "")
    }
    for issue in issues.bounded() { complain(issue.description) }
    guard !issues.contains(where: { $0.severity == .error }) else { exit(65) }
    guard write(code, to: output) else {
      complain("\(output): error: cannot write it: \(String(cString: strerror(errno)))")
      exit(73)
    }
  }

  private static func complain(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    // Best effort: nobody may read it.
    _ = Glibc.write(2, bytes, bytes.count)
  }

  private static func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&part, 1, part.count, file)
      bytes += part[..<count]
      guard count == part.count else { return ferror(file) == 0 ? bytes : nil }
    }
  }

  private static func write(_ text: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return false }
    var left = Array(text.utf8)[...]
    while !left.isEmpty {
      let count = left.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      left = left.dropFirst(count)
    }
    return close(descriptor) == 0 && left.isEmpty
  }
}
