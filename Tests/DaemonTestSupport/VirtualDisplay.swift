import Foundation
import Glibc
import Testing

/// An X server without a screen, whose picture the tests read from a file.
package struct VirtualDisplay {
  private let file: String
  private let sandbox: Sandbox
  /// The variables by which programs reach it.
  package let environment: [String: String]

  /// The programs that tests with this display need, beside the bar itself.
  package static let programs = ["Xvfb", "xdotool"]

  /// Returns whether a plugin of Xfce's panel is installed.
  package static func hasPanelPlugin(_ name: String) -> Bool {
    // Debian has a folder for each architecture.
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
    return folders.contains { access("/usr/lib/\($0)/xfce4/panel/plugins/\(name)", F_OK) == 0 }
  }

  /// Starts a server, which chooses its own number; the picture has so many pixels in a row.
  package init(in sandbox: Sandbox, width: Int = 2_000) throws {
    let server = try sandbox.start(
      "/usr/bin/env",
      [
        "Xvfb", "-displayfd", "1", "-screen", "0", "\(width)x300x24", "-noreset", "-fbdir",
        sandbox.root,
      ])
    try eventually("the server has a display") { server.output.hasSuffix("\n") }
    let number = server.output.filter(\.isNumber)
    file = sandbox.root + "/Xvfb_screen0"
    self.sandbox = sandbox
    let folder = URL(fileURLWithPath: Programs.client).deletingLastPathComponent().path
    environment = [
      "DISPLAY": ":\(number)", "LANG": "C.UTF-8", "PATH": "\(folder):\(Sandbox.searchPath)",
    ]
  }

  /// Clicks with a button in the middle of the pixels of this colour.
  package func click(_ button: Int, on color: UInt32) throws {
    let places = try pixels(color)
    let x = places.reduce(0) { $0 + $1.x } / max(1, places.count)
    let y = places.reduce(0) { $0 + $1.y } / max(1, places.count)
    let outcome = try sandbox.run(
      "/usr/bin/env", ["xdotool", "mousemove", "\(x)", "\(y)", "click", "\(button)"],
      environment: environment)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// Returns the picture of the whole display.
  ///
  /// The file has the format of xwd: big-endian numbers, then a table of colours, then rows of four
  /// bytes a pixel, blue first. Source: XWDFile.h.
  package func picture() throws -> Picture {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    func number(_ index: Int) -> Int {
      bytes[(index * 4)..<(index * 4 + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    let (width, height, bytesPerLine) = (number(4), number(5), number(12))
    let start = number(0) + number(19) * 12
    try #require(number(11) == 32 && bytes.count >= start + height * bytesPerLine)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        let place = start + y * bytesPerLine + x * 4
        pixels.append(bytes[place + 2])
        pixels.append(bytes[place + 1])
        pixels.append(bytes[place])
      }
    }
    return Picture(width: width, height: height, bytes: pixels)
  }

  /// Returns the places of the pixels of this colour, `0xRRGGBB`.
  package func pixels(_ color: UInt32) throws -> [(x: Int, y: Int)] {
    try picture().places(of: color)
  }
}
