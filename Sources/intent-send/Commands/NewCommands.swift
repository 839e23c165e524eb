import ArgumentParser
import Glibc
import JSON
import PlainText
import WidgetPackages

/// Makes files to begin with.
struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Make the files of a widget to begin with.",
    discussion: "intent-send new widget disk --in python",
    subcommands: [NewWidget.self])
}

extension WidgetLanguage: ExpressibleByArgument {}

/// Makes a folder with a manifest and a program, which `try` accepts as they are, or with a package of
/// a widget written for iOS.
struct NewWidget: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "widget",
    abstract: "Make a folder with a manifest and a program that works.",
    discussion: """
      intent-send new widget disk                  a shell script
      intent-send new widget disk --in python      with a helper of one file
      intent-send new widget disk --in swift       a package with a SwiftUI widget
      intent-send new widget city --in swift --from ~/App/CityWidget

      The folder is made where the daemon reads manifests, in your configuration folder, or with \
      --at elsewhere; a package in Swift is made here. Nothing is ever overwritten. No daemon is \
      needed. With --from, the sources and resources of a widget extension for iOS are copied, and \
      what they need that is not offered here is listed.
      """)

  @OptionGroup var common: CommonOptions
  @Option(
    name: .customLong("in"),
    help:
      "The language of the program: \(WidgetLanguage.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .list(WidgetLanguage.allCases.map(\.rawValue)))
  var language = WidgetLanguage.shell
  @Option(
    name: .customLong("at"),
    help: ArgumentHelp("The folder to make it in.", valueName: "folder"), completion: .directory)
  var parent: String?
  @Option(
    name: .customLong("sdk"),
    help: ArgumentHelp(
      "Where intentd's sources are, for Swift: a folder or the URL of a repository "
        + "(default: those of the package intentd-sdk).", valueName: "place"))
  var sdk: String?
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "A folder of a widget extension for iOS, for Swift; may be given several times.",
      valueName: "folder"), completion: .directory)
  var sources: [String] = []
  @Argument(help: "Its name, such as disk, or the whole id of its kind, such as org.example.disk.")
  var name: String

  mutating func run() throws {
    guard language == .swift || sdk == nil && sources.isEmpty else {
      throw Failure(
        status: .usage, message: "--sdk and --from are for a widget in Swift",
        hints: ["add --in swift"])
    }
    let place = language == .swift ? try sdk(environment) : nil
    let inputs = try ExtensionFiles.read(sources)
    guard
      let template = WidgetTemplate(
        name: name, language: language, sdk: place ?? .path(WidgetTemplate.usualSDK),
        hasModuleOS: !Self.isClone(place), sources: inputs)
    else {
      throw Failure(
        status: .usage,
        message: "'\(name)' cannot be the name of a widget",
        hints: ["use letters, digits, '.', '-' and '_', beginning with a letter: disk-usage"])
    }
    // The daemon reads no package, so it is made where the person works.
    let usual = language == .swift ? "." : try Self.widgetFolder(environment)
    let folder = "\(parent.map(Self.withoutSlash) ?? usual)/\(template.folder)"
    try WidgetFolder.make(folder, template)
    if let package = template.package {
      if common.json {
        Output.print(.object(Self.json(package, kind: template.kind, folder: folder)))
      } else {
        Output.print(
          Self.report(
            package, template, folder: folder, configuration: Self.configuration(environment)))
      }
      return
    }
    if common.json {
      Output.print([
        "kind": .string(template.kind), "folder": .string(folder),
        "files": .array(template.files.map { .string($0.name) }),
      ])
    } else {
      Output.print(Self.report(template, folder: folder, isInstalled: parent == nil, usual: usual))
    }
  }

  /// Returns the place of the sources that was named, else that of those that are installed.
  private func sdk(
    _ environment: (String) -> String?
  ) throws(Failure) -> ExtensionPackage.SDK {
    guard let sdk else { return try Self.installedSDK(environment) }
    let place = Self.place(of: sdk)
    guard case .path(let path) = place else { return place }
    guard access("\(path)/Package.swift", R_OK) == 0 else {
      throw Failure(
        status: .usage,
        message: access(path, F_OK) == 0
          ? "'\(printable(sdk))' has no Package.swift, so intentd's sources are not there"
          : "there is no folder '\(printable(sdk))'",
        hints: [
          "name a folder with intentd's sources, or the URL of a repository: --sdk ~/intentd",
          "those of the package intentd-sdk are used without --sdk",
        ])
    }
    return place
  }

  /// Whether the sources are those of the whole repository, as `Package.swift` finds it out.
  private static func isClone(_ sdk: ExtensionPackage.SDK?) -> Bool {
    guard case .path(let path) = sdk else { return false }
    return !path.contains("/checkouts/") && access("\(path)/Sources/intentd", F_OK) == 0
  }

  /// Returns the place where a package of ours or `make install` put the sources.
  ///
  /// Source: the XDG base directory specification; relative folders are ignored, as it says.
  static func installedSDK(
    _ environment: (String) -> String?
  ) throws(Failure) -> ExtensionPackage.SDK {
    var folders: [String] = []
    if let home = environment("XDG_DATA_HOME"), home.hasPrefix("/") {
      folders.append(home)
    } else if let home = environment("HOME"), home.hasPrefix("/") {
      folders.append("\(home)/.local/share")
    }
    let shared = environment("XDG_DATA_DIRS").flatMap { $0.isEmpty ? nil : $0 }
    folders += (shared ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
    let places = folders.filter { $0.hasPrefix("/") }.map { "\(withoutSlash($0))/intentd/sdk" }
    if let found = places.first(where: { access("\($0)/Package.swift", R_OK) == 0 }) {
      return .path(found)
    }
    throw Failure(
      status: .failed,
      message: "the sources of intentd for Swift are not installed: "
        + "there is no \(WidgetTemplate.usualSDK)",
      hints: [
        "install the package intentd-sdk",
        "or name a clone, or the URL of a repository: --sdk ~/intentd",
      ])
  }

  /// The place of the SDK; a path becomes absolute, since the package lies elsewhere.
  private static func place(of text: String) -> ExtensionPackage.SDK {
    let place = ExtensionPackage.SDK(text)
    guard case .path(let path) = place, let whole = realpath(path, nil) else { return place }
    defer { free(whole) }
    return .path(String(cString: whole))
  }

  /// Returns the person's configuration folder as a command names it: `~/.config/intentd`.
  static func configuration(_ environment: (String) -> String?) -> String {
    guard let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") else {
      return "~/.config/intentd"
    }
    return shellWord("\(withoutSlash(folder))/intentd")
  }

  /// Returns the folder from which the daemon reads the person's manifests.
  ///
  /// Source: the XDG base directory specification; relative values are ignored, as it says.
  static func widgetFolder(_ environment: (String) -> String?) throws(Failure) -> String {
    func absolute(_ name: String) -> String? {
      environment(name).flatMap { $0.hasPrefix("/") ? withoutSlash($0) : nil }
    }
    if let folder = absolute("XDG_CONFIG_HOME") { return "\(folder)/intentd/widgets" }
    if let home = absolute("HOME") { return "\(home)/.config/intentd/widgets" }
    throw Failure(
      status: .failed, message: "there is no home folder to put the widget in",
      hints: ["set $HOME, or name a folder: --at ."])
  }

  private static func withoutSlash(_ path: String) -> String {
    path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Says what was made, and what to do next.
  static func report(
    _ template: WidgetTemplate, folder: String, isInstalled: Bool, usual: String
  ) -> String {
    let width = template.files.map { displayWidth($0.name) }.max() ?? 0
    let files = template.files.map { file in
      "  \(padded(file.name, columns: width))  \(file.purpose)"
    }
    let name = isInstalled ? template.kind : shellWord("\(folder)/widget.yaml")
    var next: [(command: String, purpose: String)] = [
      ("intent-send try \(name)", "run it once and see everything"),
      ("intent-send try \(name) --watch", "again at each save"),
    ]
    if !isInstalled {
      next.append(("cp -R \(shellWord(folder)) \(shellWord(usual))/", "install it"))
    }
    next.append(("intent-send add \(template.kind)", "place it"))
    let columns = next.map { displayWidth($0.command) }.max() ?? 0
    let steps = next.map { "  \(padded($0.command, columns: columns))  \($0.purpose)" }
    let lines = ["made \(printable(folder))"] + files + ["next"] + steps
    return lines.map { $0 + "\n" }.joined()
  }

  /// Says what a package is, what it lacks, and what to do next.
  static func report(
    _ package: ExtensionPackage, _ template: WidgetTemplate, folder: String,
    configuration: String = "~/.config/intentd"
  ) -> String {
    let width = template.files.map { displayWidth($0.name) }.max() ?? 0
    var lines = ["made \(printable(folder))"]
    lines += template.files.map { "  \(padded($0.name, columns: width))  \($0.purpose)" }
    if !package.copies.isEmpty {
      let count = package.copies.count
      lines.append("  \(count) \(count == 1 ? "file" : "files") of the extension")
    }
    lines += package.leftOut.map { "left out \(printable($0.path)): \($0.reason)" }
    if !package.needs.isEmpty {
      lines.append("not offered here (docs/SWIFTUI.md of intentd)")
      lines += package.needs.map { need in
        let module = need.module.map { " of \($0)" } ?? ""
        let files = need.files.prefix(3).map { printable($0) }.joined(separator: ", ")
        let rest = need.files.count > 3 ? " and \(need.files.count - 3) more" : ""
        return "  \(need.name)\(module): \(files)\(rest)"
      }
    }
    lines += package.remarks.map { "note: \($0)" }
    let program = ".build/release/\(package.name)"
    let next: [(command: String, purpose: String)] = [
      ("cd \(shellWord(folder))", ""),
      ("swift build -c release", "build it"),
      ("\(program) render --ansi", "draw it in the terminal"),
      ("\(program) manifest --into \(configuration)", "install it"),
      (
        package.copies.isEmpty ? "intent-send add \(template.kind)" : "intent-send gallery",
        package.copies.isEmpty ? "place it" : "see its kinds"
      ),
    ]
    let columns = next.map { displayWidth($0.command) }.max() ?? 0
    lines.append("next")
    lines += next.map { step in
      step.purpose.isEmpty
        ? "  \(step.command)" : "  \(padded(step.command, columns: columns))  \(step.purpose)"
    }
    return lines.map { $0 + "\n" }.joined()
  }

  static func json(_ package: ExtensionPackage, kind: String, folder: String) -> JSONObject {
    [
      "kind": .string(kind), "folder": .string(folder), "program": .string(package.name),
      "files": .array(package.copies.map { .string($0.path) }),
      "leftOut": .array(
        package.leftOut.map { ["file": .string($0.path), "reason": .string($0.reason)] }),
      "needs": .array(
        package.needs.map { need in
          [
            "name": .string(need.name), "module": need.module.map { .string($0) } ?? .null,
            "files": .array(need.files.map { .string($0) }),
          ]
        }),
      "notes": .array(package.remarks.map { .string($0) }),
    ]
  }
}

