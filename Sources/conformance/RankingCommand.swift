import ArgumentParser
import Foundation
import Habits
import ProgramStart
import Timekeeping

/// `conformance ranking DIR` measures how well the behaviour model predicts the next use.
///
/// A file has one event a line, `user<TAB>time<TAB>item`, grouped by user with ascending times. The
/// time is the person's own wall clock in seconds, as if it were UTC. For each event the model
/// ranks all items that this user has used before; the command scores the rank of the item that is
/// used now, and the model learns from the event. An item that was never used before is a miss. In
/// `desktop` the item of the previous event is no candidate, because repeats were collapsed. Files
/// with a fourth and fifth column (part, and 1 for a published sample) also get Acc@1 over the
/// samples.
///
/// The model is the daemon's own `BehaviourModel`.
struct RankingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ranking", abstract: "Score the behaviour model on files of what people did.",
    discussion: """
      conformance ranking ~/corpus/ranking/dev

      Prints a line for each *.tsv.gz (or *.tsv) in the folder: MRR, R@1, R@3, R@5 over all events.
      """)

  @Argument(help: "The folder with the files, or one file.")
  var path: String

  @Option(
    help: ArgumentHelp(
      "Only users of this half: 0 for the first, third… of a file, 1 for the others."))
  var half: Int?

  @Flag(help: "Also say how long an event takes, in microseconds.")
  var times = false

  func validate() throws {
    if let half, half != 0 && half != 1 { throw ValidationError("--half is 0 or 1, not \(half)") }
  }

  func run() throws {
    for file in try files() {
      say(try Self.score(file, half: half, times: times))
    }
  }

  private func files() throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CorpusError(
        description: "there is no folder '\(path)'; give the one with the *.tsv.gz files")
    }
    guard isFolder.boolValue else { return [path] }
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".tsv.gz") || $0.hasSuffix(".tsv") }.sorted()
    guard !names.isEmpty else {
      throw CorpusError(description: "the folder '\(path)' has no *.tsv.gz")
    }
    return names.map { "\(path)/\($0)" }
  }

  private static func score(_ file: String, half: Int?, times: Bool) throws -> String {
    let name = file.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? file
    var tally = RankingTally()
    var user: Substring?
    var number = -1
    var model = BehaviourModel()
    var last = Int64.min
    let text = try contents(of: file)
    let start = ContinuousClock.now
    for (index, line) in text.split(separator: "\n").enumerated() {
      let event = try RankingEvent(line, at: "\(file):\(index + 1)")
      if event.user != user {
        user = event.user
        number += 1
        last = .min
        model = BehaviourModel(collapsesRepeats: name == "desktop")
      }
      guard event.seconds >= last else {
        throw CorpusError(
          description: "\(file):\(index + 1): the time is before that of the line above")
      }
      last = event.seconds
      if let half, number % 2 != half { continue }
      let moment = BehaviourMoment(wall: WallTime(seconds: event.seconds), offsetSeconds: 0)
      tally.count(event, rank: model.rank(of: event.item, at: moment))
      model.learn(event.item, kind: "", .open, at: moment)
    }
    var line = "\(name): \(tally.summary)"
    if times, tally.events > 0 {
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      let micro = (Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / Double(tally.events)
      line += " µs \(RankingTally.rounded(micro, 1))"
    }
    return line
  }

  /// Reads the text of a file; unpacks it with `gzip` if its name ends in `.gz`.
  private static func contents(of file: String) throws -> String {
    guard file.hasSuffix(".gz") else {
      return String(decoding: try bytes(of: file), as: UTF8.self)
    }
    guard exists(file) else { throw CorpusError(description: "'\(file)' cannot be read") }
    let gzip = Process()
    let output = Pipe()
    gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    gzip.arguments = ["gzip", "-dc", "--", file]
    gzip.standardOutput = output
    try gzip.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    gzip.waitUntilExit()
    guard gzip.terminationStatus == 0 else {
      throw CorpusError(description: "'\(file)' is no gzip file, or gzip is not installed")
    }
    return String(decoding: data, as: UTF8.self)
  }
}

/// One event of a ranking corpus: a line of its file.
private struct RankingEvent {
  var user: Substring
  var seconds: Int64
  var item: String
  /// Whether the event is a published sample; `nil` in files that have none.
  var isSample: Bool?

  init(_ line: Substring, at place: String) throws {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count == 3 || fields.count == 5 else {
      throw CorpusError(
        description:
          "\(place): \(fields.count) columns; it takes user, time, item, or part and scored beside")
    }
    guard let seconds = Int64(fields[1]), abs(seconds) < 1 << 48 else {
      throw CorpusError(
        description: "\(place): the time '\(fields[1])' is no whole number of seconds")
    }
    user = fields[0]
    self.seconds = seconds
    item = String(fields[2])
    guard fields.count == 5 else { return }
    guard fields[4] == "0" || fields[4] == "1" else {
      throw CorpusError(description: "\(place): the last column is '\(fields[4])', not 0 or 1")
    }
    isSample = fields[4] == "1"
  }
}

/// The scores of one file.
private struct RankingTally {
  private(set) var events = 0
  private var reciprocal = 0.0
  private var within = [1: 0, 3: 0, 5: 0]
  private var samples: Int?
  private var sampleHits = 0

  /// Counts an event whose item had this rank: 1 is the best, `nil` a miss.
  mutating func count(_ event: RankingEvent, rank: Int?) {
    events += 1
    if let rank {
      reciprocal += 1 / Double(rank)
      for depth in within.keys where rank <= depth { within[depth, default: 0] += 1 }
    }
    guard let isSample = event.isSample else { return }
    samples = (samples ?? 0) + (isSample ? 1 : 0)
    if isSample, rank == 1 { sampleHits += 1 }
  }

  var summary: String {
    let share = { (count: Int, all: Int) in
      all == 0 ? "-" : Self.rounded(Double(count) / Double(all), 4)
    }
    var text = "MRR \(events == 0 ? "-" : Self.rounded(reciprocal / Double(events), 4))"
    for depth in [1, 3, 5] { text += " R@\(depth) \(share(within[depth] ?? 0, events))" }
    text += " events \(events)"
    if let samples { text += " Acc@1 \(share(sampleHits, samples)) samples \(samples)" }
    return text
  }

  static func rounded(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}
