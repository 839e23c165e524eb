import Foundation
import JSON
import Testing

/// The program of an extension, installed in a folder of its own with its resources.
struct ExtensionProgram {
  static let names = [
    "CountdownWidgets", "HabitWidgets", "MoonWidgets", "ParcelWidgets", "PhotoWidgets",
    "QuoteWidgets", "StockWidgets", "TransitWidgets", "WaterWidgets", "WeatherWidgets",
  ]

  /// The moment of each request: a Tuesday in November at ten past nine.
  static let moment = "2026-11-24T09:10:00Z"

  /// A kind in a family.
  struct Place: CustomStringConvertible {
    var kind: String
    var family: String
    var intent: String?

    var description: String { "\(kind) in \(family)" }
  }

  struct Run {
    var output: String
    var errors: String
    var status: Int32

    func answer(_ id: Int64) -> JSONValue? {
      output.split(separator: "\n").lazy.compactMap { line in
        do { return try JSONValue(parsing: String(line)) } catch { return nil }
      }.first { $0["id"]?.intValue == id }
    }
  }

  let folder: URL
  private let program: URL

  /// Links the program and its resources into a folder, since the build has those of all programs
  /// side by side.
  ///
  /// A copy would be open for writing for a moment, in which another test may start a process that
  /// keeps it open: then nobody can start the copy.
  init(_ name: String) throws {
    let files = FileManager.default
    let built = try Self.buildFolder(with: name)
    // A link stays on one file system.
    folder = built.appending(path: "extensions/\(name)-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    program = folder.appending(path: name)
    try files.linkItem(at: built.appending(path: name), to: program)
    let resources = "intentd_\(name).resources"
    if files.fileExists(atPath: built.appending(path: resources).path) {
      try files.copyItem(
        at: built.appending(path: resources), to: folder.appending(path: resources))
    }
  }

  func remove() {
    // Best effort: a temporary folder.
    try? FileManager.default.removeItem(at: folder)
  }

  static func buildFolder(with name: String) throws -> URL {
    let environment = ProcessInfo.processInfo.environment
    var folders = environment["INTENTD_BIN_DIR"].map { [URL(fileURLWithPath: $0)] } ?? []
    folders.append(
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent())
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      folders.append(folder.appending(path: ".build/debug"))
    }
    return try #require(
      folders.first {
        FileManager.default.isExecutableFile(atPath: $0.appending(path: name).path)
      }, "\(name) is not built")
  }

  // MARK: Requests

  /// Runs the program to its end.
  func run(_ arguments: [String], input: String = "") async throws -> Run {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = [
      "SWIFT_BACKTRACE": "enable=no", "HOME": folder.path, "TZ": "UTC", "LANG": "en_US.UTF-8",
      "COLUMNS": "44", "NO_COLOR": "1",
    ]
    let (into, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = into
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try into.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try into.fileHandleForWriting.close()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    let words = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Run(
      output: String(decoding: said, as: UTF8.self), errors: String(decoding: words, as: UTF8.self),
      status: process.terminationStatus)
  }

  /// Runs the program, again when it took more than a second: a provider that asks the clock sees
  /// the time that the machine needs, and texts show seconds.
  func runInASecond(_ arguments: [String], input: String = "") async throws -> Run {
    for _ in 0..<5 {
      let start = ContinuousClock.now
      let run = try await run(arguments, input: input)
      if ContinuousClock.now - start < .milliseconds(950) { return run }
    }
    return try await run(arguments, input: input)
  }

  /// Answers requests by the extension protocol.
  func answers(_ requests: [String]) async throws -> Run {
    try await runInASecond([], input: requests.map { $0 + "\n" }.joined())
  }

  /// The text without the fractions of seconds that went by, and without the place of the program.
  func stable(_ text: String) -> String {
    text.replacing(/(:\d\d)\.\d{3}Z/) { "\($0.1)Z" }
      .replacing(folder.resolvingSymlinksInPath().path, with: "FOLDER")
  }

  /// The kinds and families of the manifest that the program writes.
  func places() async throws -> [Place] {
    let configuration = folder.appending(path: "manifest")
    let run = try await run(["manifest", "--into", configuration.path])
    try #require(run.status == 0, "\(run.errors)")
    let name = program.lastPathComponent
    let manifest = try String(
      contentsOf: configuration.appending(path: "widgets/\(name)/\(name).yaml"), encoding: .utf8)
    var places: [Place] = []
    var kind = ""
    for line in manifest.split(separator: "\n") {
      let words = line.split(whereSeparator: { " :,[]-".contains($0) && $0 != "-" || $0 == " " })
      switch words.first {
      case "-" where words.count > 2 && words[1] == "kind": kind = String(words[2])
      case "families":
        places += words.dropFirst().map { Place(kind: kind, family: String($0), intent: nil) }
      case "intent" where line.hasPrefix("    intent:"):
        for index in places.indices where places[index].kind == kind {
          places[index].intent = String(words[1])
        }
      default: continue
      }
    }
    return places
  }

  /// A request for the timeline of a place with its picture.
  static func request(
    _ id: Int, _ place: Place, method: String = "timeline", parameters: String = "{}"
  ) -> String {
    let intent =
      place.intent.map { #"{"name":"\#($0)","parameters":\#(parameters)}"# } ?? "null"
    return
      #"{"jsonrpc":"2.0","id":\#(id),"method":"provider.\#(method)","params":{"kind":"\#(place.kind)","family":"\#(place.family)","intent":\#(intent),"locale":"en_US","now":"\#(moment)","view":"html"}}"#
  }
}
