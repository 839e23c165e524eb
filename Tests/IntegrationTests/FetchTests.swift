import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// `intent-fetch` against a server on loopback that fails in every way.
@Suite(.enabled(if: Programs.isInstalled("python3"), "skipped: no Python")) struct FetchTests {
  // MARK: The cache

  @Test func `a body comes once, and then only the question whether it changed`() throws {
    try withServer { server in
      try server.serve("file", "first\n")
      let first = try server.fetch("/file")
      #expect(first.status == 0 && first.output == "first\n" && first.errors == "")
      #expect(try server.fetch("/file").output == "first\n")
      let asked = try server.requests("/file")
      #expect(asked.count == 2)
      #expect(asked[0]["headers"]?["if-none-match"] == nil)
      #expect(asked[1]["headers"]?["if-none-match"] != nil)
      #expect(asked[0]["headers"]?["user-agent"]?.stringValue == "intentd-fetch/0.1")
      #expect(asked[0]["headers"]?["cookie"] == nil)

      let same = try server.json("/file")
      #expect(same["unchanged"] == true && same["status"]?.intValue == 304)
      try server.serve("file", "second\n")
      #expect(try server.fetch("/file").output == "second\n")
      let changed = try server.json("/file")
      #expect(changed["bytes"]?.intValue == 7 && changed["type"]?.stringValue == "text/plain")
      // The old body went when the new one was there.
      #expect(try server.cacheNames().count { !$0.hasSuffix(".json") } == 1)
    }
  }

  @Test func `a server with dates alone is asked by date, and one with neither gives all again`()
    throws
  {
    try withServer { server in
      try server.serve("file", "body\n")
      for path in ["/date", "/plain"] {
        #expect(try server.fetch(path).output == "body\n")
        #expect(try server.fetch(path).output == "body\n")
      }
      #expect(try server.requests("/date").last?["headers"]?["if-modified-since"] != nil)
      #expect(try server.requests("/plain").last?["headers"]?["if-modified-since"] == nil)
      // Whatever the server says: the same bytes are the same file.
      let result = try server.json("/plain")
      #expect(result["status"]?.intValue == 200 && result["unchanged"] == true)
    }
  }

  @Test func `a young copy asks nobody, and an old one goes out offline with its age`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      #expect(try server.fetch("/file", "--max-age", "10m").output == "body\n")
      #expect(try server.fetch("/file", "--max-age", "10m").output == "body\n")
      #expect(try server.requests("/file").count == 1)

      server.program.killGroup()
      let old = try server.fetch("/file")
      #expect(old.status == 0 && old.output == "body\n")
      #expect(old.errors.contains("127.0.0.1 cannot be reached"))
      #expect(old.errors.contains(/this copy is \d+ seconds? old/))
      let offline = try server.fetch("/file", "--offline")
      #expect(offline.status == 0 && offline.output == "body\n")
      #expect(offline.errors.contains(/^intent-fetch: this copy is \d+ seconds? old\n$/))
      let fresh = try server.fetch("/file", "--fresh")
      #expect(fresh.status == 69 && fresh.output == "")
      let never = try server.fetch("/never", "--offline")
      #expect(never.status == 69 && never.errors.contains("no copy"))
    }
  }

  @Test func `the path is one in a private folder, and a file is whole or not there`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      let path = try server.fetch("/file", "--path").output.dropLast()
      #expect(path.hasPrefix(server.sandbox.root + "/cache/intentd/.fetch/"))
      #expect(contents(of: String(path)) == "body\n")
      var info = stat()
      #expect(stat(server.cache, &info) == 0 && info.st_mode & 0o777 == 0o700)
      #expect(stat(String(path), &info) == 0 && info.st_mode & 0o777 == 0o600)

      let copy = server.sandbox.root + "/copy"
      #expect(try server.fetch("/file", "-o", copy).output == "")
      #expect(contents(of: copy) == "body\n")
      let missing = try server.fetch("/file", "-o", server.sandbox.root + "/no/folder")
      #expect(missing.status == 1 && missing.errors.contains("No such file"))
      #expect(try server.fetch("/short", "-o", copy).status == 75)
      #expect(contents(of: copy) == "body\n")
      #expect(try server.cacheNames().allSatisfy { !$0.hasPrefix(".part") })
    }
  }

  @Test func `a cache that somebody broke is asked for anew`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      for damage in ["record", "body", "bytes", "link"] {
        #expect(try server.fetch("/file").output == "body\n")
        for name in try server.cacheNames() {
          switch damage {
          case "record" where name.hasSuffix(".json"):
            try server.sandbox.write("cache/intentd/.fetch/\(name)", "{")
          case "body" where !name.hasSuffix(".json"):
            try server.sandbox.write("cache/intentd/.fetch/\(name)", "bo")
          case "bytes" where !name.hasSuffix(".json"):
            try server.sandbox.write("cache/intentd/.fetch/\(name)", "evil\n")
          case "link" where !name.hasSuffix(".json"):
            server.sandbox.remove("cache/intentd/.fetch/\(name)")
            symlink("/etc/passwd", "\(server.cache)/\(name)")
          default: break
          }
        }
      }
      #expect(try server.fetch("/file").output == "body\n")
    }
  }

  @Test func `a folder in the place of a record or a body is replaced, or named`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      #expect(try server.fetch("/file").output == "body\n")
      let names = try server.cacheNames()
      let record = try #require(names.first { $0.hasSuffix(".json") })
      for name in names {
        server.sandbox.remove("cache/intentd/.fetch/\(name)")
        #expect(mkdir("\(server.cache)/\(name)", 0o700) == 0)
      }
      #expect(try server.fetch("/file").output == "body\n")
      #expect(try server.fetch("/file").output == "body\n")
      server.sandbox.remove("cache/intentd/.fetch/\(record)")
      #expect(mkdir("\(server.cache)/\(record)", 0o700) == 0)
      #expect(mkdir("\(server.cache)/\(record)/mine", 0o700) == 0)
      let refused = try server.fetch("/file")
      #expect(refused.status != 0)
      #expect(
        refused.errors.contains("\(server.cache)/\(record): a folder is in its place"),
        "\(refused.errors)")
      #expect(refused.errors.contains("rm -r \(server.cache)/\(record)"))
    }
  }

  @Test func `a kind named like the program has a cache of its own`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      let path = try server.fetch("/file", "--path").output.dropLast()
      let bundle = server.sandbox.root + "/cache/intentd/fetch"
      #expect(!path.hasPrefix(bundle + "/") && access(bundle, F_OK) != 0)
    }
  }

  @Test func `a copy is held against what is expected now`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      #expect(try server.fetch("/file").status == 0)
      for (expected, words) in [
        (
          ["--type", "application/json"], "the type is text/plain, and application/json is expected"
        ),
        (["--max-bytes", "2"], "has 5 bytes, more than the 2 that are allowed"),
      ] {
        for source in [["--offline"], ["--max-age", "1h"], []] {
          let outcome = try server.fetch(["/file"] + expected + source)
          #expect(outcome.status == 76 && outcome.output == "", "\(expected) \(source)")
          #expect(outcome.errors.contains(words))
        }
        #expect(try server.requests("/file").last?["headers"]?["if-none-match"] == nil)
      }
      server.program.killGroup()
      #expect(try server.fetch("/file", "--type", "application/json").status == 69)
      #expect(try server.fetch("/file", "--type", "text/plain").output == "body\n")
    }
  }

  // MARK: Faults

  @Test(arguments: [
    ("/short", 75, "ended the connection before the file was whole"),
    ("/cut", 75, "ended the connection before the file was whole"),
    ("/closed", 75, "ended the connection"),
    ("/huge", 76, "more than the 1048576 that are allowed"),
    ("/endless", 76, "more bytes came than allowed"),
    ("/head", 76, "bytes of headers"),
    ("/garbage", 76, "127.0.0.1"),
    ("/status/404", 66, "answered with the status 404"),
    ("/status/401", 66, "Authorization"),
    ("/status/500", 75, "answered with the status 500"),
    ("/status/206", 76, "the status 206"),
    ("/after/429/60", 75, "the status 429"),
    ("/redirect/1", 76, "which is not https"),
    ("/nowhere", 76, "leads nowhere"),
    ("/to?file:///etc/passwd", 76, "a redirect leads to a URL that"),
    ("/hang", 75, "took too long"),
    ("/slow", 75, "took too long"),
  ])
  func `each fault has its status and its words, and leaves nothing behind`(
    path: String, status: Int32, words: String
  ) throws {
    try withServer { server in
      let outcome = try server.fetch(path, "--max-bytes", "1M", "--timeout", "2s")
      #expect(outcome.status == status)
      #expect(outcome.output == "")
      #expect(outcome.errors.contains(words))
      #expect(outcome.errors.split(separator: "\n").count == 2, "what happened, and what to do")
      #expect(try server.cacheNames().isEmpty)
    }
  }

  @Test func `a packed body counts as what it becomes`() throws {
    try withServer { (server) throws in
      #expect(try server.fetch("/bomb", "--max-bytes", "500K").status == 76)
      #expect(try server.fetch("/bomb", "--max-bytes", "500KB").status == 76)
      #expect(try server.fetch("/bomb", "--max-bytes", "1MB").status == 0)
      #expect(try server.json("/bomb", "--max-bytes", "2M")["bytes"]?.intValue == 1 << 20)
    }
  }

  @Test func `another type than expected is not taken`() throws {
    try withServer { server in
      let page = try server.fetch("/html", "--type", "application/json")
      #expect(page.status == 76)
      #expect(page.errors.contains("the type is text/html, and application/json is expected"))
      #expect(try server.fetch("/html", "--type", "text/*").output == "<p>sign in</p>")
      #expect(try server.fetch("/empty", "--type", "text/plain").output == "")
    }
  }

  @Test func `a server that wants to be left alone is, until --force`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      #expect(try server.fetch("/file").status == 0)
      #expect(try server.fetch("/after/503/date+60").status == 75)
      // The whole host is left alone, and there is a copy of this URL.
      let waiting = try server.fetch("/file")
      #expect(waiting.status == 0 && waiting.output == "body\n")
      #expect(waiting.errors.contains("asked to be left alone until"))
      #expect(try server.requests("/file").count == 1)
      #expect(try server.fetch("/file", "--force").errors == "")
      #expect(try server.requests("/file").count == 2)
    }
  }

  @Test func `the copy does where the server fails, and not where it refuses`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      // The first answer of this path fails.
      #expect(try server.fetch("/flaky/1").status == 75)
      #expect(try server.fetch("/flaky/1").output == "body\n")
      try server.serve("gone", "body\n")
      #expect(try server.fetch("/gone").status == 0)
      server.sandbox.remove("server/served/gone")
      let refused = try server.fetch("/gone")
      #expect(refused.status == 66 && refused.output == "")
    }
  }

  @Test(arguments: [
    (["ftp://example.org/"], "only https:// and http://"),
    (["https://user:word@example.org/"], "Authorization"),
    (["https://example.org/", "--max-bytes", "2G"], "--max-bytes"),
    (["https://example.org/", "--max-age", "soon"], "--max-age"),
    (["https://example.org/", "--timeout", "0s"], "--timeout"),
    (["https://example.org/", "--max-bytes", "1TB"], "500K, 20MB"),
    (["https://example.org/", "--offline", "--fresh"], "--offline and --fresh"),
    (["https://example.org/", "--offline", "--force"], "--offline and --force"),
    (["https://example.org/", "-H", "Host: other.org"], "'Host' is a header that intent-fetch"),
    (["https://example.org/", "-H", "@/no/such/file"], "cannot be read"),
    (["--serve", "https://example.org/"], "--serve and a URL do not go together"),
    ([], "there is no URL"),
  ])
  func `wrong usage says what is right`(arguments: [String], words: String) throws {
    try withSandbox { sandbox in
      let outcome = try sandbox.run(Programs.fetch, arguments)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains(words))
    }
  }

  @Test func `a header goes out, from a file, too`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      try server.sandbox.write("secret", "Authorization: Bearer abc\nX-Two: 2\n")
      #expect(
        try server.fetch("/file", "-H", "@\(server.sandbox.root)/secret", "-H", "Accept: a/b")
          .status == 0)
      let headers = try server.requests("/file")[0]["headers"]
      #expect(headers?["authorization"]?.stringValue == "Bearer abc")
      #expect(headers?["x-two"]?.stringValue == "2")
      #expect(headers?["accept"]?.stringValue == "a/b")
    }
  }

  @Test func `a machine reads an error as JSON`() throws {
    try withServer { server in
      let error = try server.json("/after/429/60")["error"]
      #expect(error?["code"]?.stringValue == "status")
      #expect(error?["status"]?.intValue == 429)
      #expect(error?["retryAt"]?.stringValue != nil)
    }
  }

  // MARK: For the daemon

  @Test func `downloads of one process share connections, and each has one result`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      try server.serve("feed.json", "{}")
      let lines = [
        server.line("a", "/file"), server.line("b", "/feed.json"), server.line("c", "/status/404"),
        server.line("d", "/file"), #"{"id":"e"}"#, "no JSON",
      ]
      let outcome = try server.serveFetch(lines)
      #expect(outcome.status == 0)
      let results = try outcome.lines.map { try JSONValue(parsing: $0) }
      func result(_ id: String) -> JSONValue? { results.first { $0["id"]?.stringValue == id } }
      #expect(results.count == 6)
      #expect(result("a")?["file"]?.stringValue?.hasPrefix(server.downloads + "/") == true)
      #expect(contents(of: result("b")?["file"]?.stringValue ?? "") == "{}")
      #expect(result("c")?["error"]?["status"]?.intValue == 404)
      #expect(result("d")?["unchanged"] == true)
      #expect(result("e")?["error"]?["code"]?.stringValue == "badRequest")
      let clients = Set(try server.requests().compactMap { $0["client"]?.intValue })
      #expect(clients.count < 4, "four requests over \(clients.count) connections")
    }
  }

  @Test func `an installed widget reaches no address of this machine, not by redirect either`()
    throws
  {
    try withServer(tls: true) { server in
      try server.serve("file", "body\n")
      let localhost = server.url("/file").replacing("127.0.0.1", with: "localhost")
      let outcome = try server.serveFetch([
        // A connection that another one has opened is no way around it.
        server.line("open", "/file"),
        server.line("closed", "/file", isPublicOnly: true),
        #"{"id":"name","url":"\#(localhost)","folder":"\#(server.downloads)","folderBytes":50331648,"publicOnly":true,"metered":true}"#,
      ])
      let results = try outcome.lines.map { try JSONValue(parsing: $0) }
      func code(_ id: String) -> String? {
        results.first { $0["id"]?.stringValue == id }?["error"]?["code"]?.stringValue
      }
      #expect(code("open") == nil)
      #expect(code("closed") == "privateAddress")
      #expect(code("name") == "privateAddress")
      #expect(try server.requests().count == 1)
    }
  }

  @Test func `a proxy of the environment is no way around it`() throws {
    try withServer { server in
      let outcome = try server.serveFetch(
        [server.line("a", "/file", isPublicOnly: true)],
        environment: ["http_proxy": server.url("/")])
      #expect(outcome.output.contains("privateAddress"))
      #expect(try server.requests().isEmpty)
    }
  }

  @Test func `a folder that a provider replaced by a link is not written into`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      try server.sandbox.makeFolder("kind")
      try server.sandbox.makeFolder("elsewhere")
      symlink("\(server.sandbox.root)/elsewhere", server.downloads)
      let outcome = try server.serveFetch([server.line("a", "/file")])
      #expect(outcome.output.contains(#""code":"disk""#))
      let names = try FileManager.default.contentsOfDirectory(
        atPath: "\(server.sandbox.root)/elsewhere")
      #expect(names.isEmpty)
    }
  }

  @Test func `slow servers of one kind do not hold up another kind`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      let lines =
        (0..<8).map { server.line("slow\($0)", "/hang?\($0)") }
        + [server.line("quick", "/file", kind: "other")]
      try server.sandbox.write("lines", lines.joined(separator: "\n") + "\n")
      let program = try server.sandbox.start(
        "/bin/sh", ["-c", "exec \(Programs.fetch) --serve <\(server.sandbox.root)/lines"])
      // The result is there while the others still wait.
      try eventually("the other kind has its file", within: 30) {
        program.output.contains(#""id":"quick""#)
      }
      #expect(program.output.contains(#""status":200"#))
      #expect(
        try server.requests().count { $0["path"]?.stringValue?.hasPrefix("/hang") == true } <= 2)
      program.killGroup()
    }
  }

  @Test func `a kind that is told to wait holds up no other kind and no script`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      #expect(
        try server.serveFetch([server.line("a", "/after/503/600")]).output.contains("status 503"))
      let waiting = try server.serveFetch([server.line("a", "/file")])
      #expect(waiting.output.contains(#""code":"waiting""#))
      let other = try server.serveFetch([server.line("a", "/file", kind: "other")])
      #expect(other.output.contains(#""status":200"#))
      #expect(try server.fetch("/file").errors == "")
      // Nor does a script hold up a kind; and what a kind may change says nothing about it.
      #expect(try server.fetch("/after/503/600").status == 75)
      #expect(
        try server.fetch("/file", "--max-age", "0s").errors.contains("asked to be left alone"))
      let third = try server.serveFetch([server.line("a", "/file", kind: "third")])
      #expect(third.output.contains(#""status":200"#))
      let names = try FileManager.default.subpathsOfDirectory(
        atPath: server.sandbox.root + "/kind")
      #expect(names.allSatisfy { $0 == "downloads" || $0.hasPrefix("downloads/") })
      #expect(names.count <= 1, "\(names)")
    }
  }

  @Test func `what one process hands out fits into the folder of its kind`() throws {
    try withServer { server in
      for index in 0..<8 {
        try server.serve("part\(index)", String(repeating: "\(index)", count: 300_000))
      }
      let lines =
        (0..<8).map { server.line("\($0)", "/part\($0)", folderBytesMax: 1 << 20) }
        + [server.line("endless", "/endless", folderBytesMax: 1 << 20)]
      let results = try server.serveFetch(lines).lines.map { try JSONValue(parsing: $0) }
      #expect(results.count { $0["status"]?.intValue == 200 } == 3)
      let refused = results.compactMap { $0["error"]?["message"]?.stringValue }
      #expect(refused.count == 6)
      #expect(refused.allSatisfy { $0.contains("more than the 1048576 that fit") }, "\(refused)")
      let bytes = try FileManager.default.contentsOfDirectory(atPath: server.downloads)
        .filter { !$0.hasSuffix(".json") }
        .map { contents(of: "\(server.downloads)/\($0)").utf8.count }.reduce(0, +)
      #expect(bytes == 900_000)
    }
  }

  @Test func `what a process that is gone had half written goes at once`() throws {
    try withServer { server in
      // No process has a number beyond 2^22.
      try server.sandbox.write("kind/downloads/.part-4194305-1", "half")
      try server.sandbox.write("kind/downloads/.part-\(getpid())-1", "half")
      _ = try server.serveFetch([server.line("a", "/status/404")])
      let names = try FileManager.default.contentsOfDirectory(atPath: server.downloads)
      #expect(names == [".part-\(getpid())-1"])
    }
  }

  @Test func `a folder that a provider filled with files is emptied, and not read for long`() throws
  {
    try withServer { server in
      try server.serve("file", "body\n")
      let script = """
        import os
        os.makedirs("\(server.downloads)")
        for number in range(12000):
            for name in ["%032x.json", "%032x-0", "x%032x-0"]:
                open("\(server.downloads)/" + name % number, "w").close()
        """
      #expect(try server.sandbox.run("/usr/bin/env", ["python3", "-c", script]).status == 0)
      let begin = monotonicSeconds()
      let outcome = try server.serveFetch([server.line("a", "/file")])
      let result = try JSONValue(parsing: outcome.output)
      #expect(monotonicSeconds() - begin < 20)
      #expect(contents(of: result["file"]?.stringValue ?? "") == "body\n")
      let names = try FileManager.default.contentsOfDirectory(atPath: server.downloads)
      #expect(names.count <= 4_098, "\(names.count)")
    }
  }

  @Test(.enabled(if: FetchTests.hasNetworkNamespaces, "skipped: no network of one's own"))
  func `an installed widget reaches no public address of this machine or its network`() throws {
    try withSandbox { sandbox in
      func line(_ address: String) -> String {
        #"{"id":"\#(address)","url":"http://\#(address):9/","folder":"\#(sandbox.root)/kind/downloads","folderBytes":50331648,"publicOnly":true,"metered":true}"#
      }
      // The machine has a public address of each version, and neighbours beside them.
      let addresses = ["9.9.9.1", "9.9.9.77", "[2600:1::1]", "[2600:1::77]", "9.9.10.1"]
      try sandbox.write("lines", addresses.map(line).joined(separator: "\n") + "\n")
      let script = """
        ip link set lo up && ip addr add 9.9.9.1/24 dev lo && ip addr add 2600:1::1/64 dev lo &&
        exec \(Programs.fetch) --serve <\(sandbox.root)/lines
        """
      let outcome = try sandbox.run("/usr/bin/unshare", ["-rn", "/bin/sh", "-c", script])
      let results = try outcome.lines.map { try JSONValue(parsing: $0) }
      for address in addresses {
        let code = results.first { $0["id"]?.stringValue == address }?["error"]?["code"]
        #expect(
          code?.stringValue == (address == "9.9.10.1" ? "unreachable" : "privateAddress"),
          "\(address): \(outcome)")
      }
    }
  }

  private static var hasNetworkNamespaces: Bool {
    guard Programs.isInstalled("unshare"), Programs.isInstalled("ip") else { return false }
    do {
      var isMade = false
      try withSandbox { sandbox in
        isMade = try sandbox.run("/usr/bin/unshare", ["-rn", "ip", "link"]).status == 0
      }
      return isMade
    } catch {
      return false
    }
  }

  @Test func `the oldest downloads go when the folder is full`() throws {
    try withServer { server in
      // Fourteen bodies of 4 MiB do not fit into 48 MiB.
      for index in 0..<14 {
        try server.serve("big\(index)", String(repeating: "\(index % 10)", count: 4 << 20))
        let outcome = try server.serveFetch([server.line("a", "/big\(index)")])
        #expect(outcome.output.contains(#""status":200"#))
      }
      let bytes = try FileManager.default.contentsOfDirectory(atPath: server.downloads)
        .filter { !$0.hasSuffix(".json") }
        .map { contents(of: "\(server.downloads)/\($0)").utf8.count }.reduce(0, +)
      #expect(bytes <= 48 << 20)
      #expect(try server.serveFetch([server.line("a", "/big13")]).output.contains(#""status":304"#))
      #expect(try server.serveFetch([server.line("a", "/big0")]).output.contains(#""status":200"#))
    }
  }

  // MARK: A metered network

  @Test(arguments: [("metered", true), ("guessed", true), ("free", false), ("nobody", false)])
  func `what NetworkManager calls metered is not used unless it may be`(
    mode: String, isMetered: Bool
  ) throws {
    guard dlopen("libsystemd.so.0", RTLD_LAZY) != nil else { return }
    try withServer { server in
      try server.serve("file", "body\n")
      let bus = server.sandbox.root + "/bus"
      _ = try server.sandbox.start(
        "/usr/bin/env",
        ["python3", server.place("fake-bus.py"), bus, server.sandbox.root + "/calls", mode])
      try eventually("the bus listens") { access(bus, F_OK) == 0 }
      let environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(bus)"]
      let outcome = try server.fetch(["/file", "--unmetered"], environment: environment)
      #expect(outcome.status == (isMetered ? 75 : 0))
      #expect(outcome.errors.contains("the network is one that costs") == isMetered)
      #expect(try server.fetch(["/file"], environment: environment).status == 0)
      let served = try server.serveFetch(
        [server.line("a", "/file", mayCost: false), server.line("b", "/file")],
        environment: environment)
      #expect(served.output.contains(#""code":"metered""#) == isMetered)
      #expect(served.output.contains(#""status":"#))
    }
  }

  @Test func `without a system bus no network is metered`() throws {
    try withServer { server in
      try server.serve("file", "body\n")
      let outcome = try server.fetch(
        ["/file", "--unmetered"],
        environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(server.sandbox.root)/none"])
      #expect(outcome.output == "body\n")
    }
  }

  // MARK: https

  @Test(.enabled(if: Programs.isInstalled("openssl"), "skipped: no openssl"))
  func `a certificate is checked, and redirects stay within https`() throws {
    try withServer(tls: true) { server in
      try server.serve("file", "body\n")
      let stranger = try server.fetch(["/file"], environment: ["CURL_CA_BUNDLE": ""])
      #expect(stranger.status == 76 && stranger.errors.contains("no trusted connection"))
      #expect(try server.fetch("/file").output == "body\n")
      #expect(try server.fetch("/redirect/5").output == "body\n")
      #expect(try server.fetch("/redirect/6").errors.contains("more than 5 redirects"))
      #expect(try server.fetch("/loop").errors.contains("lead in a circle"))
      let out = try server.fetch("/to?http://127.0.0.1:\(server.port)/file")
      #expect(out.status == 76 && out.errors.contains("which is not https"))
      // The copy of a URL that redirects is asked about where it came from.
      let again = try server.json("/redirect/2")
      #expect(again["status"]?.intValue == 200)
      #expect(try server.json("/redirect/2")["status"]?.intValue == 304)
    }
  }

  @Test(.enabled(if: Programs.isInstalled("openssl"), "skipped: no openssl"))
  func `a header does not follow a redirect to another server`() throws {
    try withServer(tls: true) { server in
      try server.serve("file", "body\n")
      let other = server.url("/file").replacing("127.0.0.1", with: "localhost")
      #expect(try server.fetch("/to?\(other)", "-H", "X-Key: secret").output == "body\n")
      let asked = try server.requests()
      #expect(asked.count == 2)
      #expect(asked[0]["headers"]?["x-key"]?.stringValue == "secret")
      #expect(asked[1]["headers"]?["x-key"] == nil)
    }
  }
}

