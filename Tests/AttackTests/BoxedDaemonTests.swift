import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Providers that a manifest puts into a box, run by a real daemon, and by an ordinary user.
@Suite(.serialized) struct BoxedDaemonTests {
  /// A script whose title says what it could do.
  private static let script = """
    import os, socket
    said = []
    def attempt(name, action):
        try:
            action()
            said.append(name + " WORKED")
        except OSError as error:
            said.append(name + " denied")
    attempt("key", lambda: open(os.environ["THEIRS"] + "/.ssh/id").read())
    attempt("home", lambda: os.listdir(os.environ["THEIRS"]))
    attempt("socket", lambda: socket.socket(socket.AF_UNIX))
    attempt("network", lambda: socket.socket(socket.AF_INET))
    attempt("parent", lambda: os.kill(os.getppid(), 0))
    attempt("beside", lambda: open("other.yaml").read())
    attempt("cache", lambda: open(os.environ["INTENTD_CACHE"] + "/x", "w").close())
    answer = ('{"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"%s"}}],'
              '"policy":"never"}' % ", ".join(said))

    """
  private static let expected =
    "key denied, home denied, socket denied, network denied, parent denied, beside denied, cache WORKED"

  private func withStrict(_ body: (Sandbox) throws -> Void) throws {
    guard BoxRig.isPossible else { return }
    try withSandbox { sandbox in
      try sandbox.write("home/.ssh/id", "secret")
      let settings = "sandbox: strict\nenv: {THEIRS: \(sandbox.root)/home}"
      try sandbox.widget("other", script: "exit 0", settings: "env: {API_KEY: secret}")
      try sandbox.widget(
        "once", script: Self.script + "print(answer)", interpreter: "/usr/bin/python3",
        settings: settings)
      try sandbox.widget(
        "stays",
        script: Self.script + """
          import json, sys
          for line in sys.stdin:
              number = json.loads(line)["id"]
              print('{"jsonrpc":"2.0","id":%d,"result":%s}' % (number, answer), flush=True)
          """, interpreter: "/usr/bin/python3", settings: settings,
        provider: "protocol: extension")
      try body(sandbox)
    }
  }

  @Test func `sandbox: strict boxes one-shot providers and extensions`() throws {
    try withStrict { sandbox in
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      for kind in ["once", "stays"] {
        #expect(try client.add(kind) == "done")
        let title = try client.widget(kind)["entry"]?["content"]?["title"]
        #expect(title?.stringValue == Self.expected)
      }
      #expect(try client.call("daemon.status")["supervision"] == nil)
      try sandbox.stop(daemon)
    }
  }

  @Test func `a trial of a download in the home opens neither the home nor a kind's cache`() throws
  {
    guard BoxRig.isPossible else { return }
    try withSandbox { sandbox in
      try sandbox.write("home/.ssh/id", "secret")
      try sandbox.write("home/letter", "secret")
      try sandbox.write("home/Documents/tax", "secret")
      try sandbox.write("cache/intentd/org.bank.x/cookie", "secret")
      let manifest = sandbox.root + "/home/download.yaml"
      try sandbox.write(
        "home/download.yaml",
        """
        kind: org.bank.x
        name: Download
        families: [systemSmall]
        provider: {exec: [sh, ./run.sh, .ssh/id, Documents/tax, Documents, .]}

        """)
      try sandbox.write(
        "home/run.sh",
        """
        cat .ssh/id letter Documents/tax ../cache/intentd/org.bank.x/cookie "$INTENTD_CACHE/cookie" >&2
        echo poisoned > "$INTENTD_CACHE/cookie"
        echo poisoned > ../cache/intentd/org.bank.x/cookie
        \(Sandbox.answer(title: "it ran"))

        """)
      let outcome = try sandbox.run(
        Programs.daemon, ["--try", manifest, "--grant", "none", "--json"])
      #expect(outcome.output.contains("it ran"), "\(outcome)")
      #expect(!outcome.output.contains("secret"), "\(outcome)")
      #expect(contents(of: sandbox.root + "/cache/intentd/org.bank.x/cookie") == "secret")
    }
  }

  @Test func `a box holds for an ordinary user`() throws {
    guard getuid() == 0, Programs.isInstalled("setpriv") else {
      return print("only root, with setpriv, can become another user; not tried here")
    }
    try withStrict { sandbox in
      chmod(sandbox.root, 0o755)
      let theirs = sandbox.root + "/theirs"
      try sandbox.makeFolder("theirs/.ssh")
      try sandbox.write("theirs/.ssh/id", "secret")
      for path in [theirs, theirs + "/.ssh", theirs + "/.ssh/id"] { chown(path, 65_534, 65_534) }
      let manifest = "config/intentd/widgets/once.yaml"
      try sandbox.write(
        manifest,
        contents(of: "\(sandbox.root)/\(manifest)").replacingOccurrences(
          of: sandbox.root + "/home", with: theirs))
      let outcome = try sandbox.run(
        "/usr/bin/setpriv",
        [
          "--reuid", "65534", "--regid", "65534", "--clear-groups", Programs.daemon, "--try",
          "\(sandbox.root)/\(manifest)", "--json",
        ],
        environment: [
          "HOME": theirs, "XDG_CACHE_HOME": theirs + "/cache", "XDG_DATA_HOME": theirs + "/data",
          "XDG_STATE_HOME": theirs + "/state", "XDG_RUNTIME_DIR": theirs, "TMPDIR": "/tmp",
        ])
      let report = try JSONValue(parsing: Array(outcome.output.utf8))
      #expect(
        report["timeline"]?["entries"]?.arrayValue?.first?["content"]?["title"]?.stringValue
          == Self.expected, "\(outcome)")
      #expect(report["supervision"] == nil)
    }
  }
}
