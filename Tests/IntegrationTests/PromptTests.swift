import DaemonTestSupport
import Foundation
import Glibc
import JSON
import Testing

/// `intent-send` asks a person at a terminal, and nobody else: real terminals, a real daemon.
struct PromptTests {
  /// A daemon with sentences that leave the city out, and with examples to suggest.
  ///
  /// With `takesOthers` a city may be one that is in no list.
  private func withDaemon(
    takesOthers: Bool = false, _ body: (Sandbox, WireClient) throws -> Void
  ) throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      let folder = "config/intentd/intents/ShowWeather"
      if takesOthers {
        try sandbox.write(
          "\(folder)/intent.yaml",
          """
          name: ShowWeather
          title: Weather
          description: Now in a city.
          parameters:
            - {name: city, title: City, type: string, list: cities, required: true, otherValues: true}
          """)
      }
      try sandbox.write(
        "\(folder)/en.yaml",
        """
        language: en
        intents:
          ShowWeather:
            data:
              - sentences: ["show [the] weather [(in|for) {cities:city}]", "weather"]
        """)
      try sandbox.write(
        "\(folder)/examples.yaml",
        """
        intent: ShowWeather
        examples:
          en:
            match:
              - {sentence: "show the weather in Beijing", parameters: {city: Beijing}}
              - {sentence: "show weather for Shanghai", parameters: {city: Shanghai}}
              - {sentence: "show weather in Shanghai", parameters: {city: Shanghai}}
        """)
      try sandbox.write(
        "\(folder)/de.yaml",
        """
        language: de
        intents:
          ShowWeather:
            data:
              - sentences: ["wie ist das Wetter in {cities:city}"]
        """)
      let daemon = try sandbox.startDaemon()
      try body(sandbox, try sandbox.connect())
      if !daemon.hasEnded() { try sandbox.stop(daemon) }
    }
  }

  /// A program at a terminal, and the lines that a person types into it.
  private final class Dialogue {
    let terminal: Terminal
    let program: Program

    init(_ sandbox: Sandbox, _ arguments: [String]) throws {
      terminal = try Terminal()
      program = try sandbox.start(
        Programs.client, arguments, environment: ["TERM": "dumb"],
        descriptors: terminal.descriptors)
    }

    /// Waits for `prompt` at the end of what the terminal shows, and answers it.
    func answer(_ prompt: String, _ line: String) throws {
      try eventually("'\(prompt)' is asked: \(terminal.output())") {
        terminal.output().hasSuffix(prompt)
      }
      try terminal.type(line)
    }

    /// Waits for the end; returns the status and everything that the terminal showed.
    func end() throws -> (status: Ending, shown: String) {
      let ending = try program.waitUntilEnded()
      return (ending, terminal.output())
    }
  }

  @Test func `a sentence without its city asks for it, again after a wrong answer`() throws {
    try withDaemon { sandbox, _ in
      let dialogue = try Dialogue(sandbox, ["weather"])
      try dialogue.answer("> ", "Atlantis\n")
      try eventually("it says what is wrong: \(dialogue.terminal.output())") {
        dialogue.terminal.output().contains("cannot be 'Atlantis'")
      }
      try dialogue.answer("> ", "2\n")
      let end = try dialogue.end()
      #expect(end.status == .exited(0))
      #expect(
        end.shown.hasPrefix(
          "Which city?\n  1  Beijing\n  2  Shanghai\n  3  New York\n> Atlantis\n"))
      #expect(end.shown.contains("> 2\nShanghai\n3 degrees\n"), "\(end.shown)")
      // How to keep what is only suggested so far.
      #expect(
        end.shown.hasSuffix("  to keep it: intent-send add weather --set city=Shanghai\n"),
        "\(end.shown)")
    }
  }

  @Test func `an answer with a slip is asked about, and a no takes it as it was typed`() throws {
    try withDaemon(takesOthers: true) { sandbox, _ in
      let question = "did you mean 'Beijing'? [Y/n] "
      for (reply, city) in [("\n", "Beijing"), ("n\n", "Bejing")] {
        let dialogue = try Dialogue(sandbox, ["weather"])
        try dialogue.answer("> ", "Bejing\n")
        try dialogue.answer(question, reply)
        let end = try dialogue.end()
        #expect(end.status == .exited(0))
        #expect(end.shown.contains("\n\(city)\n3 degrees\n"), "\(end.shown)")
      }
      // Another value, and a value in other letters, are no slips.
      for (answer, city) in [("Oslo\n", "Oslo"), ("new york\n", "New York")] {
        let dialogue = try Dialogue(sandbox, ["weather"])
        try dialogue.answer("> ", answer)
        let end = try dialogue.end()
        #expect(end.shown.contains("\n\(city)\n3 degrees\n"), "\(end.shown)")
        #expect(!end.shown.contains("[Y/n]"), "\(end.shown)")
      }
      let open = try Dialogue(sandbox, ["weather"])
      try open.answer("> ", "Bejing\n")
      try open.answer(question, "\u{04}")
      let end = try open.end()
      #expect(end.status == .exited(4))
      #expect(end.shown.contains("nothing was chosen"), "\(end.shown)")
    }
  }

  @Test func `a slip of a list that takes no other value is asked about, and may be said again`()
    throws
  {
    try withDaemon { sandbox, _ in
      let dialogue = try Dialogue(sandbox, ["weather"])
      try dialogue.answer("> ", "Bejing\n")
      try dialogue.answer("did you mean 'Beijing'? [Y/n] ", "n\n")
      try dialogue.answer("> ", "Shanghia\n")
      try dialogue.answer("did you mean 'Shanghai'? [Y/n] ", "y\n")
      let end = try dialogue.end()
      #expect(end.shown.contains("cannot be 'Bejing'"), "\(end.shown)")
      #expect(end.shown.contains("\nShanghai\n3 degrees\n"), "\(end.shown)")
    }
  }

  @Test func `the answer to a question about a date may be said`() throws {
    try withSandbox { sandbox in
      try sandbox.write(
        "config/intentd/intents/ShowDay/intent.yaml",
        """
        name: ShowDay
        title: Day
        description: What is on at a day.
        parameters:
          - {name: day, title: Day, type: date, required: true}
        """)
      try sandbox.widget(
        "day", script: "read -r request\n" + Sandbox.answer(title: "day"),
        settings: "intent: ShowDay")
      let daemon = try sandbox.startDaemon()
      let client = try sandbox.connect()
      for (id, answer, day) in [
        ("said", "tomorrow 8am\n", "T08:00:00Z"), ("typed", "2026-11-23\n", "2026-11-23"),
      ] {
        let dialogue = try Dialogue(sandbox, ["add", "day", "--id", id])
        try dialogue.answer("> ", answer)
        let end = try dialogue.end()
        #expect(end.status == .exited(0), "\(end.shown)")
        let widgets = try client.call("widget.list")["widgets"]?.arrayValue ?? []
        let placed = widgets.first { $0["id"]?.stringValue == id }
        let value = placed?["intent"]?["parameters"]?["day"]?.stringValue ?? ""
        #expect(value.hasSuffix(day), "\(value) \(end.shown)")
      }
      try sandbox.stop(daemon)
    }
  }

  @Test func `an empty line and the end of input end the questions`() throws {
    try withDaemon { sandbox, _ in
      for ending in ["\n", "\u{04}"] {
        let dialogue = try Dialogue(sandbox, ["weather"])
        try dialogue.answer("> ", ending)
        let end = try dialogue.end()
        #expect(end.status == .exited(4))
        #expect(end.shown.contains("nothing was chosen"), "\(end.shown)")
      }
    }
  }

  @Test func `elsewhere the question and its choices are the failure, and the answer is a command`()
    throws
  {
    try withDaemon { sandbox, _ in
      let asked = try sandbox.send("weather")
      #expect(asked.status == 4)
      #expect(asked.output == "", "nothing but the answer goes to standard output")
      let token = try #require(
        asked.errors.split(separator: " ").first { $0.contains("-") && Int($0.prefix(1)) != nil })
      #expect(
        asked.errors == """
          intent-send: Which city?
            1  Beijing
            2  Shanghai
            3  New York
            answer: intent-send choose \(token) CHOICE

          """)
      let chosen = try sandbox.send("choose", String(token), "new york")
      #expect(chosen == Outcome(ending: .exited(0), output: "New York\n3 degrees\n", errors: ""))
      let json = try sandbox.send("--json", "weather")
      #expect(json.status == 4)
      #expect(try JSONValue(parsing: json.output)["needs"]?["parameter"] == "city")
    }
  }

  @Test func `a sentence takes the value of the only widget, and asks where there are two`() throws
  {
    try withDaemon { sandbox, client in
      try client.add("weather", id: "home", parameters: ["city": "Beijing"])
      for arguments in [["weather"], ["--no-wait", "show weather"], ["--", "show", "weather"]] {
        let sent = try sandbox.run(Programs.client, arguments)
        #expect(sent.status == 0, "\(arguments) \(sent)")
        #expect(sent.output.contains("Beijing") || sent.output.contains("home"), "\(sent)")
      }
      #expect(try sandbox.send("weather").output == "Beijing\n3 degrees\n")
      let dry = try sandbox.send("recognize", "weather", "--json")
      #expect(try JSONValue(parsing: dry.output)["fromWidgets"] == ["city": "home"])
      try client.add("weather", id: "work", parameters: ["city": "New York"])
      let asked = try sandbox.send("weather")
      #expect(asked.status == 4)
      // The cities of the widgets come first.
      #expect(
        asked.errors.contains("  1  Beijing\n  2  New York\n  3  Shanghai\n"), "\(asked.errors)"
      )
    }
  }

  @Test func `a slip with one clear reading is offered, and Enter takes it`() throws {
    try withDaemon { sandbox, client in
      let question =
        "did you mean: intent-send --strict \"show weather for Beijing\" [Y/n] "
      let yes = try Dialogue(sandbox, ["--strict", "show wether for Bejing"])
      try yes.answer(question, "\n")
      let done = try yes.end()
      #expect(done.status == .exited(0))
      #expect(done.shown.contains("nothing matches 'show wether for Bejing'\n"), "\(done.shown)")
      #expect(done.shown.contains("Beijing\n3 degrees\n"), "\(done.shown)")

      let no = try Dialogue(sandbox, ["--strict", "show wether for Bejing"])
      try no.answer(question, "what\n")
      try no.answer("what\n" + question, "n\n")
      let refused = try no.end()
      #expect(refused.status == .exited(3))
      #expect(refused.shown.hasSuffix("what can be said: intent-send intents\n"))

      // Elsewhere nothing is asked.
      let piped = try sandbox.send("--strict", "show wether for Bejing")
      #expect(piped.status == 3)
      #expect(piped.errors.contains("did you mean 'show weather for"), "\(piped.errors)")
      #expect(try client.call("daemon.status")["suggestions"] == 1)
    }
  }

  @Test func `a sentence that begins with a command's name needs no quotes`() throws {
    try withDaemon { sandbox, client in
      let slip = try Dialogue(sandbox, ["show", "wether", "for", "Bejing"])
      try slip.answer("did you mean: intent-send \"show weather for Beijing\" [Y/n] ", "\n")
      let done = try slip.end()
      #expect(done.status == .exited(0))
      #expect(done.shown.contains("Beijing\n3 degrees\n"), "\(done.shown)")

      // "weather" is no widget, but "show weather" is a sentence that lacks its city.
      let question = try Dialogue(sandbox, ["show", "weather"])
      try question.answer("> ", "Shanghai\n")
      #expect(try question.end().shown.contains("Shanghai\n"))
      #expect(try sandbox.send("show", "weather").status == 4)
      #expect(try sandbox.send("show", "wether", "for", "Bejing").status == 64)

      let neither = try sandbox.send("show", "nothing")
      #expect(neither.status == 1)
      #expect(neither.errors.contains("no widget has the id 'nothing'"), "\(neither.errors)")
      try client.add("weather", id: "weather", parameters: ["city": "Beijing"])
      #expect(try sandbox.send("show", "weather").output.contains("Beijing"))
    }
  }

  @Test func `a mistyped command, widget or option is offered too`() throws {
    try withDaemon { sandbox, client in
      try client.add("weather", id: "home", parameters: ["city": "Beijing"])
      for (typed, better, shows) in [
        (["staus"], "status", "1 widget"), (["timelin", "home"], "timeline home", "3 degrees"),
        (["timeline", "hom"], "timeline home", "3 degrees"),
        (
          ["add", "weather", "--city", "Shanghai", "--id", "far"],
          "add weather --set city=Shanghai --id far", "added  far"
        ),
        (
          ["configure", "home", "--city=New York"], "configure home --set \"city=New York\"",
          "changed"
        ),
      ] {
        let dialogue = try Dialogue(sandbox, typed)
        try dialogue.answer("did you mean: intent-send \(better) [Y/n] ", "y\n")
        let end = try dialogue.end()
        #expect(end.status == .exited(0), "\(end.shown)")
        #expect(end.shown.contains(shows), "\(end.shown)")
      }
      let piped = try sandbox.send("add", "weather", "--city", "Oslo")
      #expect(piped.status == 64)
      #expect(
        piped.errors.contains(
          "a parameter is set so: intent-send add weather --set city=Oslo\n"), "\(piped.errors)")
      #expect(try sandbox.send("staus").status == 64)
      #expect(try sandbox.send("remove", "hom").errors.contains("did you mean 'home'?"))
    }
  }

  @Test func `a kind is asked for its city, or says which line gives it`() throws {
    try withDaemon { sandbox, client in
      let dialogue = try Dialogue(sandbox, ["add", "weather", "--id", "home"])
      try dialogue.answer("> ", "5\n")
      try dialogue.answer(
        "5\nShowWeather: the parameter 'city' cannot be '5'; choose one of the list 'cities'\n> ",
        "Shanghai\n")
      let end = try dialogue.end()
      #expect(end.status == .exited(0))
      #expect(
        end.shown.hasSuffix("added  home  weather  systemSmall  ShowWeather(city: \"Shanghai\")\n"),
        "\(end.shown)")
      let piped = try sandbox.send("add", "weather", "--family", "ACCESSORYINLINE")
      #expect(piped.status == 4)
      #expect(
        piped.errors.hasPrefix("intent-send: Which city?\n  1  Shanghai\n"), "\(piped.errors)")
      #expect(
        piped.errors.hasSuffix(
          "  or at once: intent-send add weather --family accessoryInline --set city=Shanghai\n"),
        "\(piped.errors)")
      #expect(
        try sandbox.send("add", "weather", "--set", "city=Shanghai", "--family", "inline").output
          .contains("accessoryInline"))
    }
  }

  @Test func `forgetting everything is asked for, and needs a yes elsewhere`() throws {
    try withDaemon { sandbox, client in
      try client.call("intent.send", ["text": "show weather in Beijing"])
      let piped = try sandbox.send("forget", "--all")
      #expect(piped.status == 64)
      #expect(piped.errors.contains("intent-send forget --all --yes"), "\(piped.errors)")
      let no = try Dialogue(sandbox, ["forget", "--all"])
      try no.answer("forget everything you did? It cannot be undone. [y/N] ", "\n")
      #expect(try no.end().status == .exited(1))
      #expect(try client.call("daemon.status")["donations"] == 1)
      let yes = try Dialogue(sandbox, ["forget", "--all"])
      try yes.answer("[y/N] ", "y\n")
      #expect(try yes.end().status == .exited(0))
      #expect(try client.call("daemon.status")["donations"] == 0)
      #expect(try sandbox.send("forget", "--all", "--yes").status == 0)
      #expect(try sandbox.send("forget", "--since", "yesterday").status == 0)
    }
  }

  @Test func `a third language is tried after the person's own`() throws {
    try withDaemon { sandbox, _ in
      for environment in [["LANG": "en_US.UTF-8"], ["LANG": "C"], ["LANG": "de_DE.UTF-8"]] {
        let sent = try sandbox.send("wie ist das Wetter in Beijing", environment: environment)
        #expect(sent.output == "Beijing\n3 degrees\n", "\(environment) \(sent)")
      }
      let other = try sandbox.send("--strict", "--language", "en", "wie ist das Wetter in Beijing")
      #expect(other.status == 3)
    }
  }

  @Test func `nothing is on standard output but answers`() throws {
    try withDaemon { sandbox, _ in
      for arguments in [
        ["recognize", "--strict", "show the wether"], ["send", "show", "weather"], ["shw it"],
      ] {
        let outcome = try sandbox.run(Programs.client, arguments)
        #expect(outcome.status == 3 || outcome.status == 4)
        #expect(outcome.output == "", "\(arguments)")
      }
    }
  }

  @Test func `a widget that never was has no history`() throws {
    try withDaemon { sandbox, client in
      try client.add("weather", id: "home", parameters: ["city": "Beijing"])
      let unknown = try sandbox.send("history", "--widget", "hom")
      #expect(unknown.status == 1)
      #expect(unknown.errors.contains("no widget has the id 'hom'; did you mean 'home'?"))
      #expect(try sandbox.send("remove", "home").status == 0)
      let gone = try sandbox.send("history", "--widget", "home")
      #expect(gone.status == 0, "the history of a removed widget stays")
      #expect(gone.output.contains("removed"), "\(gone.output)")
    }
  }

  @Test func `a removal is undone, also after a restart`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      let daemon = try sandbox.startDaemon()
      #expect(try sandbox.send("add", "weather", "--set", "city=Beijing", "--id", "a").status == 0)
      #expect(try sandbox.send("add", "weather", "--set", "city=Shanghai", "--id", "b").status == 0)
      let none = try sandbox.send("remove", "a", "b", "c")
      #expect(none.status == 1)
      #expect(none.errors.contains("no widget has the id 'c'"))
      #expect(
        try sandbox.send("remove", "a", "b")
          == Outcome(ending: .exited(0), output: "removed  a\nremoved  b\n", errors: ""))
      try sandbox.stop(daemon)
      let next = try sandbox.startDaemon()
      #expect(
        try sandbox.send("undo")
          == Outcome(ending: .exited(0), output: "placed again  a\nplaced again  b\n", errors: ""))
      let widgets = try sandbox.send("widgets").output
      #expect(widgets.contains("Beijing") && widgets.contains("Shanghai"), "\(widgets)")
      let nothing = try sandbox.send("undo")
      #expect(nothing.status == 1)
      #expect(
        nothing.errors.hasPrefix(
          "intent-send: nothing was removed or dismissed in the last 10 minutes\n"))
      #expect(try sandbox.send("dismiss", "a").status == 0)
      #expect(try sandbox.send("undo").output == "no longer sent away  a\n")
      let history = try sandbox.send("history", "--widget", "a").output
      #expect(history.contains("  a  you took back that it was removed\n"), "\(history)")
      #expect(history.contains("  a  you took back that it was sent away\n"), "\(history)")
      try sandbox.stop(next)
    }
  }

  @Test func `an intent that no kind shows says what to do next`() throws {
    try withSandbox { sandbox in
      try sandbox.addIntents()
      sandbox.remove("config/intentd/widgets/weather.yaml")
      let daemon = try sandbox.startDaemon()
      let sent = try sandbox.send("show weather in Beijing")
      #expect(sent.status == 1)
      #expect(sent.output == "")
      #expect(
        sent.errors == """
          intent-send: ShowWeather(city: "Beijing"): no kind of widget shows it
            put one into \(sandbox.widgets); its manifest has 'intent: ShowWeather'
            then: intent-send add KIND --set city=Beijing

          """)
      try sandbox.stop(daemon)
    }
  }
}
