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

extension Simulate {
  /// The same program as often as there are jobs, each with every n-th world.
  func runSideBySide(from first: UInt64) throws -> Total {
    var total = Total()
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0 else { throw ValidationError("this program does not find itself") }
    let path = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard !path.contains("'") else { throw ValidationError("--jobs: a path with a quote") }
    var streams: [UnsafeMutablePointer<FILE>] = []
    for job in 0..<min(jobs, worlds) {
      let size = days.map { "--days \($0)" } ?? "--events \(events)"
      let command =
        "'\(path)' --seed \(first &+ UInt64(job)) --worlds \(worlds - job) --stride \(jobs) \(size) --tells-total"
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
