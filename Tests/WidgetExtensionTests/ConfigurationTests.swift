import JSON
import Testing
import WidgetExtension

@Suite struct SentenceTemplateTests {
  private func template(_ phrase: String, app: String = "City Guide") -> String? {
    SentenceTemplate.template(of: SentenceTemplate.parts(of: phrase), app: app) { name in
      name == "city" ? "{cities:city}" : nil
    }
  }

  @Test(arguments: [
    ("Show ${city} in ${applicationName}", "Show {cities:city} [in City Guide]"),
    ("Show me the map with ${applicationName}!", "Show me the map [with City Guide]"),
    ("${applicationName} ${city}", "[City Guide] {cities:city}"),
    ("Ask ${applicationName} about the weather", "Ask [City Guide] about the weather"),
    ("${city} in ${applicationName} zeigen", "{cities:city} [in City Guide] zeigen"),
    ("Show it", "Show it"),
  ])
  func `a sentence may leave out the app`(phrase: String, expected: String) {
    #expect(template(phrase) == expected)
  }

  @Test(arguments: [
    ("Open ${applicationName}", "Open City Guide"),
    ("Count with ${applicationName}", "Count with City Guide"),
  ])
  func `a sentence that would have one word keeps the app`(phrase: String, expected: String) {
    #expect(template(phrase) == expected)
  }

  @Test func `signs of templates are no words`() {
    #expect(template("Show (all) [the] {things} | now?") == "Show all the things now")
    #expect(template("Show ${city}", app: "") == "Show {cities:city}")
  }

  @Test func `a parameter that nobody can say makes no sentence`() {
    #expect(template("Show ${street} in ${applicationName}") == nil)
    #expect(template("${applicationName}") == nil)
  }
}

@Suite struct ProgramDescriptionTests {
  private typealias Description = ProgramDescription
  private typealias Text = ProgramDescription.Text

  private func text(_ english: String, _ german: String? = nil) -> Text {
    var versions = [Text.Version(language: "en", text: english)]
    if let german { versions.append(Text.Version(language: "de", text: german)) }
    return Text(versions)
  }

  private func files(_ intents: [Description.Intent]) -> [String: String] {
    let description = Description(
      program: "./widgets", programName: "My Widgets", appName: "City Guide",
      app: "org.example.City", group: "group.city",
      kinds: [
        Description.Kind(
          kind: "City Widget", name: text("City", "Stadt"), description: text("Shows \"a\" city."),
          families: ["systemSmall"], intent: "ShowCity", recorded: ["contentMarginsDisabled"])
      ],
      intents: intents,
      lists: [
        Description.List(
          name: "cities", values: [Description.List.Value(said: "Köln", carried: "Köln")])
      ])
    return Dictionary(uniqueKeysWithValues: description.files.map { ($0.path, $0.text) })
  }

  private func intent(configuresWidgets: Bool = false) -> Description.Intent {
    var city = Description.Parameter(name: "city", title: text("City"), type: "object")
    city.isDynamic = true
    city.list = "cities"
    var units = Description.Parameter(name: "units", title: text("Units"), type: "enumeration")
    units.cases = [
      .init(name: "metric", title: text("Metric", "Metrisch"), synonyms: ["SI"]),
      .init(name: "us", title: text("US")),
    ]
    units.defaultValue = "metric"
    return Description.Intent(
      name: "ShowCity", title: text("Show City"), description: text(""),
      configuresWidgets: configuresWidgets, parameters: [city, units],
      combinations: [
        .init(parameters: ["city", "units"], title: "Show ${city} in ${units}"),
        .init(parameters: ["street"], title: "gone"),
      ],
      phrases: [
        .init(
          language: "en",
          phrases: [
            SentenceTemplate.parts(of: "Show ${city} in ${applicationName}"),
            SentenceTemplate.parts(of: "Use ${units} units in ${applicationName}"),
          ])
      ])
  }

  @Test func `one manifest has all kinds of the program`() throws {
    let text = try #require(files([intent()])["widgets/My-Widgets/My-Widgets.yaml"])
    #expect(
      text == """
        # Written by `My Widgets manifest`, which replaces all of it but 'confirm' and 'links'.
        provider:
          exec: ["./widgets"]
          protocol: extension
        env: {SWIFT_BACKTRACE: "enable=no"}
        view: html
        app: "org.example.City"
        group: "group.city"
        performs: [ShowCity]
        kinds:
          - kind: City-Widget
            name: {"en":"City","de":"Stadt"}
            description: "Shows \\"a\\" city."
            families: [systemSmall]
            intent: ShowCity
            # without a meaning here: contentMarginsDisabled

        """)
  }

  @Test func `an intent has its parameters, cases and combinations`() throws {
    let text = try #require(
      files([intent(configuresWidgets: true)])["intents/ShowCity/intent.yaml"])
    #expect(
      text == """
        # Written by `My Widgets manifest`, which replaces all of it but 'confirm' and 'links'.
        name: ShowCity
        title: "Show City"
        parameters:
          - {"name":"city","type":"object","title":"City","dynamic":true}
          - {"name":"units","type":"enumeration","title":"Units","cases":[{"name":"metric",\
        "title":{"en":"Metric","de":"Metrisch"}},{"name":"us","title":"US"}],"default":"metric"}
        combinations:
          - {"parameters":["city","units"],"title":"Show ${city} in ${units}"}

        """)
  }

  @Test func `phrases are sentences, and any words need the name of the app`() throws {
    let text = try #require(files([intent()])["intents/ShowCity/en.yaml"])
    #expect(
      text == """
        # Written by `My Widgets manifest`, which replaces all of it but 'confirm' and 'links'.
        language: en
        intents:
          ShowCity:
            data:
              - sentences:
                  - "Show {cities:city} [in City Guide]"
                  - "Use {cases_of_units:units} units [in City Guide]"
              - sentences:
                  - "Show {any_words:city} in City Guide"
        lists:
          any_words: {wildcard: true}
          cases_of_units:
            values:
              - {in: "Metric", out: "metric"}
              - {in: "SI", out: "metric"}
              - {in: "US", out: "us"}

        """)
  }

  @Test func `values of entities are lists for all languages`() throws {
    let text = try #require(files([])["intents/lists/My-Widgets.yaml"])
    #expect(
      text == """
        # Written by `My Widgets manifest`, which replaces all of it but 'confirm' and 'links'.
        lists:
          cities:
            values:
              - {in: "Köln", out: "Köln"}

        """)
  }
}
