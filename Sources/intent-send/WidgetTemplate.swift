import WidgetPackages

/// The languages in which `intent-send new widget` writes a program.
enum WidgetLanguage: String, CaseIterable, Sendable {
  case shell, python, swift
}

/// The files of a new widget: a manifest and a program that can be tried as they are, or a package
/// that is built first.
///
/// The texts are the files in `Templates/`, which the build puts into this program.
struct WidgetTemplate: Hashable {
  struct File: Hashable {
    /// The path below the folder.
    var name: String
    var text: String
    var isProgram = false
    /// A few words that tell a person what the file is for.
    var purpose: String
  }

  /// The id of the kind.
  let kind: String
  /// The name of the folder: the last word of the kind.
  let folder: String
  let files: [File]
  /// The package of a widget in Swift; `nil` in other languages.
  let package: ExtensionPackage?

  /// Makes the files of a kind; `nil` if `name` cannot be the id of a kind.
  ///
  /// A name without a dot gets one: `disk` becomes the kind `me.disk`.
  ///
  /// A package with `sources` has these in place of the template's program.
  init?(
    name: String, language: WidgetLanguage, sdk: ExtensionPackage.SDK = .path(Self.usualSDK),
    hasModuleOS: Bool = true, sources: [ExtensionPackage.Input] = []
  ) {
    guard Self.isIdentifier(name), let last = name.split(separator: ".").last else { return nil }
    kind = name.contains(".") ? name : "me.\(name)"
    folder = String(last)
    let title = Self.title(folder)
    let kind = kind
    let module = ExtensionPackage.moduleName(for: folder)
    func file(
      _ name: String, _ bytes: [UInt8], isProgram: Bool = false, _ purpose: String
    ) -> File {
      let text = String(decoding: bytes, as: UTF8.self)
      return File(
        name: name,
        text: Self.replacing(
          "@TITLE@", by: title,
          in: Self.replacing("@KIND@", by: kind, in: Self.replacing("@NAME@", by: module, in: text))
        ),
        isProgram: isProgram, purpose: purpose)
    }
    let manifest = "the manifest of the kind \(kind)"
    let program = "the program: it prints what to show"
    switch language {
    case .shell:
      files = [
        file("widget.yaml", PackageResources.widget_sh_yaml, manifest),
        file("widget.sh", PackageResources.widget_sh, isProgram: true, program),
      ]
    case .python:
      files = [
        file("widget.yaml", PackageResources.widget_py_yaml, manifest),
        file("widget.py", PackageResources.widget_py, isProgram: true, program),
        file(
          "intentd_widget.py", PackageResources.intentd_widget_py,
          "reads the request and writes the answer"),
      ]
    case .swift:
      let package = ExtensionPackage(
        name: module, sdk: sdk, hasModuleOS: hasModuleOS, inputs: sources)
      let manifest = File(
        name: "Package.swift", text: package.manifest, purpose: "the package of the program")
      files =
        sources.isEmpty
        ? [
          manifest,
          file(
            "Sources/\(module)/\(module).swift", PackageResources.widget_swift_txt,
            "the widget: a configuration, a provider and a view"),
        ] : [manifest]
      self.package = package
      return
    }
    package = nil
  }

  /// Where a package of ours puts the SDK's sources.
  static let usualSDK = ExtensionPackage.SDK.usualPath

  /// Whether a text may be the id of a kind.
  static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 100 && text.first != "." && text.first != "-"
      && text.last != "."
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || "._-".utf8.contains(byte)
      }
  }

  /// Returns a name for people: `Disk usage` for `disk-usage`.
  private static func title(_ name: String) -> String {
    let words = name.split { "-_".contains($0) }.joined(separator: " ")
    guard let first = words.first else { return name }
    return first.uppercased() + words.dropFirst()
  }

  private static func replacing(_ mark: String, by value: String, in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: mark) {
      result += rest[..<range.lowerBound] + value
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
