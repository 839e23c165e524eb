import Glibc

/// Whether a daemon is run by the service of the user manager, which alone can start it again.
enum DaemonService {
  /// Bytes that are read of the name of a process's group; a path is shorter.
  private static let groupBytesMax = 4_096

  /// Returns whether the process is in the group of the service; `true` where that cannot be read.
  static func runs(processID: Int64) -> Bool {
    let descriptor = open("/proc/\(processID)/cgroup", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: groupBytesMax)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return true }
    return isGroup(String(decoding: bytes[..<count], as: UTF8.self))
  }

  /// Returns whether the text of `/proc/PID/cgroup` names the service, as packaging/ has it.
  static func isGroup(_ text: String) -> Bool {
    text.split(whereSeparator: { $0 == "/" || $0.isNewline }).contains("intentd.service")
  }
}
