import Foundation
import JSON
import Plugins
import Testing

/// Judges outputs of real scripts of bars: each gives an entry, is hidden because it says nothing,
/// or fails by its status; anything that was read in another way has a warning.
struct BarCorpusTests {
  private static let folder = ProcessInfo.processInfo.environment["INTENTD_CORPUS"].map {
    URL(filePath: $0).appending(path: "plugins")
  }

  private static let formats: [String: PluginFormat] = [
    "waybar-json": .waybar, "waybar-raw": .waybar, "i3blocks": .i3blocks,
    "polybar-script": .polybar, "genmon": .genmon,
  ]

  @Test(.enabled(if: folder != nil, "skipped: INTENTD_CORPUS is not set"))
  func `every output of a bar is an entry, or says why it is none`() throws {
    let folder = try #require(Self.folder)
    let manifest = try JSONValue(
      parsing: [UInt8](Data(contentsOf: folder.appending(path: "manifest.json"))))
    var counts: [String: Int] = [:]
    for item in try #require(manifest.arrayValue) {
      guard let name = item["format"]?.stringValue, let format = Self.formats[name],
        let id = item["id"]?.stringValue, let path = item["stdout"]?.stringValue
      else { continue }
      let output = [UInt8](try Data(contentsOf: folder.appending(path: path)))
      let status = Int32(truncatingIfNeeded: item["exit"]?.intValue ?? 0)
      switch PluginReader.judge(output, format, exitStatus: status) {
      case .failed:
        counts["failed", default: 0] += 1
        #expect(status != 0 && !(status == 33 && format == .i3blocks), "\(id)")
      case .shows(let reading) where reading.frame.isHidden:
        counts["hidden", default: 0] += 1
        // The first line is what all of these bars show.
        let line = output.prefix { $0 != UInt8(ascii: "\n") }
        let isBlank = Pango.read(String(decoding: line, as: UTF8.self)).text.isEmpty
        #expect(isBlank || !reading.warnings.isEmpty, "\(id)")
      case .shows(let reading):
        counts["shown", default: 0] += 1
        #expect(reading.frame.isUrgent == (status == 33), "\(id)")
        let title = reading.frame.titles.first?.text.plain ?? ""
        #expect(!title.contains("<span") && !title.contains("%{"), "\(id): \(title)")
      }
      counts["all", default: 0] += 1
    }
    print("outputs of bars: \(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
    #expect(counts["all"] == 83)
  }
}
