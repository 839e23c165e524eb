import Foundation
import Testing

/// Tests the files by which the session's bus, GNOME Shell and KRunner find the daemon: they all name
/// the same place.
@Suite struct SearchFilesTests {
  private func values(_ name: String) throws -> [String: String] {
    let path = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "packaging/\(name)")
    let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: lines.filter { !$0.hasPrefix("#") && $0.contains("=") }.map { line in
        let parts = line.split(separator: "=", maxSplits: 1)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
      })
  }

  @Test func `every file names the same name and the same object`() throws {
    let (name, path) = ("org.intentd.Daemon", "/org/intentd/Daemon")
    let service = try values("\(name).service")
    #expect(service["Name"] == name && service["SystemdService"] == "intentd.service")
    // The bus does not take a service without it.
    #expect(service["Exec"]?.hasPrefix("/") == true)
    let shell = try values("\(name).search-provider.ini")
    #expect(shell["BusName"] == name && shell["ObjectPath"] == path && shell["Version"] == "2")
    #expect(shell["DesktopId"] == "\(name).desktop")
    let runner = try values("\(name).krunner.desktop")
    #expect(runner["X-Plasma-DBusRunner-Service"] == name)
    #expect(runner["X-Plasma-DBusRunner-Path"] == path && runner["X-Plasma-API"] == "DBus")
    let application = try values("\(name).desktop")
    #expect(application["DBusActivatable"] == "true")
    // GNOME Shell asks no provider whose application it does not show.
    #expect(application["NoDisplay"] == nil && application["OnlyShowIn"] == nil)
  }
}
