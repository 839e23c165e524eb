import ArgumentParser
import Glibc
import IntentRouter
import JSON
import ProgramStart

/// `conformance speed load DIR` measures loading: from the file to a grammar that can recognise.
///
/// It loads each language once, in a process that did nothing before. `memory` is the memory that
/// the grammars hold. `resident` adds the touched pages of the program and of ICU's tables: the
/// system may drop these, and they are about the same for any language.
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
    let after = try residentKiB()
    let result: JSONValue = withExtendedLifetime(grammars) {
      [
        "languages": .object(JSONObject(times)), "total": .double(last - start),
        "memory": .int(Int64(after.own - before.own)),
        "resident": .int(Int64(after.all - before.all)),
      ]
    }
    say(result.serialized)
  }
}

/// Returns the resident memory of the process, in KiB: `all` of it, and `own` without the pages
/// of the program, of libraries and of their tables.
func residentKiB() throws -> (all: Int, own: Int) {
  let text = try bytes(of: "/proc/self/statm")
  let pages = String(decoding: text, as: UTF8.self).split(separator: " ").map { Int($0) ?? 0 }
  guard pages.count > 2 else { return (0, 0) }
  let size = Int(sysconf(Int32(_SC_PAGESIZE)))
  return (pages[1] * size / 1_024, (pages[1] - pages[2]) * size / 1_024)
}
