import EventLoop
import Glibc
import JSON
package import WidgetCenter

/// Says why the program of a manifest did not start, in words for the manifest's author.
///
/// The usual reasons are habits of a shell, which is not there: words in one argument, `~`, pipes;
/// and a first line of the script that names no interpreter.
package struct StartAdvice {
  private let exec: [String]
  private let directory: String
  private let variables: [(String, String)]

  /// `variables` are the environment of the program.
  package init(_ provider: ProviderDeclaration, variables: [(String, String)]) {
    exec = provider.exec
    directory = provider.directory
    self.variables = variables
  }

  /// The path of the program that a manifest names: `./x` is relative to the manifest's folder.
  ///
  /// A name without a slash stays as it is, because it is looked up in PATH.
  package static func program(of provider: ProviderDeclaration) -> String {
    var name = provider.exec[0][...]
    guard name.contains("/"), !name.hasPrefix("/") else { return String(name) }
    while name.hasPrefix("./") {
      name = name.dropFirst(2)
      while name.hasPrefix("/") { name = name.dropFirst() }
    }
    return provider.directory + "/" + name
  }

  // MARK: A program that could not be started

  /// Returns a sentence; `nil` when the system's own reason says it best.
  package func reason() -> String? {
    let named = exec[0]
    if named.hasPrefix("~") || named.contains("$") { return shellWords(named) }
    let path = path(of: named)
    if let path, let info = Self.status(path) {
      if info.st_mode & S_IFMT == S_IFDIR { return "\(path) is a folder" }
      return ScriptLine.first(of: path).flatMap(ScriptLine.init).flatMap {
        badInterpreter($0, of: path)
      }
    }
    if named.contains(where: { "|&;<>`".contains($0) }) {
      return
        "there is no shell to read '\(named)'; write exec: [sh, -c, \(JSONValue.string(exec.joined(separator: " ")).serialized)]"
    }
    if named.contains(" ") {
      let words = named.split(separator: " ").map(String.init) + exec.dropFirst()
      return
        "no program is called '\(named)', and there is no shell to split it; write \(Self.list(words))"
    }
    if !named.contains("/"), Self.status("\(directory)/\(named)") != nil {
      return
        "'\(named)' is looked up in PATH, where it is not; the file beside the manifest is './\(named)'"
    }
    guard let path else {
      return "there is no program '\(named)' in PATH (\(variable("PATH") ?? ""))"
    }
    let near = nearest(to: named, among: neighbours(of: named), countMax: 1)
    return "there is no \(path)\(didYouMean(near))"
  }

  private func shellWords(_ named: String) -> String {
    let home = variable("HOME") ?? "/"
    var path = named
    for start in ["~/", "$HOME/", "${HOME}/"] where named.hasPrefix(start) {
      path = home + "/" + named.dropFirst(start.count)
    }
    let what = named.hasPrefix("~") ? "'~'" : "a variable"
    let advice =
      path == named ? "write the whole path" : "write \(Self.list([path] + exec.dropFirst()))"
    return "only a shell expands \(what), and there is none to read '\(named)'; \(advice)"
  }

  // MARK: A script's first line

  private func badInterpreter(_ line: ScriptLine, of path: String) -> String? {
    if line.hasReturn {
      return
        "the first line of \(path) ends in a carriage return, as Windows writes it, so '\(line.interpreter)' is not found; mend it with: sed -i 's/\\r$//' \(path)"
    }
    if !line.interpreter.hasPrefix("/") {
      let name = line.interpreter.isEmpty ? "sh" : line.interpreter
      return
        "the first line of \(path) names the interpreter '\(line.interpreter)', which is no whole path; write #!/usr/bin/env \(name)"
    }
    guard Self.status(line.interpreter) == nil else { return nil }
    let name = line.baseName
    let found = [name, name + "3"].lazy.compactMap { inPath($0) }.first
    let advice = found.map { "; write #!\($0)" } ?? "; install it, or name another one there"
    return
      "the first line of \(path) names the interpreter '\(line.interpreter)', which is not there\(advice)"
  }

  // MARK: A program that ended at once

  /// Returns what an exit code says about the start of the program; `nil` if nothing.
  package func reason(ofExitCode code: Int32) -> String? {
    guard code == 127 || code == 126 else { return nil }
    if let reason = reason(ofShellCode: code) ?? reason(ofEnvCode: code) { return reason }
    return
      code == 127
      ? "a script ends with 127 when it calls a program that is not in PATH; standard error names it"
      : "a script ends with 126 when it calls a file that is not executable; standard error names it"
  }

  /// Returns why `env`, which the first line of a script names, did not start the interpreter that
  /// stands behind it (`#!/usr/bin/env node`); `nil`: it is on PATH, or there is no such line.
  package func reason(ofEnvCode code: Int32) -> String? {
    guard code == 127, let path = path(of: exec[0]),
      let line = ScriptLine.first(of: path).flatMap(ScriptLine.init), line.baseName == "env"
    else { return nil }
    if line.hasReturn { return badInterpreter(line, of: path) }
    guard let name = line.wordsOfEnv.first, inPath(name) == nil, !name.contains("/") else {
      return nil
    }
    return "the first line of \(path) names the interpreter '\(name)', which is not on PATH;"
      + " install it, or name another one there"
  }

  /// Returns why a shell did not start the file that its command begins with; `nil`: the command
  /// begins with no path, or the file could be started.
  ///
  /// 127 and 126 alone say little: `command -v x` ends with 127 where there is no x.
  package func reason(ofShellCode code: Int32) -> String? {
    guard code == 127 || code == 126, exec.count == 3, exec[1] == "-c",
      ["sh", "bash", "dash"].contains(exec[0].split(separator: "/").last.map(String.init) ?? "")
    else { return nil }
    var word = exec[2].drop { $0.isWhitespace }
      .prefix { !$0.isWhitespace && !";|&<>()".contains($0) }
    if let quote = word.first, "\"'".contains(quote), word.count > 2, word.last == quote {
      word = word.dropFirst().dropLast()
    }
    var path = String(word)
    for start in ["~/", "$HOME/", "${HOME}/"] where path.hasPrefix(start) {
      path = (variable("HOME") ?? "") + "/" + path.dropFirst(start.count)
    }
    let isPlain = !path.contains { "$`*?[\\\"'".contains($0) }
    guard path.hasPrefix("/"), isPlain else { return nil }
    let file = ProviderDeclaration(exec: [path], directory: directory)
    if let reason = StartAdvice(file, variables: variables).reason() { return reason }
    guard Self.status(path) != nil, access(path, X_OK) != 0 else { return nil }
    return "\(path) is not executable; make it so with: chmod +x \(path)"
  }

  // MARK: Files

  private func variable(_ name: String) -> String? { variables.last { $0.0 == name }?.1 }

  /// The path of a program; `nil` for a name that is not in PATH.
  private func path(of named: String) -> String? {
    guard named.contains("/") else { return inPath(named) }
    return Self.program(of: ProviderDeclaration(exec: [named], directory: directory))
  }

  private func inPath(_ name: String) -> String? {
    let folders = (variable("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    return folders.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Returns the files beside the manifest, written as `named` is.
  private func neighbours(of named: String) -> [String] {
    guard let folder = opendir(directory) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < ProviderLimits.neighbourCountMax, let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(named.hasPrefix("./") ? "./" + name : name) }
    }
    return names.sorted()
  }

  private static func status(_ path: String) -> stat? {
    var info = stat()
    return stat(path, &info) == 0 ? info : nil
  }

  /// `exec: [uptime, -p]`, with quotes where YAML needs them.
  private static func list(_ words: some Sequence<String>) -> String {
    let plain = words.map { word in
      let isPlain = word.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || "-_./+=".utf8.contains(byte)
      }
      return isPlain && !word.isEmpty ? word : JSONValue.string(word).serialized
    }
    return "exec: [\(plain.joined(separator: ", "))]"
  }
}
