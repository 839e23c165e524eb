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

/// Real runs of plugins by a launcher of this process.
@Suite struct PluginRunTests {
  /// A home, a folder with scripts, and a folder of programs that is PATH.
  private final class Rig {
    let root: String
    private let loop: Loop
    private var outcome: ProviderOutcome?
    /// The launcher of all runs of a rig that keeps one; they are runs of one kind then.
    private var kept: ProviderLauncher?
    private var lastToken: UInt64 = 0

    init(keepsLauncher: Bool = false) throws {
      root = NSTemporaryDirectory() + "run-" + UUID().uuidString
      for folder in ["home", "plugins", "bin", "cache"] {
        try FileManager.default.createDirectory(
          atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
      }
      loop = try Loop()
      for name in ["sh", "cat", "env", "head", "tr", "pwd", "sleep"] {
        let program = try #require(
          ["/usr/bin/", "/bin/"].map { $0 + name }.first { access($0, X_OK) == 0 })
        try #require(symlink(program, "\(root)/bin/\(name)") == 0)
      }
      if keepsLauncher { kept = makeLauncher() }
    }

    deinit {
      kept?.close()
      loop.close()
      // Best effort: a folder that stays in the temporary folder is not the test's result.
      _ = try? FileManager.default.removeItem(atPath: root)
    }

    func write(_ name: String, _ text: String, mode: mode_t = 0o755) throws {
      let file = "\(root)/\(name)"
      try Data(text.utf8).write(to: URL(filePath: file))
      try #require(chmod(file, mode) == 0)
      try waitUntilNobodyWrites(file)
    }

    private var launcherOptions: RuntimeOptions {
      var options = RuntimeOptions(
        environment: ["HOME": root + "/home", "PATH": root + "/bin", "TMPDIR": root],
        userID: getuid(), version: "rig", socketPath: root + "/socket")
      options.supervisorProgram = ServiceRig.daemonProgram
      return options
    }

    private func makeLauncher() -> ProviderLauncher {
      ProviderLauncher(loop: loop, options: launcherOptions, cacheFolder: root + "/cache") {
        [unowned self] event in
        if case .provider(_, let ended) = event { outcome = ended }
        loop.stop()
      }
    }

