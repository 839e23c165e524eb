import DaemonTestSupport
import JSON
import Testing

/// Several outputs of one session: each is a surface of its own, and a script runs once for all.
struct OutputsTests {
  /// Nanoseconds at which runs of a script began, from a file with a line each.
  private func begins(_ sandbox: Sandbox) -> [Int64] {
    contents(of: sandbox.root + "/home/begins").split(separator: "\n").compactMap { Int64($0) }
  }

  @Test func `three outputs have one run a period, and one process of what stays running`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "config/intentd/plugins/tick.1s.sh",
        "#!/bin/sh\ndate +%s%N >> \"$HOME/begins\"\necho \"run $(wc -l < \"$HOME/begins\")\"\n",
        mode: 0o755)
      try sandbox.widget(
        "song",
        script: """
          echo $$ >> "$HOME/pids"
          n=0
          while :; do n=$((n+1)); echo "frame $n"; sleep 0.2; done
          """, provider: "protocol: waybar\nstream: true")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      var outputs: [WireClient] = []
      for _ in 1...3 {
        let output = try sandbox.connect()
        try output.call("surface.attach", ["visible": true])
        outputs.append(output)
      }
      #expect(try client.add("tick") == "done")
      #expect(try client.add("song") == "done")
      try eventually("the script runs again and again") { begins(sandbox).count >= 6 }

      // Each output was shown the same content, from the same runs.
      var titles: [Set<String>] = []
      for output in outputs {
        var seen: Set<String> = []
        for _ in 1...500 {
          if seen.contains("run 5"), seen.contains(where: { $0.hasPrefix("frame ") }) { break }
          let update = try output.notification("surface.update")
          for widget in update["widgets"]?.arrayValue ?? [] {
            if let title = widget["entry"]?["content"]?["title"]?.stringValue {
              seen.insert(title)
            }
          }
        }
        titles.append(seen)
      }
      for number in 1...5 {
        #expect(titles.filter { $0.contains("run \(number)") }.count == 3, "run \(number)")
      }

      // A run begins a period after the end of the one before, to the tenth of a second; a run that
      // an output had for itself would come in between.
      let moments = begins(sandbox)
      for (earlier, later) in zip(moments, moments.dropFirst()) {
        #expect(later - earlier > 900_000_000, "\(moments)")
      }
      let pids = contents(of: sandbox.root + "/home/pids").split(separator: "\n")
      #expect(pids.count == 1, "\(pids)")

      // One output less changes nothing.
      outputs.removeLast().close()
      let count = begins(sandbox).count
      try eventually("it goes on") { begins(sandbox).count >= count + 2 }
      #expect(contents(of: sandbox.root + "/home/pids").split(separator: "\n") == pids)
      try sandbox.stop(daemon)
    }
  }
}
