import Glibc
import WidgetCenter

/// The ways in which plugins start: by themselves, or by an interpreter in place of the one that
/// their first line names.
///
/// Scripts of other bars were often written on another system: `#!/usr/local/bin/node`,
/// `#!/usr/bin/env python`. Where the interpreter is not there, the one of its name in PATH runs the
/// script, and `python3` where there is no `python`. A script that cannot be executed is run by its
/// interpreter, too. A file is read again only when it changed.
struct ScriptStarts {
  private var known: [String: (identity: FileIdentity, words: [String])] = [:]

  /// Returns the interpreter with its arguments, to be written before the path of a script; empty:
  /// the file starts by itself, or nothing is known that would start it.
  mutating func interpreter(of path: String, searchPath: String) -> [String] {
    guard path.hasPrefix("/"), let identity = FileIdentity(of: path) else { return [] }
    if let found = known[path], found.identity == identity { return found.words }
    if known.count >= ProviderLimits.scriptStartCountMax { known = [:] }
    let line = ScriptLine.first(of: path).flatMap(ScriptLine.init)
    let words = line.map { Self.words($0, of: path, searchPath) } ?? []
    known[path] = (identity, words)
    return words
  }

  /// Forgets a script that did not start: its interpreter may be installed meanwhile, or gone.
  mutating func forget(_ path: String) { known[path] = nil }

  private static func words(
    _ line: ScriptLine, of path: String, _ searchPath: String
  ) -> [String] {
    // A line that ends in a carriage return has other mistakes, too; its author is told.
    guard !line.hasReturn else { return [] }
    let words = line.wordsOfEnv
    if let name = words.first, access(line.interpreter, X_OK) == 0 {
      let isThere = inPath(name, searchPath) != nil
      if isThere, access(path, X_OK) == 0 { return [] }
      return find(name, searchPath).map { [$0] + words.dropFirst() } ?? []
    }
    let isThere = line.interpreter.hasPrefix("/") && access(line.interpreter, X_OK) == 0
    if isThere, access(path, X_OK) == 0 { return [] }
    let rest = line.argument.isEmpty ? [] : [line.argument]
    if isThere { return [line.interpreter] + rest }
    if let name = words.first {
      return find(name, searchPath).map { [$0] + words.dropFirst() } ?? []
    }
    return find(line.baseName, searchPath).map { [$0] + rest } ?? []
  }

  private static func find(_ name: String, _ searchPath: String) -> String? {
    inPath(name, searchPath) ?? (name == "python" ? inPath("python3", searchPath) : nil)
  }

  private static func inPath(_ name: String, _ searchPath: String) -> String? {
    guard !name.isEmpty, !name.contains("/") else {
      return name.hasPrefix("/") && access(name, X_OK) == 0 ? name : nil
    }
    return searchPath.split(separator: ":").lazy.filter { $0.hasPrefix("/") }
      .map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
