import Foundation

/// The source tree of the project.
struct Project {
  let root: URL

  static let current = Project(
    root: URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent())

  /// The folders of built or fetched files, which the tests skip.
  private static let built: Set<String> = [
    ".build", ".git", ".swiftpm", "build", "dist", "__pycache__",
  ]

  /// Returns the files below `folder`, relative to the project, in the order of paths.
  func files(in folder: String = "", ending: String = "") -> [String] {
    var found: [String] = []
    var folders = [folder]
    while let next = folders.popLast() {
      for name in names(in: next) {
        let path = next.isEmpty ? name : next + "/" + name
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url(path).path, isDirectory: &isFolder) else {
          continue
        }
        if isFolder.boolValue {
          if !Self.built.contains(name), !name.hasPrefix(".build") { folders.append(path) }
        } else if name.hasSuffix(ending) {
          found.append(path)
        }
      }
    }
    return found.sorted()
  }

  /// Returns the names in `folder`; none if there is no such folder.
  func names(in folder: String) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: url(folder).path)
    } catch {
      return []
    }
  }

  func url(_ path: String) -> URL { root.appending(path: path) }

  func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

  /// Returns the text of a file; `nil` if it is no text (an image, a corpus of bytes).
  func text(_ path: String) throws -> String? {
    String(bytes: try Data(contentsOf: url(path)), encoding: .utf8)
  }

  /// The Swift files of the modules, without the examples, which have a style of their own.
  static let sources = Result {
    try current.files(in: "Sources", ending: ".swift")
      .map { SwiftSource(path: $0, text: try current.text($0) ?? "") }
  }
}
