import ArgumentParser
import Glibc

/// What the widget engine costs at a size that nobody has: a developer's tool, run by `make bench`.
@main
struct EngineSpeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engine-speed",
    abstract: "Time the pending queue, the budgets and full turns; one JSON object each.",
    discussion: """
      engine-speed queue --count 1000000
      engine-speed turn --widgets 10000
      engine-speed stack --widgets 10000

      Times are of this thread's processor time: what else runs on the machine does not count.
      """,
    subcommands: [QueueSpeed.self, TurnSpeed.self, StackSpeed.self])
}

/// Nanoseconds of a clock.
func nanoseconds(_ clock: clockid_t = CLOCK_THREAD_CPUTIME_ID) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// Bytes of memory that this process has.
func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [UInt8](repeating: 0, count: 128)
  let count = fread(&line, 1, line.count, file)
  let fields = String(decoding: line.prefix(count), as: UTF8.self).split(separator: " ")
  return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}

/// SplitMix64: the same numbers each time.
struct Numbers: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// One JSON object of numbers, in the order given.
func report(_ figures: KeyValuePairs<String, Double>) {
  let members = figures.map { "\"\($0.key)\": \(($0.value * 10).rounded() / 10)" }
  print("{\(members.joined(separator: ", "))}")
}
