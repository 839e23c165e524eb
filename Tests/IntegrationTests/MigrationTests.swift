import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Tests that this version reads the stores of all released versions.
///
/// `Fixtures/NAME.sqlite` is the database that a version left, and `NAME.json` has that version's
/// last answers. `scripts/store-fixture.py` makes both, once a release; nobody changes them
/// afterwards.
struct MigrationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures").path

  private static let versions: [String] = {
    let names = FileManager.default.subpaths(atPath: folder) ?? []
    return names.filter { $0.hasSuffix(".sqlite") }.map { String($0.dropLast(".sqlite".count)) }
      .sorted()
  }()

  @Test func `there is a store of the first version at least`() {
    #expect(Self.versions.contains("0.1.0"))
  }

  @Test(arguments: versions)
  func `a store of every released version comes back whole`(version: String) throws {
    let expected = try JSONValue(
      parsing: String(contentsOfFile: "\(Self.folder)/\(version).json", encoding: .utf8))
    try withSandbox { sandbox in
      for (path, text) in expected["configuration"]?.objectValue?.members.map({ ($0.key, $0.value) }
      ) ?? [] {
        try sandbox.write("config/intentd/\(path)", text.stringValue ?? "")
      }
      try sandbox.makeFolder("state/intentd")
      try FileManager.default.copyItem(
        atPath: "\(Self.folder)/\(version).sqlite", toPath: "\(sandbox.state)/intentd.sqlite")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      for unwanted in ["store.repaired", "store.unreadableRows", "list.notRestored"] {
        #expect(!daemon.errors.contains(unwanted), "\(daemon.errors)")
      }
      let widgets = try client.call("widget.list")["widgets"]?.arrayValue ?? []
      #expect(!widgets.isEmpty)
      // Compare some members only: others depend on the present, and later versions may add
      // members.
      for was in expected["widgets"]?.arrayValue ?? [] {
        let now = widgets.first { $0["id"] == was["id"] }
        for key in ["kind", "family", "intent", "entry", "suggestion"] {
          #expect(now?[key] == was[key], "\(key) of \(was["id"]?.serialized ?? "?")")
        }
      }
      #expect(widgets.count == expected["widgets"]?.arrayValue?.count)
      for receipt in expected["receipts"]?.arrayValue ?? [] {
        let id = receipt["id"] ?? .null
        let now = try client.call("widget.receipt", ["id": id])["receipt"]
        for key in ["widget", "kind", "cause", "state"] { #expect(now?[key] == receipt[key]) }
      }
      let history = try client.call("daemon.history", ["limit": 1_000])["entries"]?.arrayValue ?? []
      let old = expected["history"]?.arrayValue ?? []
      #expect(old.count > 10)
      #expect(old.allSatisfy { history.contains($0) })
      for (sentence, isKnown) in expected["sentences"]?.objectValue?.members.map({
        ($0.key, $0.value)
      }) ?? [] {
        #expect(
          try client.call("intent.recognize", ["text": .string(sentence)])["matched"] == isKnown,
          "\(sentence)")
      }
      // The store can be written to.
      try client.place("noted", id: "new", parameters: ["note": "new"])
      try sandbox.stop(daemon)
    }
  }
}
