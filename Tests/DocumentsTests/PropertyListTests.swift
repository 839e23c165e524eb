import Documents
import JSON
import Testing

private func read(_ body: String) -> LoadedDocument {
  readPropertyList(
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://example.org/PropertyList-1.0.dtd">
      <plist version="1.0">
      \(body)
      </plist>
      """.utf8), file: "f")
}

struct PropertyListTests {
  @Test func `every element becomes a value with its line`() throws {
    let loaded = read(
      """
      <dict>
        <key>text</key> <string>a &lt;b&gt; &amp; &#x4E2D;&#25991;<!-- no --><![CDATA[<c>]]></string>
        <key>empty</key> <string/>
        <key>list</key>
        <array>
          <integer>-7</integer> <real>1.5</real> <true/> <false></false>
          <date>2026-11-21T00:00:00Z</date> <data>AAAA</data>
        </array>
        <key>none</key> <dict/>
      </dict>
      """)
    #expect(loaded.issues == [])
    let value = try #require(loaded.value)
    #expect(
      value.json == [
        "text": "a <b> & 中文<c>", "empty": "",
        "list": [-7, 1.5, true, false, "2026-11-21T00:00:00Z", ""], "none": [:],
      ])
    #expect(value.line == 4)
    #expect(value["list"]?.line == 8)
  }

  @Test(arguments: [
    ("<dict><key>a</key></dict>", "closes nothing"),
    ("<dict><string>a</string></dict>", "has no key"),
    ("<array><frob/></array>", "no element of a property list"),
    ("<array><string>a</array>", "does not end"),
    ("<array><integer>99999999999999999999</integer></array>", "no integer"),
    ("<array><real>nan</real></array>", "no number"),
    ("<array><string>&lol;</string></array>", "unknown"),
    ("<array><string>&#xD800;</string></array>", "unknown"),
    ("<dict><key>a</key><true/><key>a</key><true/></dict>", "there twice"),
    ("<array>words</array>", "text between elements"),
    ("<string>a</string><string>b</string>", "more than one value"),
  ])
  func `a text that is no property list is reported with its line`(body: String, message: String)
    throws
  {
    let issue = try #require(read(body).issues.first)
    #expect(issue.message.contains(message), "\(issue.message)")
    #expect(issue.line >= 4)
  }

  @Test func `complete values before the damage are kept`() throws {
    let loaded = readPropertyList(
      Array(
        "<plist><dict><key>A</key><array><dict><key>n</key><integer>1</integer></dict><dict><key>n"
          .utf8),
      file: "f")
    #expect(loaded.value?.json == ["A": [["n": 1]]])
    #expect(loaded.issues.count == 1)
  }

  @Test func `entities cannot be defined, so none can expand`() throws {
    let loaded = readPropertyList(
      Array("<!DOCTYPE plist [<!ENTITY a \"aaaa\">]><plist><string>&a;</string></plist>".utf8),
      file: "f")
    #expect(loaded.value == nil)
    #expect(loaded.issues.first?.message == "the document type defines entities")
  }

  @Test func `deep nesting is refused and does not exhaust the stack`() throws {
    let deep = String(repeating: "<array>", count: 100_000)
    #expect(read(deep).issues.first?.message == "values are nested too deeply")
  }

  @Test func `other forms are refused with a hint`() throws {
    let binary = readPropertyList(Array("bplist00....".utf8), file: "f")
    #expect(binary.issues.first?.expected.contains("plutil") == true)
    let link = readPropertyList(Array("../Shared/Intents.intentdefinition".utf8), file: "f")
    #expect(
      link.issues.first?.message == "the file begins with '../Shared/Intents.intentdefinition'")
    let large = readPropertyList([UInt8](repeating: 0x20, count: (1 << 20) + 1), file: "f")
    #expect(large.issues.first?.expected == "at most 1048576 bytes")
    #expect(readPropertyList([0xC3, 0x28], file: "f").issues.count == 1)
    #expect(readPropertyList([], file: "f").issues.count == 1)
  }

  @Test func `UTF-16 is read by its mark`() throws {
    let text = "<plist><string>中 \u{1F600}</string></plist>"
    let little: [UInt8] =
      [0xFF, 0xFE]
      + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] as [UInt8] }
    let big: [UInt8] =
      [0xFE, 0xFF]
      + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] as [UInt8] }
    #expect(readPropertyList(little, file: "f").value?.json == "中 \u{1F600}")
    #expect(readPropertyList(big, file: "f").value?.json == "中 \u{1F600}")
  }
}

struct StringsFileTests {
  @Test func `pairs, comments, escapes and bare keys`() throws {
    let loaded = readStrings(
      Array(
        #"""
        /* Title of the
           first */
        "a1" = "Stell ${item} auf \"${value}\"";
        // Second
        key_2 = "one\ntwo\t\U00e9";
        """#.utf8), file: "f")
    #expect(loaded.issues == [])
    #expect(
      loaded.value?.json == ["a1": "Stell ${item} auf \"${value}\"", "key_2": "one\ntwo\té"])
    guard case .object(let members) = loaded.value?.node else { return }
    #expect(members.map(\.line) == [3, 5])
  }

  @Test(arguments: [
    ("\"a\" = \"b\"", "no ';'"), ("\"a\" \"b\";", "no '='"), ("\"a\" = ;", "is no text"),
    ("= \"b\";", "a key is no text"), ("/* a", "a comment does not end"), ("\"a", "no text"),
  ])
  func `a mistake is reported with its line`(text: String, message: String) throws {
    let loaded = readStrings(Array(text.utf8), file: "f")
    #expect(loaded.issues.first?.message.contains(message) == true, "\(loaded.issues)")
  }

  @Test func `a property list of texts is read too`() throws {
    let loaded = readStrings(
      Array(
        "<?xml version=\"1.0\"?><plist><dict><key>a</key><string>b</string></dict></plist>".utf8),
      file: "f")
    #expect(loaded.value?.json == ["a": "b"])
  }
}
