import Glibc
import PlainText
import WidgetPackages

/// Reads the folders of a widget extension for iOS.
enum ExtensionFiles {
  /// Returns the files of all folders, and the texts of the Swift files among them.
  static func read(_ folders: [String]) throws(Failure) -> [ExtensionPackage.Input] {
    var files: [ExtensionPackage.Input] = []
    for folder in folders {
      let count = files.count
      try collect(folder, below: "", depth: 0, into: &files)
      guard files.count > count else {
        throw Failure(
          status: .failed, message: "'\(printable(folder))' has no files",
          hints: ["name the folder with the extension's Swift files"])
      }
    }
    return files
  }

  /// Reads a whole file.
  static func contents(of path: String) throws(Failure) -> [UInt8] {
    switch readFile(path, bytesMax: Limits.copyBytesMax) {
    case .success(let bytes): return bytes
    case .failure(.system(let code)):
      throw Failure(
        status: .failed, message: "cannot read '\(printable(path))': \(systemMessage(code))")
    case .failure(.tooLarge):
      throw Failure(
        status: .failed,
        message: "'\(printable(path))' is larger than \(Limits.copyBytesMax) bytes",
        hints: ["take it out of the folder; a widget loads such a file from elsewhere"])
    }
  }

  private static func collect(
    _ folder: String, below path: String, depth: Int, into files: inout [ExtensionPackage.Input]
  ) throws(Failure) {
    guard depth <= Limits.depthMax else {
      throw Failure(
        status: .failed, message: "folders of '\(printable(folder))' are too deep",
        hints: ["at most \(Limits.depthMax) inside each other"])
    }
    for name in try names(in: folder) {
      let (whole, short) = ("\(folder)/\(name)", path.isEmpty ? name : "\(path)/\(name)")
      var status = stat()
      // A link that leads nowhere is no file.
      guard stat(whole, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        guard !name.hasSuffix(".xcodeproj"), !name.hasSuffix(".xcworkspace") else { continue }
        try collect(whole, below: short, depth: depth + 1, into: &files)
      } else if status.st_mode & S_IFMT == S_IFREG {
        guard files.count < Limits.fileCountMax else {
          throw Failure(
            status: .failed, message: "there are more than \(Limits.fileCountMax) files",
            hints: ["name the folder of the widget extension, and not of the whole app"])
        }
        let text =
          name.hasSuffix(".swift") || name.hasSuffix(".intentdefinition")
          ? String(decoding: try contents(of: whole).prefix(Limits.sourceBytesMax), as: UTF8.self)
          : nil
        files.append(ExtensionPackage.Input(origin: whole, path: short, text: text))
      }
    }
  }

  /// The names in a folder in their order, without hidden ones.
  private static func names(in folder: String) throws(Failure) -> [String] {
    guard let directory = opendir(folder) else {
      throw Failure(
        status: .failed,
        message: "cannot read the folder '\(printable(folder))': \(systemMessage(errno))",
        hints: ["name the folder with the extension's Swift files"])
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
