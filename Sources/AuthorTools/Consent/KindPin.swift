import DaemonRuntime
import Glibc
import Plugins
import WidgetCenter

/// Makes the pin of a kind: the hashes of the files that a person agrees to.
enum KindPin {
  /// Returns the pin of the files as they are now.
  ///
  /// Of a kind that was installed all files count, of another one its manifest, its program, the
  /// files beside the manifest that its arguments name, and the same of `if` and of each of `clicks`.
  /// Programs that are looked up in PATH belong to the system and are not pinned.
  static func make(for kind: WidgetKind) throws(ToolRefusal) -> ProgramPin {
    var paths = [kind.file]
    switch kind.origin {
    case .installed: paths = files(below: kind.provider.directory, depth: 0).sorted()
    case .own:
      if kind.provider.exec.first?.contains("/") == true {
        paths.append(StartAdvice.program(of: kind.provider))
      }
      let named = kind.provider.exec.dropFirst() + commandWords(of: kind.provider.plugin)
      for word in named {
        let path = StartAdvice.program(
          of: ProviderDeclaration(
            exec: [word.contains("/") ? word : "./" + word], directory: kind.provider.directory))
        if FileIdentity(of: path) != nil, !paths.contains(path) { paths.append(path) }
      }
    }
    guard paths.count <= InstallLimits.fileCountMax else {
      throw ToolRefusal(
        "\(kind.kind) has more than \(InstallLimits.fileCountMax) files",
        "install it again: intent-send install FOLDER")
    }
    var files: [PinnedFile] = []
    for path in paths {
      switch PinnedFile.read(path, bytesMax: RuntimeLimits.pinnedFileBytesMax) {
      case .success(let file): files.append(file)
      case .failure(let failure):
        throw ToolRefusal("\(path) cannot be read: \(failure.message)", "nothing was granted")
      }
    }
    return ProgramPin(files: files)
  }

  /// The words of the condition and of the commands of clicks, but for programs that are looked up
  /// in PATH: the first words without a slash.
  private static func commandWords(of plugin: PluginDeclaration?) -> [String] {
    guard let plugin else { return [] }
    let clicks = PluginButton.allCases.compactMap { plugin.clicks[$0] }
    return ([plugin.condition] + clicks).flatMap { words in
      words.enumerated().filter { $0.offset > 0 || $0.element.contains("/") }.map(\.element)
    }
  }

  private static func files(below folder: String, depth: Int) -> [String] {
    guard depth <= InstallLimits.folderDepthMax, let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var paths: [String] = []
    while paths.count <= InstallLimits.fileCountMax, let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix(".") else { continue }
      let path = "\(folder)/\(name)"
      var info = stat()
      guard lstat(path, &info) == 0 else { continue }
      if info.st_mode & S_IFMT == S_IFDIR {
        paths += files(below: path, depth: depth + 1)
      } else {
        paths.append(path)
      }
    }
    return paths
  }

  /// Returns the paths of the files that are new or another in `pin`, then of those that are gone.
  static func changes(from old: ProgramPin, to pin: ProgramPin) -> [String] {
    let known = Dictionary(old.files.map { ($0.path, $0.digest) }) { first, _ in first }
    let now = Set(pin.files.map(\.path))
    return pin.files.filter { known[$0.path] != $0.digest }.map(\.path)
      + old.files.map(\.path).filter { !now.contains($0) }
  }
}
