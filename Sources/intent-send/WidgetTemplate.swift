/// The languages in which `intent-send new widget` writes a program.
enum WidgetLanguage: String, CaseIterable, Sendable {
  case shell, python, swift
}

/// The files of a new widget: a manifest and a program that can be tried as they are.
///
/// The texts are the files in `Templates/`, which the build puts into this program.
struct WidgetTemplate: Hashable {
  struct File: Hashable {
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

  /// Makes the files of a kind; `nil` if `name` cannot be the id of a kind.
  ///
  /// A name without a dot gets one: `disk` becomes the kind `me.disk`.
  init?(name: String, language: WidgetLanguage) {
    guard Self.isIdentifier(name), let last = name.split(separator: ".").last else { return nil }
    kind = name.contains(".") ? name : "me.\(name)"
    folder = String(last)
    let title = Self.title(folder)
    let kind = kind
    func file(
      _ name: String, _ bytes: [UInt8], isProgram: Bool = false, _ purpose: String
    ) -> File {
      let text = String(decoding: bytes, as: UTF8.self)
      return File(
        name: name,
        text: Self.replacing(
          "@TITLE@", by: title, in: Self.replacing("@KIND@", by: kind, in: text)),
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
      files = [
        file("widget.yaml", PackageResources.widget_swift_yaml, manifest),
        file("widget.swift", PackageResources.widget_swift_txt, program),
        file(
          "run.sh", PackageResources.run_sh, isProgram: true, "compiles the program and runs it"),
      ]
    }
  }

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
