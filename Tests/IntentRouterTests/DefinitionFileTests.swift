import Documents
import JSON
import Testing

@testable import IntentRouter

/// Reads these values as a property list of Xcode's.
func plist(_ value: JSONValue, file: String = "App/Base.lproj/Lamps.intentdefinition") throws
  -> CatalogSource
{
  func xml(_ value: JSONValue) -> String {
    switch value {
    case .null: "<data></data>"
    case .bool(let flag): flag ? "<true/>" : "<false/>"
    case .int(let number): "<integer>\(number)</integer>"
    case .double(let number): "<real>\(number)</real>"
    case .string(let text):
      "<string>\(text.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;"))</string>"
    case .array(let elements):
      "<array>\n" + elements.map(xml).joined(separator: "\n") + "\n</array>"
    case .object(let object):
      "<dict>\n"
        + object.members.map { "<key>\($0.key)</key>\n\(xml($0.value))" }.joined(separator: "\n")
        + "\n</dict>"
    }
  }
  let loaded = readPropertyList(Array("<plist>\n\(xml(value))\n</plist>".utf8), file: file)
  let document = try #require(loaded.value, "\(loaded.issues)")
  return CatalogSource(file: file, document: document, kind: .definitions)
}

func strings(_ text: String, language: String) throws -> CatalogSource {
  let file = "App/\(language).lproj/Lamps.strings"
  let loaded = readStrings(Array(text.utf8), file: file)
  return CatalogSource(
    file: file, document: try #require(loaded.value, "\(loaded.issues)"), kind: .translations)
}

/// Returns a parameter with the members that each one has.
private func parameter(
  _ name: String, _ type: String, _ more: [(String, JSONValue)] = []
) -> JSONValue {
  var object: JSONObject = [
    "INIntentParameterName": .string(name), "INIntentParameterType": .string(type),
    "INIntentParameterTag": 1, "INIntentParameterDisplayName": .string(name.capitalizedFirst),
  ]
  for (key, value) in more { object["INIntentParameter" + key] = value }
  return .object(object)
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

private func title(_ text: String, _ identifier: String) -> JSONValue {
  [
    "INIntentParameterCombinationTitle": .string(text),
    "INIntentParameterCombinationTitleID": .string(identifier),
    "INIntentParameterCombinationSupportsBackgroundExecution": true,
  ]
}

private func lamps(
  parameters: [JSONValue]? = nil, combinations: JSONValue? = nil, more: [(String, JSONValue)] = []
) -> JSONValue {
  var intent: JSONObject = [
    "INIntentName": "SetLamp", "INIntentType": "Custom", "INIntentTitle": "Set a Lamp",
    "INIntentEligibleForWidgets": true, "INIntentKeyParameter": "lamp",
    "INIntentParameters": .array(
      parameters ?? [
        parameter(
          "colour", "Integer",
          [
            ("EnumType", "Colour"), ("EnumTypeNamespace", "Ab12Cd"), ("DisplayPriority", 2),
            ("Metadata", ["INIntentParameterMetadataDefaultValue": "warmWhite"]),
          ]),
        parameter(
          "lamp", "Object",
          [
            ("ObjectType", "Lamp"), ("ObjectTypeNamespace", "Ab12Cd"), ("DisplayPriority", 1),
            ("SupportsDynamicEnumeration", true),
            (
              "PromptDialogs",
              [
                [
                  "INIntentParameterPromptDialogType": "Primary",
                  "INIntentParameterPromptDialogFormatString": "Which lamp?",
                  "INIntentParameterPromptDialogCustom": true,
                ]
              ]
            ),
          ]),
        parameter(
          "level", "Integer",
          [
            ("DisplayPriority", 3),
            (
              "Metadata",
              [
                "INIntentParameterMetadataMinimumValue": 1,
                "INIntentParameterMetadataMaximumValue": 100,
                "INIntentParameterMetadataDefaultValue": nil,
              ]
            ),
          ]),
      ]),
    "INIntentParameterCombinations": combinations ?? [
      "lamp,colour": title("Turn ${lamp} ${colour}", "t1"),
      "lamp,level": title("Set ${lamp} to ${level} %", "t2"),
      "lamp": title("What's up with “${lamp}”?", "t3"),
    ],
  ]
  for (key, value) in more { intent[key] = value }
  return [
    "INIntentDefinitionModelVersion": "1.2", "INIntentDefinitionNamespace": "Ab12Cd",
    "INEnums": [
      [
        "INEnumName": "Colour", "INEnumType": "Regular",
        "INEnumValues": [
          ["INEnumValueName": "unknown", "INEnumValueDisplayName": "Unknown"],
          [
            "INEnumValueName": "warmWhite", "INEnumValueIndex": 2,
            "INEnumValueDisplayName": "warm white", "INEnumValueDisplayNameID": "e1",
          ],
          [
            "INEnumValueName": "red", "INEnumValueIndex": 1,
            "INEnumValueDisplayName": "red", "INEnumValueDisplayNameID": "e2",
          ],
        ],
      ]
    ],
    "INTypes": [
      [
        "INTypeName": "Lamp", "INTypeDisplayName": "Lamp",
        "INTypeProperties": [
          [
            "INTypePropertyName": "identifier", "INTypePropertyType": "String",
            "INTypePropertyTag": 1, "INTypePropertyDefault": true,
          ],
          [
            "INTypePropertyName": "watts", "INTypePropertyType": "Decimal", "INTypePropertyTag": 2,
          ],
        ],
      ]
    ],
    "INIntents": .array([.object(intent)]),
  ]
}

private func load(_ sources: [CatalogSource]) -> (catalog: IntentCatalog, issues: [String]) {
  let loaded = IntentCatalog.load(sources)
  return (loaded.catalog, loaded.issues.map(\.description))
}

private func meaning(
  _ sentence: String, _ catalog: IntentCatalog, language: String = "en"
) -> Intent? {
  guard case .matched(let found, _) = catalog.recognize(sentence, languages: [language]) else {
    return nil
  }
  return found.intent
}

struct DefinitionFileTests {
  @Test func `an intent has its parameters in order, with types, defaults, limits and prompts`()
    throws
  {
    let (catalog, issues) = load([try plist(lamps())])
    #expect(issues == [])
    let intent = try #require(catalog.definition(named: "SetLamp"))
    #expect(intent.title == "Set a Lamp")
    #expect(intent.keyParameter == "lamp")
    #expect(intent.isEligibleForWidgets)
    #expect(intent.parameters.map(\.name) == ["lamp", "colour", "level"])
    let (lamp, colour, level) = (
      intent.parameters[0], intent.parameters[1], intent.parameters[2]
    )
    #expect(lamp.type == .object && lamp.objectType == "Lamp" && lamp.isDynamic && lamp.isRequired)
    #expect(lamp.prompt == "Which lamp?")
    #expect(colour.type == .enumeration && colour.defaultValue == "warmWhite")
    #expect(colour.cases.map(\.identifier) == ["warmWhite", "red"])
    #expect(colour.cases.map(\.index) == [2, 1])
    #expect(level.minimum == 1 && level.maximum == 100 && level.defaultValue == nil)
    #expect(!level.isRequired)
    #expect(catalog.objectTypes["Lamp"]?.properties.map(\.name) == ["watts"])
  }

  @Test func `titles of combinations are sentences, and the combinations the keys`() throws {
    let (catalog, _) = load([try plist(lamps())])
    let lamp: JSONValue = ["identifier": "hall", "display": "hall"]
    #expect(
      meaning("turn hall warm white", catalog)
        == Intent(name: "SetLamp", parameters: ["lamp": lamp, "colour": "warmWhite"]))
    let set = try #require(meaning("Set hall to 40 %", catalog))
    #expect(set.parameters["level"] == 40)
    #expect(meaning("set hall to 101 %", catalog) == nil)
    // A sentence does not need the punctuation of the title.
    #expect(meaning("what's up with hall", catalog)?.parameters["lamp"] == lamp)
    let definition = try #require(catalog.definition(named: "SetLamp"))
    let only = Intent(name: "SetLamp", parameters: ["lamp": lamp])
    #expect(definition.combination(of: only)?.parameters == ["lamp"])
    let none = Intent(name: "SetLamp", parameters: ["colour": "red"])
    #expect(definition.combination(of: none) == nil)
  }

  @Test func `translations give their languages' sentences, by identifier`() throws {
    let german = try strings(
      "\"t1\" = \"Schalte ${lamp} auf ${colour}\"; \"e1\" = \"warmweiß\"; \"e2\" = \"rot\";",
      language: "de")
    let chinese = try strings("\"t2\" = \"把${lamp}调到${level}\";", language: "zh-Hans")
    let (catalog, issues) = load([german, chinese, try plist(lamps())])
    #expect(issues == [])
    #expect(catalog.languages == ["de", "en", "zh-CN"])
    let meant = meaning("schalte flur auf WARMWEISS", catalog, language: "de")
    #expect(meant == nil, "ß is no ss where sentences are compared")
    #expect(
      meaning("Schalte Flur auf warmweiß", catalog, language: "de")?.parameters["colour"]
        == "warmWhite")
    #expect(meaning("把客厅调到 40", catalog, language: "zh-CN")?.parameters["level"] == 40)
    // A title without a translation gives no sentence in that language.
    #expect(meaning("turn hall red", catalog, language: "de") == nil)
  }

  @Test func `a copy in another language is a translation, and en.lproj goes before Base`() throws {
    let copy = try plist(
      lamps(combinations: ["lamp,colour": title("Skru ${lamp} ${colour}", "t1")]),
      file: "App/nb.lproj/Lamps.intentdefinition")
    let english = try strings("\"t1\" = \"Make ${lamp} ${colour}\";", language: "en")
    let (catalog, issues) = load([copy, try plist(lamps()), english])
    #expect(issues == [])
    #expect(catalog.definitions.count == 1)
    #expect(meaning("skru gang red", catalog, language: "nb") != nil)
    #expect(meaning("make hall red", catalog) != nil)
    #expect(meaning("turn hall red", catalog) == nil)
  }

  @Test func `a part that an intent cannot use is dropped, and the intent loads`() throws {
    let system: JSONValue = ["INIntentName": "PlayMedia", "INIntentType": "System"]
    let damaged: JSONValue = ["INIntentType": "Custom", "INIntentTitle": 7]
    let misnamed: JSONValue = ["INIntentName": "two words"]
    guard case .object(var root) = lamps() else { return }
    root["INIntents"] = .array(
      [system, damaged, misnamed, "text"] + (root["INIntents"]?.arrayValue ?? []))
    let (catalog, issues) = load([try plist(.object(root))])
    #expect(catalog.definitions.map(\.name) == ["SetLamp"])
    #expect(issues.count == 3)
    for (issue, text) in zip(
      issues,
      [
        "INIntents[3]: it is", "INIntents[1]: the intent has no INIntentName",
        "INIntents[2].INIntentName: the name is 'two words'",
      ])
    { #expect(issue.contains(text), "\(issue)") }
  }

  @Test(
    arguments: [
      (["INIntentFrobnicates": true], "INIntents[0].INIntentFrobnicates: the key is unknown"),
      (
        ["INIntentKeyParameter": "lmap"],
        "INIntents[0].INIntentKeyParameter: 'lmap' is no parameter of SetLamp; expected 'lamp' perhaps"
      ),
      (
        ["INIntentParameterCombinations": ["lamp,size": [:]]],
        "INIntents[0].INIntentParameterCombinations['lamp,size']: 'size' is no parameter"
      ),
      (["INIntentParameterCombinations": 4], "INIntents[0].INIntentParameterCombinations: it is"),
      (
        ["INIntentParameters": [["INIntentParameterType": "String"]]],
        "INIntents[0].INIntentParameters[0].INIntentParameterName: the parameter has no usable name"
      ),
      (
        ["INIntentResponse": ["INIntentResponseCods": []]],
        "INIntents[0].INIntentResponse.INIntentResponseCods: the key is unknown; expected 'INIntentResponseCodes' perhaps"
      ),
      (
        [
          "INIntentParameterCombinations": [
            "lamp": ["INIntentParameterCombinationTitle": "${lamp}"]
          ]
        ], "it has no word of its own"
      ),
      (
        [
          "INIntentParameterCombinations": [
            "lamp": ["INIntentParameterCombinationTitle": "Do ${lam}"]
          ]
        ], "'lam' is no parameter, so no sentence is made of it; expected 'lamp' perhaps"
      ),
      (
        [
          "INIntentParameterCombinations": [
            "lamp": ["INIntentParameterCombinationTitle": "Do ${lamp"]
          ]
        ], "'${' does not end"
      ),
    ] as [(JSONObject, String)])
  func `a mistake is named by its key path`(change: JSONObject, message: String) throws {
    let (catalog, issues) = load([
      try plist(lamps(more: change.members.map { ($0.key, $0.value) }))
    ])
    #expect(issues.contains { $0.contains(message) }, "\(issues)")
    #expect(issues.allSatisfy { $0.hasPrefix("App/Base.lproj/Lamps.intentdefinition:") })
    #expect(catalog.definitions.map(\.name) == ["SetLamp"])
  }

  @Test(arguments: [
    (
      parameter("a", "Integer", [("EnumType", "Color")]),
      "INIntentParameterEnumType: 'Color' is not defined in this file; expected 'Colour' perhaps"
    ),
    (
      parameter("a", "Object", [("ObjectType", "Lump")]),
      "INIntentParameterObjectType: 'Lump' is not defined"
    ),
    (
      parameter("a", "Strang"),
      "the type 'Strang' of 'a' is not known; it is taken as a text; expected 'String' perhaps"
    ),
    (
      parameter(
        "a", "Boolean", [("Metadata", ["INIntentParameterMetadataDefaultValue": "perhaps"])]),
      "INIntentParameterMetadataDefaultValue: it is no boolean"
    ),
    (
      parameter(
        "a", "Integer",
        [
          (
            "Metadata",
            [
              "INIntentParameterMetadataMinimumValue": 9,
              "INIntentParameterMetadataMaximumValue": 1,
            ]
          )
        ]), "the minimum is above the maximum"
    ),
    (
      parameter("a", "Integer", [("Metadata", ["INIntentParameterMetadataMinimumValue": "x"])]),
      "INIntentParameterMetadataMinimumValue: it is"
    ),
    (
      parameter(
        "a", "String",
        [
          (
            "Relationship",
            [
              "INIntentParameterRelationshipParentName": "b",
              "INIntentParameterRelationshipPredicateName": "HasAnyValue",
            ]
          )
        ]), "the parent of 'a' is 'b', which is no parameter"
    ),
    (
      parameter(
        "a", "String",
        [
          (
            "Relationship",
            [
              "INIntentParameterRelationshipParentName": "b",
              "INIntentParameterRelationshipPredicateName": "HasLuck",
            ]
          )
        ]), "'HasLuck' without a value is not known"
    ),
    (
      parameter(
        "a", "String",
        [
          (
            "ArraySizes",
            [["INIntentParameterArraySizeSize": 0, "INIntentParameterArraySizeSizeClass": "Small"]]
          )
        ]), "INIntentParameterArraySizes[0]: it has no usable size"
    ),
  ])
  func `a mistake of a parameter leaves the parameter`(parameter: JSONValue, message: String) throws
  {
    let (catalog, issues) = load([try plist(lamps(parameters: [parameter], combinations: [:]))])
    #expect(
      issues.contains { $0.contains(message) && $0.contains("INIntents[0].INIntentParameters[0]") },
      "\(issues)")
    #expect(catalog.definition(named: "SetLamp")?.parameters.map(\.name) == ["a"])
  }

  @Test func `relationships in a circle are named and dropped, the others order their parameters`()
    throws
  {
    func child(_ name: String, of parent: String) -> JSONValue {
      parameter(
        name, "Boolean",
        [
          (
            "Relationship",
            [
              "INIntentParameterRelationshipParentName": .string(parent),
              "INIntentParameterRelationshipPredicateName": "BooleanHasExactValue",
            ]
          )
        ])
    }
    let (catalog, issues) = load([
      try plist(
        lamps(
          parameters: [
            child("a", of: "b"), child("b", of: "c"), child("c", of: "a"), child("d", of: "e"),
            parameter("e", "Boolean"), child("f", of: "f"), child("g", of: "a"),
          ], combinations: [:], more: [("INIntentKeyParameter", "e")]))
    ])
    #expect(issues.count == 2)
    #expect(issues.first?.contains("the relationships go in a circle: a → b → c → a") == true)
    #expect(issues.last?.contains("circle: f → f") == true)
    let parameters = try #require(catalog.definition(named: "SetLamp")?.parameters)
    #expect(parameters.map(\.name) == ["a", "b", "c", "e", "d", "f", "g"])
    #expect(
      parameters.map { $0.relationship?.parent } == [nil, nil, nil, nil, "e", nil, "a"])
    // A flag without a value is the value false.
    #expect(parameters[4].relationship?.condition == .hasValue(false))
  }

  @Test func `arrays have sizes by family, and booleans their words`() throws {
    let (catalog, issues) = load([
      try plist(
        lamps(
          parameters: [
            parameter(
              "rooms", "String",
              [
                ("SupportsMultipleValues", true), ("FixedSizeArray", 1),
                (
                  "ArraySizes",
                  [
                    [
                      "INIntentParameterArraySizeSize": 2,
                      "INIntentParameterArraySizeSizeClass": "Small",
                    ],
                    [
                      "INIntentParameterArraySizeSize": 1,
                      "INIntentParameterArraySizeSizeClass": "AccessoryInline",
                    ],
                  ]
                ),
              ]),
            parameter(
              "on", "Boolean",
              [
                (
                  "Metadata",
                  [
                    "INIntentParameterMetadataTrueDisplayName": "on",
                    "INIntentParameterMetadataFalseDisplayName": "off",
                  ]
                )
              ]),
          ], combinations: ["on": title("Lights ${on}", "t1")],
          more: [("INIntentKeyParameter", "on")]))
    ])
    #expect(issues == [])
    let rooms = try #require(catalog.definition(named: "SetLamp")?.parameter(named: "rooms"))
    #expect(rooms.isArray && rooms.arraySizes == ["systemSmall": 2, "accessoryInline": 1])
    #expect(meaning("lights off", catalog)?.parameters == ["on": false])
  }

  @Test func `an intent that is defined already is named, and the others load`() throws {
    let own: JSONValue = ["name": "SetLamp"]
    let (catalog, issues) = load([
      CatalogSource(file: "SetLamp/intent.yaml", document: located(own), kind: .intent),
      try plist(lamps()),
    ])
    #expect(catalog.definitions.count == 1)
    #expect(issues.count == 1)
    #expect(
      issues[0].contains(
        "INIntents[0]: the intent 'SetLamp' is defined already; expected another name; the first is at SetLamp/intent.yaml:1"
      ))
    #expect(meaning("turn hall red", catalog) == nil)
  }

  @Test(arguments: [
    ("Set ${a} to ${b}", "Set {a} to {b}"),
    ("「${a}」を${b}にする", "{a}を{b}にする"),
    ("It's 5:30 (really), ${a}!", "It's 5:30 really {a}"),
    ("on/off <${a}|x>; 100 %", "on/off {a} x 100 %"),
    ("z - ${a}", "z {a}"),
    ("हिन्दी ${a}", "हिन्दी {a}"),
    ("C\\(x)", "C x"),
  ])
  func `a title becomes a template`(title: String, expected: String) throws {
    let made = try template(ofTitle: title, parameters: ["a", "b"])
    #expect(made.text == expected)
    _ = try PhraseTemplate(parsing: made.text)
  }
}
