import DaemonCore
package import DaemonRuntime
import Digests
import JSON
import PlainText
import Plugins
import WidgetCenter

/// `intentd --import PATH` makes manifests of what another bar shows.
///
/// It reads the bar's settings, and writes into `widgets/imported` of the person's own
/// configuration only. A manifest that is there already is written again as long as nobody changed
/// it, so a second import gives what the first one gave.
package struct PluginImport {
  private let options: RuntimeOptions
  private let path: String
  private let folder: String
  private var rows: [ImportRow] = []
  private var problems: [ImportProblem] = []
  /// The widgets by their kinds, for a patch of the settings; `nil`: nobody wants one.
  private let widgets: [String: String]?
  private var patch: ImportPatch?

  package init(options: RuntimeOptions, path: String, widgets: [String: String]? = nil) {
    self.options = options
    self.path = path
    self.widgets = widgets
    folder = (options.configurationFolders.first ?? "/") + "/widgets/imported"
  }

  /// Reads the widgets that `intent-send` names, an object of ids by kinds; what is none is empty.
  package static func widgets(_ text: String) -> [String: String] {
    var widgets: [String: String] = [:]
    do throws(JSONError) {
      for member in try JSONValue(parsing: text).objectValue?.members ?? [] {
        widgets[member.key] = member.value.stringValue
      }
    } catch {
      // Then no widget is known, and the patch is empty.
      return [:]
    }
    return widgets
  }

  /// Returns the exit code: 0 if everything that has a command was taken, 1 otherwise.
  package mutating func run(asJSON: Bool) -> Int32 {
    do throws(ToolRefusal) {
      let files = ImportFiles(
        home: options.environment["HOME"] ?? "/", environment: options.environment,
        pluginFolders: options.allPluginFolders)
      let reading = try files.read(path)
      problems = reading.problems
      let taken = takenKinds()
      var made: Set<String> = []
      for module in reading.modules {
        let row = try take(module, besides: taken, made)
        if let kind = row.kind { made.insert(kind) }
        rows.append(row)
      }
      if let widgets {
        var made = ImportPatch(widgets: widgets, files: files)
        made.make(for: rows)
        patch = made
      }
    } catch {
      return Question.report(error, asJSON: asJSON)
    }
    report(asJSON: asJSON)
    return isComplete ? 0 : 1
  }

  private var isComplete: Bool {
    problems.allSatisfy(\.isWarning) && !rows.contains { $0.isMissed }
  }

  /// The kinds that other manifests than those of this folder offer, and scripts of the folders of
  /// plugins.
  private func takenKinds() -> Set<String> {
    let files = ConfigurationLoader(
      intentFolders: [], widgetFolders: options.allWidgetFolders,
      pluginFolders: options.allPluginFolders
    ).load()
    var kinds: Set<String> = []
    for plugin in files.plugins {
      let name = plugin.path.split(separator: "/").last.map(String.init) ?? ""
      if case .success(let read) = PluginFileName.read(name, plugin.format ?? .xbar) {
        kinds.insert(read.name)
      }
    }
    for manifest in files.manifests where !manifest.file.hasPrefix(folder + "/") {
      if let kind = manifest.document["kind"]?.json.stringValue { kinds.insert(kind) }
    }
    return kinds
  }

  // MARK: Modules

  private func take(
    _ module: ImportedModule, besides taken: Set<String>, _ made: Set<String>
  ) throws(ToolRefusal) -> ImportRow {
    var row = ImportRow(module: module, state: .notTaken)
    switch module.outcome {
    case .hasNoCommand(let reason): row.reason = reason
    case .refused(let reason):
      row.reason = reason
      row.isMissed = true
    case .taken(let plugin):
      let commands = [plugin.exec, plugin.declaration.condition] + plugin.declaration.clicks.values
      if let doubt = commands.lazy.compactMap(ImportFiles.doubt(aboutCommand:)).first {
        row.reason = "\(doubt.message); \(doubt.remedy)"
        row.isMissed = true
      } else {
        try write(plugin, to: &row, besides: taken, made)
      }
    }
    return row
  }

  /// Writes the manifest under the first name that is free, unless a person changed it.
  ///
  /// A manifest that an earlier import wrote for the same module keeps its name, also where somebody
  /// else offers a kind of that name by now: there is never a second one. `made` are the kinds of
  /// this import.
  private func write(
    _ plugin: ImportedPlugin, to row: inout ImportRow, besides taken: Set<String>,
    _ made: Set<String>
  ) throws(ToolRefusal) {
    let wanted = row.module.kind
    func manifest(_ kind: String) -> ImportedManifest {
      ImportedManifest(kind: kind, module: row.module, plugin: plugin)
    }
    let kind = ImportKinds.free(wanted) { kind in
      guard !made.contains(kind) else { return true }
      guard let present = present(kind) else { return taken.contains(kind) }
      if manifest(kind).isOrigin(of: present) { return false }
      return taken.contains(kind) || manifest(kind).judge(present, hash: Self.hash) == .other
    }
    let path = "\(folder)/\(kind).yaml"
    row.kind = kind
    row.wantedKind = kind == wanted ? nil : wanted
    row.manifest = path
    let text = manifest(kind).text(hash: Self.hash)
    if let present = present(kind) {
      row.state =
        present == text
        ? .unchanged : manifest(kind).judge(present, hash: Self.hash) == .edited ? .kept : .written
    } else {
      row.state = .written
    }
    guard row.state == .written else { return }
    do throws(FileFailure) {
      try PrivateFolder.make(folder)
      try PrivateFolder.write(Array(text.utf8), to: path, mode: 0o600)
    } catch {
      throw ToolRefusal(
        error.message, "manifests that were written before this one stay in \(folder)")
    }
  }

  /// The text of a manifest of the folder; `nil`: it is not there.
  private func present(_ kind: String) -> String? {
    switch readFile("\(folder)/\(kind).yaml", bytesMax: PluginLimits.importBytesMax) {
    case .success(let bytes): String(decoding: bytes, as: UTF8.self)
    case .failure: nil
    }
  }

  private static func hash(_ text: String) -> String { SHA256.digest(of: Array(text.utf8)) }

  // MARK: Report

  private func report(asJSON: Bool) {
    if asJSON {
      var members: JSONObject = [
        "ok": .bool(isComplete), "folder": .string(folder),
        "modules": .array(rows.map(\.json)),
        "problems": .array(
          problems.map {
            [
              "file": .string($0.file), "line": .int(Int64($0.line)),
              "severity": $0.isWarning ? "warning" : "error", "message": .string($0.message),
            ]
          }), "table": .array(table.map { .string($0) }), "summary": .string(summary),
      ]
      for member in patch?.json.members ?? [] { members[member.key] = member.value }
      return Terminal.emit(Terminal.line(of: .object(members)))
    }
    for problem in problems {
      let place = problem.line > 0 ? "\(problem.file):\(problem.line)" : problem.file
      Question.complain(printable("\(Terminal.programName): \(place): \(problem.message)") + "\n")
    }
    Terminal.emit(TerminalText((table + [summary]).map { $0 + "\n" }.joined()))
  }

  /// A line for each module: its name, its kind, and when it runs or why it does not.
  private var table: [String] {
    let file = rows.first?.module.file ?? ""
    let common = commonlyLeftOut
    let cells = rows.map {
      [printable($0.module.name), $0.result, printable($0.details(in: file, besides: common))]
    }
    func width(_ column: Int) -> Int {
      min(cells.map { displayWidth($0[column]) }.max() ?? 0, 40)
    }
    let widths = [width(0), width(1)]
    let lines = cells.map { row in
      let names = zip(row, widths).map { padded($0, columns: $1) }
      return (names + [row[2]]).joined(separator: "  ")
    }
    guard !common.isEmpty else { return lines }
    return lines + [printable("each of them without \(common.joined(separator: ", "))")]
  }

  /// The settings that all modules have and that have no effect in any, in their order; none where
  /// only one module was taken.
  private var commonlyLeftOut: [String] {
    let taken = rows.filter { $0.kind != nil }.compactMap(\.module.plugin)
    guard taken.count > 1, let first = taken.first else { return [] }
    return first.leftOut.filter { key in taken.allSatisfy { $0.leftOut.contains(key) } }
  }

  private var summary: String {
    let written = rows.count { $0.state == .written }
    let others = rows.count { $0.state == .unchanged || $0.state == .kept }
    let stay =
      others == 0 ? "" : others == 1 ? ", 1 stays as it is" : ", \(others) stay as they are"
    return switch written {
    case 0: "wrote no manifest\(stay)"
    case 1: "wrote 1 manifest to widgets/imported\(stay)"
    default: "wrote \(written) manifests to widgets/imported\(stay)"
    }
  }
}
