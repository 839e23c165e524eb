import Foundation
import FoundationAdditions
import Testing

@Suite struct SharedDefaultsTests {
  private let path = NSTemporaryDirectory() + "defaults-\(UUID().uuidString)/suite.plist"

  private func open() throws -> SharedDefaults {
    try #require(SharedDefaults(suite: "group.test", file: path))
  }

  @Test func `a value is seen by another process at once`() throws {
    let app = try open()
    let widget = try open()
    #expect(widget.integer(forKey: "count") == 0)
    app.set(3, forKey: "count")
    #expect(widget.integer(forKey: "count") == 3)
    app.set(4, forKey: "count")
    #expect(widget.integer(forKey: "count") == 4)
    app.removeObject(forKey: "count")
    #expect(widget.object(forKey: "count") == nil)
  }

  @Test func `two that write keep each other's values`() throws {
    let app = try open()
    let widget = try open()
    app.set("Ada", forKey: "name")
    widget.set(true, forKey: "done")
    #expect(app.bool(forKey: "done"))
    #expect(widget.string(forKey: "name") == "Ada")
  }

  @Test func `each type comes back`() throws {
    let app = try open()
    app.set(1.5, forKey: "double")
    app.set(true, forKey: "bool")
    app.set(Data([1, 2]), forKey: "data")
    app.set(["a", "b"], forKey: "list")
    app.set(["a": 1], forKey: "map")
    app.set(URL(string: "https://example.org/a"), forKey: "url")
    app.set(Date(timeIntervalSince1970: 10), forKey: "date")
    let widget = try open()
    #expect(widget.double(forKey: "double") == 1.5)
    #expect(widget.bool(forKey: "bool"))
    #expect(widget.data(forKey: "data") == Data([1, 2]))
    #expect(widget.stringArray(forKey: "list") == ["a", "b"])
    #expect(widget.dictionary(forKey: "map") as? [String: Int] == ["a": 1])
    #expect(widget.url(forKey: "url")?.absoluteString == "https://example.org/a")
    #expect(widget.object(forKey: "date") as? Date == Date(timeIntervalSince1970: 10))
  }

  @Test func `a file that is damaged loses no value that is known`() throws {
    let app = try open()
    app.set(3, forKey: "count")
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: path))
    #expect(app.integer(forKey: "count") == 3)
  }

  @Test func `a registered value holds until one is set`() throws {
    let app = try open()
    app.register(defaults: ["sdk-test-colour": "blue"])
    #expect(app.string(forKey: "sdk-test-colour") == "blue")
    app.set("red", forKey: "sdk-test-colour")
    #expect(app.string(forKey: "sdk-test-colour") == "red")
  }

  @Test func `a suite's name opens shared defaults`() throws {
    let defaults = UserDefaults(suiteName: "no/such/group")
    #expect(defaults == nil)
    #expect(type(of: UserDefaults.standard) == UserDefaults.self)
  }
}

@Suite struct GroupFolderTests {
  @Test func `a group's folder is below the data of the person`() {
    #expect(
      GroupFolder.place(of: "group.a", environment: ["HOME": "/people/ada"])
        == "/people/ada/.local/share/intentd/groups/group.a")
    #expect(
      GroupFolder.place(
        of: "group.a", environment: ["HOME": "/people/ada", "XDG_DATA_HOME": "/data"])
        == "/data/intentd/groups/group.a")
  }

  @Test func `the folder that the daemon names wins for its own group`() {
    let environment = ["HOME": "/h", "INTENTD_GROUP": "/box/groups/group.a"]
    #expect(GroupFolder.place(of: "group.a", environment: environment) == "/box/groups/group.a")
    #expect(
      GroupFolder.place(of: "group.b", environment: environment)
        == "/h/.local/share/intentd/groups/group.b")
  }

  @Test(arguments: ["", "..", ".hidden", "a/b", String(repeating: "x", count: 256)])
  func `a name that is no folder's has none`(name: String) {
    #expect(GroupFolder.place(of: name, environment: ["HOME": "/h"]) == nil)
  }
}
