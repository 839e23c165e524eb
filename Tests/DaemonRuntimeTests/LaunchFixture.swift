import DaemonRuntime
import Foundation

/// A home, system directories and programs in a temporary folder that is removed after the test.
final class LaunchFixture {
  let root: String

  init() throws {
    root = NSTemporaryDirectory() + "launch-" + UUID().uuidString
    for folder in [
      "bin", "home/.config", "home/.local/share", "etc/xdg", "usr/share/applications",
      "usr/local/share", "rt",
    ] {
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
  }

  deinit {
    // Best effort: files left in the temporary folder do not change the test's result.
    _ = try? FileManager.default.removeItem(atPath: root)
  }

  /// Adds an executable file to `bin`.
  func addProgram(_ name: String) throws {
    try link("bin/\(name)", to: "/bin/true")
  }

  func link(_ path: String, to target: String) throws {
    try makeFolder(of: path)
    try FileManager.default.createSymbolicLink(
      atPath: "\(root)/\(path)", withDestinationPath: target)
  }

  func write(_ path: String, _ bytes: [UInt8]) throws {
    try makeFolder(of: path)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(root)/\(path)"))
  }

  func write(_ path: String, _ text: String) throws { try write(path, Array(text.utf8)) }

  /// Writes an entry into the person's directory that opens `foo:` with `h1`, plus the given lines.
  func writeEntry(
    _ path: String = "home/.local/share/applications/a.desktop", exec: String = "h1 %u",
    lines: String = ""
  ) throws {
    try write(
      path,
      """
      [Desktop Entry]
      Type=Application
      Name=App
      Exec=\(exec)
      MimeType=x-scheme-handler/foo;
      \(lines)
      """)
  }

  func finder(_ changes: [String: String] = [:]) -> ApplicationFinder {
    let variables = [
      "HOME": "\(root)/home", "XDG_DATA_DIRS": "\(root)/usr/local/share:\(root)/usr/share",
      "XDG_CONFIG_DIRS": "\(root)/etc/xdg", "PATH": "\(root)/bin:/usr/bin:/bin",
      "XDG_RUNTIME_DIR": "\(root)/rt", "LC_ALL": "C.UTF-8",
    ].merging(changes) { _, new in new }
    return ApplicationFinder(environment: { variables[$0] }, names: variables.keys.sorted())
  }

  private func makeFolder(of path: String) throws {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
  }
}

func chmodExecutable(_ path: String) -> Bool { chmod(path, 0o755) == 0 }
