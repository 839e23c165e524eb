// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

/// Every target builds with these: a warning is an error, and an import is a decision.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// Wrappers over C say `unsafe` on each line that touches a pointer.
let memorySafe = strict + [.strictMemorySafety()]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")

/// A widget extension as an author of iOS writes it, with what its Package.swift says: a program of
/// its own, which tests start.
func widgetExtension(
  _ name: String, resources: [Resource] = [], exclude: [String] = []
) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["ActivityKit", "AppIntents", "Intents", "OSLog", "SwiftUI", "WidgetKit"],
    path: "Tests/Extensions/\(name)", exclude: exclude, resources: resources,
    swiftSettings: [.swiftLanguageMode(.v5)])
}

let package = Package(
  name: "intentd",
  defaultLocalization: "en",
  products: [
    .executable(name: "intentd", targets: ["intentd"]),
    .executable(name: "intent-send", targets: ["intent-send"]),
    .executable(name: "intent-web", targets: ["intent-web"]),
    .executable(name: "intent-fetch", targets: ["intent-fetch"]),
    .plugin(name: "IntentDefinitions", targets: ["IntentDefinitions"]),
    .library(name: "ActivityKit", targets: ["ActivityKit"]),
    .library(name: "AppIntents", targets: ["AppIntents"]),
    .library(name: "Intents", targets: ["Intents"]),
    .library(name: "OSLog", targets: ["OSLog"]),
    .library(name: "os", targets: ["os"]),
    .library(name: "SwiftUI", targets: ["SwiftUI"]),
    .library(name: "WidgetKit", targets: ["WidgetKit"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
  ],
  targets: [
    // Pure: values in, values out. No clock, no I/O.
    .target(name: "PlainText", swiftSettings: strict),
    .target(name: "JSON", dependencies: ["PlainText"], swiftSettings: strict),
    .target(name: "PropertyLists", dependencies: ["JSON"], swiftSettings: memorySafe),
    .target(name: "Timekeeping", swiftSettings: strict),
    .target(name: "JSONRPC", dependencies: ["JSON"], swiftSettings: strict),
    .target(
      name: "IntentProtocol", dependencies: ["JSON", "JSONRPC", "Timekeeping"],
      swiftSettings: strict),
    .target(name: "DesktopEntries", swiftSettings: strict),
    .target(name: "BusMessages", swiftSettings: strict),
    .target(
      name: "DesktopSearch", dependencies: ["BusMessages", "JSON", "PlainText", "Timekeeping"],
      swiftSettings: strict),
    .target(
      name: "IntentRouter", dependencies: ["JSON", "PropertyLists", "Timekeeping"],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Habits", dependencies: ["Timekeeping"], exclude: ["README.md"], swiftSettings: strict),
    .target(name: "Digests", swiftSettings: strict),
    .target(
      name: "Plugins", dependencies: ["Digests", "JSON", "PlainText", "Timekeeping"],
      swiftSettings: strict),
    .target(
      name: "BarLines", dependencies: ["JSON", "PlainText", "Timekeeping"],
      swiftSettings: strict),
    .target(
      name: "WebPages",
      dependencies: [
        "BarLines", "Digests", "JSON", "PlainText", "Plugins", "Timekeeping", "ViewMarkup",
      ],
      swiftSettings: strict),
    .target(
      name: "Downloads", dependencies: ["Digests", "JSON", "Timekeeping"], swiftSettings: strict),
    .target(
      name: "WidgetCenter",
      dependencies: [
        "Downloads", "Habits", "JSON", "PlainText", "Plugins", "Timekeeping", "ViewMarkup", deque,
      ],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "DaemonCore",
      dependencies: [
        "Downloads", "Habits", "JSON", "Timekeeping", "JSONRPC", "IntentProtocol",
        "IntentRouter", "Plugins", "WidgetCenter", deque,
      ], exclude: ["README.md"], swiftSettings: strict),

    .target(
      name: "VirtualTime", dependencies: ["DaemonCore", "Timekeeping", "WidgetCenter"],
      swiftSettings: strict),

    // C, and the effects.
    .systemLibrary(name: "CLibUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(
      name: "CMicroHTTP", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(
      name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CXAttr"),
    .target(name: "CPosix"),
    .target(name: "CArguments"),
    .target(name: "CUserBus"),
    .target(
      name: "ProgramStart", dependencies: ["CArguments", "PlainText", argumentParser],
      swiftSettings: strict),
    .target(name: "LanguageWords", swiftSettings: strict),
    .target(
      name: "NumberWords", swiftSettings: strict,
      linkerSettings: [.linkedLibrary("_FoundationICU")]),
    .target(
      name: "Documents", dependencies: ["CLibYAML", "JSON", "PropertyLists"],
      swiftSettings: memorySafe),
    .target(
      name: "BlockingClient", dependencies: ["JSON", "JSONRPC", "IntentProtocol"],
      swiftSettings: strict),
    .target(
      name: "EventLoop", dependencies: ["CLibUV", "CPosix", "Timekeeping"],
      swiftSettings: memorySafe),
    .target(
      name: "PanelPictures", dependencies: ["CPango", "CZlib", "WebPages"],
      swiftSettings: memorySafe),
    .target(
      name: "WebServer", dependencies: ["CMicroHTTP", "EventLoop", "Timekeeping", "WebPages"],
      swiftSettings: memorySafe),
    .target(
      name: "WebFetch", dependencies: ["CCurl", "Downloads", "EventLoop", "Timekeeping"],
      swiftSettings: memorySafe),
    .target(
      name: "UserBus", dependencies: ["BusMessages", "CUserBus", "EventLoop", "Timekeeping"],
      swiftSettings: memorySafe),
    .target(
      name: "Store", dependencies: ["CPosix", "CSQLite", "DaemonCore"], swiftSettings: memorySafe),
    .target(
      name: "DaemonRuntime",
      dependencies: [
        "DaemonCore", "DesktopEntries", "Digests", "Downloads", "IntentRouter", "WidgetCenter",
        "JSON", "JSONRPC", "IntentProtocol", "Timekeeping", "EventLoop", "Store", "Documents",
        "BusMessages", "DesktopSearch", "LanguageWords", "NumberWords", "PlainText", "Plugins",
        "ProgramStart",
        "UserBus", "CXAttr", logging,
      ],
      exclude: ["README.md"],
      swiftSettings: strict),

    .target(
      name: "AuthorTools",
      dependencies: [
        "DaemonCore", "DaemonRuntime", "Digests", "Downloads", "EventLoop", "IntentRouter", "JSON",
        "JSONRPC", "NumberWords", "PlainText", "Plugins", "ProgramStart", "Timekeeping",
        "VirtualTime", "WidgetCenter",
      ],
      swiftSettings: strict),

    // The SDK: modules named as Apple names them, so that a widget of iOS builds as it stands.
    // None of them links libuv or SQLite.
    .target(name: "CImageTypes"),
    .target(
      name: "FoundationAdditions", dependencies: ["CImageTypes", "JSON"], swiftSettings: strict,
      linkerSettings: [.linkedLibrary("_FoundationICU")]),
    .target(
      name: "AppIntents", dependencies: ["FoundationAdditions", "JSON"], swiftSettings: strict),
    .target(name: "Intents", dependencies: ["FoundationAdditions", "JSON"], swiftSettings: strict),
    .target(name: "WidgetPackages", swiftSettings: strict),
    .target(
      name: "DefinitionClasses", dependencies: ["JSON", "PropertyLists"], swiftSettings: strict),
    .executableTarget(
      name: "intent-classes", dependencies: ["DefinitionClasses", "JSON", "PropertyLists"],
      swiftSettings: strict),
    .plugin(
      name: "IntentDefinitions", capability: .buildTool(), dependencies: ["intent-classes"]),
    .target(name: "OSLog", dependencies: ["FoundationAdditions"], swiftSettings: strict),
    .target(name: "COSLog"),
    .target(name: "os", dependencies: ["COSLog", "OSLog"], swiftSettings: strict),
    .macro(name: "PreviewMacros", swiftSettings: strict),
    .target(name: "ViewMarkup", swiftSettings: strict),
    .target(
      name: "SwiftUI",
      dependencies: [
        "AppIntents", "FoundationAdditions", "JSON", "PlainText", "PreviewMacros", "Timekeeping",
        "ViewMarkup",
      ], swiftSettings: strict),
    .target(
      name: "ActivityKit", dependencies: ["AppIntents", "FoundationAdditions", "SwiftUI"],
      swiftSettings: strict),
    .target(
      name: "WidgetExtension", dependencies: ["JSON", "JSONRPC", "Timekeeping"],
      swiftSettings: strict),
    .target(name: "CVirtualClock"),
    .target(
      name: "WidgetKit",
      dependencies: [
        "ActivityKit", "AppIntents", "BlockingClient", "CVirtualClock", "FoundationAdditions",
        "Intents", "JSON", "JSONRPC", "IntentProtocol", "PlainText", "PreviewMacros", "SwiftUI",
        "Timekeeping", "WidgetExtension",
      ], swiftSettings: strict),

    // The programs for users.
    .target(
      name: "Simulator",
      dependencies: [
        "DaemonCore", "Downloads", "Habits", "IntentProtocol", "IntentRouter", "JSON", "JSONRPC",
        "Timekeeping", "ViewMarkup", "VirtualTime", "WidgetCenter",
      ], exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "intentd",
      dependencies: [
        "AuthorTools", "DaemonRuntime", "PlainText", "ProgramStart", argumentParser, logging,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "intent-send",
      dependencies: [
        "BarLines", "BlockingClient", "JSON", "JSONRPC", "IntentProtocol", "PlainText",
        "ProgramStart", "Timekeeping", "WebPages", "WidgetPackages", argumentParser,
      ],
      resources: [
        .embedInCode("Templates/intentd_widget.py"), .embedInCode("Templates/widget.py"),
        .embedInCode("Templates/widget.py.yaml"), .embedInCode("Templates/widget.sh"),
        .embedInCode("Templates/widget.sh.yaml"), .embedInCode("Templates/widget.swift.txt"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "intent-web",
      dependencies: [
        "BlockingClient", "EventLoop", "IntentProtocol", "JSON", "JSONRPC", "PanelPictures",
        "PlainText", "ProgramStart", "Timekeeping", "WebPages", "WebServer", argumentParser,
      ],
      resources: [
        .embedInCode("Page/page.css"), .embedInCode("Page/page.js"),
        .embedInCode("Page/shared.js"), .embedInCode("Page/view.js"),
        .embedInCode("Page/page.html"), .embedInCode("Page/mark.svg"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "intent-fetch",
      dependencies: [
        "Digests", "Downloads", "EventLoop", "JSON", "PlainText", "ProgramStart", "Timekeeping",
        "UserBus", "WebFetch", argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "HostAppExample", dependencies: ["WidgetKit"], path: "Examples/HostApp",
      swiftSettings: strict),
    .executableTarget(
      name: "simulate",
      dependencies: [
        "Simulator", "DaemonCore", "Documents", "JSON", "ProgramStart", argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "conformance",
      dependencies: [
        "Documents", "Habits", "IntentRouter", "JSON", "LanguageWords", "NumberWords", "PlainText",
        "Plugins", "ProgramStart", "Timekeeping", argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "engine-speed",
      dependencies: [
        "DaemonCore", "Documents", "Habits", "JSON", "ProgramStart", "Timekeeping", "VirtualTime",
        "WidgetCenter", argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "intentd-example-clock", path: "Examples/clock/Sources/intentd-example-clock",
      swiftSettings: strict),

    // Tests: milliseconds for the pure modules, real loops, files and processes for the others.
    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
    .testTarget(name: "PlainTextTests", dependencies: ["PlainText"], swiftSettings: strict),
    .testTarget(
      name: "PluginsTests", dependencies: ["Digests", "Plugins", "JSON", "Timekeeping"],
      swiftSettings: strict),
    .testTarget(
      name: "BarLinesTests", dependencies: ["BarLines", "JSON", "Timekeeping"],
      swiftSettings: strict),
    .testTarget(
      name: "WebPagesTests", dependencies: ["WebPages", "JSON", "Timekeeping"],
      swiftSettings: strict),
    .testTarget(
      name: "PanelPicturesTests", dependencies: ["JSON", "PanelPictures", "WebPages"],
      swiftSettings: strict),
    .testTarget(
      name: "WebServerTests", dependencies: ["EventLoop", "Timekeeping", "WebPages", "WebServer"],
      swiftSettings: strict),
    .testTarget(
      name: "DownloadsTests", dependencies: ["Digests", "Downloads", "JSON", "Timekeeping"],
      swiftSettings: strict),
    .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC", "JSON"], swiftSettings: strict),
    .testTarget(
      name: "NumberWordsTests", dependencies: ["NumberWords", "JSON"], swiftSettings: strict),
    .testTarget(
      name: "IntentRouterTests", dependencies: ["IntentRouter", "Documents", "JSON"],
      swiftSettings: strict),
    .testTarget(
      name: "IntentCatalogTests",
      dependencies: ["IntentRouter", "Documents", "JSON", "LanguageWords"],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentsTests", dependencies: ["Documents", "JSON"], swiftSettings: strict),
    .testTarget(
      name: "EventLoopTests", dependencies: ["EventLoop", "CPosix", "Timekeeping"],
      swiftSettings: strict),
    .testTarget(
      name: "DesktopSearchTests",
      dependencies: ["BusMessages", "DesktopSearch", "JSON", "Timekeeping"], swiftSettings: strict),
    .testTarget(name: "BusMessagesTests", dependencies: ["BusMessages"], swiftSettings: strict),
    .testTarget(
      name: "UserBusTests",
      dependencies: ["BusMessages", "DaemonTestSupport", "EventLoop", "Timekeeping", "UserBus"],
      swiftSettings: strict),
    .target(
      name: "ClientTestSupport", dependencies: ["JSON", "JSONRPC"],
      path: "Tests/ClientTestSupport", swiftSettings: strict),
    .testTarget(
      name: "IntentSendTests",
      dependencies: [
        "intent-send", "BarLines", "BlockingClient", "ClientTestSupport", "JSON", "JSONRPC",
        "IntentProtocol",
        "PlainText", "Timekeeping", "WidgetCenter", "WidgetPackages", argumentParser,
      ], exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "WidgetPackagesTests", dependencies: ["WidgetPackages"], swiftSettings: strict),
    .testTarget(
      name: "DefinitionClassesTests",
      dependencies: ["DefinitionClasses", "Intents", "JSON", "PropertyLists", "WidgetKit"],
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "FoundationAdditionsTests", dependencies: ["FoundationAdditions"],
      swiftSettings: strict),
    .testTarget(
      name: "AppIntentsTests", dependencies: ["AppIntents", "JSON"], swiftSettings: strict),
    .testTarget(
      name: "WidgetExtensionTests",
      dependencies: ["JSON", "JSONRPC", "Timekeeping", "WidgetExtension"], swiftSettings: strict),
    // A program as an app of iOS has it; the tests start it.
    .executableTarget(
      name: "WidgetProgram", dependencies: ["OSLog", "WidgetKit"], path: "Tests/WidgetProgram",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // One whose views are shown on the page.
    .executableTarget(
      name: "ViewProgram", dependencies: ["WidgetKit"], path: "Tests/ViewProgram",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "WidgetKitTests",
      dependencies: [
        "ClientTestSupport", "JSON", "SwiftUI", "Timekeeping", "ViewMarkup", "WidgetExtension",
        "WidgetKit", "WidgetProgram", "intent-classes",
      ], exclude: ["Golden", "Typechecked"], swiftSettings: strict),
    widgetExtension("CountdownWidgets"),
    widgetExtension("HabitWidgets", resources: [.process("Resources/habits.json")]),
    widgetExtension("MoonWidgets"),
    widgetExtension("ParcelWidgets", resources: [.process("Resources")]),
    widgetExtension("PhotoWidgets", resources: [.copy("Resources/Assets.xcassets")]),
    widgetExtension("QuoteWidgets", resources: [.process("Resources")]),
    widgetExtension("StockWidgets"),
    // Its classes are in a file, since a plugin's tool is built for every build of this package.
    widgetExtension("TransitWidgets", exclude: ["Transit.intentdefinition"]),
    widgetExtension("WaterWidgets"),
    widgetExtension("WeatherWidgets"),
    .testTarget(
      name: "ViewMarkupTests", dependencies: ["IntentRouter", "ViewMarkup"], swiftSettings: strict),
    .testTarget(
      name: "SwiftUITests",
      dependencies: ["AppIntents", "FoundationAdditions", "JSON", "SwiftUI", "ViewMarkup"],
      exclude: ["Golden", "Symbols.txt"], swiftSettings: strict),
    .testTarget(
      name: "TimekeepingTests", dependencies: ["Timekeeping"], swiftSettings: strict),
    .testTarget(
      name: "HabitsTests", dependencies: ["Habits", "Timekeeping"], swiftSettings: strict),
    .testTarget(
      name: "WidgetCenterTests",
      dependencies: [
        "Documents", "Downloads", "Habits", "JSON", "Plugins", "Timekeeping", "ViewMarkup",
        "WidgetCenter",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DaemonCoreTests",
      dependencies: [
        "DaemonCore", "Documents", "Habits", "IntentProtocol", "IntentRouter", "JSON", "JSONRPC",
        "Plugins", "Timekeeping", "ViewMarkup", "VirtualTime", "WidgetCenter",
      ], swiftSettings: strict),
    .testTarget(
      name: "VirtualTimeTests",
      dependencies: ["VirtualTime", "DaemonCore", "Timekeeping", "WidgetCenter"],
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulator", "Documents", "JSON"],
      exclude: ["seeds.txt"],
      swiftSettings: strict),
    .testTarget(
      name: "SchemaTests",
      dependencies: [
        "DaemonCore", "Documents", "Downloads", "JSON", "Timekeeping", "ViewMarkup",
        "WidgetCenter",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TidyTests", dependencies: ["Documents", "JSON", "WidgetCenter"], swiftSettings: strict),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "intentd", "intent-send", "intent-web", "intent-fetch", "conformance", "BusMessages",
        "DaemonTestSupport", "EventLoop", "JSON", "Timekeeping", "UserBus", "ViewProgram",
        "WidgetProgram",
      ],
      exclude: ["Fixtures", "fake-bus.py", "fake-machine.py", "faulty-server.py"],
      swiftSettings: strict),
    .target(
      name: "DaemonTestSupport", dependencies: ["JSON"], path: "Tests/DaemonTestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "AttackTests",
      dependencies: [
        "intentd", "intent-send", "BlockingClient", "ClientTestSupport", "DaemonCore",
        "DaemonRuntime", "DaemonTestSupport", "EventLoop", "IntentProtocol", "JSON", "Timekeeping",
        "WidgetCenter", "WidgetKit", argumentParser,
      ], swiftSettings: strict),
    .testTarget(name: "StoreTests", dependencies: ["Store", "DaemonCore"], swiftSettings: strict),
    .testTarget(
      name: "DesktopEntriesTests", dependencies: ["DesktopEntries", "IntentRouter"],
      swiftSettings: strict),
    .testTarget(
      name: "DaemonRuntimeTests",
      dependencies: [
        "CXAttr", "DaemonCore", "DaemonRuntime", "DaemonTestSupport", "DesktopEntries", "EventLoop",
        "IntentRouter", "JSON", "Plugins", "Timekeeping", logging,
      ], swiftSettings: strict),
  ]
)

/// The targets that a widget written for iOS is built with.
let sdk = [
  "ActivityKit", "AppIntents", "IntentDefinitions", "Intents", "OSLog", "SwiftUI", "WidgetKit",
  "os",
]

/// Whether this is the SDK alone.
///
/// That is a copy of the sources of these targets and of those that they need, as `packaging/sdk.sh`
/// makes it. Its package needs no other one.
let isSDK =
  Context.environment["INTENTD_SDK"] != nil
  // A widget's package names the repository by its URL, so SwiftPM checked it out.
  || Context.packageDirectory.contains("/checkouts/")
  || !FileManager.default.fileExists(atPath: Context.packageDirectory + "/Sources/intentd")

/// Targets that alone are built, with what they need: a sanitizer builds everything anew, and half of
/// it is in no suite that it runs (`scripts/sanitize.sh`).
if let names = isSDK
  ? sdk : Context.environment["INTENTD_TARGETS"]?.split(separator: " ").map(String.init)
{
  var needed: Set<String> = []
  var waiting = names
  while let name = waiting.popLast() {
    guard let target = package.targets.first(where: { $0.name == name }) else {
      fatalError("INTENTD_TARGETS names '\(name)', and there is no such target")
    }
    guard needed.insert(name).inserted else { continue }
    for dependency in target.dependencies {
      // One of another package is built when a target that stays needs it.
      if case .byNameItem(let name, _) = dependency { waiting.append(name) }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { !isSDK || !sdk.contains($0.name) }
  if isSDK { package.dependencies = [] }
}

if !isSDK {
  // swift-argument-parser imports a module of this name wherever there is one.
  package.targets.removeAll { ["COSLog", "os"].contains($0.name) }
  package.products.removeAll { $0.name == "os" }
}
