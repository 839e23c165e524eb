import Foundation
import Testing

/// Lets the compiler look at files in `Typechecked`, as it looks at a widget of somebody else's: with
/// `import WidgetKit` and the built modules, without anything of this package.
///
/// `Declarations` has each declaration of WidgetKit and of what comes with it, once, with Apple's
/// signature. `Mistakes` has code that Apple's compiler refuses: before each line of it that has an
/// error stands `// error:` with words of the message, and before one with a warning `// warning:`.
@Suite struct TypecheckTests {
  @Test(arguments: [5, 6])
  func `each declaration compiles with Apple's signature`(mode: Int) async throws {
    let output = try await Compiler().typecheck(
      try Self.files(in: "Declarations"), mode: mode, isStrict: true)
    #expect(output.isEmpty, "\(output)")
  }

  @Test(arguments: ["Actors", "Mistakes"])
  func `code that Apple's compiler refuses is refused`(name: String) async throws {
    let file = try #require(try Self.files(in: "Mistakes").first { $0.hasSuffix("/\(name).swift") })
    let output = try await Compiler().typecheck([file], mode: 6, isStrict: false)
    var found: [Int: [String]] = [:]
    for line in output.split(separator: "\n") where line.hasPrefix(file) {
      let parts = line.dropFirst(file.count).split(separator: ":", maxSplits: 3)
      guard parts.count == 4, parts[2] == " error" || parts[2] == " warning",
        let number = Int(parts[0])
      else { continue }
      found[number, default: []].append("\(parts[2]):\(parts[3])")
    }
    let text = try String(contentsOfFile: file, encoding: .utf8)
    var mark: (kind: Substring, words: Substring)?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if let match = line.wholeMatch(of: /\s*\/\/( error| warning): (.+)/) {
        mark = (match.1, match.2)
        continue
      }
      let messages = found[index + 1] ?? []
      if let (kind, words) = mark {
        #expect(
          messages.contains { $0.hasPrefix(kind) && $0.contains(words) },
          "line \(index + 1): \(messages)")
      } else {
        #expect(messages.isEmpty, "line \(index + 1)")
      }
      mark = nil
    }
  }

  @Test func `the plugin's tool makes of a definition file what its extension compiles with`()
    async throws
  {
    let extensions = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Extensions/TransitWidgets").path
    let output = FileManager.default.temporaryDirectory
      .appending(path: "Transit-\(UUID().uuidString).swift")
    // Best effort: a temporary file.
    defer { try? FileManager.default.removeItem(at: output) }
    let compiler = try Compiler()
    let made = try compiler.makeClasses(
      of: "\(extensions)/Transit.intentdefinition", into: output.path)
    #expect(made.status == 0, "\(made.errors)")
    let own = try FileManager.default.contentsOfDirectory(atPath: extensions).sorted()
      .filter { $0.hasSuffix(".swift") && !$0.hasSuffix(".intents.swift") }
      .map { "\(extensions)/\($0)" }
    for mode in [5, 6] {
      let said = try await compiler.typecheck(
        mode == 5 ? own + [output.path] : [output.path], mode: mode, isStrict: true)
      #expect(said.isEmpty, "\(said)")
    }
  }

  @Test func `the plugin's tool refuses a damaged definition file by its line`() throws {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "Damaged-\(UUID().uuidString).intentdefinition")
    // Best effort: a temporary file.
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("<plist version=\"1.0\">\n<dict><key>INIntents</key><array></dict></plist>".utf8)
      .write(to: file)
    let made = try Compiler().makeClasses(of: file.path, into: file.path + ".swift")
    #expect(made.status == 65)
    #expect(made.errors.contains("\(file.path):2:"), "\(made.errors)")
    #expect(!FileManager.default.fileExists(atPath: file.path + ".swift"))
  }

  /// The module `os` is in no build of this package, whose dependencies would take it for the system's;
  /// so it is made here of its sources, as the SDK makes it.
  @Test func `a part of os is imported as on iOS`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "os-\(UUID().uuidString)")
    // Best effort: a temporary folder.
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources").path
    let own = try FileManager.default.contentsOfDirectory(atPath: "\(sources)/os").sorted()
      .map { "\(sources)/os/\($0)" }
    let map = ["-Xcc", "-fmodule-map-file=\(sources)/COSLog/include/module.modulemap"]
    let compiler = try Compiler()
    let made = try await compiler.typecheck(
      own, mode: 6, isStrict: false, module: "os",
      more: map + ["-emit-module", "-o", folder.appending(path: "os.swiftmodule").path])
    #expect(made.isEmpty, "\(made)")
    let code = folder.appending(path: "Code.swift")
    try Data(
      """
      import Foundation
      import os.log

      let logger = Logger(subsystem: "org.example", category: "widget")
      let lock = OSAllocatedUnfairLock(initialState: 1)
      func tell() { logger.info("\\(lock.withLock { $0 }, privacy: .public)") }
      """.utf8
    ).write(to: code)
    let said = try await compiler.typecheck(
      [code.path], mode: 5, isStrict: true, more: map + ["-I", folder.path])
    #expect(said.isEmpty, "\(said)")
  }

  private static func files(in folder: String) throws -> [String] {
    let place = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Typechecked/\(folder)").path
    return try FileManager.default.contentsOfDirectory(atPath: place).sorted()
      .filter { $0.hasSuffix(".swift") }.map { "\(place)/\($0)" }
  }
}

/// The compiler with the modules of the build that the tests belong to.
private struct Compiler {
  private let build: URL

  init() throws {
    build = try ExtensionProgram.buildFolder(with: "WidgetProgram")
  }

  /// Runs the tool that the plugin `IntentDefinitions` has run for each definition file.
  func makeClasses(of file: String, into output: String) throws -> (status: Int32, errors: String) {
    let process = Process()
    process.executableURL = build.appending(path: "intent-classes")
    process.arguments = [file, output]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
  }

  /// Returns what the compiler says about `files`; with `isStrict` also warnings.
  ///
  /// `more` are arguments beside those of every extension; `-emit-module` among them writes a module.
  func typecheck(
    _ files: [String], mode: Int, isStrict: Bool, module: String = "Somebody", more: [String] = []
  ) async throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: build.path)
    // The modules of C have a map each, beside their objects.
    let maps = names.sorted().map { "\(build.path)/\($0)/module.modulemap" }
      .filter { FileManager.default.fileExists(atPath: $0) }
      .flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-frontend", more.contains("-emit-module") ? "-parse-as-library" : "-typecheck",
        "-module-name", module, "-swift-version", "\(mode)", "-I", "\(build.path)/Modules",
        "-load-plugin-executable",
        "\(build.path)/PreviewMacros-tool#PreviewMacros",
      ] + maps + more + (isStrict ? ["-warnings-as-errors"] : []) + files
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect((process.terminationStatus == 0) == said.isEmpty)
    return String(decoding: said, as: UTF8.self)
  }
}