/// Writes the files of a new widget.
enum WidgetFolder {
  /// Makes `folder` and the files in it; throws if there is anything at its place already.
  static func make(_ folder: String, _ template: WidgetTemplate) throws(Failure) {
    let parent = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? "."
    try makeFolders(parent)
    guard mkdir(folder, 0o755) == 0 else {
      let code = errno
      guard code == EEXIST else { throw cannotMake(folder, code) }
      // What is there may be a package, which is built before anything can be tried.
      let isPackage = access("\(folder)/Package.swift", F_OK) == 0
      let word = shellWord(folder)
      throw Failure(
        status: .failed, message: "'\(printable(folder))' is there already; nothing was written",
        hints: [
          isPackage
            ? "choose another name, or build what is there: swift build -c release --package-path"
              + " \(word)"
            : template.package == nil
              ? "choose another name, or try what is there: intent-send try \(word)/"
              : "choose another name, or another place: --at FOLDER"
        ])
    }
    for file in template.files {
      let path = "\(folder)/\(file.name)"
      try makeFolders(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
      try write(Array(file.text.utf8), isProgram: file.isProgram, to: path)
    }
    for copy in template.package?.copies ?? [] {
      let path = "\(folder)/\(copy.path)"
      try makeFolders(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
      try write(try ExtensionFiles.contents(of: copy.origin), isProgram: false, to: path)
    }
  }

  /// Makes the folders of a path that are missing.
  private static func makeFolders(_ path: String) throws(Failure) {
    guard !path.isEmpty, access(path, F_OK) != 0 else { return }
    if let slash = path.lastIndex(of: "/") { try makeFolders(String(path[..<slash])) }
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw cannotMake(path, errno) }
  }

  private static func write(
    _ bytes: [UInt8], isProgram: Bool, to path: String
  ) throws(Failure) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = open(path, flags, isProgram ? 0o755 : 0o644)
    guard descriptor >= 0 else { throw cannotMake(path, errno) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw cannotMake(path, errno)
      }
      rest = rest.dropFirst(count)
    }
  }

  private static func cannotMake(_ path: String, _ code: Int32) -> Failure {
    Failure(
      status: .failed, message: "cannot make '\(printable(path))': \(systemMessage(code))",
      hints: ["name another folder with --at"])
  }
}
