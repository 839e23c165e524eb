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
          severity: .warning, file: file, line: 0, message: modeMessage(source),
          expected: "a script that can be executed: chmod +x \(ShellWord.quoted(file))"))
    }
    return (read.kind, issues)
  }

  private static func modeMessage(_ source: PluginSource) -> String {
    source.format == .swiftbar
      ? "the script may not be executed; the interpreter of its first line runs it"
      : "the script may not be executed, so it is no plugin in a plugins folder"
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
    show(output.bytes, &report)
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
      if let bar = PluginReader.otherBar(output.bytes, readAs: format) {
        let manifest = report["manifest"]?.stringValue ?? ""
        warnings.append(otherBar(bar, than: format, provider, in: manifest))
      }
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

  /// Shows the beginning of what a program printed.
  static func show(_ output: [UInt8], _ report: inout JSONObject) {
    let beginning = output.prefix(TrialLimits.shownOutputBytesMax)
    report["output"] = .string(String(decoding: beginning, as: UTF8.self))
    if beginning.count < output.count { report["outputBytes"] = .int(Int64(output.count)) }
  }

  /// Says which bar prints such an object, and how to have it read so.
  private static func otherBar(
    _ bar: PluginFormat, than format: PluginFormat, _ provider: ProviderDeclaration,
    in file: String
  ) -> String {
    let name = bar == .waybar ? "Waybar" : "i3blocks"
    let found = "this looks like JSON for \(name), and is read as \(format.rawValue)"
    guard !ManifestSearch.isManifest(file) else {
      return "\(found); write in the manifest, under provider: protocol: \(bar.rawValue)"
    }
    var keys = ["exec: [\(JSONValue.string(StartAdvice.program(of: provider)).serialized)]"]
    keys.append("protocol: \(bar.rawValue)")
    if let plugin = provider.plugin {
      if plugin.isStream {
        keys.append("stream: true")
      } else if case .every(let milliseconds) = plugin.schedule {
        keys.append("every: \(DurationText.write(milliseconds))")
      }
    }
    return "\(found); keep it out of the plugins folder, and write a manifest for it with"
      + " provider: {\(keys.joined(separator: ", "))}"
  }

  /// Says how a run gets more time than the one that was ended.
  static func moreTime(_ provider: ProviderDeclaration, in file: String) -> String {
    let most = DurationText.write(Limits.providerTimeoutMax)
    guard provider.timeout < Limits.providerTimeoutMax else {
      return "no run may take longer than \(most); let it answer sooner"
    }
    let more = DurationText.write(min(provider.timeout * 4, Limits.providerTimeoutMax))
    guard !ManifestSearch.isManifest(file) else {
      return "if it needs longer, write in the manifest, under provider: timeout: \(more)"
        + " (\(most) at most)"
    }
    let format = (provider.plugin?.format ?? .text).rawValue
    return "a script without a manifest has no other timeout; if it needs longer, write a manifest"
      + " for it with protocol: \(format) and timeout: \(more) (\(most) at most)"
  }

  private static func sentence(_ warning: PluginWarning) -> String {
    warning.line.map { "line \($0): \(warning.message)" } ?? warning.message
  }
}
