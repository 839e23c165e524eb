import DaemonRuntime
import DesktopEntries
import Foundation
import IntentRouter
import JSON
import Testing

/// Scores cases of the corpus: a desktop tree, a URL, and the expected command.
///
/// Nothing is launched.
///
/// A case agrees when the kind of answer agrees and, for a launch, the id, the arguments, the
/// working directory and the terminal agree. Cases that expect a D-Bus call disagree until it is
/// implemented.
@Suite struct CorpusTests {
  /// The number of cases that agree; raise it with each improvement.
  static let agreeingFloor = 434

  static let corpus = ProcessInfo.processInfo.environment["INTENTD_CORPUS"].map {
    $0 + "/urls/launch.jsonl"
  }

  @Test(.enabled(if: corpus != nil, "INTENTD_CORPUS is not set"))
  func `launches of the corpus agree with what it expects`() throws {
    let path = try #require(Self.corpus)
    let lines = try Self.escapingLoneBytes([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
      .split(separator: UInt8(ascii: "\n"))
    var score: [String: (agreeing: Int, all: Int)] = [:]
    var wrongCodes: [String] = []
    var disagreeing: [String] = []
    for line in lines {
      let expected = try LaunchCase(JSONValue(parsing: Array(line)))
      let answer = try expected.run()
      let agrees = answer.agrees(with: expected.answer)
      score[expected.group, default: (0, 0)].agreeing += agrees ? 1 : 0
      score[expected.group, default: (0, 0)].all += 1
      if !agrees {
        disagreeing.append("\(expected.id): want \(expected.answer), got \(answer)")
      } else if answer != expected.answer {
        wrongCodes.append("\(expected.id): want \(expected.answer), got \(answer)")
      }
    }
    let agreeing = score.values.reduce(0) { $0 + $1.agreeing }
    for (group, count) in score.sorted(by: { $0.key < $1.key }) {
      print("launch corpus: \(group) \(count.agreeing)/\(count.all)")
    }
    print("launch corpus: all \(agreeing)/\(lines.count), other codes: \(wrongCodes.count)")
    for line in disagreeing + wrongCodes { print("launch corpus: \(line)") }
    #expect(agreeing >= Self.agreeingFloor)
  }

  /// Replaces lone low surrogates by private characters, U+F780 to U+F7FF.
  ///
  /// The file writes bytes that are no UTF-8 as lone low surrogates, `\udc80` to `\udcff`, which a
  /// strict JSON reader refuses.
  static func escapingLoneBytes(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    let mark = Array("\\udc".utf8)
    var index = 0
    while index + 5 < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      let isHigh =
        bytes[index...].starts(with: Array("\\ud8".utf8))
        || bytes[index...].starts(with: Array("\\ud9".utf8))
        || bytes[index...].starts(with: Array("\\uda".utf8))
        || bytes[index...].starts(with: Array("\\udb".utf8))
      if isHigh {
        // The low half of a pair stands for no byte.
        index += 12
      } else {
        if bytes[index...].starts(with: mark) {
          result[index + 2] = UInt8(ascii: "f")
          result[index + 3] = UInt8(ascii: "7")
        }
        index += 2
      }
    }
    return result
  }

  static func restoringLoneBytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      (0xF780...0xF7FF).contains(scalar.value)
        ? [UInt8(scalar.value - 0xF700)] : Array(String(scalar).utf8)
    }
  }
}

/// The decision of a launcher.
private enum Answer: Hashable {
  case launch(id: String, arguments: [String], workingDirectory: String?, isTerminal: Bool)
  case reject(String)
  case other(String)

  /// Returns whether two answers agree.
  ///
  /// The code of a refusal is reported and not scored.
  func agrees(with other: Answer) -> Bool {
    if case .reject = self, case .reject = other { return true }
    return self == other
  }
}

private struct LaunchCase {
  let id: String
  let group: String
  let answer: Answer
  private let url: [UInt8]
  private let environment: [String: String]
  private let files: [(path: String, text: String)]

  init(_ json: JSONValue) throws {
    id = try #require(json["id"]?.stringValue)
    group = try #require(json["group"]?.stringValue)
    url = CorpusTests.restoringLoneBytes(try #require(json["url"]?.stringValue))
    var environment: [String: String] = [:]
    for member in try #require(json["env"]?.objectValue).members {
      environment[member.key] = member.value.stringValue
    }
    self.environment = environment
    files = try #require(json["files"]?.objectValue).members.map {
      ($0.key, try #require($0.value.stringValue))
    }
    let expect = try #require(json["expect"])
    switch expect["kind"]?.stringValue {
    case "launch":
      answer = .launch(
        id: expect["id"]?.stringValue ?? "",
        arguments: (expect["argv"]?.arrayValue ?? []).compactMap(\.stringValue),
        workingDirectory: expect["cwd"]?.stringValue,
        isTerminal: expect["terminal"]?.boolValue ?? false)
    case "reject": answer = .reject(expect["code"]?.stringValue ?? "")
    case let kind: answer = .other(kind ?? "")
    }
  }

  func run() throws -> Answer {
    let fixture = try LaunchFixture()
    for program in [
      "h1", "h2", "h3", "h%1", "h 1", "xdg-terminal-exec", "dbusrec", "env", "sh", "bash",
    ] { try fixture.addProgram(program) }
    for (path, text) in files {
      if text.hasPrefix("->") {
        try fixture.link(path, to: String(text.dropFirst(2)))
      } else {
        let text = text.replacingOccurrences(of: "@ROOT@", with: fixture.root)
        try fixture.write(path, CorpusTests.restoringLoneBytes(text))
      }
    }
    let finder = fixture.finder(
      environment.mapValues { $0.replacingOccurrences(of: "@ROOT@", with: fixture.root) })
    let decided = profiled(url).flatMap { url in
      finder.handler(scheme: LaunchableURL.scheme(of: url) ?? "").flatMap { entry in
        entry.command(url: url).flatMap { command in
          finder.prepare(entry: entry, url: url).map { _ in (entry, command) }
        }
      }
    }
    switch decided {
    case .success((let entry, let command)):
      let arguments = command.arguments.map {
        $0.replacingOccurrences(of: fixture.root, with: "@ROOT@")
      }
      let program = arguments[0]
      let bin = "@ROOT@/bin/"
      return .launch(
        id: entry.id,
        arguments: [program.hasPrefix(bin) ? String(program.dropFirst(bin.count)) : program]
          + arguments.dropFirst(),
        workingDirectory: command.workingDirectory?.replacingOccurrences(
          of: fixture.root, with: "@ROOT@"), isTerminal: entry.isTerminal)
    case .failure(let refusal): return .reject(refusal.code.rawValue)
    }
  }

  /// Applies the part of the URL profile that these cases test; other cases test hosts.
  private func profiled(_ bytes: [UInt8]) -> Result<String, LaunchRefusal> {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return .failure(LaunchRefusal(.controlCharacter, "the URL is not UTF-8"))
    }
    switch ProfiledURL.encoding(text) {
    case .failure(let error):
      let code: LaunchRefusal.Code = text.utf8.count > 8192 ? .tooLong : .controlCharacter
      return .failure(LaunchRefusal(code, error.message))
    case .success(let encoded):
      guard let scheme = LaunchableURL.scheme(of: encoded) else {
        return .failure(LaunchRefusal(.noScheme, "the URL has no scheme"))
      }
      return .success(scheme + encoded.dropFirst(scheme.count))
    }
  }
}
