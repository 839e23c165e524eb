import DaemonCore
import DaemonRuntime
import Glibc
import JSON
import Plugins
import Timekeeping
import WidgetCenter

/// The parts of a trial that a plugin has: a script for a manifest, and an output of its family.
enum PluginTrial {
  /// Reads a script as the file of a plugins folder; it may be anywhere.
  static func read(_ path: String) -> (kind: WidgetKind?, issues: [DocumentIssue]) {
    let file = absolute(path)
    let found = PluginFolder.plugin(at: file)
    guard let source = found.plugin else { return (nil, found.issues) }
    let read = WidgetKind.read(source)
    var issues = found.issues + read.issues
    if read.kind == nil, issues.isEmpty {
      issues.append(
        DocumentIssue(
          file: file, line: 0, message: "the name of the file is none of a plugin",
          expected: "a name such as cpu.5s.sh, without .off, .json, .md or .txt at its end"))
    }
    if !source.isExecutable {
      issues.append(
        DocumentIssue(
          severity: .warning, file: file, line: 0, message: "the plugin is not executable",
          expected: "a script that can be executed: chmod +x \(file)"))
    }
    return (read.kind, issues)
  }

  /// Returns a path from the root, without a look at links: the folder of a link is the script's.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    var name = path[...]
    while name.hasPrefix("./") { name = name.dropFirst(2) }
    guard let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    let folder = String(cString: here)
    return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }

  /// The contract of a plugin: its family, and when it runs by itself.
  static func json(_ plugin: PluginDeclaration) -> JSONValue {
    var object: JSONObject = ["format": .string(plugin.format.rawValue)]
    object["runs"] = .string(schedule(of: plugin))
    object["signal"] = plugin.signal.map { .int(Int64($0)) }
    if !plugin.condition.isEmpty { object["if"] = .array(plugin.condition.map { .string($0) }) }
    return .object(object)
  }

  static func schedule(of plugin: PluginDeclaration) -> String {
    if plugin.isStream { return "it stays running" }
    return switch plugin.schedule {
    case .every(let milliseconds): "every \(DurationText.write(milliseconds))"
    case .once: "once"
    case .never: "only when it is asked"
    case .cron: "at the times of its crontab"
    }
  }

  /// Says that a plugin was not run, and why.
  static func unmet(_ output: PluginOutput, _ provider: ProviderDeclaration) -> String {
    let words = provider.plugin?.condition ?? []
    // The command of a shell is what the person wrote.
    let command = words.count == 3 && words[1] == "-c" ? words[2] : words.joined(separator: " ")
    return "not run: `\(command)` ended with \(output.conditionStatus)"
  }

  /// Says what became of a run that ended by itself.
  static func judge(
    _ output: PluginOutput, by provider: ProviderDeclaration, _ advice: StartAdvice,
    at now: WallTime, _ report: inout JSONObject
  ) {
    if output.isUnmet {
      report["condition"] = .string(unmet(output, provider))
    } else {
      report["exitStatus"] = .int(Int64(output.exitStatus))
    }
    let beginning = output.bytes.prefix(TrialLimits.shownOutputBytesMax)
    report["output"] = .string(String(decoding: beginning, as: UTF8.self))
    if beginning.count < output.bytes.count {
      report["outputBytes"] = .int(Int64(output.bytes.count))
    }
    var warnings: [String] = []
    if output.surplusByteCount > 0 {
      warnings.append(
        "it printed \(output.surplusByteCount) bytes more than the \(output.bytes.count) that are"
          + " read; print less")
    }
    if provider.isStream, output.bytes.count >= PluginLimits.streamFrameBytesMax {
      warnings.append(
        "the frame has \(PluginLimits.streamFrameBytesMax) bytes or more, and what follows is not"
          + " read; print less in a frame")
    }
    let format = provider.plugin?.format ?? .text
    if case .shows(let reading) = PluginReader.judge(
      output.bytes, format, exitStatus: output.exitStatus, look: provider.plugin?.look)
    {
      warnings += reading.warnings.map(sentence)
      let hasTitle = provider.plugin?.emptyTitle != nil && !output.isUnmet
      report["hidden"] = .bool(reading.frame.isHidden && !hasTitle)
    }
    report["warnings"] = .array(warnings.map { .string($0) })
    switch WidgetEngine.readPrinted(output, by: provider, at: now) {
    case .failure(let failure):
      let reason = advice.reason(ofExitCode: output.exitStatus).map { ": \($0)" } ?? ""
      report["problem"] = .string(failure.message + reason)
    case .success(let timeline):
      report["ok"] = .bool(warnings.isEmpty)
      report["timeline"] = timeline.json
    }
  }

  private static func sentence(_ warning: PluginWarning) -> String {
    warning.line.map { "line \($0): \(warning.message)" } ?? warning.message
  }
}
