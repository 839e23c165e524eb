import EventLoop

/// The output, errors and end of a child.
final class Transcript {
  var output: [UInt8] = []
  var errors: [UInt8] = []
  var exit: ChildExit?

  var text: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: errors, as: UTF8.self) }

  @discardableResult
  func start(
    _ loop: Loop, _ spec: ChildSpec, onStdout: (() -> Void)? = nil, onExit: (() -> Void)? = nil
  ) throws(LoopError) -> ChildProcess {
    try ChildProcess.start(
      loop: loop, spec: spec,
      onStdout: {
        self.output += $0
        onStdout?()
      },
      onStderr: { self.errors += $0 },
      onExit: {
        self.exit = $0
        onExit?()
        loop.stop()
      })
  }

  /// Runs the child to its end and returns its transcript.
  static func of(_ spec: ChildSpec) throws -> Transcript {
    let transcript = Transcript()
    try onLoop { try transcript.start($0, spec) }
    return transcript
  }
}

extension ChildSpec {
  /// Returns a spec that runs `script` under /bin/sh with a small PATH.
  static func shell(
    _ script: String, arguments: [String] = [], memoryBytesMax: UInt64? = nil,
    wantsInput: Bool = false, isDetached: Bool = false, in folder: String = "/"
  ) -> ChildSpec {
    ChildSpec(
      program: "/bin/sh", arguments: ["sh", "-c", script, "sh"] + arguments,
      environment: [("PATH", "/usr/bin:/bin")], workingDirectory: folder,
      memoryBytesMax: memoryBytesMax, wantsInput: wantsInput, isDetached: isDetached)
  }
}

/// Returns whether a process has ended; a zombie that nobody has waited for counts as ended.
func isGone(_ pid: Int32) -> Bool {
  let status = readAll("/proc/\(pid)/stat")
  return status.isEmpty || status.contains(") Z ") || status.contains(") X ")
}
