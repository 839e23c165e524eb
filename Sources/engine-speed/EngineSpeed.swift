import ArgumentParser
import Glibc
import ProgramStart

/// Measures the widget engine at far more than usual sizes.
///
/// A developer's tool, run by `make bench`.
@main
struct EngineSpeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engine-speed",
    abstract: "Time the pending queue, the budgets, full turns and the stack, in JSON.",
    discussion: """
      engine-speed queue --count 1000000
      engine-speed turn --widgets 10000
      engine-speed stack --widgets 10000
      engine-speed order --widgets 10000

      Times are of this thread's processor time: what else runs on the machine does not count.
      """,
    subcommands: [QueueSpeed.self, TurnSpeed.self, StackSpeed.self, OrderSpeed.self])

  static func main() { Glibc.exit(exitStatus(running: ProgramArguments.read(by: "engine-speed"))) }
}

/// Returns the reading of a clock, in nanoseconds; this thread's processor time if none is named.
func nanoseconds(_ clock: clockid_t = CLOCK_THREAD_CPUTIME_ID) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// Returns the resident memory of this process, in bytes; 0 if `/proc` cannot be read.
func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [UInt8](repeating: 0, count: 128)
  let count = fread(&line, 1, line.count, file)
  let fields = String(decoding: line.prefix(count), as: UTF8.self).split(separator: " ")
  return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}

/// A SplitMix64 generator: it gives the same numbers in each run.
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

/// Prints the figures as one JSON object, in the order given, with one digit behind the point.
func report(_ figures: KeyValuePairs<String, Double>) {
  let members = figures.map { "\"\($0.key)\": \(($0.value * 10).rounded() / 10)" }
  say("{\(members.joined(separator: ", "))}")
}
