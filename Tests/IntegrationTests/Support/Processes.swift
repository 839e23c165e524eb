import Foundation
import Glibc

/// What /proc says about processes: for tests that nothing is left behind and nothing grows.
enum Processes {
  private static var all: [Int32] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
    } catch {
      return []
    }
    return names.compactMap { Int32($0) }
  }

  /// Running processes whose environment names `folder`: everything that a sandbox ever started.
  static func naming(_ folder: String) -> [Int32] {
    let wanted = Data(folder.utf8)
    return all.filter { pid in
      // A zombie has no environment any more; one that went meanwhile has none either.
      guard let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/environ") else {
        return false
      }
      return bytes.range(of: wanted) != nil
    }
  }

  /// The children of a process, zombies included.
  static func children(of parent: Int32) -> [Int32] {
    all.filter { fields(of: $0)?.parent == parent }
  }

  private static func fields(of pid: Int32) -> (state: String, parent: Int32)? {
    let text = contents(of: "/proc/\(pid)/stat")
    // The name in parentheses may contain anything, even a parenthesis.
    guard let end = text.lastIndex(of: ")") else { return nil }
    let rest = text[text.index(after: end)...].split(separator: " ")
    guard rest.count > 1, let parent = Int32(rest[1]) else { return nil }
    return (String(rest[0]), parent)
  }

  static func command(of pid: Int32) -> String {
    contents(of: "/proc/\(pid)/cmdline").replacingOccurrences(of: "\0", with: " ")
  }

  static func isRunning(_ pid: Int32) -> Bool {
    guard let state = fields(of: pid)?.state else { return false }
    return state != "Z" && state != "X"
  }

  /// Memory that is really there.
  static func residentBytes(of pid: Int32) -> Int {
    let text = contents(of: "/proc/\(pid)/statm")
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  static func descriptorCount(of pid: Int32) -> Int {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
    } catch {
      return 0
    }
  }
}
