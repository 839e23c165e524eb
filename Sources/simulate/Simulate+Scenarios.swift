import ArgumentParser
import Documents
import JSON
import ProgramStart
import Simulator

extension Simulate {
  /// Plays each file; reports a failed one with the line of the expectation that was not met.
  func play(_ files: [String]) throws {
    var failed: [String] = []
    for file in files where !playOne(file) { failed.append(file) }
    guard failed.isEmpty else {
      if files.count > 1 { say("failed: \(failed.joined(separator: " "))") }
      throw ExitCode(1)
    }
    if files.count > 1 { say("\(files.count) scenarios end as they expect") }
  }

  private func playOne(_ file: String) -> Bool {
    guard let bytes = readWhole(file) else {
      say("\(file): cannot be read")
      return false
    }
    let loaded = readYAML(String(decoding: bytes, as: UTF8.self), file: file)
    guard let root = loaded.value, loaded.issues.isEmpty else {
      for issue in loaded.issues { say(issue.description) }
      if loaded.issues.isEmpty { say("\(file): the file is empty") }
      return false
    }
    let read = ScenarioReader.read(root, file: file)
    guard let document = read.scenario else {
      for issue in read.issues { say(issue.description) }
      return false
    }
    let report = ScriptedWorld(document, file: file).run()
    if verbose {
      for row in report.rows {
        say("\(ScriptedWorld.text(row.at))  \(row.event)  \(row.fields.serialized)")
      }
    }
    for failure in report.failures { say(failure) }
    say("\(report.failures.isEmpty ? "good" : "FAILED"): \(file): \(report.title)")
    return report.failures.isEmpty
  }
}
