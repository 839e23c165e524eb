import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Sentences that match nothing as they are written, with the real programs.
struct NearSentenceTests {
  private func withDaemon(_ body: (Sandbox, WireClient) throws -> Void) throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      let folder = "config/intentd/intents/ShowWeather"
      try sandbox.write(
        "\(folder)/en.yaml",
        """
        language: en
        intents:
          ShowWeather:
            data:
              - sentences: ["show [me] [the] weather [(in|for|of) {cities:city}]", "weather"]
        """)
      try sandbox.write(
        "\(folder)/de.yaml",
        """
        language: de
        intents:
          ShowWeather:
            data:
              - sentences: ["zeig [mir] [das] Wetter in {cities:city}"]
        """)
      let daemon = try sandbox.startDaemon()
      try body(sandbox, try sandbox.connect())
      if !daemon.hasEnded() { try sandbox.stop(daemon) }
    }
  }

  @Test func `a slip is done, and the person reads what was understood`() throws {
    try withDaemon { sandbox, _ in
      let slip = try sandbox.send("show wether for Bejing")
      #expect(
        slip
          == Outcome(
            ending: .exited(0), output: "Beijing\n3 degrees\n",
            errors: "Understood as: show weather for Beijing\n"))
      let json = try sandbox.send("--json", "show wether for Bejing")
      #expect(json.errors == "")
      let understood = try JSONValue(parsing: json.output)["understood"]
      #expect(understood?["sentence"] == "show weather for Beijing")
      #expect(understood?["changes"]?.arrayValue?.count == 2)
      let strict = try sandbox.send("--strict", "show wether for Bejing")
      #expect(strict.status == 3 && strict.output == "", "\(strict)")
      #expect(strict.errors.hasPrefix("intent-send: nothing matches 'show wether for Bejing'"))
      // The city is asked for, and the person reads of which sentence.
      let question = try sandbox.send("wether")
      #expect(question.status == 4)
      #expect(
        question.errors.hasPrefix("Understood as: weather\nintent-send: "), "\(question.errors)")
    }
  }

  @Test func `what would be done is said without doing it, with all that differs`() throws {
    try withDaemon { sandbox, client in
      let plain = try sandbox.send("recognize", "show wether for Bejing")
      #expect(
        plain.output
          == "Understood as: show weather for Beijing\n  ShowWeather(city: \"Beijing\")\n")
      let explained = try sandbox.send("recognize", "--explain", "show wether for Bejing")
      #expect(explained.status == 0)
      #expect(explained.output.hasPrefix(plain.output), "\(explained.output)")
      for line in [
        "   slip  'wether' → 'weather'\n", "   slip  'Bejing' → 'Beijing'\n", "   sure      ",
      ] {
        #expect(explained.output.contains(line), "\(explained.output)")
      }
      // The reading that lost, and that it did.
      let lost = try sandbox.send("recognize", "--explain", "show weather for Beijing tomorrow")
      #expect(lost.status == 3)
      #expect(lost.output.hasPrefix("Nearly: show weather for Beijing\n"), "\(lost)")
      #expect(lost.output.contains("  it would neither be done nor asked about\n"), "\(lost)")
      #expect(try client.call("daemon.status")["suggestions"] == 0)
    }
  }

  @Test func `in doubt a person is asked, and a yes does it`() throws {
    try withDaemon { sandbox, client in
      let asked = try sandbox.send("show the weather of zork for Beijing")
      #expect(asked.status == 4 && asked.output == "", "\(asked)")
      #expect(asked.errors.hasPrefix("intent-send: did you mean 'show"), "\(asked.errors)")
      #expect(asked.errors.hasSuffix(" yes\n"), "\(asked.errors)")
      #expect(try client.call("daemon.status")["suggestions"] == 0)
      let token = try #require(asked.errors.split(separator: " ").dropLast().last)
      let done = try sandbox.send("choose", String(token), "yes")
      #expect(done == Outcome(ending: .exited(0), output: "Beijing\n3 degrees\n", errors: ""))
    }
  }

  @Test func `a document and the settings turn it off`() throws {
    try withDaemon { sandbox, _ in
      let english = ["show wether for Bejing"]
      let german = ["--language", "de", "zeig das Weter in Bejing"]
      func statuses() throws -> [Int32?] {
        try [english, german].map { try sandbox.run(Programs.client, $0).status }
      }
      #expect(try statuses() == [0, 0])
      try sandbox.write(
        "config/intentd/intents/ShowWeather/en.yaml",
        """
        language: en
        settings: {near: false}
        intents:
          ShowWeather:
            data:
              - sentences: ["show [the] weather [(in|for) {cities:city}]", "weather"]
        """)
      #expect(try sandbox.send("reload-config").status == 0)
      #expect(try statuses() == [3, 0], "English is written exactly, and German is not")
      try sandbox.write("config/intentd/config.yaml", "near: false\n")
      #expect(try sandbox.send("reload-config").status == 0)
      #expect(try statuses() == [3, 3])
      sandbox.remove("config/intentd/config.yaml")
      #expect(try sandbox.send("reload-config").status == 0)
      #expect(try statuses() == [3, 0])
    }
  }

  @Test func `what denies, delays or is something else is nothing`() throws {
    try withDaemon { sandbox, client in
      for sentence in [
        "don't show the weather for Beijing", "show weather for Beijing tomorrow",
        "show the weather for all but Beijing", "xq zvw kjh", "🌧️☀️", "הצג מזג אוויר",
        "weather://city/Bejing",
      ] {
        let outcome = try sandbox.send("--", sentence)
        #expect(outcome.status == 3 && outcome.output == "", "\(outcome)")
        #expect(!outcome.errors.contains("did you mean"), "\(outcome)")
      }
      // English does not know the word that denies it, and would ask for the weather in Beijing.
      let german = try sandbox.send(
        "--language", "en", "--language", "de", "zeig mir nicht das Wetter in Beijing")
      #expect(german.status == 3 && german.output == "", "\(german)")
      #expect(try client.call("daemon.status")["suggestions"] == 0)
    }
  }

  @Test func `long sentences are refused within their limits`() throws {
    try withDaemon { sandbox, _ in
      let words = String(repeating: "show the wether for Bejing ", count: 200)
      for (count, status) in [(1_024, 3), (1_025, 1), (5_000, 1)] as [(Int, Int32)] {
        let outcome = try sandbox.send(String(words.prefix(count)))
        #expect(outcome.status == status && outcome.output == "", "\(count): \(outcome)")
      }
    }
  }
}
