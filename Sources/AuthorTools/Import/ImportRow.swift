import JSON
import Plugins

/// The fate of a module of another bar: taken, or not and why.
struct ImportRow {
  /// The outcome of a module.
  enum State: String {
    /// Its manifest was written.
    case written
    /// Its manifest is there already, with the same text.
    case unchanged
    /// Its manifest is there, and a person changed it.
    case kept
    case notTaken
  }

  var module: ImportedModule
  var state: State
  /// `nil` for a module that was not taken.
  var kind: String?
  /// The name that the kind would have if it were free; `nil`: it has it.
  var wantedKind: String?
  var manifest: String?
  /// The reason why it was not taken.
  var reason: String?
  /// Whether a command was left behind.
  var isMissed = false

  /// The kind, or that there is none.
  var result: String { kind ?? "not taken" }

  /// When it runs, or why it was not taken; `common` is said of all modules.
  func details(in file: String, besides common: [String] = []) -> String {
    guard let plugin = module.plugin, let kind else {
      let reason = reason ?? ""
      // A script is a file of its own.
      if module.file.hasSuffix("/" + module.name) { return reason }
      let place = module.file == file ? "" : module.file + " "
      return "\(place)line \(module.line): \(reason)"
    }
    var parts = [Self.time(plugin)]
    let buttons = plugin.declaration.clicks.keys
    let scrolling: Set<PluginButton> = [.scrollUp, .scrollDown, .scrollLeft, .scrollRight]
    if buttons.contains(where: { !scrolling.contains($0) }) { parts.append("click") }
    if buttons.contains(where: scrolling.contains) { parts.append("scroll") }
    if let signal = plugin.declaration.signal { parts.append("signal \(signal)") }
    var text = parts.joined(separator: ", ")
    if state == .kept { text += "; kept, since you edited \(kind).yaml" }
    if let wantedKind { text += "; the kind \(wantedKind) is taken" }
    if !module.isShown { text += "; in no bar, so not placed" }
    let leftOut = plugin.leftOut.filter { !common.contains($0) }
    if !leftOut.isEmpty { text += "; without \(leftOut.joined(separator: ", "))" }
    return text
  }

  private static func time(_ plugin: ImportedPlugin) -> String {
    if plugin.declaration.isStream { return "stays running" }
    return switch plugin.declaration.schedule {
    case .every(let milliseconds): "every \(ImportedManifest.time(milliseconds))"
    case .once: "once"
    case .never: "when asked"
    case .cron: "at \(plugin.cron ?? "")"
    }
  }

  var json: JSONValue {
    var object: JSONObject = [
      "name": .string(module.name), "file": .string(module.file), "line": .int(Int64(module.line)),
      "state": .string(state.rawValue),
    ]
    object["kind"] = kind.map { .string($0) }
    object["wantedKind"] = wantedKind.map { .string($0) }
    object["manifest"] = manifest.map { .string($0) }
    object["reason"] = reason.map { .string($0) }
    if let plugin = module.plugin, kind != nil {
      object["exec"] = .array(plugin.exec.map { .string($0) })
      object["when"] = .string(Self.time(plugin))
      object["signal"] = plugin.declaration.signal.map { .int(Int64($0)) }
      object["isShown"] = .bool(module.isShown)
      object["without"] = .array(plugin.leftOut.map { .string($0) })
    } else {
      object["hasCommand"] = .bool(isMissed)
    }
    return .object(object)
  }
}
