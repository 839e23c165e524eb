import DaemonTestSupport
import JSON
import Testing

/// One client asks for as much work as it can, and everybody else has a turn nevertheless.
@Suite struct FairnessTests {
  /// A batch of `count` sentences of a kilobyte that match nothing.
  private func worstBatch(_ count: Int) -> String {
    let text = String(repeating: "show weather for nowhere and ", count: 35)
    let messages = (1...count).map {
      #"{"jsonrpc":"2.0","id":\#($0),"method":"intent.send","params":{"text":"\#(text)"}}"#
    }
    return "[\(messages.joined(separator: ","))]"
  }

  @Test func `a batch of the worst sentences keeps nobody waiting`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      let daemon = try sandbox.startDaemon()
      let hostile = try sandbox.connect()
      let honest = try sandbox.connect()
      try honest.call("daemon.ping")
      // Twice: the daemon has all of the first when it has read a part of the second.
      try hostile.send(line: worstBatch(200))
      try hostile.send(line: worstBatch(200))
      for _ in 0..<5 { try honest.call("daemon.ping") }
      #expect(!hostile.hasNews, "the batch was answered before the pings")
      for _ in 0..<2 { #expect(try hostile.message()?.arrayValue?.count == 200) }
      try sandbox.stop(daemon)
    }
  }

  @Test func `lines in a row keep nobody waiting either`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      let daemon = try sandbox.startDaemon()
      let hostile = try sandbox.connect()
      let honest = try sandbox.connect()
      try honest.call("daemon.ping")
      let line = String(worstBatch(1).dropFirst().dropLast()) + "\n"
      try hostile.send(Array(String(repeating: line, count: 150).utf8))
      try honest.call("daemon.ping")
      var heard = 0
      while hostile.hasNews, try hostile.message() != nil { heard += 1 }
      #expect(heard < 150, "all lines were answered before the ping")
      while heard < 150, try hostile.message() != nil { heard += 1 }
      try sandbox.stop(daemon)
    }
  }

  @Test func `SIGTERM ends the daemon in the middle of the worst batch`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      let daemon = try sandbox.startDaemon()
      let hostile = try sandbox.connect()
      try hostile.send(line: worstBatch(1_000))
      try sandbox.stop(daemon)
      let answers = try #require(try hostile.message()?.arrayValue)
      #expect(answers.count == 1_000)
      let refused = answers.count { $0["error"]?["data"]?["name"] == "stopping" }
      #expect(refused > 500, "\(1_000 - refused) were carried out first")
    }
  }
}
