import Foundation
import JSON
import Testing
import ViewMarkup

/// Whole extensions, as programs: what they say of themselves, and what they show.
///
/// Each is in `Tests/Extensions`, written as an author of iOS writes it. The tests do not depend on
/// them: linked in, their intents would be those of the test's own process. `INTENTD_GOLDEN=write
/// swift test --filter ExtensionTests` writes the files of `Golden` anew; look at the difference
/// before you commit it.
@Suite struct ExtensionTests {
  @Test(arguments: ExtensionProgram.names)
  func `an extension's manifest, intents and sentences are those of the file`(
    name: String
  ) async throws {
    let program = try ExtensionProgram(name)
    defer { program.remove() }
    let folder = program.folder.appending(path: "configuration")
    let run = try await program.run([
      "manifest", "--into", folder.path, "--exec", "/opt/\(name)", "--name", "My \(name)",
    ])
    #expect(run.status == 0, "\(run.errors)")
    try Golden.compare(try Self.text(of: folder), with: "\(name)/manifest.txt")
  }

  @Test(arguments: ExtensionProgram.names)
  func `an extension's widgets look in each family as the files say`(name: String) async throws {
    let program = try ExtensionProgram(name)
    defer { program.remove() }
    let places = try await program.places()
    let answers = try await program.answers(
      places.enumerated().map { ExtensionProgram.request($0.offset, $0.element) })
    for (number, place) in places.enumerated() {
      let answer = try #require(answers.answer(Int64(number)), "\(place): \(answers.errors)")
      for picture in Self.pictures(in: answer) {
        if case .failure(let error) = MarkupReader.read(picture) {
          Issue.record("\(place): \(error.message)\n\(picture)")
        }
      }
      let drawing = try await program.runInASecond([
        "render", "--kind", place.kind, "--family", place.family, "--at", ExtensionProgram.moment,
        "--ansi",
      ])
      #expect(drawing.status == 0, "\(place): \(drawing.errors)")
      try Golden.compare(
        program.stable(Self.text(of: answer) + "== text ==\n" + drawing.output),
        with: "\(name)/\(place.kind).\(place.family).txt")
    }
  }

  @Test func `an intent of a definition file is done by its handler`() async throws {
    let program = try ExtensionProgram("TransitWidgets")
    defer { program.remove() }
    let reserve = { (id: Int, count: Int) in
      #"{"jsonrpc":"2.0","id":\#(id),"method":"provider.perform","params":{"now":"2026-11-24T09:10:00Z","intent":{"name":"ReserveSeats","parameters":{"count":\#(count)}}}}"#
        + "\n"
    }
    let run = try await program.run(
      [],
      input: reserve(1, 2) + reserve(2, 9) + reserve(3, 7) + reserve(4, 0)
        + reserve(5, 1).replacing("ReserveSeats", with: "ShowBoard"))
    #expect(run.answer(1)?["result"] == ["dialog": "2 seats are yours", "value": ["count": 2]])
    #expect(run.answer(2)?["error"]?["message"] == "only 8 seats are left")
    #expect(run.answer(3)?["result"] == ["dialog": "You are on the list."])
    #expect(run.answer(4)?["error"]?["message"] == "its handler answered 'failure'")
    #expect(run.answer(5)?["error"]?["message"] == "its handler answered 'failure'")
  }

  // MARK: Texts of files

  private static func text(of folder: URL) throws -> String {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    return try paths.filter { $0.contains(".") && !$0.hasSuffix(".intentdefinition") }.map { path in
      "== \(path) ==\n"
        + (try String(contentsOf: folder.appending(path: path), encoding: .utf8))
    }.joined()
  }

  /// The answer for people, with the picture of its first entry, an element a line.
  private static func text(of answer: JSONValue) -> String {
    guard case .object(let result)? = answer["result"] else { return answer.serialized }
    var shown = result
    var pictures: [String] = []
    func name(_ html: String) -> JSONValue {
      if !pictures.contains(html) { pictures.append(html) }
      return .string("picture \((pictures.firstIndex(of: html) ?? 0) + 1)")
    }
    shown["entries"] = .array(
      (result["entries"]?.arrayValue ?? []).enumerated().map { number, entry in
        guard case .object(var members) = entry else { return entry }
        switch members["view"] {
        case _ where number > 0: members["view"] = nil
        case .string(let html)?: members["view"] = name(html)
        case .object(let schemes)?:
          members["view"] = .object(
            JSONObject(
              schemes.members.map {
                .init(key: $0.key, value: name($0.value.stringValue ?? ""))
              }))
        default: break
        }
        return .object(members)
      })
    var bytes: [UInt8] = []
    JSONValue.object(shown).writePretty(into: &bytes)
    return "== answer ==\n\(String(decoding: bytes, as: UTF8.self))\n"
      + pictures.enumerated().map { number, html in
        "== picture \(number + 1) ==\n\(html.replacing("><", with: ">\n<"))\n"
      }.joined()
  }

  private static func pictures(in answer: JSONValue) -> [String] {
    (answer["result"]?["entries"]?.arrayValue ?? []).flatMap { entry -> [String] in
      switch entry["view"] {
      case .string(let html)?: [html]
      case .object(let schemes)?: schemes.members.compactMap(\.value.stringValue)
      default: []
      }
    }
  }
}

private enum Golden {
  static func compare(_ text: String, with name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden").appending(path: name)
    if ProcessInfo.processInfo.environment["INTENTD_GOLDEN"] == "write" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(text == expected, "\(name) differs")
  }
}