    /// Runs a script once.
    func run(
      _ exec: String..., format: PluginFormat = .xbar, condition: [String] = [],
      variables: [ProviderDeclaration.Variable] = [], cancelled: Bool = false
    ) throws -> ProviderOutcome {
      let launcher = kept ?? makeLauncher()
      outcome = nil
      lastToken += 1
      var provider = ProviderDeclaration(exec: exec, directory: root + "/plugins")
      var declaration = PluginDeclaration(format, .never)
      declaration.condition = condition
      provider.plugin = declaration
      var run = ProviderRun(
        token: RunToken(lastToken), kind: "cpu", family: .systemSmall, provider: provider,
        request: Array("the request".utf8))
      run.plugin = PluginRequest(.firstLook, variables: variables)
      let watchdog = LoopTimer(loop: loop)
      watchdog.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 240_000)) { [loop] in
        loop.stop()
      }
      launcher.run(run)
      if cancelled { launcher.cancel(run.token) }
      // In each iteration the loop reads a share of what there is.
      loop.onTurn { false }
      if outcome == nil { loop.runUntilStopped() }
      watchdog.close()
      if kept == nil { launcher.close() }
      return try #require(outcome, "the run has no outcome after four minutes")
    }

    /// Runs scripts of several kinds at the same time; returns their outcomes in the same order.
    func runTogether(_ scripts: [(kind: String, exec: String)]) throws -> [ProviderOutcome?] {
      var outcomes = [ProviderOutcome?](repeating: nil, count: scripts.count)
      let launcher = ProviderLauncher(
        loop: loop, options: launcherOptions, cacheFolder: root + "/cache"
      ) {
        [loop] event in
        if case .provider(let token, let ended) = event { outcomes[Int(token.number)] = ended }
        if !outcomes.contains(where: { $0 == nil }) { loop.stop() }
      }
      let watchdog = LoopTimer(loop: loop)
      watchdog.arm(at: loop.readNow().monotonic.advanced(byMilliseconds: 240_000)) { [loop] in
        loop.stop()
      }
      for (number, script) in scripts.enumerated() {
        var provider = ProviderDeclaration(exec: [script.exec], directory: root + "/plugins")
        provider.plugin = PluginDeclaration(.xbar, .never)
        var run = ProviderRun(
          token: RunToken(UInt64(number)), kind: script.kind, family: .systemSmall,
          provider: provider, request: [])
        run.plugin = PluginRequest(.firstLook)
        launcher.run(run)
      }
      loop.onTurn { false }
      if outcomes.contains(where: { $0 == nil }) { loop.runUntilStopped() }
      watchdog.close()
      launcher.close()
      return outcomes
    }

    /// Runs a script once; its output must be read by the rules of its family.
    func printed(
      _ exec: String, format: PluginFormat = .xbar, condition: [String] = [],
      variables: [ProviderDeclaration.Variable] = []
    ) throws -> PluginOutput {
      let outcome = try run(exec, format: format, condition: condition, variables: variables)
      guard case .printed(let output) = outcome else {
        Issue.record("\(outcome)")
        return PluginOutput([])
      }
      return output
    }

    func text(_ exec: String, format: PluginFormat = .xbar) throws -> String {
      String(decoding: try printed(exec, format: format).bytes, as: UTF8.self)
    }
  }

  @Test func `a plugin is given no request, and its output and status are told`() throws {
    let rig = try Rig()
    try rig.write("plugins/a.sh", "#!/bin/sh\necho CPU\ncat\necho gone >&2\nexit 3\n")
    #expect(
      try rig.printed("./a.sh")
        == PluginOutput(Array("CPU\n".utf8), exitStatus: 3, diagnostics: "gone\n"))
  }

  @Test func `what a script leaves behind is read for a moment, and then killed`() throws {
    let rig = try Rig()
    // The first line is there when the script ends, the second as soon as it is gone.
    try rig.write(
      "plugins/a.sh",
      "#!/bin/sh\n(while kill -0 $$ 2>&-; do :; done; echo two; exec sleep 1000) &\n"
        + "echo \"one $!\"\n")
    let lines = try rig.text("./a.sh").split(separator: "\n")
    #expect(lines.map { $0.split(separator: " ").first } == ["one", "two"])
    let left = try #require(lines.first?.split(separator: " ").last.flatMap { pid_t($0) })
    try eventually("what it left is gone") { kill(left, 0) != 0 }
  }

  @Test func `more than a pipe holds is read while a script runs`() throws {
    let rig = try Rig()
    try rig.write(
      "plugins/a.sh", "#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\000' x\necho gone >&2\n")
    let output = try rig.printed("./a.sh")
    #expect(output.bytes == [UInt8](repeating: UInt8(ascii: "x"), count: 300_000))
    #expect(output.diagnostics == "gone\n")
  }

  @Test(arguments: [
    (PluginFormat.xbar, "plugins"), (.swiftbar, "home"), (.argos, "home"), (.waybar, "home"),
    (.i3blocks, "home"), (.polybar, "home"), (.genmon, "home"), (.text, "plugins"),
  ]) func `a plugin starts in the folder in which its program would start it`(
    _ format: PluginFormat, _ folder: String
  ) throws {
    let rig = try Rig()
    try rig.write("plugins/a.sh", "#!/bin/sh\npwd -P\n")
    let real = try #require(realpath("\(rig.root)/\(folder)", nil))
    defer { free(real) }
    #expect(try rig.text("./a.sh", format: format) == String(cString: real) + "\n")
  }

  @Test func `a variable of the run wins over all others`() throws {
    let rig = try Rig()
    try rig.write("plugins/a.sh", "#!/bin/sh\necho \"$HOME $BLOCK_BUTTON\"\n")
    let output = try rig.printed(
      "./a.sh", format: .i3blocks,
      variables: [.init(name: "BLOCK_BUTTON", value: "3"), .init(name: "HOME", value: "/x")])
    #expect(String(decoding: output.bytes, as: UTF8.self) == "/x 3\n")
  }

  @Test func `a plugin of SwiftBar is told its folders, which are there`() throws {
    let rig = try Rig()
    try rig.write(
      "plugins/a.sh",
      """
      #!/bin/sh
      echo "$SWIFTBAR $SWIFTBAR_PLUGIN_REFRESH_REASON $SWIFTBAR_PLUGIN_PATH"
      echo "$SWIFTBAR_PLUGINS_PATH $SWIFTBAR_PLUGIN_CACHE_PATH $SWIFTBAR_PLUGIN_DATA_PATH"
      cd "$SWIFTBAR_PLUGIN_CACHE_PATH" && cd "$SWIFTBAR_PLUGIN_DATA_PATH" && pwd
      """)
    let data = rig.root + "/home/.local/share/intentd/plugin-data/cpu"
    #expect(
      try rig.text("./a.sh", format: .swiftbar) == """
        1 FirstLaunch \(rig.root)/plugins/a.sh
        \(rig.root)/plugins \(rig.root)/cache/cpu \(data)
        \(data)

        """)
  }

  @Test func `a plugin of another menu is told what its bar tells it`() throws {
    let rig = try Rig()
    try rig.write(
      "plugins/a.sh", "#!/bin/sh\necho \"$XBARDarkMode/$ARGOS_VERSION/$ARGOS_MENU_OPEN\"\n")
    #expect(try rig.text("./a.sh") == "false//\n")
    #expect(try rig.text("./a.sh", format: .argos) == "/2/false\n")
    #expect(try rig.text("./a.sh", format: .waybar) == "//\n")
  }

  @Test func `a block is told its name, and has the variables of a click without one`() throws {
    let rig = try Rig()
    try rig.write(
      "plugins/a.sh", "#!/bin/sh\necho \"$BLOCK_NAME ${BLOCK_BUTTON-unset}${BLOCK_X-unset}\"\n")
    #expect(try rig.text("./a.sh", format: .i3blocks) == "cpu \n")
    #expect(try rig.text("./a.sh", format: .polybar) == " unsetunset\n")
  }

  // MARK: Interpreters

  @Test(arguments: [
    "#!/opt/homebrew/bin/sh", "#!/opt/homebrew/bin/sh -e", "#!/usr/bin/env python",
    "#!/usr/bin/env -S python -u", "#!/no/bin/env python", "#!/usr/local/bin/python",
  ]) func `an interpreter that is elsewhere is found by its name`(_ line: String) throws {
    let rig = try Rig()
    try rig.write("bin/python3", "#!/bin/sh\nfor last; do :; done\nexec /bin/sh \"$last\"\n")
    try rig.write("plugins/a.sh", line + "\necho it runs as \"${0##*/}\"\n")
    #expect(try rig.text("./a.sh") == "it runs as a.sh\n")
  }

  @Test func `python is not replaced where there is one`() throws {
    let rig = try Rig()
    try rig.write("bin/python", "#!/bin/sh\necho python\n")
    try rig.write("bin/python3", "#!/bin/sh\necho python3\n")
    try rig.write("plugins/a.py", "#!/usr/bin/env python\n")
    try rig.write("plugins/b.py", "#!/no/python\n")
    #expect(try rig.text("./a.py") == "python\n")
    #expect(try rig.text("./b.py") == "python\n")
  }

  @Test func `a script that cannot be executed is run by its interpreter`() throws {
    let rig = try Rig()
    try rig.write("plugins/a.sh", "#!/bin/sh\necho it runs\n", mode: 0o644)
    try rig.write("plugins/b.sh", "#!/usr/bin/env sh\necho it runs\n", mode: 0o644)
    #expect(try rig.text("./a.sh", format: .swiftbar) == "it runs\n")
    #expect(try rig.text("./b.sh", format: .swiftbar) == "it runs\n")
  }

  @Test func `an interpreter that is nowhere is named`() throws {
    let rig = try Rig()
    for (line, said) in [
      ("/usr/local/bin/node", "'/usr/local/bin/node', which is not there"),
      ("/usr/bin/env node", "'node', which is not on PATH"),
      ("/usr/bin/env -S node --harmony", "'node', which is not on PATH"),
    ] {
      try rig.write("plugins/a.sh", "#!\(line)\n")
      guard case .failed(let failure) = try rig.run("./a.sh") else {
        Issue.record("\(line) ran")
        continue
      }
      #expect(
        failure.message
          == "the provider could not be started: the first line of \(rig.root)/plugins/a.sh names "
          + "the interpreter \(said); install it, or name another one there")
    }
  }

  @Test func `a script that ends with 127 by itself has an interpreter`() throws {
    let rig = try Rig()
    try rig.write("bin/python3", "#!/bin/sh\nexit 127\n")
    for line in ["/usr/bin/env python", "/usr/bin/env sh"] {
      try rig.write("plugins/a.sh", "#!\(line)\nexit 127\n")
      guard case .printed(let output) = try rig.run("./a.sh") else {
        Issue.record("\(line) is said to be missing")
        continue
      }
      #expect(output.exitStatus == 127)
    }
  }

  @Test func `another first line counts from the next run on`() throws {
    var starts = ScriptStarts()
    let rig = try Rig()
    let path = rig.root + "/plugins/a.sh"
    try rig.write("plugins/a.sh", "#!/no/sh\n")
    #expect(starts.interpreter(of: path, searchPath: rig.root + "/bin") == [rig.root + "/bin/sh"])
    try rig.write("plugins/a.sh", "#!/bin/sh\n")
    #expect(starts.interpreter(of: path, searchPath: rig.root + "/bin") == [])
    // Installed later: known only once the start failed.
    try rig.write("plugins/a.sh", "#!/no/node\n")
    #expect(starts.interpreter(of: path, searchPath: rig.root + "/bin") == [])
    try rig.write("bin/node", "#!/bin/sh\n")
    starts.forget(path)
    #expect(starts.interpreter(of: path, searchPath: rig.root + "/bin") == [rig.root + "/bin/node"])
  }

  @Test func `a program that left the PATH is looked for anew after a failure`() throws {
    let rig = try Rig(keepsLauncher: true)
    try rig.write("bin/there", "#!/bin/sh\necho first\n")
    #expect(try rig.text("there") == "first\n")
    #expect(try rig.text("there") == "first\n")
    try #require(rename(rig.root + "/bin/there", rig.root + "/bin/elsewhere") == 0)
    guard case .failed(let failure) = try rig.run("there") else {
      Issue.record("it ran")
      return
    }
    #expect(failure.message.contains("there"))
    try rig.write("bin/there", "#!/bin/sh\necho second\n")
    #expect(try rig.text("there") == "second\n")
  }

  @Test func `starts at the same time fail and succeed each for itself`() throws {
    let rig = try Rig(keepsLauncher: true)
    try rig.write("plugins/a.sh", "#!/bin/sh\necho $INTENTD_KIND\n")
    try rig.write("plugins/b.sh", "#!/no/such/interpreter\n", mode: 0o755)
    let ended = try rig.runTogether(
      (0..<24).map { ("kind\($0)", $0 % 3 == 2 ? "./b.sh" : "./a.sh") })
    for (number, outcome) in ended.enumerated() {
      switch outcome {
      case .printed(let output)?:
        #expect(number % 3 != 2)
        #expect(output.bytes == Array("kind\(number)\n".utf8))
      case .failed(let failure)?:
        #expect(number % 3 == 2)
        #expect(failure.message.contains("/no/such/interpreter"))
      default: Issue.record("run \(number): \(String(describing: outcome))")
      }
    }
  }

  // MARK: Conditions

  @Test func `a condition that ends with 0 lets it run, and another one hides it`() throws {
    let rig = try Rig()
    try rig.write("plugins/a.sh", "#!/bin/sh\necho shown\n")
    try rig.write("plugins/no.sh", "#!/bin/sh\necho ignored\necho because >&2\nexit 1\n")
    #expect(
      try rig.printed("./a.sh", condition: ["sh", "-c", "true"])
        == PluginOutput(Array("shown\n".utf8)))
    var unmet = PluginOutput([], diagnostics: "because\n")
    unmet.isUnmet = true
    unmet.conditionStatus = 1
    #expect(try rig.printed("./a.sh", condition: ["./no.sh"]) == unmet)
  }

  @Test(arguments: [true, false])
  func `a script that a shell does not find is a failed start`(isCondition: Bool) throws {
    let rig = try Rig()
    try rig.write("plugins/a.sh", "#!/bin/sh\necho shown\n")
    let command = "/nowhere/nope.sh -x"
    let outcome =
      isCondition
      ? try rig.run("./a.sh", condition: ["/bin/sh", "-c", command])
      : try rig.run("/bin/sh", "-c", command)
    guard case .failed(let failure) = outcome else {
      Issue.record("it ran: \(outcome)")
      return
    }
    #expect(failure.reason == .notStarted("there is no /nowhere/nope.sh"))
    // This says no more than that there is no such program.
    guard isCondition else { return }
    var unmet = PluginOutput([])
    unmet.isUnmet = true
    unmet.conditionStatus = 127
    #expect(
      try rig.printed("./a.sh", condition: ["/bin/sh", "-c", "exit 127"]) == unmet)
  }

  @Test func `a condition that is not there is named, and the plugin has failed`() throws {
    let rig = try Rig()
    try rig.write("plugins/a.sh", "#!/bin/sh\necho shown\n")
    guard case .failed(let failure) = try rig.run("./a.sh", condition: ["./missing.sh"]) else {
      Issue.record("it ran")
      return
    }
    #expect(
      failure.message
        == "the provider could not be started: there is no \(rig.root)/plugins/missing.sh")
  }

  // MARK: Bad output

  @Test func `a long output is cut, and the run has not failed`() throws {
    let rig = try Rig()
    try rig.write(
      "plugins/a.sh", "#!/bin/sh\nhead -c 6000000 /dev/zero | tr '\\0' x\necho end >&2\n")
    let output = try rig.printed("./a.sh")
    #expect(output.bytes.count == ProviderLimits.outputBytesMax)
    #expect(output.surplusByteCount == 6_000_000 - ProviderLimits.outputBytesMax)
    #expect(output.exitStatus == 0)
    #expect(output.diagnostics == "end\n")
  }

  @Test func `a flood without an end is a failure`() throws {
    let rig = try Rig()
    try rig.write("plugins/a.sh", "#!/bin/sh\nexec cat /dev/zero\n")
    guard case .failed(let failure) = try rig.run("./a.sh") else {
      Issue.record("it ended")
      return
    }
    let limit = ProviderLimits.outputBytesMax + ProviderLimits.pluginSurplusBytesMax
    #expect(failure.reason == .tooMuchOutput(limit: limit))
  }

  @Test func `a plugin that a signal ends, or that is cancelled, has failed`() throws {
    let rig = try Rig()
    try rig.write("plugins/a.sh", "#!/bin/sh\necho begun\nkill -9 $$\n")
    try rig.write("plugins/b.sh", "#!/bin/sh\nexec sleep 60\n")
    #expect(try rig.run("./a.sh") == .failed(ProviderFailure(.signaled(signal: 9))))
    #expect(try rig.run("./b.sh", cancelled: true) == .failed(ProviderFailure(.cancelled)))
  }
}
