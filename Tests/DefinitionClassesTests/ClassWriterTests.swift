import DefinitionClasses
import Foundation
import JSON
import PropertyLists
import Testing

private let folder = URL(filePath: #filePath).deletingLastPathComponent()

private func read(_ xml: String) -> (types: DefinedTypes, issues: [String]) {
  let text = "<plist version=\"1.0\">\n\(xml)\n</plist>"
  let loaded = readPropertyList(Array(text.utf8), file: "f")
  guard let value = loaded.value else { return (DefinedTypes(), loaded.issues.map(\.description)) }
  let read = readDefinedTypes(value, file: "f")
  return (read.types, (loaded.issues + read.issues).map(\.description))
}

/// A definition file of one intent with one parameter.
private func parameter(_ keys: String) -> String {
  """
  <dict><key>INIntents</key><array><dict><key>INIntentName</key><string>A</string>
  <key>INIntentParameters</key><array><dict>\(keys)</dict></array></dict></array></dict>
  """
}

private func key(_ name: String, _ value: String) -> String { "<key>\(name)</key>\(value)" }

struct ClassWriterTests {
  /// The golden files are sources of targets, so they are known to compile.
  ///
  /// To write one anew: intent-classes Fixtures/Tides.intentdefinition Tides.intents.swift
  @Test(arguments: [
    ("Fixtures/Tides.intentdefinition", "Tides.intents.swift"),
    (
      "../Extensions/TransitWidgets/Transit.intentdefinition",
      "../Extensions/TransitWidgets/Transit.intents.swift"
    ),
  ])
  func `the code of a definition file is the golden code`(file: String, golden: String) throws {
    let place = folder.appending(path: file)
    let name = place.lastPathComponent
    let bytes = [UInt8](try Data(contentsOf: place))
    let golden = try String(contentsOf: folder.appending(path: golden), encoding: .utf8)
    let document = try #require(readPropertyList(bytes, file: name).value)
    let read = readDefinedTypes(document, file: name)
    let code = writeClasses(
      of: read.types, file: name,
      definition: String(decoding: bytes, as: UTF8.self))
    #expect(code == golden)
    #expect(read.issues.allSatisfy { $0.severity == .warning })
    guard name.hasPrefix("Tides") else { return #expect(read.issues.isEmpty) }
    #expect(
      read.issues.map(\.message) == [
        "INIntents[0].INIntentParameters[16].INIntentParameterType: "
          + "there is no type 'Placemark' here, so the property is left out",
        "INIntents[2]: an intent of the system has no class here",
      ])
  }

  @Test func `a file that defines nothing makes no code`() {
    let read = read("<dict><key>INIntents</key><array/></dict>")
    #expect(read.issues.isEmpty)
    let code = writeClasses(of: read.types, file: "E.intentdefinition", definition: "")
    #expect(code.hasSuffix("// The file defines nothing.\n"))
  }

  @Test func `a class has its own name, or a prefix and the name of the intent`() {
    let read = read(
      """
      <dict><key>INIntents</key><array>
      <dict><key>INIntentName</key><string>A</string></dict>
      <dict><key>INIntentName</key><string>A</string>
      <key>INIntentClassPrefix</key><string>XY</string></dict>
      <dict><key>INIntentName</key><string>B</string>
      <key>INIntentClassName</key><string>Own</string></dict>
      </array></dict>
      """)
    #expect(read.issues.isEmpty)
    #expect(read.types.intents.map(\.typeName) == ["AIntent", "XYAIntent", "Own"])
    #expect(read.types.intents.map(\.stem) == ["A", "XYA", "Own"])
  }

  @Test func `a definition that looks like the end of a literal stays whole`() {
    let types = read(
      """
      <dict><key>INIntents</key><array><dict><key>INIntentName</key><string>A</string></dict>
      </array></dict>
      """
    ).types
    let code = writeClasses(of: types, file: "f", definition: "a\n\"\"\"#\n\\##(x)")
    #expect(code.contains("static let text = ###\"\"\"\na\n\"\"\"#\n\\##(x)\n\"\"\"###\n"))
  }

  @Test(arguments: [
    (
      "<array/>",
      "f:2: error: it is an array; expected a dict"
    ),
    (
      "<dict/>",
      "f:2: error: there is no INIntents; expected a definition file of Xcode's"
    ),
    (
      "<dict><key>INIntents</key><array><dict/></array></dict>",
      "f:2: error: INIntents[0].INIntentName: there is no name; "
        + "expected letters, digits and '_', beginning with a letter"
    ),
    (
      parameter(key("INIntentParameterName", "<string>9x</string>")),
      "f:3: error: INIntents[0].INIntentParameters[0].INIntentParameterName: '9x' is no name of "
        + "Swift's; expected letters, digits and '_', beginning with a letter"
    ),
    (
      parameter(key("INIntentParameterName", "<string>x</string>")),
      "f:3: error: INIntents[0].INIntentParameters[0].INIntentParameterType: 'x' has no type; "
        + "expected String, Integer, Boolean, …"
    ),
    (
      parameter(
        key("INIntentParameterName", "<string>x</string>")
          + key("INIntentParameterType", "<string>Integer</string>")
          + key("INIntentParameterEnumType", "<string>Unit</string>")),
      "f:3: error: INIntents[0].INIntentParameters[0].INIntentParameterEnumType: 'Unit' is not "
        + "defined in this file; expected a definition of it"
    ),
    (
      parameter(
        key("INIntentParameterName", "<string>x</string>")
          + key("INIntentParameterType", "<string>Integer</string>")
          + key(
            "INIntentParameterMetadata",
            "<dict>"
              + key("INIntentParameterMetadataDefaultValue", "<string>two</string>") + "</dict>")),
      "f:3: error: INIntents[0].INIntentParameters[0].INIntentParameterMetadata."
        + "INIntentParameterMetadataDefaultValue: it is no value of 'x'; "
        + "expected a value of its type"
    ),
    (
      parameter(
        key("INIntentParameterName", "<string>identifier</string>")
          + key("INIntentParameterType", "<string>String</string>")),
      "f:3: warning: INIntents[0].INIntentParameters[0].INIntentParameterName: 'identifier' is a "
        + "member of the parent class, so it is left out; expected another name"
    ),
    (
      """
      <dict><key>INEnums</key><array><dict><key>INEnumName</key><string>E</string>
      <key>INEnumValues</key><array>
      <dict><key>INEnumValueName</key><string>a</string></dict>
      <dict><key>INEnumValueName</key><string>b</string></dict>
      </array></dict></array></dict>
      """,
      "f:5: error: INEnums[0].INEnumValues[1]: the case 'b' with index 0 is there twice; "
        + "expected each name and each index once"
    ),
  ])
  func `a mistake has its line and its key`(xml: String, issue: String) {
    #expect(read(xml).issues == [issue])
  }
}
