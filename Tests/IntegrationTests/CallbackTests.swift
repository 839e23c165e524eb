import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Tests URLs with the real programs: an app asks by x-callback-url and is opened with the answer.
struct CallbackTests {
  /// Runs `body` with a daemon and the app org.example.Notes, whose program records its arguments.
  ///
  /// The scheme of the app is `notes:`.
  private func withNotes(_ body: (Sandbox, Program) throws -> Void) throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "bin/notes",
        """
        #!/bin/sh
        printf '%s\\n' "$@" > "$HOME/arguments.new"
        mv "$HOME/arguments.new" "$HOME/arguments"
        """, mode: 0o755)
      try sandbox.write(
        "data/applications/org.example.Notes.desktop",
        """
        [Desktop Entry]
        Type=Application
        Name=Notes
        Exec=\(sandbox.root)/bin/notes %u
        MimeType=x-scheme-handler/notes;
        """)
      // Links to the daemon's own scheme are opened by `intent-send open`.
      try sandbox.write(
        "data/applications/intentd.desktop",
        """
        [Desktop Entry]
        Type=Application
        Name=intentd
        Exec=\(Programs.client) open %u
        MimeType=x-scheme-handler/intentd;x-scheme-handler/loop;
        """)
      try sandbox.addIntents()
      try sandbox.write(
        "config/intentd/intents/Remember/intent.yaml",
        """
        name: Remember
        title: Remember
        description: Remember something.
        widgets: false
        parameters:
          - {name: what, required: true}
        routes:
          - {url: "remember://x-callback-url/add?what={what}", callbacks: [notes, loop]}
        """)
      let daemon = try sandbox.startDaemon()
      try body(sandbox, daemon)
      try sandbox.stop(daemon)
    }
  }

  private func arguments(_ sandbox: Sandbox) throws -> String {
    let path = sandbox.root + "/home/arguments"
    try eventually("the app has run") { access(path, F_OK) == 0 }
    defer { unlink(path) }
    return contents(of: path)
  }

  @Test func `the app that asks is opened with the widget's entry`() throws {
    try withNotes { sandbox, _ in
      let answer = try sandbox.send(
        "open", "--app", "org.example.Notes",
        "intentd://x-callback-url/ShowWeather?city=New York&x-source=Notes&x-success=notes%3A%2F%2Fgot%3Fnote%3D7&x-error=notes%3A%2F%2Ffailed"
      )
      #expect(answer == Outcome(ending: .exited(0), output: "New York\n3 degrees\n", errors: ""))
      #expect(
        try arguments(sandbox)
          == "notes://got?note=7&intent=ShowWeather&title=New%20York&result=3%20degrees\n")
    }
  }

  @Test func `the app that asks is opened with the error`() throws {
    try withNotes { sandbox, _ in
      let answer = try sandbox.send(
        "open", "--app", "org.example.Notes",
        "intentd://x-callback-url/ShowWeather?city=Atlantis&x-success=notes:got&x-error=notes:failed"
      )
      #expect(answer.status == 1)
      let opened = try arguments(sandbox)
      #expect(
        opened.hasPrefix("notes:failed?errorCode=-32012&errorMessage=ShowWeather%3A"), "\(opened)")
    }
  }

  @Test func `a link from anywhere calls back only if the intent allows it, and never the daemon`()
    throws
  {
    try withNotes { sandbox, _ in
      let denied = try sandbox.send(
        "open", "intentd://x-callback-url/ShowWeather?city=Beijing&x-success=notes:got")
      #expect(denied.status == 1)
      #expect(denied.errors.contains("--app"), "\(denied.errors)")
      #expect(access(sandbox.root + "/home/arguments", F_OK) != 0)

      #expect(
        try sandbox.send("open", "remember://x-callback-url/add?what=a&x-success=notes:got").status
          == 0)
      #expect(try arguments(sandbox) == "notes:got?intent=Remember\n")

      // The callback's handler is `intent-send`, which would ask the daemon again.
      #expect(
        try sandbox.send("open", "remember://x-callback-url/add?what=a&x-success=loop:got").status
          == 0)
      try eventually("the loop is refused") {
        try sandbox.send("--json", "history").output.contains(#""reason":"loop""#)
      }
      #expect(
        try sandbox.send("open", "remember://x-callback-url/add?what=a&x-success=intentd:x").status
          == 1)
    }
  }

  @Test func `a plugin host's links reload, and fetch nothing`() throws {
    try withNotes { sandbox, _ in
      #expect(try sandbox.send("add", "weather", "--set", "city=Beijing", "--id", "w").status == 0)
      let all = try sandbox.send("open", "swiftbar://refreshallplugins")
      #expect(all == Outcome(ending: .exited(0), output: "w  done\n", errors: ""))
      #expect(
        try sandbox.send("open", "xbar://app.xbarapp.com/refreshPlugin?path=weather.5m.sh").status
          == 1)
      #expect(
        try sandbox.send("open", "swiftbar://refreshplugin?name=The%20Weather").output
          == "w  done\n")
      let code = try sandbox.send("open", "swiftbar://addplugin?src=https://example.org/x.sh")
      #expect(code.status == 1)
      #expect(code.errors.contains("fetch code and run it"), "\(code.errors)")
    }
  }
}
