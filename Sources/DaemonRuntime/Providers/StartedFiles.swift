import EventLoop
import Glibc
import WidgetCenter

/// The files that an extension was started from, as they were then: its program, and the arguments
/// that name files, such as the script of an interpreter.
///
/// A process keeps the code that it was started with. So a program that was built or saved anew
/// answers only when another process is started, which the launcher does at the next request.
///
/// Files that the program reads by itself, such as the modules of a script, are not among them.
struct StartedFiles {
  private struct File {
    let path: String
    let identity: FileIdentity
  }

  private let program: File?
  private let arguments: [File]

  /// Looks at the files of a process that is about to be started: one that is replaced while it
  /// starts counts as replaced.
  init(of spec: ChildSpec) {
    func file(_ path: String) -> File? {
      FileIdentity(of: path).map { File(path: path, identity: $0) }
    }
    program = file(spec.program)
    arguments = spec.arguments.dropFirst().prefix(ProviderLimits.startedFileCountMax)
      .filter { !$0.isEmpty }
      .compactMap { file($0.hasPrefix("/") ? $0 : spec.workingDirectory + "/" + $0) }
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
    return arguments.contains { file in
      FileIdentity(of: file.path).map { $0 != file.identity } ?? false
    }
  }
}
