import ArgumentParser
import JSON
import PlainText
import Plugins
import ProgramStart

/// `conformance plugins DIR` reads the outputs of other bars' scripts, and compares menus with the
/// trees that the parsers of xbar and SwiftBar made of them.
struct PluginsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugins",
    abstract: "Scores the readers of other bars' scripts against their outputs.",
    discussion: """
      EXAMPLE
        conformance plugins ~/corpus/plugins

      The folder has a manifest.json: a list of objects with id, format, stdout (a path in the
      folder), and perhaps exit (the status), oracle_xbar and oracle_swiftbar (the trees). An output
      passes if it gives an entry, or nothing for an empty output, or a warning that says why; if its
      text is safe to show; and if our tree is that of xbar and SwiftBar, where these two agree. The
      other trees are listed with the first difference. Formats without a reader are not judged.
      """)

  @Argument(help: "The folder that has a manifest.json.")
  var directory: String

  @Flag(help: "Show each output that failed, and the warnings of all.")
  var verbose = false

  func run() throws {
    guard case .array(let rows) = try json("\(directory)/manifest.json") else {
      throw CorpusError(description: "'\(directory)/manifest.json' is no list of outputs")
    }
    var tallies: [String: Tally] = [:]
    var trees = TreeTally()
    for row in rows {
      guard let id = row["id"]?.stringValue, let format = row["format"]?.stringValue,
        let path = row["stdout"]?.stringValue
      else {
        throw CorpusError(
          description: "'\(directory)/manifest.json' has an output without id, format or stdout")
      }
      let name = printable(format)
      var tally = tallies[name] ?? Tally(file: name)
      defer { tallies[name] = tally }
      guard let formats = PluginOutput.formats[format] else {
        tally.leaveUngraded()
        continue
      }
      do {
        let output = PluginOutput(
          bytes: try bytes(of: "\(directory)/\(path)"), formats: formats,
          isStream: format.hasSuffix("-stream"),
          exitStatus: Int32(clamping: row["exit"]?.intValue ?? 0))
        if verbose { output.warnings.forEach { say(printable("\(id): \($0)")) } }
        if let problem = try output.problem() ?? trees.judge(output, row, in: directory) {
          tally.fail(printable("\(id): \(problem)"))
        } else {
          tally.pass()
        }
      } catch let error as CorpusError {
        // A file that is missing is a failure of its own; the others are still judged.
        tally.fail(printable("\(id): \(error.description)"))
      }
    }
    trees.report()
    try tallies.sorted { $0.key < $1.key }.map(\.value).report(verbose: verbose)
  }
}

/// An output of a script, and the families that read it.
struct PluginOutput {
  var bytes: [UInt8]
  var formats: [PluginFormat]
  /// Whether it has frames with a line `~~~` behind each.
  var isStream: Bool
  var exitStatus: Int32

  /// The families by the manifest's formats; the others have no reader.
  static let formats: [String: [PluginFormat]] = {
    var formats: [String: [PluginFormat]] = [
      "bitbar": [.xbar, .swiftbar, .argos], "bitbar-stream": [.swiftbar],
      "waybar-json": [.waybar], "waybar-raw": [.waybar], "polybar-script": [.polybar],
    ]
    for format in PluginFormat.allCases { formats[format.rawValue] = [format] }
    return formats
  }()

  /// The parts that are a frame each.
  private var frames: [[UInt8]] {
    guard isStream else { return [bytes] }
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .split { String(decoding: $0, as: UTF8.self).filter { $0 != "\r" } == "~~~" }
      .map { Array($0.joined(separator: [UInt8(ascii: "\n")])) }
  }

  /// The warnings of all readers.
  var warnings: [String] {
    formats.flatMap { format in
      frames.flatMap { PluginReader.read($0, format).warnings }
        .map { "\(format): \($0.line.map { "line \($0): " } ?? "")\($0.message)" }
    }
  }

  /// Returns what is wrong with a reading of this output; `nil`: nothing.
  func problem() -> String? {
    for format in formats {
      for frame in frames {
        // The output of a run that failed is read, too: a stream has no status.
        let reading = PluginReader.read(frame, format, exitStatus: exitStatus)
        if case .shows(let shown) = PluginReader.judge(frame, format, exitStatus: exitStatus),
          shown.frame.isHidden, shown.warnings.isEmpty, format.isMenu, !Self.isBlank(frame)
        {
          return "\(format) shows nothing, and no warning says why"
        }
        if let text = Self.texts(.object(reading.frame.content)).first(where: { !isSafe($0) }) {
          return "\(format) shows a text that is not clean: '\(escaped(text))'"
        }
      }
    }
    return nil
  }

  /// Whether a menu says nothing: blanks, dashes and pipes alone.
  ///
  /// A bar has other ways to: an empty first line, an empty member of an object, tags without text.
  private static func isBlank(_ output: [UInt8]) -> Bool {
    output.allSatisfy { $0 <= 32 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "|") }
  }

  private func isSafe(_ text: String) -> Bool {
    text.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy {
      printable(String($0)) == $0
    }
  }

  /// Returns the texts of a content that a person sees, at any depth; programs are none.
  private static func texts(_ value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(texts)
    case .object(let object):
      object.members.filter { $0.key != "action" && $0.key != "clicks" }
        .flatMap { texts($0.value) }
    case .null, .bool, .int, .double: []
    }
  }
}
