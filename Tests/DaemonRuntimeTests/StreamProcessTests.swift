import DaemonCore
import DaemonTestSupport
import EventLoop
import Foundation
import Glibc
import Plugins
import Testing
import Timekeeping
import WidgetCenter

@testable import DaemonRuntime

/// Real plugins that stay running, by a launcher of this process.
@Suite struct StreamProcessTests {
  private final class Rig {
    let root: String
    let loop: Loop
    private var launcher: ProviderLauncher?
    private let token = RunToken(1)
    private(set) var frames: [String] = []
    private(set) var notices: [StreamNotice] = []
    private(set) var outcome: ProviderOutcome?

    init() throws {
      root = NSTemporaryDirectory() + "stream-" + UUID().uuidString
      for folder in ["home/frames", "plugins", "cache"] {
        try FileManager.default.createDirectory(
          atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
      }
      loop = try Loop()
    }

    deinit {
      launcher?.close()
      loop.close()
      // Best effort: a folder that stays in the temporary folder is not the test's result.
      _ = try? FileManager.default.removeItem(atPath: root)
    }

    /// A function of the script that waits until so many frames were shown, or the longest one.
    ///
    /// A pause instead would be too short on a busy machine, where two lines are read as one.
    private static let seen =
      #"seen() { while [ ! -e "$HOME/frames/$1" ]; do sleep 0.01; done; }"# + "\n"

    /// Starts a script; it can say `seen 2`.
    func start(
      _ body: String, format: PluginFormat = .waybar, trailing: Bool = false,
      condition: [String] = []
    ) throws {
      let file = root + "/plugins/stream"
      try Data("#!/bin/sh\n\(Self.seen)\(body)\n".utf8).write(to: URL(filePath: file))
      try #require(chmod(file, 0o755) == 0)
      try waitUntilNobodyWrites(file)
      var options = RuntimeOptions(
        environment: ["HOME": root + "/home", "PATH": "/usr/bin:/bin"],
        userID: getuid(), version: "rig", socketPath: root + "/socket")
      options.supervisorProgram = ServiceRig.daemonProgram
      let launcher = ProviderLauncher(loop: loop, options: options, cacheFolder: root + "/cache") {
        [unowned self] event in
        switch event {
        case .streamFrame(_, let frame):
          frames.append(String(decoding: frame, as: UTF8.self))
          mark("\(frames.count)")
          if frame.count == PluginLimits.streamFrameBytesMax { mark("longest") }
        case .streamNotice(_, let notice): notices.append(notice)
        case .provider(_, let ended): outcome = ended
        default: Issue.record("\(event)")
        }
      }
      self.launcher = launcher
      var provider = ProviderDeclaration(exec: [file], directory: root + "/plugins")
      var plugin = PluginDeclaration(format, .once)
      plugin.isStream = true
      plugin.hasTrailingSeparator = trailing
      plugin.condition = condition
      provider.plugin = plugin
      var run = ProviderRun(
        token: token, kind: "song", family: .systemSmall, provider: provider, request: [])
      run.plugin = PluginRequest(.firstLook)
      launcher.run(run)
    }

    /// Lets a script go on that waits for a frame.
    private func mark(_ name: String) {
      close(open("\(root)/home/frames/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    }

    func tell(_ line: String) { launcher?.tell(token, Array("\(line)\n".utf8)) }
    func cancel() { launcher?.cancel(token) }

    /// Runs the loop until a condition holds; four minutes at most.
    func run(_ what: String, until condition: @escaping () -> Bool) throws {
      let watchdog = LoopTimer(loop: loop)
      var isLate = false
      watchdog.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 240_000)) { [loop] in
        isLate = true
        loop.stop()
      }
      loop.onTurn { [loop] in
        if condition() { loop.stop() }
        return false
      }
      if !condition() { loop.runUntilStopped() }
      watchdog.close()
      try #require(!isLate, "did not happen: \(what); frames \(frames.suffix(3)), \(notices)")
    }

    /// Runs the loop for a while.
    func pass(milliseconds: Int64) {
      let timer = LoopTimer(loop: loop)
      timer.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: milliseconds)) { [loop] in
        loop.stop()
      }
      loop.onTurn { false }
      loop.runUntilStopped()
      timer.close()
    }

    /// The processes that this rig's stream left running.
    var processes: [Int32] {
      Processes.naming(root).filter {
        Processes.isRunning($0) && !Processes.command(of: $0).contains("--supervise")
      }
    }
  }

