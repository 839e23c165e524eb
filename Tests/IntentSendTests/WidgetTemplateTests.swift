import ArgumentParser
import Testing
import WidgetPackages

@testable import intent_send

struct WidgetTemplateTests {
  @Test(
    arguments: [
      ("disk", "me.disk", "disk"), ("disk-usage", "me.disk-usage", "disk-usage"),
      ("org.example.disk", "org.example.disk", "disk"), ("9x", "me.9x", "9x"),
    ])
  func `a name is a kind of mine, or the whole id of a kind`(
    name: String, kind: String, folder: String
  ) throws {
    let template = try #require(WidgetTemplate(name: name, language: .shell))
    #expect(template.kind == kind)
    #expect(template.folder == folder)
  }

  @Test(arguments: [
    "", "a b", "a/b", ".a", "-a", "a.", "ä", "a\n", "..", String(repeating: "a", count: 101),
  ])
  func `a name that no kind can have makes nothing`(name: String) {
    #expect(WidgetTemplate(name: name, language: .shell) == nil)
  }

  @Test(arguments: [WidgetLanguage.shell, .python])
  func `no mark is left in the files, and the programs can run`(language: WidgetLanguage) throws {
    let template = try #require(WidgetTemplate(name: "disk-usage", language: language))
    #expect(template.files.map(\.name).contains("widget.yaml"))
    #expect(template.files.contains { $0.isProgram && $0.text.hasPrefix("#!/") })
    for file in template.files {
      #expect(!file.text.contains("@KIND@"), "\(file.name)")
      #expect(!file.text.contains("@TITLE@"), "\(file.name)")
      #expect(file.text.hasSuffix("\n"), "\(file.name)")
    }
    let manifest = template.files.first { $0.name == "widget.yaml" }?.text ?? ""
    #expect(manifest.contains("\nkind: me.disk-usage\nname: \"Disk usage\"\n"), "\(manifest)")
  }

  @Test func `a widget in Swift is a package, with names of Swift's`() throws {
    let template = try #require(
      WidgetTemplate(name: "disk-usage", language: .swift, sdk: .path("/sdk")))
    #expect(
      template.files.map(\.name) == ["Package.swift", "Sources/DiskUsage/DiskUsage.swift"])
    #expect(template.files[0].text.contains(".package(name: \"intentd\", path: \"/sdk\")"))
    let code = template.files[1].text
    #expect(!code.contains("@KIND@") && !code.contains("@TITLE@") && !code.contains("@NAME@"))
    #expect(code.contains("kind: \"me.disk-usage\", intent: DiskUsageConfiguration.self"))
    let package = try #require(template.package)
    #expect(
      NewWidget.report(package, template, folder: "./disk-usage") == """
        made ./disk-usage
          Package.swift                      the package of the program
          Sources/DiskUsage/DiskUsage.swift  the widget: a configuration, a provider and a view
        next
          cd ./disk-usage
          swift build -c release                                      build it
          .build/release/DiskUsage render --ansi                      draw it in the terminal
          .build/release/DiskUsage manifest --into ~/.config/intentd  install it
          intent-send add me.disk-usage                               place it

        """)
  }

  @Test func `the report of an extension lists what is not offered`() throws {
    let sources = [
      ExtensionPackage.Input(
        origin: "/app/A.swift", path: "A.swift", text: "import Charts\n@main struct A {}"),
      ExtensionPackage.Input(origin: "/app/Info.plist", path: "Info.plist"),
    ]
    let template = try #require(
      WidgetTemplate(name: "city", language: .swift, sources: sources))
    #expect(template.files.map(\.name) == ["Package.swift"])
    let package = try #require(template.package)
    let report = NewWidget.report(package, template, folder: "./city")
    #expect(
      report.hasPrefix(
        """
        made ./city
          Package.swift  the package of the program
          1 file of the extension
        left out Info.plist: only Xcode reads it
        not offered here (docs/SWIFTUI.md of intentd)
          import Charts: A.swift
        next

        """), "\(report)")
  }

  @Test func `the report of a folder elsewhere says how to install it`() throws {
    let template = try #require(WidgetTemplate(name: "disk", language: .python))
    let report = NewWidget.report(
      template, folder: "./my widgets/disk", isInstalled: false,
      usual: "/me/.config/intentd/widgets")
    #expect(
      report == """
        made ./my widgets/disk
          widget.yaml        the manifest of the kind me.disk
          widget.py          the program: it prints what to show
          intentd_widget.py  reads the request and writes the answer
        next
          intent-send try "./my widgets/disk/widget.yaml"          run it once and see everything
          intent-send try "./my widgets/disk/widget.yaml" --watch  again at each save
          cp -R "./my widgets/disk" /me/.config/intentd/widgets/   install it
          intent-send add me.disk                                  place it

        """)
  }

  @Test func `the folder of widgets is where the base directories say`() throws {
    func folder(_ variables: [String: String]) throws -> String {
      try NewWidget.widgetFolder { variables[$0] }
    }
    #expect(try folder(["XDG_CONFIG_HOME": "/c/", "HOME": "/me"]) == "/c/intentd/widgets")
    #expect(
      try folder(["XDG_CONFIG_HOME": "c", "HOME": "/me"])
        == "/me/.config/intentd/widgets")
    #expect(throws: Failure.self) { try folder([:]) }
  }

  @Test func `a trial passes on what was asked`() throws {
    let command = try Try.parse(["me.disk", "--watch", "--family", "inline"])
    #expect(
      command.arguments(for: "intentd")
        == ["intentd", "--try", "me.disk", "--family", "accessoryInline", "--watch"])
  }
}
