import DaemonRuntime
import DesktopEntries
import Testing

private func code<Value>(_ result: Result<Value, LaunchRefusal>) -> LaunchRefusal.Code? {
  if case .failure(let refusal) = result { refusal.code } else { nil }
}

@Suite struct ApplicationFinderTests {
  private let fixture: LaunchFixture

  init() throws {
    fixture = try LaunchFixture()
    try fixture.addProgram("h1")
  }

  @Test func `an application is found with and without its ending`() throws {
    try fixture.writeEntry("usr/share/applications/org.example.App.desktop")
    let finder = fixture.finder()
    let path = "\(fixture.root)/usr/share/applications/org.example.App.desktop"
    #expect(try finder.find(application: "org.example.App").get().path == path)
    #expect(
      try finder.find(application: "org.example.App.desktop").get().id == "org.example.App.desktop")
    #expect(code(finder.find(application: "org.example.Other")) == .noHandler)
  }

  @Test func `the name of a subfolder is a part of the id`() throws {
    try fixture.writeEntry("usr/share/applications/x/y-z/a.desktop")
    #expect(try fixture.finder().find(application: "x-y-z-a").get().id == "x-y-z-a.desktop")
    #expect(code(fixture.finder().find(application: "x-y-a")) == .noHandler)
  }

  @Test(arguments: ["x/a", "../a", "..", "/etc/a", "a\0", ""])
  func `a text that is no id is not looked for`(id: String) throws {
    try fixture.writeEntry("usr/share/applications/x/a.desktop")
    try fixture.writeEntry("usr/share/a.desktop")
    #expect(code(fixture.finder().find(application: id)) == .noHandler)
  }

  @Test func `the first directory that has the id owns it`() throws {
    try fixture.writeEntry("usr/share/applications/a.desktop")
    #expect(try fixture.finder().find(application: "a").get().exec == "h1 %u")
    try fixture.writeEntry(exec: "h2 %u")
    #expect(try fixture.finder().find(application: "a").get().exec == "h2 %u")
    try fixture.writeEntry(exec: "h2 %u", lines: "Hidden=true")
    #expect(code(fixture.finder().find(application: "a")) == .noHandler)
    #expect(code(fixture.finder().handler(scheme: "foo")) == .noHandler)
  }

  @Test func `a link to nothing hides an entry`() throws {
    try fixture.writeEntry("usr/share/applications/a.desktop")
    try fixture.link("home/.local/share/applications/a.desktop", to: "/dev/null")
    #expect(code(fixture.finder().find(application: "a")) == .noHandler)
  }

  @Test func `relative directories are ignored`() throws {
    // A test must not change its current directory. So use a path that is relative in form, after
    // checking that the absolute form of the same path is found.
    try fixture.writeEntry("elsewhere/applications/a.desktop")
    let place = "\(fixture.root)/elsewhere"
    let up = String(repeating: "../", count: 40)
    #expect(code(fixture.finder(["XDG_DATA_DIRS": place]).find(application: "a")) == nil)
    for name in ["XDG_DATA_DIRS", "XDG_DATA_HOME"] {
      let finder = fixture.finder([name: up + place.dropFirst()])
      #expect(code(finder.find(application: "a")) == .noHandler)
    }
    try fixture.writeEntry()
    let entry = try fixture.finder().find(application: "a").get()
    let relative = fixture.finder(["PATH": up + "\(fixture.root.dropFirst())/bin"])
    #expect(code(relative.prepare(entry: entry, url: "foo:bar")) == .noHandler)
  }

  @Test func `an entry that no menu shows opens URLs`() throws {
    try fixture.writeEntry(
      "usr/share/applications/a.desktop", lines: "NoDisplay=true\nNotShowIn=GNOME;")
    #expect(try fixture.finder().handler(scheme: "FOO").get().id == "a.desktop")
  }

  @Test func `an entry whose TryExec is not there gives way to the next`() throws {
    try fixture.writeEntry(lines: "TryExec=nope-xyz")
    try fixture.writeEntry("usr/share/applications/b.desktop", lines: "TryExec=h1")
    #expect(try fixture.finder().handler(scheme: "foo").get().id == "b.desktop")
    let entry = try fixture.finder().find(application: "a").get()
    #expect(code(fixture.finder().prepare(entry: entry, url: "foo:bar")) == .noHandler)
  }

  @Test func `a denied scheme has no handler, whoever claims it`() throws {
    try fixture.write(
      "home/.local/share/applications/a.desktop",
      "[Desktop Entry]\nType=Application\nExec=h1 %u\nMimeType=x-scheme-handler/javascript;\n")
    #expect(code(fixture.finder().handler(scheme: "JavaScript")) == .schemeDenied)
    #expect(code(fixture.finder().handler(scheme: "../x")) == .noScheme)
  }

  @Test func `a launch has an absolute path and no variables of the daemon`() throws {
    try fixture.writeEntry(lines: "Path=\(fixture.root)/usr")
    let finder = fixture.finder([
      "INTENTD_SOCKET": "s", "LISTEN_FDS": "1", "NOTIFY_SOCKET": "n", "WATCHDOG_USEC": "1",
      "XDG_ACTIVATION_TOKEN": "t", "DESKTOP_STARTUP_ID": "d", "GIO_LAUNCHED_DESKTOP_FILE": "old",
      "WAYLAND_DISPLAY": "wayland-0",
    ])
    let launch = try finder.prepare(
      entry: finder.find(application: "a").get(), url: "foo:bar"
    ).get()
    #expect(launch.program == "\(fixture.root)/bin/h1")
    #expect(launch.arguments == ["h1", "foo:bar"])
    #expect(launch.workingDirectory == "\(fixture.root)/usr")
    #expect(
      launch.environment.map(\.0) == [
        "HOME", "LC_ALL", "PATH", "WAYLAND_DISPLAY", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS",
        "XDG_RUNTIME_DIR", "GIO_LAUNCHED_DESKTOP_FILE",
      ])
    #expect(
      launch.environment.last?.1 == "\(fixture.root)/home/.local/share/applications/a.desktop")
  }

  @Test func `without a Path it starts in the home folder, and never in a missing folder`() throws {
    try fixture.writeEntry()
    let entry = try fixture.finder().find(application: "a").get()
    #expect(
      try fixture.finder().prepare(entry: entry, url: nil).get().workingDirectory
        == "\(fixture.root)/home")
    let homeless = fixture.finder(["HOME": "\(fixture.root)/nowhere"])
    #expect(try homeless.prepare(entry: entry, url: nil).get().workingDirectory == "/")
    try fixture.writeEntry(lines: "Path=\(fixture.root)/nowhere")
    let lost = try fixture.finder().find(application: "a").get()
    #expect(code(fixture.finder().prepare(entry: lost, url: nil)) == .badPath)
  }

  @Test func `a terminal program needs one that starts terminals`() throws {
    try fixture.writeEntry(lines: "Terminal=true")
    // Search only the fixture's programs: the machine may have a terminal.
    let finder = fixture.finder(["PATH": "\(fixture.root)/bin"])
    let entry = try finder.find(application: "a").get()
    #expect(code(finder.prepare(entry: entry, url: "foo:bar")) == .noTerminal)
    try fixture.addProgram("xdg-terminal-exec")
    let launch = try finder.prepare(entry: entry, url: "foo:bar").get()
    #expect(launch.program == "\(fixture.root)/bin/xdg-terminal-exec")
    #expect(launch.arguments == ["xdg-terminal-exec", "\(fixture.root)/bin/h1", "foo:bar"])
  }

  @Test func `an opener is no application, under any name`() throws {
    try fixture.addProgram("xdg-open")
    try fixture.link("bin/browser", to: "xdg-open")
    for exec in ["xdg-open %u", "\(fixture.root)/bin/xdg-open %u"] {
      try fixture.writeEntry(exec: exec)
      let entry = try fixture.finder().find(application: "a").get()
      #expect(code(fixture.finder().prepare(entry: entry, url: "foo:bar")) == .loop)
    }
    try fixture.write("bin/gio", "#!/bin/true\n")
    #expect(chmodExecutable("\(fixture.root)/bin/gio"))
    try fixture.link("bin/surf", to: "gio")
    try fixture.writeEntry(exec: "surf %u")
    let entry = try fixture.finder().find(application: "a").get()
    #expect(code(fixture.finder().prepare(entry: entry, url: "foo:bar")) == .loop)
  }

  @Test func `a file that is not executable is no program`() throws {
    try fixture.write("bin/text", "x")
    try fixture.write("bin/folder/x", "x")
    for exec in ["text %u", "folder %u", "\(fixture.root)/bin/text %u"] {
      try fixture.writeEntry(exec: exec)
      #expect(code(fixture.finder().handler(scheme: "foo")) == .noHandler)
    }
  }
}
