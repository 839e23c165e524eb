import DesktopEntries
import Testing

/// Tests the names of the services that applications are started as, and their names on the bus.
@Suite struct LaunchUnitTests {
  @Test(arguments: [
    ("org.example.Weather.desktop", "app-intentd-org.example.Weather-00000000000000ff.service"),
    ("firefox-esr", #"app-intentd-firefox\x2desr-00000000000000ff.service"#),
    (".hidden", #"app-intentd-\x2ehidden-00000000000000ff.service"#),
    ("a b/é", #"app-intentd-a\x20b\x2f\xc3\xa9-00000000000000ff.service"#),
  ])
  func `a unit is named after the application`(id: String, name: String) {
    #expect(LaunchUnit.name(application: id, random: 255) == name)
  }

  @Test func `a unit's name is never longer than systemd takes, and keeps its end`() {
    let name = LaunchUnit.name(application: String(repeating: "-", count: 255), random: .max)
    #expect(name.utf8.count <= 255)
    #expect(name.hasSuffix("-ffffffffffffffff.service"))
  }

  @Test(arguments: [
    ("org.example.Weather.desktop", "org.example.Weather"), ("org.my-app.A_1", "org.my-app.A_1"),
    ("firefox.desktop", nil), ("org..x", nil), ("org.1x.desktop", nil), ("org.é", nil),
    (".org", nil), ("org.", nil),
  ])
  func `only an id that is a valid name on the bus gives one`(id: String, name: String?) {
    #expect(LaunchUnit.busName(application: id) == name)
  }
}