/// The server of faults in a sandbox, and the program before it.
struct FaultyServer {
  let sandbox: Sandbox
  let program: Program
  let port: Int
  let isTLS: Bool

  var cache: String { sandbox.root + "/cache/intentd/.fetch" }
  var downloads: String { sandbox.root + "/kind/downloads" }

  func place(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: name).path
  }

  func url(_ path: String) -> String { "\(isTLS ? "https" : "http")://127.0.0.1:\(port)\(path)" }

  func serve(_ name: String, _ text: String) throws {
    try sandbox.write("server/served/\(name)", text)
  }

  /// The requests so far, of one path or of all.
  func requests(_ path: String? = nil) throws -> [JSONValue] {
    try contents(of: sandbox.root + "/server/requests").split(separator: "\n")
      .map { try JSONValue(parsing: String($0)) }
      .filter { path == nil || $0["path"]?.stringValue == path }
  }

  /// The files of the person's cache.
  func cacheNames() throws -> [String] {
    guard access(cache, F_OK) == 0 else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: cache).filter {
      $0 != "hosts" && $0 != "kinds"
    }
  }

  private var trust: [String: String] {
    isTLS ? ["CURL_CA_BUNDLE": sandbox.root + "/certificate.pem"] : [:]
  }

  /// Runs the program for a path of the server.
  func fetch(_ arguments: String...) throws -> Outcome { try fetch(arguments) }

  func fetch(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    try sandbox.run(
      Programs.fetch, [url(arguments[0])] + arguments.dropFirst(),
      environment: trust.merging(environment) { $1 })
  }

  func json(_ arguments: String...) throws -> JSONValue {
    try JSONValue(parsing: try fetch(arguments + ["--json"]).output)
  }

  /// A request of the daemon for a path of the server.
  func line(
    _ id: String, _ path: String, kind: String = "kind", folderBytesMax: Int = 50_331_648,
    isPublicOnly: Bool = false, mayCost: Bool = true
  ) -> String {
    #"{"id":"\#(id)","url":"\#(url(path))","folder":"\#(sandbox.root)/\#(kind)/downloads","folderBytes":\#(folderBytesMax),"publicOnly":\#(isPublicOnly),"metered":\#(mayCost)}"#
  }

  func serveFetch(_ lines: [String], environment: [String: String] = [:]) throws -> Outcome {
    try sandbox.run(
      Programs.fetch, ["--serve"], environment: trust.merging(environment) { $1 },
      input: lines.joined(separator: "\n") + "\n")
  }
}

/// Runs `body` with a server; `tls` gives it a certificate that the program trusts.
func withServer(tls: Bool = false, _ body: (FaultyServer) throws -> Void) throws {
  try withSandbox { sandbox in
    let folder = sandbox.root + "/server"
    try sandbox.makeFolder("server/served")
    var arguments = [folder]
    if tls {
      let (key, certificate) = (sandbox.root + "/key.pem", sandbox.root + "/certificate.pem")
      let made = try sandbox.run(
        "/usr/bin/openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-days", "2", "-subj", "/CN=localhost", "-addext",
          "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ])
      try #require(made.status == 0, "no certificate: \(made.errors)")
      arguments += ["--tls", certificate, key]
    }
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "faulty-server.py").path
    let program = try sandbox.start("/usr/bin/env", ["python3", script] + arguments)
    try eventually("the server listens: \(program.errors)") {
      access(folder + "/port", F_OK) == 0
    }
    let port = try #require(Int(contents(of: folder + "/port")))
    try body(FaultyServer(sandbox: sandbox, program: program, port: port, isTLS: tls))
  }
}
