import EventLoop
import Glibc
import Testing

/// The daemon's side of the process that starts all runs.
@Suite struct SupervisorTests {
  /// A process that ends closes its descriptors first; how long before its end, the load decides.
  @Test func `a supervisor that ends slowly leaves no zombie`() throws {
    let folder = TemporaryFolder()
    let program = folder.file("supervisor")
    make(
      program, "#!/bin/sh\necho $$ >> '\(folder.file("pids"))'\nexec <&-\nsleep 0.2\n",
      mode: 0o700)
    let spec = ChildSpec(
      program: "/bin/true", arguments: ["true"], environment: [], workingDirectory: "/")
    var exits: [ChildExit] = []
    try onLoop { loop in
      let supervisor = Supervisor(
        loop: loop, program: program, environment: ["LD_LIBRARY_PATH": ""])
      _ = try ChildProcess.start(
        loop: loop, spec: spec, supervisor: supervisor, onStdout: { _ in }, onStderr: { _ in }
      ) { exits.append($0) }
      // The lost run has another one started, which ends in the same way.
      eventually(loop) {
        let pids = readAll(folder.file("pids")).split(separator: "\n").compactMap { Int32($0) }
        return pids.count == 2 && pids.allSatisfy { kill($0, 0) < 0 && errno == ESRCH }
      } then: {
        supervisor.close()
        loop.stop()
      }
    }
    #expect(exits == [.unsupervised])
  }
}
