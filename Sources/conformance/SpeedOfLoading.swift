import ArgumentParser
import Glibc
import IntentRouter
import JSON

/// `conformance speed load DIR`: from the file to a grammar that recognises, once for each language,
/// in a process that did nothing before: what a start of the daemon costs.
struct SpeedOfLoading: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Time and memory of loading languages, one after the other.")

  @Argument(help: "The folder that has one folder for each language.")
  var directory: String

  @Option(help: "Languages, separated by commas (default: all).")
  var languages: String?

  func run() throws {
    let names =
      try languages?.split(separator: ",").map(String.init)
      ?? folders(in: directory).filter { exists("\(directory)/\($0)/intents.json") }
    var times: [JSONObject.Member] = []
    var grammars: [SentenceGrammar] = []
    let before = try residentKiB()
    let start = microseconds()
    var last = start
    for name in names {
      grammars.append(try loadedGrammar("\(directory)/\(name)"))
      let now = microseconds()
      times.append(.init(key: name, value: .double(now - last)))
      last = now
    }
    let memory = try residentKiB() - before
    let result: JSONValue = withExtendedLifetime(grammars) {
      [
        "languages": .object(JSONObject(times)), "total": .double(last - start),
        "memory": .int(Int64(memory)),
      ]
    }
    print(result.serialized)
  }

  /// What the process has in memory: heap, and what was touched of its program and libraries.
  private func residentKiB() throws -> Int {
    let text = try bytes(of: "/proc/self/statm")
    let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1_024
  }
}
