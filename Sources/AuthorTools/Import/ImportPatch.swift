import DaemonRuntime
import Glibc
import JSON
import PlainText
import Plugins

/// Makes the patch that lets a bar show the widgets of an import.
///
/// It changes no file: a person reads the patch, and applies it with `patch -p0`.
struct ImportPatch {
  /// The ids of placed widgets by their kinds.
  let widgets: [String: String]
  let files: ImportFiles

  private(set) var text = ""
  /// The folder in which the patch applies; `nil`: the present one.
  private(set) var folder: String?
  /// The changes that the patch leaves to the person, a sentence each.
  private(set) var notes: [String] = []

  init(widgets: [String: String], files: ImportFiles) {
    self.widgets = widgets
    self.files = files
  }

  /// Makes the patch for the modules of an import.
  mutating func make(for rows: [ImportRow]) {
    var patches: [(path: String, edits: TextEdits)] = []
    var blocks: [String] = []
    var seen: Set<String> = []
    for file in rows.map(\.module.file) where seen.insert(file).inserted {
      let modules = rows.filter { $0.module.file == file }
      switch ImportFormat.of(Self.bytes(file) ?? []) {
      case .i3blocks: blocks += modules.compactMap { $0.kind.flatMap { widgets[$0] } }
      case .waybar, .polybar, .genmon:
        if let edits = patch(file, modules) { patches.append((file, edits)) }
      case nil:
        // A script is no setting of a bar.
        notes += modules.compactMap { row in
          row.kind.flatMap { widgets[$0] }.map {
            "\(row.module.name) is a script, and no settings name it; what your bar runs for it is"
              + " now: intent-send bar BAR \($0)"
          }
        }
      }
    }
    if !blocks.isEmpty { patches += statusCommands(blocks) }
    write(patches)
  }

  private mutating func patch(_ file: String, _ rows: [ImportRow]) -> TextEdits? {
    guard let bytes = Self.bytes(file) else { return nil }
    let replacements = rows.compactMap { row -> SettingsPatch.Replacement? in
      guard let plugin = row.module.plugin, let widget = row.kind.flatMap({ widgets[$0] }) else {
        return nil
      }
      // Some say more than the key.
      let leftOut = plugin.leftOut.map { String($0.prefix { $0 != ":" }) }
      return SettingsPatch.Replacement(
        module: row.module.name, line: row.module.line, widget: widget, leftOut: leftOut)
    }
    var patch = SettingsPatch(bytes)
    switch ImportFormat.of(bytes) {
    case .waybar: patch.waybar(replacements)
    case .genmon: patch.genmon(replacements)
    case .polybar, .i3blocks, nil: patch.polybar(replacements)
    }
    notes += patch.kept.map { "\($0.module) is not patched: \($0.reason)" } + patch.advice
    return patch.edits
  }

  /// The bars of i3 and sway that run i3blocks.
  private mutating func statusCommands(
    _ widgets: [String]
  ) -> [(path: String, edits: TextEdits)] {
    let folder = files.environment["XDG_CONFIG_HOME"] ?? files.home + "/.config"
    let places = [
      folder + "/i3/config", files.home + "/.i3/config", folder + "/sway/config",
    ]
    let found = places.compactMap { path -> (path: String, edits: TextEdits)? in
      guard let bytes = Self.bytes(path) else { return nil }
      var patch = SettingsPatch(bytes)
      return patch.statusCommand(widgets) ? (path, patch.edits) : nil
    }
    if found.isEmpty {
      notes.append(
        "no settings of i3 or sway run i3blocks; put into a bar { } of yours: status_command"
          + " intent-send bar i3bar \(widgets.joined(separator: " "))")
    }
    return found
  }

  /// A patch names files below the folder in which it applies, since `patch` refuses others, and
  /// the file itself where settings are a link to it, as in a folder of dotfiles.
  private mutating func write(_ patches: [(path: String, edits: TextEdits)]) {
    let patches = patches.filter { !$0.edits.isEmpty }
      .map { (path: Self.resolved($0.path) ?? $0.path, edits: $0.edits) }
    guard let first = patches.first else { return }
    let here = Self.presentFolder
    var root = here
    if !patches.allSatisfy({ $0.path.hasPrefix(here + "/") }) {
      root = String(first.path[..<(first.path.lastIndex(of: "/") ?? first.path.startIndex)])
      while !patches.allSatisfy({ $0.path.hasPrefix(root + "/") }) {
        root = String(root[..<(root.lastIndex(of: "/") ?? root.startIndex)])
      }
      folder = root
    }
    for patch in patches {
      text += patch.edits.diff(String(patch.path.dropFirst(root.utf8.count + 1)))
    }
  }

  private static var presentFolder: String {
    guard let folder = resolved(".") else { return "/" }
    return folder == "/" ? "" : folder
  }

  /// The path without links; `nil`: there is nothing.
  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The bytes of a file whose lines can be written into a patch.
  private static func bytes(_ path: String) -> [UInt8]? {
    guard case .success(let bytes) = readFile(path, bytesMax: PluginLimits.importBytesMax),
      String(validating: bytes, as: UTF8.self) != nil
    else { return nil }
    return bytes
  }

  var json: JSONObject {
    var object: JSONObject = [
      "patch": .string(text), "patchNotes": .array(notes.map { .string($0) }),
    ]
    object["patchFolder"] = folder.map { .string($0) }
    return object
  }
}
