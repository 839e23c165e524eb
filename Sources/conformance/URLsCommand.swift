import ArgumentParser
import IntentRouter
import JSON

/// `conformance urls FILE…` checks the strict profile of URLs against expected results.
///
/// A file has one case a line: `{"n": 12, "input": URL, "profile": "reject"}`, or with
/// `{"scheme": …, "host": …}` instead of `"reject"`. The profile gets the input unchanged, without
/// the encoding that a typed URL gets first. A case passes if the profile refuses the input as
/// expected, or accepts it with that scheme and host. Other members, the results of other parsers,
/// are ignored.
struct URLsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "urls", abstract: "Score the strict profile of URLs.")

  @Argument(help: ArgumentHelp("Files with one case a line.", valueName: "file"))
  var files: [String]

  @Flag(name: .shortAndLong, help: "Show each case that fails.")
  var verbose = false

  func run() throws {
    var tallies: [Tally] = []
    for file in files {
      var tally = Tally(file: file)
      let text = String(decoding: try bytes(of: file), as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() where line.contains(where: { !$0.isWhitespace }) {
        Self.judge(String(line), number: index + 1, &tally)
      }
      tallies.append(tally)
    }
    try tallies.report(verbose: verbose)
  }

  private static func judge(_ line: String, number: Int, _ tally: inout Tally) {
    let row: JSONValue
    do throws(JSONError) {
      row = try JSONValue(parsing: Array(line.utf8))
    } catch {
      return tally.fail("line \(number) is no JSON: \(error)")
    }
    guard let input = row["input"]?.stringValue, let profile = row["profile"] else {
      return tally.fail("line \(number) lacks 'input' or 'profile'")
    }
    switch ProfiledURL.judge(input) {
    case .failure(let error):
      guard profile == "reject" else {
        return tally.fail("line \(number): \(input) is refused: \(error.message)")
      }
    case .success(let url):
      guard profile != "reject" else {
        return tally.fail("line \(number): \(input) is accepted as \(url.text)")
      }
      let expected = (profile["scheme"]?.stringValue, profile["host"]?.stringValue ?? "")
      guard (url.scheme, url.host ?? "") == expected else {
        return tally.fail(
          "line \(number): \(input) has scheme '\(url.scheme)' and host '\(url.host ?? "")', not '\(expected.0 ?? "")' and '\(expected.1)'"
        )
      }
    }
    tally.pass()
  }
}
