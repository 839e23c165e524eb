import DaemonCore
import EventLoop
import Foundation
import Glibc
import JSON
import Testing

@testable import DaemonRuntime

/// Which changes on a real disk count as changes of the configuration.
@Suite struct ConfigurationWatcherTests {
  /// A loop with a watcher of `config/widgets`, `config/intents` and `config/config.yaml`.
  private final class Rig {
    let root: String
    let loop: Loop
    private(set) var watcher: ConfigurationWatcher!
    private var changeCount = 0

    init(folders: [String] = ["config/widgets", "config/intents"], folderCountMax: Int = 1_024)
      throws
    {
      root = NSTemporaryDirectory() + "watcher-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
      for folder in folders {
        try FileManager.default.createDirectory(
          atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
      }
      loop = try Loop()
      let loader = ConfigurationLoader(
        intentFolders: [root + "/config/intents"], widgetFolders: [root + "/config/widgets"],
        settingsFiles: [root + "/config/config.yaml"], pluginFolders: [root + "/config/plugins"])
      watcher = ConfigurationWatcher(
        loop: loop, loader: loader, folderCountMax: folderCountMax
      ) { [unowned self] in changeCount += 1 }
      watcher.refresh()
    }

    deinit {
      loop.close()
      // Best effort: a folder that stays in the temporary folder is not the test's result.
      _ = try? FileManager.default.removeItem(atPath: root)
    }

    /// Returns whether a step counted as a change.
    ///
    /// The kernel has the reports of a step when the step returns, so the loop need not wait.
    func counts(_ step: () throws -> Void) throws -> Bool {
      takeReports()
      let before = changeCount
      try step()
      takeReports()
      return changeCount > before
    }

    private func takeReports() {
      // The loop polls between two turns.
      var turnCount = 0
      loop.onTurn { [unowned self] in
        turnCount += 1
        if turnCount == 2 { loop.stop() }
        return true
      }
      loop.runUntilStopped()
    }

    func write(_ path: String, _ text: String = "kind: x\n") throws {
      try Data(text.utf8).write(to: URL(filePath: "\(root)/\(path)"))
    }

    func make(_ folder: String) throws {
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { "\(root)/\(name)" }
  }

  @Test func `scripts of a plugins folder count, and what they write beside themselves does not`()
    throws
  {
    let rig = try Rig(folders: ["config"])
    func script(_ name: String, mode: mode_t = 0o755) throws {
      try rig.write("config/plugins/" + name, "#!/bin/sh\n")
      chmod(rig.path("config/plugins/" + name), mode)
    }
    #expect(try rig.counts { try rig.make("config/plugins/argos") })
    rig.watcher.refresh()
    #expect(try rig.counts { try script("cpu.5s.sh") })
    #expect(try rig.counts { try script("argos/net.sh") })
    #expect(try rig.counts { try rig.write("config/plugins/cpu.5s.sh.vars.json", "{}") })
    #expect(try rig.counts { try rig.make("config/plugins/xbar") })
    rig.watcher.refresh()
    #expect(try rig.counts { try script("cpu.5s.sh", mode: 0o644) })
    #expect(try rig.counts { _ = rename(rig.path("config/plugins/cpu.5s.sh"), rig.path("x.off")) })
    rig.watcher.refresh()
    #expect(try !rig.counts { try rig.write("config/plugins/cpu.log", "a line\n") })
    #expect(try !rig.counts { try rig.write("config/plugins/argos/state.json", "{}") })
    #expect(try !rig.counts { try rig.make("config/plugins/lib") })
    #expect(try !rig.counts { try script(".hidden.sh") })
    #expect(try !rig.counts { try script("gone.5s.sh.off") })
  }

  @Test func `a plugin that is a link counts where it is edited`() throws {
    let rig = try Rig(folders: ["config/plugins", "scripts"])
    try rig.write("scripts/cpu", "#!/bin/sh\n")
    chmod(rig.path("scripts/cpu"), 0o755)
    #expect(
      try rig.counts { _ = symlink(rig.path("scripts/cpu"), rig.path("config/plugins/cpu.5s.sh")) })
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.write("scripts/cpu", "#!/bin/sh\necho\n") })
    #expect(try !rig.counts { try rig.write("scripts/other", "#!/bin/sh\n") })
  }

  @Test func `a folder that is linked into plugins counts like one that is there`() throws {
    let rig = try Rig(folders: ["config/plugins/swiftbar", "scripts/deep", "elsewhere"])
    func script(_ path: String) throws {
      try rig.write(path, "#!/bin/sh\n")
      chmod(rig.path(path), 0o755)
    }
    func link(_ name: String, to target: String) {
      unlink(rig.path("config/plugins/" + name))
      symlink(rig.path(target), rig.path("config/plugins/" + name))
    }
    #expect(try rig.counts { link("xbar", to: "scripts") }, "a link comes")
    rig.watcher.refresh()
    #expect(try rig.counts { try script("scripts/cpu.5s.sh") })
    #expect(try rig.counts { link("argos", to: "scripts") }, "a second link to the same folder")
    #expect(try rig.counts { link("swiftbar/mine", to: "scripts/deep") })
    rig.watcher.refresh()
    #expect(try rig.counts { try script("scripts/net.5s.sh") })
    #expect(try !rig.counts { try rig.write("scripts/state.log", "a line\n") })
    #expect(try rig.counts { try script("scripts/deep/tide.sh") })
    #expect(try rig.counts { unlink(rig.path("config/plugins/argos")) }, "one of them goes")
    rig.watcher.refresh()
    #expect(try rig.counts { unlink(rig.path("scripts/cpu.5s.sh")) }, "the other one stays")
    #expect(try rig.counts { link("xbar", to: "elsewhere") }, "a link leads elsewhere")
    rig.watcher.refresh()
    #expect(try rig.counts { try script("elsewhere/moon.sh") })
    #expect(try !rig.counts { try script("scripts/cpu.5s.sh") }, "nothing leads there any more")
  }

  @Test func `a folder that comes again where a link leads counts, also over further links`() throws
  {
    let rig = try Rig(folders: ["config/plugins", "scripts", "other"])
    symlink(rig.path("scripts"), rig.path("work"))
    symlink(rig.path("work"), rig.path("config/plugins/xbar"))
    rig.watcher.refresh()
    #expect(try rig.counts { _ = rename(rig.path("scripts"), rig.path("gone")) })
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.make("scripts") })
    rig.watcher.refresh()
    #expect(
      try rig.counts {
        unlink(rig.path("work"))
        symlink(rig.path("other"), rig.path("work"))
      })
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.write("other/cpu.5s.sh", "#!/bin/sh\n") })
  }

  @Test func `a folder that is linked among the widgets counts`() throws {
    let rig = try Rig(folders: ["config/widgets", "tide"])
    #expect(
      try rig.counts { _ = symlink(rig.path("tide"), rig.path("config/widgets/tide")) })
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.write("tide/widget.yaml") })
    #expect(try rig.counts { unlink(rig.path("config/widgets/tide")) })
  }

  @Test func `files that are read count, in each folder that is read`() throws {
    let rig = try Rig(folders: ["config/widgets/rain", "config/intents/ShowTide/en.lproj"])
    for file in [
      "config/widgets/a.yaml", "config/widgets/rain/b.yml", "config/config.yaml",
      "config/intents/ShowTide/intent.yaml", "config/intents/A.intentdefinition",
      "config/intents/ShowTide/en.lproj/A.strings",
    ] {
      #expect(try rig.counts { try rig.write(file) }, "\(file) is new")
      #expect(try rig.counts { try rig.write(file, "other") }, "\(file) is written")
      #expect(try rig.counts { chmod(rig.path(file), 0o400) }, "\(file) may not be written")
      #expect(try rig.counts { unlink(rig.path(file)) }, "\(file) is gone")
    }
  }

  @Test func `what is not read does not count`() throws {
    let rig = try Rig(folders: ["config/widgets/rain/deep", "config/intents"])
    for file in [
      "config/widgets/rain.sh", "config/widgets/data.json", "config/widgets/.a.yaml.swp",
      "config/widgets/a.yaml~", "config/widgets/4913", "config/widgets/.#a.yaml",
      "config/other.yaml", "config/widgets/rain/deep/c.yaml", "other.yaml",
    ] {
      #expect(try !rig.counts { try rig.write(file) }, "\(file)")
      #expect(try !rig.counts { unlink(rig.path(file)) }, "\(file)")
    }
    try rig.write("config/widgets/a.yaml")
    #expect(
      try !rig.counts {
        _ = FileManager.default.contents(atPath: rig.path("config/widgets/a.yaml"))
      })
  }

  @Test func `every way in which editors save counts`() throws {
    let rig = try Rig()
    let file = "config/widgets/a.yaml"
    try rig.write(file)
    // Written in place.
    #expect(
      try rig.counts {
        let handle = try #require(FileHandle(forWritingAtPath: rig.path(file)))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data("kind: y\n".utf8))
        try handle.close()
      })
    // A new file renamed over the old one.
    #expect(
      try rig.counts {
        try rig.write("config/widgets/.tmp-1")
        rename(rig.path("config/widgets/.tmp-1"), rig.path(file))
      })
    // As vim does: the old file becomes the backup, a new one is written, the backup goes.
    #expect(
      try rig.counts {
        rename(rig.path(file), rig.path(file + "~"))
        try rig.write(file)
        unlink(rig.path(file + "~"))
      })
    // A link to a new file.
    #expect(
      try rig.counts {
        try rig.write("elsewhere.yaml")
        unlink(rig.path(file))
        symlink(rig.path("elsewhere.yaml"), rig.path(file))
      })
  }

  @Test func `folders that come and go are followed`() throws {
    let rig = try Rig(folders: [])
    // Nothing is there but the folder above: each step on the way counts.
    #expect(try rig.counts { try rig.make("config") })
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.write("config/config.yaml") })
    #expect(try rig.counts { try rig.make("config/widgets") })
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.make("config/widgets/rain") })
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.write("config/widgets/rain/a.yaml") })
    // Away, and another one in its place.
    #expect(try rig.counts { _ = rename(rig.path("config/widgets"), rig.path("old")) })
    rig.watcher.refresh()
    #expect(try !rig.counts { try rig.write("old/b.yaml") })
    #expect(try rig.counts { try rig.make("config/widgets") })
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.write("config/widgets/c.yaml") })
    #expect(try rig.counts { try FileManager.default.removeItem(atPath: rig.path("config")) })
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.make("config") })
  }

  @Test func `links are followed to the files that people edit`() throws {
    let rig = try Rig(folders: ["config/intents", "dotfiles/widgets", "dotfiles/rain"])
    try rig.write("dotfiles/rain/rain.yaml")
    try rig.write("dotfiles/settings.yaml", "{}")
    symlink(rig.path("dotfiles/widgets"), rig.path("config/widgets"))
    symlink(rig.path("dotfiles/rain/rain.yaml"), rig.path("dotfiles/widgets/rain.yaml"))
    symlink(rig.path("dotfiles/settings.yaml"), rig.path("config/config.yaml"))
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.write("dotfiles/widgets/a.yaml") })
    #expect(try rig.counts { try rig.write("dotfiles/rain/rain.yaml", "kind: z\n") })
    #expect(try !rig.counts { try rig.write("dotfiles/rain/other.yaml") })
    #expect(try rig.counts { try rig.write("dotfiles/settings.yaml", "{weekend: []}") })
    // The link itself is replaced.
    try rig.make("dotfiles/others")
    #expect(
      try rig.counts {
        symlink(rig.path("dotfiles/others"), rig.path("config/new"))
        rename(rig.path("config/new"), rig.path("config/widgets"))
      })
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.write("dotfiles/others/b.yaml") })
  }

  @Test func `a link above the folders may be replaced`() throws {
    let rig = try Rig(folders: ["one/widgets", "two/widgets"])
    symlink(rig.path("one"), rig.path("config"))
    rig.watcher.refresh()
    #expect(
      try rig.counts {
        symlink(rig.path("two"), rig.path("new"))
        rename(rig.path("new"), rig.path("config"))
      })
    rig.watcher.refresh()
    #expect(try rig.counts { try rig.write("two/widgets/a.yaml") })
    #expect(try !rig.counts { try rig.write("one/widgets/a.yaml") })
    // A folder takes the place of the link.
    #expect(
      try rig.counts {
        unlink(rig.path("config"))
        rename(rig.path("one"), rig.path("config"))
      })
  }

  @Test func `a file in the place of a folder is no folder, and nothing hangs`() throws {
    let rig = try Rig(folders: ["config"])
    try rig.write("config/widgets")
    try rig.write("config/intents")
    rig.watcher.refresh()
    #expect(
      try rig.counts {
        unlink(rig.path("config/widgets"))
        try rig.make("config/widgets")
      })
  }

  @Test func `too many folders are an issue, and the others are watched`() throws {
    let rig = try Rig(
      folders: ["config/intents/a", "config/intents/b", "config/intents/c"], folderCountMax: 3)
    #expect(
      rig.watcher.issues.map(\.message) == [
        "changed files are not noticed everywhere: more than 3 folders would be watched"
      ])
    #expect(try rig.counts { try rig.write("config/intents/a/intent.yaml") })
    try FileManager.default.removeItem(atPath: rig.path("config/intents/b"))
    try FileManager.default.removeItem(atPath: rig.path("config/intents/c"))
    rig.watcher.refresh()
    #expect(rig.watcher.issues == [])
  }
}
