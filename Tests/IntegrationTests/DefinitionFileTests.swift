import DaemonTestSupport
import Foundation
import JSON
import Testing

/// Tests an app's definition file in the intents folder, unchanged: sentences, choices, widgets.
struct DefinitionFileTests {
  private static let definitions = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>INIntentDefinitionModelVersion</key><string>1.2</string>
    <key>INIntents</key><array>
    <dict>
      <key>INIntentName</key><string>ShowTram</string>
      <key>INIntentType</key><string>Custom</string>
      <key>INIntentTitle</key><string>Trams</string>
      <key>INIntentEligibleForWidgets</key><true/>
      <key>INIntentParameters</key><array><dict>
        <key>INIntentParameterName</key><string>stop</string>
        <key>INIntentParameterType</key><string>Object</string>
        <key>INIntentParameterObjectType</key><string>Stop</string>
        <key>INIntentParameterSupportsDynamicEnumeration</key><true/>
      </dict></array>
      <key>INIntentParameterCombinations</key><dict>
        <key>stop</key><dict>
          <key>INIntentParameterCombinationTitle</key><string>Trams at ${stop}</string>
          <key>INIntentParameterCombinationTitleID</key><string>aB3</string>
        </dict>
      </dict>
      <key>INIntentSurprise</key><true/>
    </dict>
    </array>
    <key>INTypes</key><array><dict>
      <key>INTypeName</key><string>Stop</string>
    </dict></array>
    </dict></plist>
    """

  private static let provider = """
    read -r request
    case $request in
    *'"request":"options"'*)
      echo '{"options":[{"identifier":"7","display":"Old Bridge"},{"identifier":"9","display":"New Bridge"}]}' ;;
    *)
      stop=${request#*'"identifier":"'}
      echo "{\\"entries\\":[{\\"date\\":\\"2020-01-01T00:00:00Z\\",\\"content\\":{\\"title\\":\\"stop ${stop%%'"'*}\\"}}],\\"policy\\":\\"never\\"}" ;;
    esac
    """

  @Test func `a definition file gives sentences in its languages and choices from the provider`()
    throws
  {
    try withSandbox { sandbox in
      let folder = "config/intentd/intents/Trams"
      try sandbox.write("\(folder)/Base.lproj/Trams.intentdefinition", Self.definitions)
      try sandbox.write("\(folder)/de.lproj/Trams.strings", "\"aB3\" = \"Bahnen ab ${stop}\";\n")
      try sandbox.write("\(folder)/de.lproj/Localizable.strings", "this is no translation of it")
      try sandbox.write("\(folder)/Link.intentdefinition", "../elsewhere/Link.intentdefinition")
      try sandbox.widget("tram", script: Self.provider, settings: "intent: ShowTram")
      let daemon = try sandbox.startDaemon()

      #expect(try sandbox.send("trams at old bridge").output == "stop 7\n")
      #expect(
        try sandbox.send("send", "--language", "de", "Bahnen ab New Bridge").output == "stop 9\n")
      let unclear = try sandbox.send("trams at bridge")
      #expect(unclear.status == 4)
      for text in ["Old Bridge", "New Bridge", "intent-send choose"] {
        #expect((unclear.output + unclear.errors).contains(text), "\(text) in \(unclear)")
      }
      let none = try sandbox.send("trams at moon")
      #expect(none.status == 1)
      #expect(none.errors.contains("cannot be 'moon'"), "\(none.errors)")

      let status = try sandbox.send("status", "--json").output
      #expect(status.contains("INIntents[0].INIntentSurprise: the key is unknown"), "\(status)")
      #expect(status.contains("the file begins with '../elsewhere/Link.intentdefinition'"))
      #expect(!status.contains("Localizable"))
      try sandbox.stop(daemon)
    }
  }
}
