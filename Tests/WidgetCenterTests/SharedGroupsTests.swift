import Documents
import JSON
import Testing
import Timekeeping
import WidgetCenter

/// Which kinds have the folder of the group that they name, and which have to ask for it.
@Suite struct SharedGroupsTests {
  private static let group = "org.example.mail"

  private func kind(
    _ name: String, app: String? = "org.example.Mail", group: String = "mail",
    origin: ManifestOrigin = .own, granted: String? = nil, isStrict: Bool = false
  ) throws -> WidgetKind {
    let text = """
      kind: \(name)
      name: N
      families: [systemSmall]
      provider: {exec: [n]}
      group: \(group)
      \(app.map { "app: \($0)" } ?? "")
      \(isStrict ? "sandbox: strict" : "")
      """
    let file = "/w/\(name).yaml"
    let read = ManifestReader.read(
      ManifestSource(
        file: file, directory: "/w",
        document: try #require(readYAML(text, file: file).value), origin: origin))
    #expect(read.issues == [])
    return try #require(read.kind).held(
      by: granted.map {
        Consent(
          kind: name, manifest: file, granted: ProviderPermissions(group: $0),
          date: WallTime(milliseconds: 0), pin: ProgramPin(files: []))
      })
  }

  /// The kinds that have the folder, and those that ask for it, by name.
  private func outcome(_ kinds: WidgetKind...) -> (have: [String], ask: [String]) {
    let shared = SharedGroups.shared(among: kinds)
    return (
      shared.filter { $0.provider.group != nil }.map(\.kind),
      shared.filter { $0.asked.group != nil }.map(\.kind)
    )
  }

  @Test func `the kinds of the app have its group, in a box as well`() throws {
    let result = outcome(try kind("a"), try kind("b", isStrict: true))
    #expect(result.have == ["a", "b"])
    #expect(result.ask == [])
  }

  @Test func `a kind of another app, or of none, has to ask`() throws {
    let result = outcome(
      try kind("a", group: Self.group), try kind("b", app: "org.example.Spy", group: Self.group),
      try kind("c", app: nil, group: Self.group))
    #expect(result.have == ["a"])
    #expect(result.ask == ["b", "c"])
  }

  @Test func `a consent gives the group that it names, also without a box, and no other`() throws {
    let result = outcome(
      try kind("a", group: Self.group),
      try kind("b", app: "org.example.Spy", group: Self.group, granted: Self.group),
      try kind("c", app: nil, group: Self.group, granted: "other"))
    #expect(result.have == ["a", "b"])
    #expect(result.ask == ["b", "c"])
  }

  @Test func `what was installed has nothing until it is granted, whatever app it names`() throws {
    let result = outcome(
      try kind("a", origin: .installed), try kind("b", origin: .installed, granted: "mail"))
    #expect(result.have == ["b"])
    #expect(result.ask == ["a", "b"])
  }

  @Test func `a manifest that was installed never makes its app the owner`() throws {
    // Its kind comes first by name.
    let kinds = [
      try kind("a", app: "org.example.Spy", origin: .installed), try kind("b"),
    ]
    #expect(SharedGroups.owners(among: kinds) == ["mail": "org.example.Mail"])
    #expect(
      SharedGroups.groups(of: "org.example.Spy", among: SharedGroups.shared(among: kinds)) == [])
    #expect(
      SharedGroups.groups(of: "org.example.Mail", among: SharedGroups.shared(among: kinds))
        == ["mail"])
  }

  @Test func `of several apps the one after which the group is named owns it`() throws {
    let apps = ["org.example.Friend", "org.example.Mail", "org.example", "org.other.Mail"]
    for (group, owner) in [
      ("org.example.mail", "org.example.Mail"), ("org.example.mail.drafts", "org.example.Mail"),
      ("org.example.mailbox", "org.example"), ("org.friend", nil), ("mail", nil),
    ] {
      let kinds = try apps.enumerated().map { number, app in
        try kind("k\(number)", app: app, group: group)
      }
      #expect(SharedGroups.owners(among: kinds)[group] == owner, "\(group)")
      #expect(SharedGroups.owners(among: kinds.reversed())[group] == owner, "\(group)")
    }
    // One app alone owns a group of any name.
    #expect(
      SharedGroups.owners(among: [try kind("a", group: "any"), try kind("b", group: "any")])
        == ["any": "org.example.Mail"])
  }

  @Test func `the kinds of a bundle have the folder together, or ask together`() throws {
    let text = """
      provider: {exec: [n], protocol: extension}
      families: [systemSmall]
      group: org.example.mail
      app: org.example.Mail
      kinds: [{kind: a, name: A}, {kind: b, name: B, app: org.example.Other}]
      """
    let source = ManifestSource(
      file: "/w/w.yaml", directory: "/w",
      document: try #require(readYAML(text, file: "/w/w.yaml").value))
    let shared = SharedGroups.shared(among: ManifestReader.read(source).kinds)
    #expect(shared.map(\.provider.group) == [nil, nil])
    #expect(shared.map(\.asked.group) == ["org.example.mail", "org.example.mail"])
  }

  @Test func `a group that two apps name has no owner, and both ask until one is gone`() throws {
    let own = try kind("b")
    let first = SharedGroups.shared(among: [own])
    #expect(first[0].provider.group == "mail")
    let second = SharedGroups.shared(among: first + [try kind("a", app: "org.example.First")])
    #expect(second.map(\.provider.group) == [nil, nil])
    #expect(second.map(\.asked.group) == ["mail", "mail"])
    #expect(SharedGroups.shared(among: [second[0]])[0].provider.group == "mail")
  }

  @Test(arguments: ["../x", ".hidden", "-x", "a/b", "a b", "é"])
  func `a group that is no name is a mistake`(_ name: String) throws {
    let text = """
      {kind: w, name: W, families: [systemSmall], provider: {exec: [w]}, group: "\(name)"}
      """
    let read = ManifestReader.read(
      ManifestSource(
        file: "/w/w.yaml", directory: "/w",
        document: try #require(readYAML(text, file: "w.yaml").value)))
    #expect(read.kind == nil)
    #expect(read.issues.map(\.message) == ["group is '\(name)'"])
  }

  @Test func `a granted group survives its file, and an older file has none`() throws {
    let permissions = ProviderPermissions(read: ["/srv"], group: "mail")
    let consent = Consent(
      kind: "w", manifest: "/w/w.yaml", granted: permissions, date: WallTime(milliseconds: 0),
      pin: ProgramPin(files: []))
    #expect(Consent(json: consent.json)?.granted == permissions)
    var old = consent
    old.granted.group = nil
    #expect(!old.json.serialized.contains("group"))
    #expect(Consent(json: old.json) == old)
    var wrong = try #require(consent.json.objectValue)
    wrong["granted"] = [
      "network": false, "read": [], "write": [], "bus": [], "group": "../x",
    ]
    #expect(Consent(json: .object(wrong)) == nil)
  }
}