  @Test func `each line is a frame for a bar, also one without an end`() throws {
    let rig = try Rig()
    try rig.start("echo one; seen 1; echo two; seen 2; printf three; exec sleep 60")
    try rig.run("three frames") { rig.frames.count == 3 }
    #expect(rig.frames == ["one\n", "two\n", "three"])
    #expect(rig.outcome == nil)
  }

  @Test func `a menu's frames are divided by their separator, or by silence`() throws {
    let rig = try Rig()
    try rig.start(
      "printf 'A\\n---\\nx\\n'; seen 1; printf '~~~\\nB\\n'; exec sleep 60", format: .swiftbar)
    try rig.run("B") { rig.frames.last == "B\n" }
    #expect(rig.frames.first == "A\n---\nx\n")
  }

  @Test func `with a separator at the end nothing is shown before it`() throws {
    let rig = try Rig()
    try rig.start(
      "printf 'A\\n'; sleep 0.4; printf 'B\\n~~~\\nC\\n'; exec sleep 60", format: .swiftbar,
      trailing: true)
    try rig.run("A and B") { !rig.frames.isEmpty }
    #expect(rig.frames == ["A\nB\n"])
    rig.pass(milliseconds: 300)
    #expect(rig.frames == ["A\nB\n"])
  }

  @Test func `a character that comes in two parts is one`() throws {
    let rig = try Rig()
    try rig.start(#"printf 'a\303'; sleep 0.02; printf '\244\n'; exec sleep 60"#)
    try rig.run("a frame") { rig.frames.last == "aä\n" }
  }

  @Test func `a flood is read in shares, its newest line is shown, and it is told`() throws {
    let rig = try Rig()
    try rig.start(
      "yes 'a line of a flood' | head -c 10000000; echo; echo last; exec sleep 60")
    let begun = rig.loop.readNow().monotonic
    try rig.run("the last line") { rig.frames.last == "last\n" }
    let seconds = Double(rig.loop.readNow().monotonic.milliseconds(since: begun)) / 1_000
    // 10 MB in windows of 128 KiB, and up to 64 more: it waited for its turn, and was shown ten times a second.
    #expect(seconds > 4, "\(seconds) s")
    #expect(Double(rig.frames.count) <= 11 * seconds + 11, "\(rig.frames.count) in \(seconds) s")
    #expect(rig.frames.dropLast().allSatisfy { $0.utf8.count < 30 })
    #expect(rig.notices.filter { $0 == .floods }.count == 1)
    // `yes` printed 18 bytes a line, and each line but the shown ones was left out.
    let omitted = rig.notices.compactMap { if case .leftOut(let count) = $0 { count } else { nil } }
    #expect((omitted.last ?? 0) > 400_000, "\(omitted.suffix(3))")
    #expect(omitted == omitted.sorted())
  }

  @Test func `a flood of small writes does not wake the loop for each`() throws {
    let rig = try Rig()
    try rig.start("n=0; while :; do n=$((n+1)); echo $n; done")
    try rig.run("a frame") { !rig.frames.isEmpty }
    func switches() -> Int {
      var usage = rusage()
      // RUSAGE_THREAD, whose name is not imported.
      getrusage(1, &usage)
      return usage.ru_nvcsw
    }
    let (before, begun) = (switches(), rig.loop.readNow().monotonic)
    rig.pass(milliseconds: 2_000)
    let seconds = Double(rig.loop.readNow().monotonic.milliseconds(since: begun)) / 1_000
    // Sixteen reads and a few timers in each tenth of a second; the script writes 100,000 times.
    #expect(Double(switches() - before) < 400 * seconds, "\(seconds) s")
    #expect(rig.frames.count > 2)
  }

  @Test func `a large frame is no flood`() throws {
    let rig = try Rig()
    try rig.start(
      """
      for n in 1 2; do head -c 250000 /dev/zero | tr '\\000' x; echo; sleep 0.3; done
      echo last; exec sleep 60
      """)
    try rig.run("the last line") { rig.frames.last == "last\n" }
    #expect(!rig.notices.contains(.floods))
  }

  @Test func `a flood does not keep the loop from other work`() throws {
    let rig = try Rig()
    try rig.start("exec yes")
    try rig.run("the flood") { rig.notices.contains(.floods) }
    let begun = rig.loop.readNow().monotonic
    for _ in 1...20 { rig.pass(milliseconds: 10) }
    #expect(rig.loop.readNow().monotonic.milliseconds(since: begun) < 10_000)
    rig.cancel()
    try rig.run("its end") { rig.outcome != nil }
  }

  @Test func `a flood of standard error is read in shares, too`() throws {
    let rig = try Rig()
    try rig.start("echo up; exec yes >&2")
    try rig.run("the flood") { rig.notices.contains(.floods) }
    #expect(rig.frames == ["up\n"])
  }

  @Test func `a line of a megabyte is cut, and the next one is whole`() throws {
    let rig = try Rig()
    try rig.start(
      "head -c 1000000 /dev/zero | tr '\\000' x; echo; seen longest; echo next; exec sleep 60")
    try rig.run("the next line") { rig.frames.last == "next\n" }
    #expect(rig.frames.allSatisfy { $0.utf8.count <= PluginLimits.streamFrameBytesMax })
    #expect(rig.frames.contains { $0.utf8.count == PluginLimits.streamFrameBytesMax })
  }

  @Test func `its end comes after its last frame, with its status and its last words`() throws {
    let rig = try Rig()
    try rig.start("echo one; echo why >&2; printf two; exit 3")
    try rig.run("its end") { rig.outcome != nil }
    #expect(rig.frames.last == "two")
    #expect(
      rig.outcome == .printed(PluginOutput([], exitStatus: 3, diagnostics: "why\n")))
  }

