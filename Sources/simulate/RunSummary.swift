import ArgumentParser
import Glibc
import Simulator

/// What many worlds come to.
struct Total {
  var worlds = 0
  /// Of virtual time.
  var milliseconds: Int64 = 0
  var events = 0
  var failed: [UInt64] = []

  mutating func add(_ report: World.Report) {
    worlds += 1
    milliseconds += report.milliseconds
    events += report.statistics.events
    if report.violation != nil { failed.append(report.seed) }
  }

  static let mark = "total "

  /// For the process that started this one.
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
    return "\(worlds) \(worlds == 1 ? "world" : "worlds") from seed \(first) are sound\n\(speed)"
  }
}

/// A number that processes side by side take in turns: a pipe with nothing else in it.
///
/// Worlds differ in length; with this nobody is idle before the last ones.
struct SharedCounter {
  /// The two ends of the pipe.
  var reading: Int32
  var writing: Int32

  /// The number, which is one more for the next; whoever comes meanwhile waits.
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
  /// The same program as often as there are jobs, each with the next world that nobody has.
  func runSideBySide(from first: UInt64) throws -> Total {
    var total = Total()
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
        "'\(path)' --seed \(first) --worlds \(worlds) --counter \(ends[0]) --counter \(ends[1]) \(size) --tells-total"
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
        if text.hasPrefix(Total.mark) { total.add(line: text) } else { print(text) }
      }
      free(line)
      if pclose(stream) != 0 { throw ValidationError("a process of this one ended badly") }
    }
    return total
  }
}
