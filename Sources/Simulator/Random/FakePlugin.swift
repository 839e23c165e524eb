import DaemonCore
import Timekeeping
import WidgetCenter

/// The output of a script of another bar: a line, a menu, nothing, or something that is wrong.
enum FakePlugin {
  /// Returns what one run prints and its exit status, or why it ended otherwise.
  ///
  /// With a `fault` it prints what that fault makes of it.
  static func outcome(
    of run: ProviderRun, fault: Fault?, _ randomness: inout Randomness
  ) -> ProviderOutcome {
    switch fault {
    case .dyingProviders:
      if randomness.chance(20) { return .failed(ProviderFailure(.signaled(signal: 9))) }
      // i3blocks' 33 is no failure.
      return .printed(
        PluginOutput(
          Array("half\n".utf8), exitStatus: Int32(randomness.pick([1, 2, 33, 127])),
          diagnostics: "a line of its standard error"))
    case .floodingProviders: return .failed(ProviderFailure(.tooMuchOutput(limit: 1_048_576)))
    case .wrongAnswers:
      let wrong: [[UInt8]] = [
        [0xff, 0xfe, 0x0a], [0x61, 0, 0x62], Array("| color=red".utf8), Array("{\"text\":".utf8),
        Array("---\n-----\n-- deep".utf8), Array("\u{1b}[31mred".utf8),
      ]
      return .printed(PluginOutput(randomness.pick(wrong)))
    case .emptyTimelines: return .printed(PluginOutput(randomness.pick([[], [0x0a]])))
    case .oddTimelines:
      return .printed(PluginOutput(Array("a | b | href=x refresh=\n---\n| =\n".utf8)))
    case .hugeTimelines:
      let lines = (0..<3_000).map { "line \($0)" }
      return .printed(PluginOutput(Array(lines.joined(separator: "\n").utf8)))
    default: return .printed(PluginOutput(Array(text(of: run, &randomness).utf8)))
    }
  }

  private static func text(of run: ProviderRun, _ randomness: inout Randomness) -> String {
    // A script may have nothing to show.
    if randomness.chance(5) { return "" }
    var text = "\(run.kind) \(randomness.below(20))\n"
    if run.kind == "org.sim.Script", randomness.chance(30) {
      text += "---\nopen | href=https://example.org/\nagain | refresh=true\nrun | shell=/bin/true\n"
    }
    if run.kind == "org.sim.Stream" {
      text += "---\nnext | stdin=next refresh=true\nagain | refresh=true\n"
    }
    return text
  }
}
