import Testing

@testable import WidgetPackages

private func input(_ path: String, _ text: String? = nil) -> ExtensionPackage.Input {
  .init(origin: "/app/\(path)", path: path, text: text)
}

struct ExtensionPackageTests {
  @Test func `a new widget's package depends on the SDK and has no resources`() {
    let package = ExtensionPackage(name: "Disk", sdk: .path("/sdk"))
    #expect(
      package.manifest == """
        // swift-tools-version: 5.9
        import PackageDescription

        let package = Package(
          name: "Disk",
          defaultLocalization: "en",
          dependencies: [.package(name: "intentd", path: "/sdk")],
          targets: [
            .executableTarget(
              name: "Disk",
              dependencies: [
                .product(name: "AppIntents", package: "intentd"),
                .product(name: "SwiftUI", package: "intentd"),
                .product(name: "WidgetKit", package: "intentd"),
              ],
              swiftSettings: [
                // `URLSession` is in a module of its own here, which code for iOS does not import.
                .unsafeFlags([
                  "-Xfrontend", "-import-module", "-Xfrontend", "FoundationNetworking",
                ])
              ])
          ])

        """)
    #expect(package.copies.isEmpty)
    #expect(package.needs.isEmpty)
  }

  @Test func `an extension's files have their places`() {
    let package = ExtensionPackage(
      name: "City", sdk: .url("https://example.org/x/Intentd.git"),
      inputs: [
        input("Widget.swift", "import WidgetKit\nimport OSLog\n@main struct A {}"),
        input("More/widget.swift", "import SwiftUI"),
        input("Base.lproj/City.intentdefinition"),
        input("de.lproj/City.strings"), input("de.lproj/Localizable.strings"),
        input("Shared/de.lproj/Localizable.strings"), input("Localizable.xcstrings"),
        input("Assets.xcassets/Contents.json"), input("Assets.xcassets/A.colorset/Contents.json"),
        input("More/Assets.xcassets/Contents.json"),
        input("Data/cities.json"), input("Info.plist"), input("City.entitlements"),
        input("Bridge.h"),
      ])
    let places = Dictionary(
      uniqueKeysWithValues: package.copies.map {
        (
          String($0.origin.dropFirst("/app/".count)),
          String($0.path.dropFirst("Sources/City/".count))
        )
      })
    #expect(
      places == [
        "Widget.swift": "Widget-2.swift", "More/widget.swift": "More/widget.swift",
        "Base.lproj/City.intentdefinition": "Base.lproj/City.intentdefinition",
        "de.lproj/City.strings": "Resources/de.lproj/City.strings",
        // The other one of this name is left out.
        "Shared/de.lproj/Localizable.strings": "Resources/de.lproj/Localizable.strings",
        "Localizable.xcstrings": "Resources/Localizable.xcstrings",
        "Assets.xcassets/Contents.json": "Resources/Assets.xcassets/Contents.json",
        "Assets.xcassets/A.colorset/Contents.json":
          "Resources/Assets.xcassets/A.colorset/Contents.json",
        "More/Assets.xcassets/Contents.json": "Resources/Assets-2.xcassets/Contents.json",
        "Data/cities.json": "Resources/cities.json",
      ])
    #expect(
      package.leftOut.map(\.path) == [
        "Bridge.h", "City.entitlements", "Info.plist", "de.lproj/Localizable.strings",
      ])
    for line in [
      "// swift-tools-version: 5.9",
      "  dependencies: [.package(url: \"https://example.org/x/Intentd.git\", branch: \"main\")],",
      "        .product(name: \"OSLog\", package: \"intentd\"),",
      "        .copy(\"Resources/Assets-2.xcassets\"),",
      "        .process(\"Resources/de.lproj/City.strings\"),",
      "      plugins: [.plugin(name: \"IntentDefinitions\", package: \"intentd\")])",
    ] {
      #expect(package.manifest.contains(line + "\n"), "\(line)\n\(package.manifest)")
    }
    #expect(!package.manifest.contains("ActivityKit"))
    #expect(package.remarks.isEmpty)
  }

  @Test func `a clone has no module os, and the author is told what has it`() {
    let inputs = [input("A.swift", "import os\nimport WidgetKit\n@main struct A {}")]
    let whole = ExtensionPackage(name: "A", sdk: .path("/sdk"), inputs: inputs)
    #expect(whole.manifest.contains(".product(name: \"os\""))
    #expect(whole.remarks.isEmpty)
    let clone = ExtensionPackage(
      name: "A", sdk: .path("/clone"), hasModuleOS: false, inputs: inputs)
    #expect(!clone.manifest.contains(".product(name: \"os\""))
    #expect(clone.remarks.count == 1)
    #expect(clone.remarks.first?.contains("packaging/sdk.sh FOLDER") == true)
  }

  @Test func `what is not offered is named with its files`() {
    let package = ExtensionPackage(
      name: "A", sdk: .path("/sdk"),
      inputs: [
        input("A.swift", "import Charts\nimport WidgetKit\nlet a = UIDevice.current"),
        input("B.swift", "import Charts\n#if os(iOS)\nimport UIKit\n#endif"),
      ])
    #expect(
      package.needs == [
        .init(name: "import Charts", files: ["A.swift", "B.swift"]),
        .init(name: "UIDevice", module: "UIKit", files: ["A.swift"]),
      ])
    #expect(
      package.remarks == [
        "no file has @main: a program needs one Widget or WidgetBundle with it",
        "1 line is for other systems alone (#if)",
      ])
  }

  @Test func `a name that nothing declares is not offered, known or not`() {
    let package = ExtensionPackage(
      name: "A", sdk: .path("/sdk"),
      inputs: [
        input(
          "View.swift",
          """
          import SwiftUI
          struct Tile<Content: View>: View {
            @Environment(\\.colorScheme) var scheme
            @MyWrapper var a: Int
            let content: Content
            var body: some View {
              content.padding(.horizontal, 3).sparkle(.very)
                .containerBackground(.fill, for: .widget).tileStyle(.wide)
              ForEach(0..<3) { Text("\\($0)").font(.caption) }
              Model3D(named: "x")
            }
            func show<Other>(_ other: Other, pair: (left: Int, right: Int)) { print(pair.left) }
          }
          """),
        input(
          "Style.swift",
          """
          import SwiftUI
          enum TileStyle { case wide, narrow }
          extension View { func tileStyle(_ style: TileStyle) -> some View { self } }
          let location: CLLocation? = nil
          @available(iOS 17, *) @MainActor final class Store { @Published var count = 0 }
          let x = Foundation.Date.now.timeIntervalSince1970 + CGFloat.pi
          """),
      ])
    #expect(
      package.needs.map { "\($0.name) \($0.module ?? "-")" } == [
        ".sparkle -", ".very -", "CLLocation CoreLocation", "Model3D -", "MyWrapper -",
      ])
  }

  @Test func `classes of a definition file are offered`() {
    let package = ExtensionPackage(
      name: "A", sdk: .path("/sdk"),
      inputs: [
        input(
          "A.swift",
          "import Intents\nfunc a(_ i: ShowBoardIntent, _ s: TRStop?, _ r: StopResolutionResult) {}"
        ),
        input(
          "B.intentdefinition",
          "<key>INIntentName</key><string>ShowBoard</string><string>TR</string><string>Stop</string>"
        ),
      ])
    #expect(package.needs.isEmpty)
  }

  @Test(arguments: [
    ("disk", "Disk"), ("disk-usage", "DiskUsage"), ("9x", "Widget9x"), ("a_b.c", "ABC"),
    ("--", "Widget"),
  ])
  func `a widget's name makes a name of Swift's`(name: String, module: String) {
    #expect(ExtensionPackage.moduleName(for: name) == module)
  }

  @Test(arguments: [
    ("/usr/share/intentd/sdk", ExtensionPackage.SDK.path("/usr/share/intentd/sdk")),
    ("https://example.org/intentd", .url("https://example.org/intentd")),
    ("git@example.org:x/intentd.git", .url("git@example.org:x/intentd.git")),
  ])
  func `the SDK is a path or a URL`(text: String, sdk: ExtensionPackage.SDK) {
    #expect(ExtensionPackage.SDK(text) == sdk)
  }
}
