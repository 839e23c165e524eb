import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Tests the languages of names and questions with the real programs.
struct LanguageTests {
  private func add(to sandbox: Sandbox) throws {
    try sandbox.addIntents()
    try sandbox.write(
      "config/intentd/widgets/tide.yaml",
      """
      kind: org.example.tide
      name: {en: Tide, zh-CN: 潮汐}
      description: {en: High and low water, zh-CN: 涨潮和落潮}
      families: [systemSmall]
      intent: SetTide
      provider: {exec: [./tide.sh]}

      """)
    try sandbox.write(
      "config/intentd/widgets/tide.sh", "#!/bin/sh\n\(Sandbox.answer(title: "1"))\n", mode: 0o755)
    try sandbox.write(
      "config/intentd/intents/SetTide/intent.yaml",
      """
      name: SetTide
      title: {en: Tide, zh-CN: 潮汐}
      parameters:
        - name: port
          title: {en: Port, zh-CN: 港口}
          prompt: {en: Which port?, zh-CN: 哪个港口？}
          required: true

      """)
  }

  @Test func `intent-send shows names and asks in the person's language`() throws {
    try withSandbox { sandbox in
      try add(to: sandbox)
      let daemon = try sandbox.startDaemon()
      for (locale, name, description, question) in [
        ("en_US.UTF-8", "Tide", "High and low water", "Which port?"),
        ("zh_CN.UTF-8", "潮汐", "涨潮和落潮", "哪个港口？"),
        ("fr_FR.UTF-8", "Tide", "High and low water", "Which port?"),
      ] {
        sandbox.environment["LANG"] = locale
        let gallery = try sandbox.send("gallery")
        #expect(gallery.output.contains(name) && gallery.output.contains(description), "\(gallery)")
        let asked = try sandbox.send("add", "org.example.tide")
        #expect(asked.status == 4)
        #expect(asked.errors.contains(question), "\(asked)")
        #expect(try sandbox.send("intents").output.contains(name))
      }
      sandbox.environment["LANG"] = "zh_CN.UTF-8"
      #expect(try sandbox.send("add", "org.example.tide", "--set", "port=Kiel").status == 0)
      let listed = try JSONValue(parsing: try sandbox.send("widgets", "--json").output)
      #expect(listed["widgets"]?.arrayValue?.first?["name"] == "潮汐", "\(listed.serialized)")
      try sandbox.stop(daemon)
    }
  }
}
