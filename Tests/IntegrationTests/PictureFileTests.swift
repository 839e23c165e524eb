import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// Picture files that real providers name, read by the real daemon.
@Suite struct PictureFileTests {
  /// One pixel.
  private static let dot =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  private static let image = "entry.content.image"

  /// A provider whose picture is the file that `$HOME/name` names.
  private static let script = """
    printf '{"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"T","image":'
    printf '{"file":"%s","alt":"a dot"}}}],"policy":"never"}' "$(cat "$HOME/name")"
    """

  private func withPictures(
    settings: String = "", provider: String = "",
    _ body: (Sandbox, WireClient, (String) throws -> JSONValue?) throws -> Void
  ) throws {
    try withSandbox { sandbox in
      try sandbox.write("home/name", "dot.png")
      try sandbox.widget("photo", script: Self.script, settings: settings, provider: provider)
      let bytes = try #require(Data(base64Encoded: Self.dot))
      let folder = sandbox.root + "/config/intentd/widgets"
      for place in ["\(folder)/dot.png", sandbox.root + "/home/secret.png"] {
        try bytes.write(to: URL(filePath: place))
      }
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("photo") == "done")
      try body(sandbox, client) { name in
        try sandbox.write("home/name", name)
        #expect(try client.reload("photo")["state"] == "done")
        return try client.widget("photo")["entry"]?["content"]?["image"]
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `a file beside the manifest and one in the cache are shown`() throws {
    try withPictures { sandbox, client, show in
      let image = try #require(try show("dot.png"))
      #expect(image["type"] == "png" && image["width"] == 1 && image["alt"] == "a dot")
      let hash = try #require(image["hash"])
      #expect(try client.call("image.get", ["hash": hash])["data"] == .string(Self.dot))
      let cache = try #require(
        try sandbox.shell("find \"$XDG_CACHE_HOME\" -type d -path '*cache*/photo'").lines.first)
      try #require(Data(base64Encoded: Self.dot)).write(to: URL(filePath: "\(cache)/new.png"))
      #expect(try show("\(cache)/new.png")?["hash"] == hash)
    }
  }

  @Test func `a file in the folder that a provider shares with its app is shown`() throws {
    let group = "org.example.mail"
    try withPictures(settings: "app: \(group)\ngroup: \(group)") { sandbox, client, show in
      let groups = "\(sandbox.root)/data/intentd/groups"
      let bytes = try #require(Data(base64Encoded: Self.dot))
      try bytes.write(to: URL(filePath: "\(groups)/\(group)/new.png"))
      #expect(try show("\(groups)/\(group)/new.png")?["type"] == "png")
      try sandbox.makeFolder("data/intentd/groups/org.example.other")
      try bytes.write(to: URL(filePath: "\(groups)/org.example.other/new.png"))
      #expect(try show("\(groups)/org.example.other/new.png") == nil)
    }
  }

  @Test func `links, other folders, pipes and large files are not read, and the history says why`()
    throws
  {
    try withPictures { sandbox, client, show in
      let folder = sandbox.root + "/config/intentd/widgets"
      let secret = sandbox.root + "/home/secret.png"
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/link.png", withDestinationPath: secret)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/home", withDestinationPath: sandbox.root + "/home")
      #expect(mkfifo("\(folder)/pipe.png", 0o600) == 0)
      try Data(repeating: 0, count: 300_000).write(to: URL(filePath: "\(folder)/large.png"))
      for (name, reason) in [
        ("link.png", "is a symbolic link"), ("home/secret.png", "a symbolic link"),
        (secret, "is in no folder of this provider"), ("../../../home/secret.png", "no folder"),
        ("pipe.png", "is no regular file"), ("large.png", "has 300000 bytes"),
        ("none.png", "is not there"), ("photo.run", "a picture is of a type that is not known"),
      ] {
        #expect(try show(name) == nil, "\(name)")
        #expect(try client.widget("photo")["entry"]?["content"]?["title"] == "T")
        let history = try sandbox.send("history", "--json")
        let last = history.lines.last { $0.contains("warning") } ?? ""
        #expect(last.contains(reason), "\(name): \(last)")
      }
    }
  }

  @Test func `try tells the author of a picture that cannot be shown`() throws {
    try withPictures { sandbox, _, _ in
      try sandbox.write("home/name", "none.png")
      let outcome = try sandbox.send("try", sandbox.root + "/config/intentd/widgets/photo.yaml")
      #expect(
        outcome.output.contains("the picture file 'none.png' is not there"), "\(outcome.output)")
    }
  }

  @Test func `what is pushed may name files, which the client reads`() throws {
    try withPictures { sandbox, client, _ in
      let timeline = """
        {"entries":[{"date":"2020-01-01T00:00:00Z","content":{"title":"pushed",
        "image":{"file":"secret.png","alt":""}}}],"policy":"never"}
        """
      try sandbox.write("home/timeline.json", timeline)
      let good = try sandbox.send("push", "photo", sandbox.root + "/home/timeline.json")
      #expect(good.status == 0 && good.errors == "", "\(good.errors)")
      #expect(try client.widget("photo")["entry"]?["content"]?["image"]?["width"] == 1)
      try sandbox.write(
        "home/timeline.json", timeline.replacingOccurrences(of: "secret", with: "none"))
      let bad = try sandbox.send("push", "photo", sandbox.root + "/home/timeline.json")
      #expect(bad.status == 1)
      #expect(bad.errors.contains("cannot read the picture 'none.png'"), "\(bad.errors)")
    }
  }
}
