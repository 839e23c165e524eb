import DaemonCore
import Glibc

extension ProgramFile {
  /// Finds the program of a process; `nil` if it has ended or does not let others look at it.
  init?(of processID: Int32) {
    var info = stat()
    guard stat("/proc/\(processID)/exe", &info) == 0 else { return nil }
    self.init(device: UInt64(info.st_dev), inode: UInt64(info.st_ino))
  }
}
