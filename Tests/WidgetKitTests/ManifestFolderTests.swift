import Foundation
import Testing

/// What `manifest --into` does with files that are there, with real programs.
@Suite struct ManifestFolderTests {
  /// A folder of configurations, and the program that writes into it.
  private struct Place {
    let program: ExtensionProgram
    var folder: URL { program.folder.appending(path: "configuration") }

    func write() async throws -> ExtensionProgram.Run {
      try await program.run(["manifest", "--into", folder.path])
    }

    func mustWrite() async throws {
      let run = try await write()
      try #require(run.status == 0, "\(run.errors)")
    }

    func text(_ path: String) throws -> String {
      try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    func expect(_ path: String, _ expected: String) throws {
      let found = try text(path)
      #expect(found == expected)
    }

    func put(_ path: String, _ text: String) throws {
      let file = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }

    func has(_ path: String) -> Bool {
      FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }
  }

  private func place(_ name: String, _ body: (Place) async throws -> Void) async throws {
    let program = try ExtensionProgram(name)
    defer { program.remove() }
    try await body(Place(program: program))
  }

  private let mark =
    "# Written by `WaterWidgets manifest`, which replaces all of it but 'confirm' and 'links'.\n"

  @Test func `each file names its program, and writing it again changes nothing`() async throws {
    try await place("WaterWidgets") { place in
      try await place.mustWrite()
      let paths = try FileManager.default.subpathsOfDirectory(atPath: place.folder.path)
        .filter { $0.hasSuffix(".yaml") }
      #expect(paths.count > 2)
      let texts = try paths.map { try place.text($0) }
      for text in texts { #expect(text.hasPrefix(mark), "\(text)") }
      try await place.mustWrite()
      let again = try paths.map { try place.text($0) }
      #expect(again == texts)
    }
    try await place("TransitWidgets") { place in
      for _ in 1...2 { try await place.mustWrite() }
    }
  }

  @Test func `a file of another program, or of a person, is not replaced`() async throws {
    try await place("WaterWidgets") { place in
      try await place.mustWrite()
      let path = try #require(
        try FileManager.default.subpathsOfDirectory(atPath: place.folder.path)
          .sorted().first { $0.hasSuffix("/intent.yaml") })
      let own = try place.text(path)
      let manifest = try place.text("widgets/WaterWidgets/WaterWidgets.yaml")
      let others = own.replacing("WaterWidgets", with: "Lakes")
      try FileManager.default.removeItem(
        at: place.folder.appending(path: "widgets/WaterWidgets/WaterWidgets.yaml"))
      for (text, words) in [
        (others, "is of Lakes, so nothing was written: two programs cannot have one intent"),
        ("name: Mine\n", "was written by hand, or by an older version"),
      ] {
        try place.put(path, text)
        let refused = try await place.write()
        #expect(refused.status == 1)
        #expect(refused.errors.contains(words), "\(refused.errors)")
        try place.expect(path, text)
        #expect(!place.has("widgets/WaterWidgets/WaterWidgets.yaml"), "nothing was written")
      }
      // As a version without marks wrote it.
      try place.put(path, own.replacing(mark, with: ""))
      try await place.mustWrite()
      try place.expect(path, own)
      try place.expect("widgets/WaterWidgets/WaterWidgets.yaml", manifest)
    }
  }

  @Test func `what an author says about consent stays, and what the code lost goes`() async throws {
    try await place("WaterWidgets") { place in
      try await place.mustWrite()
      let path = try #require(
        try FileManager.default.subpathsOfDirectory(atPath: place.folder.path)
          .sorted().first { $0.hasSuffix("/intent.yaml") })
      let own = try place.text(path)
      try place.put(path, own + "confirm: true\nlinks: never\nextra: lost\n")
      try place.put("intents/Gone/intent.yaml", mark + "name: Gone\n")
      try place.put(
        "intents/Kept/intent.yaml", mark.replacing("Water", with: "Lake") + "name: Kept\n")
      let again = try await place.write()
      #expect(again.status == 0)
      let text = try place.text(path)
      #expect(text.contains("\nconfirm: true\nlinks: never\n"))
      #expect(!text.contains("extra"))
      #expect(!place.has("intents/Gone"))
      #expect(again.errors.contains("Gone/intent.yaml: the code has it no more"), "\(again.errors)")
      #expect(place.has("intents/Kept/intent.yaml"))
      try await place.mustWrite()
      try place.expect(path, text)
    }
  }
}
