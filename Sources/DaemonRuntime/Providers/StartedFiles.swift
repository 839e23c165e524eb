import EventLoop
import Glibc
import WidgetCenter

/// The files that an extension was started from, as they were then: its program, and the script
/// among its arguments, if the program is an interpreter.
///
/// A process keeps the code that it was started with. So a program that was built or saved anew
/// answers only when another process is started, which the launcher does at the next request.
///
/// Files that the program reads by itself, such as the modules of a script, are not among them, nor
/// other arguments: `[./server, state.db]` writes its own database.
struct StartedFiles {
  private struct File {
    let path: String
    let identity: FileIdentity
  }

  private let program: File?
  private let script: File?

  /// The endings of names that scripts have, without the dot.
  private static let scriptEndings: Set = ["py", "js", "mjs", "rb", "pl", "lua", "sh"]

  /// Looks at the files of a process that is about to be started: one that is replaced while it
  /// starts counts as replaced.
  init(of spec: ChildSpec) {
    func file(_ path: String) -> File? {
      FileIdentity(of: path).map { File(path: path, identity: $0) }
    }
    program = file(spec.program)
    script =
      spec.arguments.dropFirst().prefix(ProviderLimits.startedFileCountMax)
      .lazy.filter { !$0.isEmpty }
      .map { $0.hasPrefix("/") ? $0 : spec.workingDirectory + "/" + $0 }
      .compactMap { Self.isScript($0) ? file($0) : nil }.first
  }

  /// Whether a file is for an interpreter, by its name or its first line.
  private static func isScript(_ path: String) -> Bool {
    guard FileIdentity(of: path) != nil else { return false }
    let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    if let dot = name.lastIndex(of: "."),
      scriptEndings.contains(name[name.index(after: dot)...].lowercased())
    {
      return true
    }
    return ScriptLine.first(of: path)?.hasPrefix("#!") == true
  }

  /// Whether one of the files is another now, and can be started from.
  ///
  /// One that is gone, or a program that cannot be executed, is not there yet: a linker may be
  /// writing it. One call of the system for each file.
  var areReplaced: Bool {
    if let program, let now = FileIdentity(of: program.path), now != program.identity,
      access(program.path, X_OK) == 0
    {
      return true
    }
    guard let script, let now = FileIdentity(of: script.path) else { return false }
    return now != script.identity
  }
}
