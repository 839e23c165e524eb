import DesktopEntries
import Foundation
import IntentRouter
import Testing

/// Tests `packaging/intentd.desktop`, through which links on the desktop reach the daemon.
@Suite struct PackagedEntryTests {
  private func entry() throws -> DesktopEntry {
    let path = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "packaging/intentd.desktop").path(percentEncoded: false)
    return try DesktopEntry.parse(
      Array(Data(contentsOf: URL(filePath: path))), id: "intentd.desktop", path: path
    ).get()
  }

  @Test func `the packaged entry claims every scheme that the daemon handles`() throws {
    let types = Set(Route.reservedSchemes.map { "x-scheme-handler/\($0)" })
    #expect(Set(try entry().mimeTypes) == types)
    #expect(Route.reservedSchemes == PluginHostURL.schemes.union(["intentd"]))
  }

  @Test func `a link is one argument, whatever is in it`() throws {
    let url = "swiftbar://refreshplugin?name=a%20b&x=$(touch y)"
    #expect(try entry().command(url: url).get().arguments == ["intent-send", "open", url])
  }
}
