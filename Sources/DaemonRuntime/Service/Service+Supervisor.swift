import DaemonCore
import EventLoop
import Glibc
import Synchronization

/// Tells of the supervisor of runs, in the log and in the metrics.
extension Service {
  func watchSupervisor() {
    guard let launcher else { return }
    let supervisor = launcher.supervisor
    let process = SupervisorProcess()
    let noteGaps = { [unowned self, unowned launcher, unowned supervisor] in
      daemon.supervisionGaps = (supervisor.features?.missing ?? []) + launcher.boxGaps
    }
    noteGaps()
    launcher.onBoxGap = noteGaps
    supervisor.onReady = { [unowned self, unowned supervisor] features in
      process.number.store(supervisor.pid ?? 0, ordering: .relaxed)
      noteGaps()
      guard !features.missing.isEmpty else { return }
      write(
        LogLine(
          .notice, "supervisor.limited", ["reason": features.missing.joined(separator: "; ")]))
    }
    supervisor.onLost = { [unowned self] reason in
      process.number.store(0, ordering: .relaxed)
      write(LogLine(.error, "supervisor.lost", ["reason": reason]))
    }
    daemon.memoryUse = {
      let number = process.number.load(ordering: .relaxed)
      return MemoryUse(
        daemonBytes: Supervisor.memoryBytes(of: getpid()).map { Int($0) },
        supervisorBytes: number == 0 ? nil : Supervisor.memoryBytes(of: number).map { Int($0) })
    }
  }
}

/// The number of the supervising process, which the core's closure reads; 0: there is none.
private final class SupervisorProcess: Sendable {
  let number = Atomic<Int32>(0)
}
