import Foundation
import Glibc

/// Reads processes from /proc, for tests that no process is left behind and none grows.
package enum Processes {
  private static var all: [Int32] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
    } catch {
      return []
    }
    return names.compactMap { Int32($0) }
  }

  /// Returns the running processes whose environment names `folder`, as all of a sandbox do.
  package static func naming(_ folder: String) -> [Int32] {
    let wanted = Data(folder.utf8)
    return all.filter { pid in
      // A zombie, or a process that has ended since the listing, has no environment.
      guard let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/environ") else {
        return false
      }
      return bytes.range(of: wanted) != nil
    }
  }

  /// Returns the children of a process, zombies included; the runs of a daemon's supervisor count as
  /// the daemon's children, and the supervisor itself does not.
  package static func children(of parent: Int32) -> [Int32] {
    let direct = all.filter { fields(of: $0)?.parent == parent }
    let supervisors = Set(direct.filter { isSupervisor($0) })
    guard !supervisors.isEmpty else { return direct }
    return direct.filter { !supervisors.contains($0) }
      + all.filter { fields(of: $0).map { supervisors.contains($0.parent) } ?? false }
  }

  /// Returns the supervisor of a daemon; `nil`: it has started none.
  package static func supervisor(of daemon: Int32) -> Int32? {
    all.first { fields(of: $0)?.parent == daemon && isSupervisor($0) }
  }

  private static func isSupervisor(_ pid: Int32) -> Bool {
    command(of: pid) == "intentd --supervise "
  }

  private static func fields(of pid: Int32) -> (state: String, parent: Int32)? {
    let text = contents(of: "/proc/\(pid)/stat")
    // The name stands in parentheses and may contain any character, even a parenthesis.
    guard let end = text.lastIndex(of: ")") else { return nil }
    let rest = text[text.index(after: end)...].split(separator: " ")
    guard rest.count > 1, let parent = Int32(rest[1]) else { return nil }
    return (String(rest[0]), parent)
  }

  package static func command(of pid: Int32) -> String {
    contents(of: "/proc/\(pid)/cmdline").replacingOccurrences(of: "\0", with: " ")
  }

  package static func isRunning(_ pid: Int32) -> Bool {
    guard let state = fields(of: pid)?.state else { return false }
    return state != "Z" && state != "X"
  }

  /// Returns the resident memory of a process, in bytes.
  package static func residentBytes(of pid: Int32) -> Int {
    let text = contents(of: "/proc/\(pid)/statm")
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  package static func descriptorCount(of pid: Int32) -> Int {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
    } catch {
      return 0
    }
  }
}
