// The package of a widget for iOS: its Package.swift, and where the files of an extension go.
//
// No line of an extension changes. Its Swift files and definition files keep their places, resources
// go to one folder, since an app's bundle has them side by side, and what only Xcode reads stays out.

/// A package with a widget's program.
package struct ExtensionPackage: Hashable, Sendable {
  /// Where the SDK is, which the package depends on.
  package enum SDK: Hashable, Sendable {
    case path(String)
    case url(String)

    /// Reads a path, or a URL of a repository.
    package init(_ text: String) {
      self = text.contains("://") || text.hasPrefix("git@") ? .url(text) : .path(text)
    }

    /// Where a package of ours puts the sources of the SDK.
    package static let usualPath = "/usr/share/intentd/sdk"
  }

  /// A file of an extension.
  package struct Input: Hashable, Sendable {
    /// Where the file is.
    package var origin: String
    /// The path below the extension's folder.
    package var path: String
    /// The text of a Swift file, or of one that defines intents.
    package var text: String?

    package init(origin: String, path: String, text: String? = nil) {
      self.origin = origin
      self.path = path
      self.text = text
    }
  }

  package struct Copy: Hashable, Sendable {
    package var origin: String
    /// The path in the package.
    package var path: String
  }

  package struct LeftOut: Hashable, Sendable {
    package var path: String
    package var reason: String
  }

  /// A thing that the code needs and that is not offered here.
  package struct Need: Hashable, Sendable {
    /// `import Charts`, or a name such as `UIDevice`.
    package var name: String
    /// The module that has the name on iOS; `nil` for a module, and where nobody knows it.
    package var module: String?
    /// The files that need it, by their paths.
    package var files: [String]
  }

  /// The name of the package, its program and its module.
  package let name: String
  package let manifest: String
  package private(set) var copies: [Copy] = []
  /// Files that stay out, each with a reason.
  package private(set) var leftOut: [LeftOut] = []
  package private(set) var needs: [Need] = []
  /// Sentences for the author.
  package private(set) var remarks: [String] = []

  /// Makes the package of an extension's files, or of none, for code that is written anew.
  ///
  /// `hasModuleOS` says whether the SDK has a product `os`: a clone of the repository has none.
  package init(name: String, sdk: SDK, hasModuleOS: Bool = true, inputs: [Input] = []) {
    self.name = name
    var sorting = Sorting(folder: "Sources/\(name)")
    for input in inputs.sorted(by: { $0.path < $1.path }) { sorting.take(input) }
    copies = sorting.copies
    leftOut = sorting.leftOut
    var products: Set<String> = inputs.isEmpty ? ["WidgetKit", "SwiftUI", "AppIntents"] : []
    if !inputs.isEmpty {
      let scans = inputs.compactMap { input -> (String, SourceScan)? in
        guard input.path.hasSuffix(".swift"), let text = input.text else { return nil }
        return (input.path, SourceScan(text, offered: OfferedModules.all))
      }
      let generated = inputs.filter { $0.path.hasSuffix(".intentdefinition") }
        .reduce(into: Set<String>()) { $0.formUnion(Self.generatedNames($1.text ?? "")) }
      products = Set(scans.flatMap(\.1.imports)).intersection(OfferedModules.ofSDK)
        .union(["WidgetKit"])
      needs = Self.needs(scans, generated: generated)
      remarks = Self.remarks(scans)
      if !hasModuleOS, products.remove("os") != nil {
        remarks.append(
          "the code imports os, and a clone has no module of this name: make the sources with it"
            + " (packaging/sdk.sh FOLDER), name that folder with --sdk, and make the package again")
      }
    }
    manifest = Self.manifest(
      name, sdk, products: products.sorted(), resources: sorting.resources,
      hasDefinitions: sorting.hasDefinitions)
  }

  /// A name of Swift's for a widget's name: `DiskUsage` for `disk-usage`.
  package static func moduleName(for name: String) -> String {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard let first = joined.first else { return "Widget" }
    return first.isNumber ? "Widget\(joined)" : joined
  }

  // MARK: Package.swift

  private static func manifest(
    _ name: String, _ sdk: SDK, products: [String], resources: [String], hasDefinitions: Bool
  ) -> String {
    let dependency =
      switch sdk {
      case .path(let path): ".package(name: \"intentd\", path: \(literal(path)))"
      case .url(let url): ".package(url: \(literal(url)), branch: \"main\")"
      }
    let package =
      switch sdk {
      case .path: "intentd"
      case .url(let url): identity(of: url)
      }
    var lines = [
      // Code for iOS is written for Swift 5, as examples of Apple are; the version of the tools
      // decides.
      "// swift-tools-version: 5.9",
      "import PackageDescription", "", "let package = Package(", "  name: \"\(name)\",",
      "  defaultLocalization: \"en\",", "  dependencies: [\(dependency)],", "  targets: [",
      "    .executableTarget(", "      name: \"\(name)\",", "      dependencies: [",
    ]
    lines += products.map { "        .product(name: \"\($0)\", package: \(literal(package)))," }
    lines.append("      ],")
    if !resources.isEmpty {
      lines.append("      resources: [")
      lines += resources.map { "        \($0)," }
      lines.append("      ],")
    }
    lines += [
      "      swiftSettings: [",
      "        // `URLSession` is in a module of its own here, which code for iOS does not import.",
      "        .unsafeFlags([",
      "          \"-Xfrontend\", \"-import-module\", \"-Xfrontend\", \"FoundationNetworking\",",
      "        ])",
    ]
    if hasDefinitions {
      lines += [
        "      ],",
        "      plugins: [.plugin(name: \"IntentDefinitions\", package: "
          + literal(package) + ")])",
      ]
    } else {
      lines.append("      ])")
    }
    lines += ["  ])"]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The name by which SwiftPM knows a package of a URL: its last part.
  private static func identity(of url: String) -> String {
    let last = url.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? url
    return (last.hasSuffix(".git") ? String(last.dropLast(4)) : last).lowercased()
  }

  // MARK: Needs

  /// The names that classes of a definition file may have: what the file calls something, with the
  /// prefixes in it and with the endings that Xcode adds.
  private static func generatedNames(_ definition: String) -> Set<String> {
    let words = definition.split(separator: "<string>").dropFirst().compactMap { part -> String? in
      let word = part.prefix { $0 != "<" }
      guard word.count <= 64, word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
      else { return nil }
      return String(word)
    }
    let prefixes = [""] + words.filter { $0.count <= 4 }
    let endings = [
      "", "Intent", "IntentHandling", "IntentResponse", "IntentResponseCode", "ResolutionResult",
    ]
    var names: Set<String> = []
    for word in Set(words) {
      for prefix in Set(prefixes) { for ending in endings { names.insert(prefix + word + ending) } }
    }
    return names
  }

  private static func needs(
    _ scans: [(path: String, scan: SourceScan)], generated: Set<String>
  ) -> [Need] {
    var modules: [String: [String]] = [:]
    var names: [String: [String]] = [:]
    let declared = scans.reduce(into: generated) { $0.formUnion($1.scan.declared) }
    /// The names of a file that neither the extension nor the SDK nor the toolchain declares.
    func absentNames(in scan: SourceScan) -> Set<String> {
      let types = scan.types.filter {
        !declared.contains($0) && !OfferedNames.hasType($0) && !scan.imports.contains($0)
      }
      let members = scan.members.filter {
        !declared.contains($0) && !OfferedNames.hasMember($0)
      }
      return types.union(members.map { ".\($0)" })
        .union(scan.words.filter { OfferedModules.absentMarks[$0] != nil })
    }
    for (path, scan) in scans {
      for module in scan.imports where !OfferedModules.all.contains(module) {
        modules[module, default: []].append(path)
      }
      for word in absentNames(in: scan) { names[word, default: []].append(path) }
    }
    return modules.sorted { $0.key < $1.key }.map { Need(name: "import \($0)", files: $1) }
      + names.sorted { $0.key < $1.key }.map {
        Need(name: $0, module: OfferedModules.module(of: $0), files: $1)
      }
  }

  private static func remarks(_ scans: [(path: String, scan: SourceScan)]) -> [String] {
    var remarks: [String] = []
    if !scans.contains(where: \.scan.hasMain) {
      remarks.append("no file has @main: a program needs one Widget or WidgetBundle with it")
    }
    let skipped = scans.reduce(0) { $0 + $1.scan.skippedLines }
    if skipped > 0 {
      remarks.append(
        "\(skipped) \(skipped == 1 ? "line is" : "lines are") for other systems alone (#if)")
    }
    return remarks
  }
}

/// Decides where each file of an extension goes.
private struct Sorting {
  let folder: String
  var copies: [ExtensionPackage.Copy] = []
  var leftOut: [ExtensionPackage.LeftOut] = []
  /// As `Package.swift` says them.
  var resources: [String] = []
  var hasDefinitions = false
  /// Lower-case, since two files of a module may not differ in their case alone.
  private var taken: Set<String> = []
  /// Catalogs by their folder in the extension, with their names in the package.
  private var catalogs: [String: String] = [:]

  init(folder: String) { self.folder = folder }

  mutating func take(_ input: ExtensionPackage.Input) {
    let parts = input.path.split(separator: "/").map(String.init)
    guard let file = parts.last else { return }
    if let place = parts.firstIndex(where: { $0.hasSuffix(".xcassets") }), place < parts.count - 1 {
      let catalog = catalog(parts[...place].joined(separator: "/"), parts[place])
      let rest = parts[(place + 1)...].joined(separator: "/")
      copies.append(.init(origin: input.origin, path: "\(folder)/Resources/\(catalog)/\(rest)"))
      return
    }
    let ending = file.lastIndex(of: ".").map { file[file.index(after: $0)...].lowercased() } ?? ""
    switch ending {
    case "swift":
      // Two files of one name would be one object.
      copies.append(
        .init(origin: input.origin, path: "\(folder)/\(unique(input.path, name: file))"))
    case "intentdefinition":
      hasDefinitions = true
      copies.append(.init(origin: input.origin, path: "\(folder)/\(input.path)"))
    case "strings", "stringsdict", "xcstrings":
      let language = parts.dropLast().last.flatMap { $0.hasSuffix(".lproj") ? $0 : nil }
      resource(input, language.map { "\($0)/\(file)" } ?? file)
    case _ where file == "Info.plist" || ending == "entitlements":
      leftOut.append(.init(path: input.path, reason: "only Xcode reads it"))
    case _ where resourceEndings.contains(ending): resource(input, file)
    default: leftOut.append(.init(path: input.path, reason: "no source and no resource"))
    }
  }

  private mutating func resource(_ input: ExtensionPackage.Input, _ path: String) {
    guard taken.insert("resources/" + path.lowercased()).inserted else {
      return leftOut.append(.init(path: input.path, reason: "another resource has its name"))
    }
    copies.append(.init(origin: input.origin, path: "\(folder)/Resources/\(path)"))
    resources.append(".process(\(literal("Resources/\(path)")))")
  }

  private mutating func catalog(_ path: String, _ name: String) -> String {
    if let known = catalogs[path] { return known }
    var own = name
    var number = 2
    while !taken.insert("resources/" + own.lowercased()).inserted {
      own = "\(name.dropLast(".xcassets".count))-\(number).xcassets"
      number += 1
    }
    catalogs[path] = own
    resources.append(".copy(\(literal("Resources/\(own)")))")
    return own
  }

  private mutating func unique(_ path: String, name: String) -> String {
    var own = name
    var number = 2
    while !taken.insert(own.lowercased()).inserted {
      own = "\(name.dropLast(".swift".count))-\(number).swift"
      number += 1
    }
    return path.dropLast(name.count) + own
  }
}

private let resourceEndings: Set<String> = [
  "csv", "gif", "html", "jpeg", "jpg", "json", "md", "otf", "pdf", "plist", "png", "svg", "ttf",
  "txt", "webp",
]

/// A literal of Swift's.
private func literal(_ text: String) -> String {
  "\""
    + text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20: "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }.joined() + "\""
}
