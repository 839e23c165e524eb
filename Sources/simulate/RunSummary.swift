import ArgumentParser
import Glibc
import ProgramStart
import Simulator

/// The number of worlds of one run, their sums, and the seeds that failed.
struct RunSummary {
  var worlds = 0
  /// The virtual time that passed in all worlds, in milliseconds.
  var milliseconds: Int64 = 0
  var events = 0
  var failed: [UInt64] = []

  mutating func add(_ report: RandomWorld.Report) {
    worlds += 1
    milliseconds += report.milliseconds
    events += report.statistics.events
    if report.violation != nil { failed.append(report.seed) }
  }

  static let mark = "summary "

  /// The sums as one line, which a child process prints for the process that started it.
  var line: String {
    Self.mark
      + ([Int64(worlds), milliseconds, Int64(events)] + failed.map { Int64(bitPattern: $0) })
      .map(String.init).joined(separator: " ")
  }

  mutating func add(line: Substring) {
    let numbers = line.dropFirst(Self.mark.count).split(separator: " ").compactMap { Int64($0) }
    guard numbers.count >= 3 else { return }
    worlds += Int(numbers[0])
    milliseconds += numbers[1]
    events += Int(numbers[2])
    failed += numbers.dropFirst(3).map { UInt64(bitPattern: $0) }
  }

  func text(seconds: Double, from first: UInt64) -> String {
    let hours = Double(milliseconds) / 3_600_000
    let rate = Int(hours / max(seconds, 0.001) * 60)
    let speed =
      "\(Int(hours)) simulated hours in \(Int(seconds * 10) / 10) s: \(rate) hours a minute, \(Int(Double(events) / max(hours, 0.001))) events an hour"
    guard failed.isEmpty else {
      return "failed: \(failed.sorted().map(String.init).joined(separator: " "))\n\(speed)"
    }
    return
      "\(worlds == 1 ? "1 world from seed \(first) is" : "\(worlds) worlds from seed \(first) are") sound\n\(speed)"
  }
}

/// A counter that parallel processes share: a pipe that holds the next number.
///
/// Worlds differ in length. With this counter each process takes the next world when it is free, so
/// none is idle before the last worlds.
struct SharedCounter {
  /// The two ends of the pipe.
  var reading: Int32
  var writing: Int32

  /// Takes the next number.
  ///
  /// A process that calls this at the same time waits until the number is back.
  func take() throws -> Int {
    var number: Int64 = 0
    guard read(reading, &number, 8) == 8 else { throw ValidationError("--counter is no pipe") }
    try put(number + 1)
    return Int(number)
  }

  func put(_ number: Int64) throws {
    var number = number
    guard write(writing, &number, 8) == 8 else { throw ValidationError("--counter is no pipe") }
  }
}

extension Simulate {
  /// Starts this program `jobs` times; each process runs the next world that none has taken yet.
  func runSideBySide(from first: UInt64) throws -> RunSummary {
    var summary = RunSummary()
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0 else { throw ValidationError("this program does not find itself") }
    let path = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard !path.contains("'") else { throw ValidationError("--jobs: a path with a quote") }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw ValidationError("no pipe for --jobs: \(String(cString: strerror(errno)))")
    }
    try SharedCounter(reading: ends[0], writing: ends[1]).put(0)
    var streams: [UnsafeMutablePointer<FILE>] = []
    for _ in 0..<min(jobs, worlds) {
      let size = days.map { "--days \($0)" } ?? "--events \(events)"
      let command =
        "'\(path)' --seed \(first) --worlds \(worlds) --counter \(ends[0]) --counter \(ends[1]) \(size) --prints-summary"
      guard let stream = popen(command, "r") else {
        throw ValidationError("a process cannot be started: \(String(cString: strerror(errno)))")
      }
      streams.append(stream)
    }
    for stream in streams {
      var line: UnsafeMutablePointer<CChar>?
      var capacity = 0
      while getline(&line, &capacity, stream) > 0, let line {
        let text = Substring(String(cString: line)).dropLast()
        if text.hasPrefix(RunSummary.mark) { summary.add(line: text) } else { say(String(text)) }
      }
      free(line)
      if pclose(stream) != 0 { throw ValidationError("a process of this one ended badly") }
    }
    return summary
  }
}
