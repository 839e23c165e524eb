import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Picture files that a provider in a box names: the daemon, which reads them, is in none.
@Suite struct BoxedPictureTests {
  /// One pixel.
  private static let dot =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  @Test func `a provider in a box shows no picture that its box does not open`() throws {
    guard BoxRig.isPossible else { return }
    try withSandbox { sandbox in
      let bytes = try #require(Data(base64Encoded: Self.dot))
      let widgets = sandbox.root + "/config/intentd/widgets"
      // Beside the manifest, in a folder with those of other widgets, and in the person's home.
      try sandbox.widget(
        "photo",
        script: """
          echo \(Self.dot) | base64 -d > "$INTENTD_CACHE/own.png"
          ln -sf \(sandbox.root)/home/secret.png "$INTENTD_CACHE/link.png"
          i=0
          printf '{"policy":"never","entries":[{"date":"2020-01-01T00:00:00Z","content":{"items":['
          for file in "$INTENTD_CACHE/own.png" beside.png "\(widgets)/beside.png" \\
            "$INTENTD_CACHE/link.png" "\(sandbox.root)/home/secret.png" \\
            "$INTENTD_CACHE/../../../home/secret.png"; do
            printf '%s{"text":"%s","image":{"file":"%s","alt":""}}' "$comma" "$i" "$file"
            comma=,
            i=$((i + 1))
          done
          printf ']}}]}'
          """, settings: "sandbox: strict")
      for place in ["\(widgets)/beside.png", sandbox.root + "/home/secret.png"] {
        try bytes.write(to: URL(filePath: place))
      }
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      #expect(try client.add("photo") == "done")
      let items = try client.widget("photo")["entry"]?["content"]?["items"]?.arrayValue ?? []
      #expect(items.map { $0["image"] != nil } == [true, false, false, false, false, false])
      try sandbox.stop(daemon)
    }
  }
}
