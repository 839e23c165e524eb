import Documents
import IntentRouter
import JSON
import Testing

@testable import DaemonCore

/// Which widgets a donation is about.
@Suite struct DonationTests {
  private static let lamp = CatalogSource(
    file: "SetLamp/intent.yaml",
    document: readYAML(
      """
      name: SetLamp
      parameters:
        - {name: lamp}
        - {name: level, type: integer, default: 50}
      combinations:
        - {parameters: [lamp], title: "Light ${lamp}"}
        - {parameters: [lamp, level], title: "Set ${lamp} to ${level}"}
      """, file: "SetLamp/intent.yaml"
    ).value ?? LocatedValue(.null, line: 1), kind: .intent)

  private static let manifest = Harness.manifest(
    "lamp.yaml",
    """
    kind: lamp
    name: Lamp
    families: [systemSmall]
    intent: SetLamp
    provider: {exec: [./lamp]}
    """)

  private func donate(_ parameters: JSONValue) throws -> JSONValue {
    var harness = Harness(
      files: ConfigurationFiles(catalog: [Self.lamp], manifests: [Self.manifest]),
      provider: Harness.texts)
    let client = harness.connect()
    for (id, values) in [
      ("hall40", ["lamp": "Hall", "level": 40]), ("hall", ["lamp": "Hall"]),
      ("attic", ["lamp": "Attic"]),
    ] as [(String, JSONValue)] {
      try harness.call(
        "widget.add", ["kind": "lamp", "id": .string(id), "parameters": values], from: client)
    }
    return try harness.call(
      "intent.donate", ["intent": "SetLamp", "parameters": parameters], from: client)
  }

  @Test func `only the parameters of the combination that was given count`() throws {
    let one = try donate(["lamp": "hall"])
    #expect(one["combination"] == ["lamp"])
    #expect(one["widgets"] == ["hall40", "hall"])
    let two = try donate(["lamp": "HALL", "level": 40])
    #expect(two["combination"] == ["lamp", "level"])
    #expect(two["widgets"] == ["hall40"])
    let standard = try donate(["lamp": "Hall", "level": 50])
    #expect(standard["widgets"] == ["hall"], "the default is a value like another")
  }

  @Test func `a donation that fits no combination is about no widget`() throws {
    let none = try donate(["level": 40])
    #expect(none["combination"] == .null)
    #expect(none["widgets"] == [])
  }

  @Test func `without combinations it is about what is configured with just that`() throws {
    var harness = Harness(provider: Harness.texts)
    let client = harness.connect()
    for city in ["Rome", "Oslo"] {
      try harness.call(
        "widget.add",
        ["kind": "org.example.weather", "id": .string(city), "parameters": ["city": .string(city)]],
        from: client)
    }
    let answer = try harness.call(
      "intent.donate", ["intent": "ShowWeather", "parameters": ["city": "rome"]], from: client)
    #expect(answer["widgets"] == ["Rome"])
    #expect(answer["combination"] == nil)
  }
}
