import DaemonTestSupport
import JSON
import Testing

/// Tests the log and the metrics of a real daemon.
struct ObservationTests {
  @Test func `a provider that always fails fills no log, and the metrics count each run`() throws {
    try withSandbox { sandbox in
      try sandbox.widget("broken", script: "cat > /dev/null; echo 'no \"luck\"' >&2; exit 3")
      try sandbox.widget("good", script: Sandbox.answer(title: "fine"))
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      try client.add("broken")
      try client.add("good")
      for _ in 1...14 { _ = try client.reload("broken") }
      let text = try #require(client.call("daemon.metrics")["text"]?.stringValue)
      try sandbox.stop(daemon)

      // The log has one event a line, key=value, and at most ten lines a minute for one cause.
      let lines = daemon.errors.split(separator: "\n").map(String.init)
      let failures = lines.filter {
        $0.contains(" event=provider.failed ") || $0.contains("event=provider.failed ")
      }
      #expect(failures.count == 10, "\(daemon.errors)")
      #expect(
        failures.allSatisfy { $0.hasPrefix("warning event=provider.failed kind=broken reason=") })
      for line in lines { #expect(Self.isLogLine(line), "\(line)") }

      let samples = try Self.samples(text)
      #expect(samples["intentd_provider_runs_total{kind=\"broken\"}"] == 15)
      #expect(samples["intentd_provider_failures_total{kind=\"broken\"}"] == 15)
      #expect(samples["intentd_provider_failures_total{kind=\"good\"}"] == 0)
      #expect(samples["intentd_provider_quarantines_total{kind=\"broken\"}"] == 1)
      #expect(samples["intentd_kind_widgets{kind=\"good\"}"] == 1)
      #expect(samples["intentd_reloads_skipped_by_budget_total{kind=\"good\"}"] == 0)
      #expect(samples["intentd_widgets_stale"] == 1)
      let cpu = try #require(samples["intentd_provider_cpu_seconds_total{kind=\"broken\"}"])
      #expect(cpu > 0 && cpu < 60)
      let turns = try #require(samples["intentd_turn_duration_seconds_count"])
      #expect(turns > 15)
      #expect(samples["intentd_turn_duration_seconds_bucket{le=\"+Inf\"}"] == turns)
    }
  }

  @Test func `the memory for clients is what the command line says`() throws {
    try withSandbox { sandbox in
      let daemon = try sandbox.startDaemon(["--client-memory", "64MB"])
      let client = try sandbox.connect()
      let text = try #require(client.call("daemon.metrics")["text"]?.stringValue)
      try sandbox.stop(daemon)
      #expect(try Self.samples(text)["intentd_client_bytes_max"] == 64 * 1_024 * 1_024)
      let refused = try sandbox.run(Programs.daemon, ["--client-memory", "1MB"])
      #expect(refused.status == 64, "\(refused)")
      #expect(refused.errors.contains("64MB to 64GB"), "\(refused)")
    }
  }

  /// Returns whether the line is a level and then `key=value` words, with quotes around a value
  /// that contains a space.
  private static func isLogLine(_ line: String) -> Bool {
    line.wholeMatch(
      of: #/(error|warning|notice|debug)( [A-Za-z][A-Za-z.]*=("([^"\\]|\\.)*"|[^ "=\\]+))+/#) != nil
  }

  /// Reads samples by name and labels; each must belong to the family described last.
  private static func samples(_ text: String) throws -> [String: Double] {
    var samples: [String: Double] = [:]
    var family = ""
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.popLast() == "" && lines.popLast() == "# EOF")
    for line in lines {
      if line.hasPrefix("# ") {
        let words = line.split(separator: " ")
        try #require(words.count >= 4 && ["TYPE", "UNIT", "HELP"].contains(words[1]), "\(line)")
        family = String(words[2])
        continue
      }
      let space = try #require(line.lastIndex(of: " "), "\(line)")
      let name = String(line[..<space])
      try #require(name.hasPrefix(family), "\(line) is not of \(family)")
      try #require(samples[name] == nil, "\(name) twice")
      let value: Double = try #require(Double(String(line[line.index(after: space)...])), "\(line)")
      samples[name] = value
    }
    return samples
  }
}
