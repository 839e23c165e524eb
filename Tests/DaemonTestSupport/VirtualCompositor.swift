import Foundation
import Glibc
import Testing

/// sway without a screen: three outputs beside each other, whose pictures the tests read.
///
/// sway does not run as root, and the daemon serves its own user alone. So with root's rights the
/// whole world is another user's: the sandbox, the daemon, and everything that sway starts.
package final class VirtualCompositor {
  package static let outputCount = 3
  private static let width = 800
  private static let height = 200
  private static let nobody: uid_t = 65_534

  /// The programs that tests with this compositor need, beside the bar itself.
  package static let programs = ["sway", "grim", "setpriv"]

  private let sandbox: Sandbox
  private let variables: [String: String]
  private var pointer: WaylandPointer?
  private var display = ""

  /// Gives the sandbox to its user; nothing runs in it yet.
  package init(in sandbox: Sandbox) throws {
    self.sandbox = sandbox
    let folder = URL(fileURLWithPath: Programs.client).deletingLastPathComponent().path
    variables = [
      "PATH": "\(folder):\(Sandbox.searchPath)", "LANG": "C.UTF-8", "WLR_BACKENDS": "headless",
      "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
      "WLR_HEADLESS_OUTPUTS": "\(Self.outputCount)",
    ]
    try give()
  }

  /// Gives every file of the sandbox to the user.
  private func give() throws {
    guard getuid() == 0 else { return }
    let outcome = try sandbox.run(
      "/usr/bin/env", ["chown", "-R", "\(Self.nobody):\(Self.nobody)", sandbox.root])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// Starts a program as the sandbox's user.
  package func start(_ words: String...) throws -> Program {
    var words = words
    if getuid() == 0 {
      let user = "\(Self.nobody)"
      words = ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] + words
    }
    return try sandbox.start("/usr/bin/env", words, environment: variables)
  }

  /// Runs intent-send as the sandbox's user, and expects that it succeeds.
  package func send(_ words: String...) throws {
    let program =
      switch words.count {
      case 2: try start(Programs.client, words[0], words[1])
      default: try start(Programs.client, words[0], words[1], words[2], words[3])
      }
    let ending = try program.waitUntilEnded()
    try #require(ending == .exited(0), "\(words) \(ending) \(program.errors)")
  }

  package func startDaemon() throws -> Program {
    let daemon = try start(Programs.daemon)
    try sandbox.waitUntilServing(daemon)
    return daemon
  }

  /// Starts sway with these lines of its configuration.
  package func startSway(_ lines: String) throws -> Program {
    let places = (0..<Self.outputCount).map {
      "output HEADLESS-\($0 + 1) resolution \(Self.width)x\(Self.height) position \($0 * Self.width) 0"
    }
    let configuration = ["xwayland disable"] + places + [lines, ""]
    try sandbox.write("sway.conf", configuration.joined(separator: "\n"))
    try give()
    let sway = try start("sway", "-c", sandbox.root + "/sway.conf")
    let folder = sandbox.root + "/run"
    try eventually("sway has a display; it says: \(sway.errors)") {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      display = names.first { $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock") } ?? ""
      return !display.isEmpty && names.contains { $0.hasPrefix("sway-ipc.") }
    }
    return sway
  }

  /// Ends sway and the bars on it.
  package func stopSway(_ sway: Program) throws {
    sway.signal(SIGTERM)
    try sway.waitUntilEnded()
    pointer = nil
    let folder = sandbox.root + "/run"
    try eventually("the display is gone") {
      try FileManager.default.contentsOfDirectory(atPath: folder)
        .allSatisfy { !$0.hasPrefix("wayland-") || $0.hasSuffix(".lock") }
    }
  }

  /// Clicks with a button in the middle of the pixels of this colour on one output, 0 to 2.
  package func click(_ button: Int, on color: UInt32, output: Int) throws {
    let places = try pixels(color, output: output)
    try #require(!places.isEmpty)
    let x = places.reduce(0) { $0 + $1.x } / places.count + output * Self.width
    let y = places.reduce(0) { $0 + $1.y } / places.count
    if pointer == nil { pointer = try WaylandPointer("\(sandbox.root)/run/\(display)") }
    try pointer?.move(toX: x, y: y, width: Self.width * Self.outputCount, height: Self.height)
    try pointer?.click(button)
  }

  /// Returns the picture of one output, 0 to 2.
  ///
  /// grim writes a PPM: `P6`, the size, 255, and the pixels.
  package func picture(output: Int) throws -> Picture {
    let file = "\(sandbox.root)/picture.ppm"
    let grim = try sandbox.run(
      "/usr/bin/env", ["grim", "-t", "ppm", "-o", "HEADLESS-\(output + 1)", file],
      environment: ["WAYLAND_DISPLAY": display])
    try #require(grim.status == 0, "\(grim.errors)")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    let size = Self.width * Self.height * 3
    try #require(bytes.count > size)
    return Picture(
      width: Self.width, height: Self.height, bytes: Array(bytes[(bytes.count - size)...]))
  }

  /// Returns the places of the pixels of this colour, `0xRRGGBB`, on one output, 0 to 2.
  package func pixels(_ color: UInt32, output: Int) throws -> [(x: Int, y: Int)] {
    try picture(output: output).places(of: color)
  }
}