  @Test func `a death by a signal is told as that`() throws {
    let rig = try Rig()
    try rig.start("echo one; seen 1; kill -9 $$")
    try rig.run("its end") { rig.outcome != nil }
    #expect(rig.frames == ["one\n"])
    #expect(rig.outcome == .failed(ProviderFailure(.signaled(signal: 9))))
  }

  @Test func `one that ignores SIGTERM is killed with all that it started`() throws {
    let rig = try Rig()
    try rig.start("trap '' TERM; sleep 300 & echo up; while :; do sleep 1; done")
    try rig.run("a frame") { rig.frames == ["up\n"] }
    #expect(!rig.processes.isEmpty)
    rig.cancel()
    try rig.run("its end") { rig.outcome != nil }
    #expect(rig.outcome == .failed(ProviderFailure(.cancelled)))
    try eventually("nothing is left") { rig.processes.isEmpty }
  }

  @Test func `SIGTERM comes first, and what it prints then is not shown`() throws {
    let rig = try Rig()
    try rig.start(
      "trap 'echo bye; touch \"$HOME/asked\"; exit 0' TERM; echo up; while :; do sleep 0.1; done")
    try rig.run("a frame") { rig.frames == ["up\n"] }
    rig.cancel()
    try rig.run("its end") { rig.outcome != nil }
    #expect(access(rig.root + "/home/asked", F_OK) == 0)
    #expect(rig.frames == ["up\n"])
  }

  @Test func `lines reach its standard input`() throws {
    let rig = try Rig()
    try rig.start("echo up; while read -r line; do echo \"got $line\"; done", format: .i3blocks)
    try rig.run("it is up") { rig.frames == ["up\n"] }
    rig.tell("1")
    try rig.run("the line") { rig.frames.last == "got 1\n" }
  }

  @Test func `lines that nobody reads are dropped, and that is told`() throws {
    let rig = try Rig()
    try rig.start("echo up; exec sleep 60", format: .i3blocks)
    try rig.run("it is up") { rig.frames == ["up\n"] }
    let line = String(repeating: "x", count: 4_000)
    for _ in 1...200 { rig.tell(line) }
    #expect(rig.notices.contains(.readsNoInput))
    rig.cancel()
    try rig.run("its end") { rig.outcome != nil }
    rig.tell("late")
  }

  @Test func `a module of a bar without clicks to read has nothing on its standard input`() throws {
    let rig = try Rig()
    try rig.start("cat; echo end of input; exec sleep 60")
    rig.tell("ignored")
    try rig.run("a frame") { rig.frames == ["end of input\n"] }
  }

  @Test func `a condition that does not hold is an empty frame and a good end`() throws {
    let rig = try Rig()
    try rig.start("echo never", condition: ["/bin/sh", "-c", "echo no >&2; exit 1"])
    try rig.run("its end") { rig.outcome != nil }
    #expect(rig.frames == [""])
    var unmet = PluginOutput([], diagnostics: "no\n")
    unmet.isUnmet = true
    unmet.conditionStatus = 1
    #expect(rig.outcome == .printed(unmet))
    let other = try Rig()
    try other.start("echo up; exec sleep 60", condition: ["true"])
    try other.run("a frame") { other.frames == ["up\n"] }
  }
}
