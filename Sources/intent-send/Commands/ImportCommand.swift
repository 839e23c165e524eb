import ArgumentParser
import Glibc
import IntentProtocol
import JSON
import PlainText
import ProgramStart

/// Takes over what another bar shows.
///
/// The program `intentd` reads the bar's settings and writes manifests; a daemon that runs reads
/// them, and is asked to place a widget of each.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make widgets of what Waybar, i3blocks, polybar, genmon or scripts show.",
    discussion: """
      intent-send import ~/.config/waybar/config
      intent-send import ~/.config/i3blocks/config --no-add   only the manifests
      intent-send import ~/.config/argos       a folder of scripts
      intent-send import ~/scripts/cpu.5s.sh   one script
      intent-send import ~/.config/waybar/config --patch   a diff for patch -p0

      Writes into widgets/imported of your configuration only, a manifest for each module that \
      runs a program. A manifest that you edited is kept; a widget that is placed is left alone. \
      Exit status: 0 all that has a command was taken, 1 otherwise.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Write the manifests, and place no widgets.") var noAdd = false
  @Flag(help: "Print the diff that makes your bar show the widgets; it applies with patch -p0.")
  var patch = false
  @Argument(help: "The settings of a bar, a script, or a folder.", completion: .file())
  var path: String

  mutating func run() throws {
    try importAll()
  }

  func arguments(for program: String, patching widgets: JSONObject? = nil) -> [String] {
    [program, "--import", path.hasPrefix("-") ? "./" + path : path, "--json"]
      + (widgets.map { ["--import-patch", JSONValue.object($0).serialized] } ?? [])
  }

  private func importAll() throws(Failure) {
    guard !(patch && noAdd) else {
      throw Failure(
        status: .usage, message: "a patch names the widgets, and --no-add places none",
        hints: ["leave one of --patch and --no-add out"])
    }
    var (status, report) = try self.report()
    let placing = noAdd ? Placing() : place(report)
    if patch {
      if let problem = placing.problem { throw problem }
      // The first report says what was written; by the second one all of it is there already.
      let patched = try self.report(patching: placing.widgets).report
      for key in ["patch", "patchNotes", "patchFolder"] { report[key] = patched[key] }
    }
    if common.json {
      Output.print(.object(result(report, placing)))
    } else {
      show(report, placing)
    }
    let isDone = status == 0 && placing.refused.isEmpty
    guard isDone else { throw Failure(status: .failed, message: "") }
  }

  /// Lets `intentd` read the settings and write the manifests, and returns its report.
  private func report(
    patching widgets: JSONObject? = nil
  ) throws(Failure) -> (status: Int32, report: JSONObject) {
    let (status, output) = try DaemonProgram.outputOf { arguments(for: $0, patching: widgets) }
    let report: JSONObject
    do throws(JSONError) {
      report = try JSONValue(parsing: output).objectValue ?? [:]
    } catch {
      // It said on standard error why there is no report.
      throw Failure(status: ProgramStatus(rawValue: status) ?? .failed, message: "")
    }
    if let problem = report["problem"]?.stringValue { throw refusal(problem, report) }
    return (status, report)
  }

  private func refusal(_ problem: String, _ report: JSONObject) -> Failure {
    var failure = Failure(status: .failed, message: problem)
    failure.hints = (report["advice"]?.arrayValue ?? []).compactMap(\.stringValue)
    if common.json { failure.json = .object(report) }
    return failure
  }

  // MARK: Placing

  /// The kinds of which a widget was placed, and those of which none could be.
  private struct Placing {
    var placed: [String] = []
    var there: [String] = []
    var refused: [(kind: String, reason: String)] = []
    /// The ids of the widgets by their kinds, the first of each.
    var widgets: JSONObject = [:]
    /// The reason why nothing was placed at all.
    var problem: Failure?
  }

  /// Lets a daemon read the manifests, and places a widget of each kind that has none.
  private func place(_ report: JSONObject) -> Placing {
    var placing = Placing()
    let kinds = (report["modules"]?.arrayValue ?? []).filter { $0["isShown"] == true }
      .compactMap { $0["kind"]?.stringValue }
    do throws(Failure) {
      var daemon = try Daemon(socketPath: common.socketPath, printsJSON: false)
      let loaded = try daemon.ask(.daemonReloadConfiguration)
      let widgets = try daemon.ask(.widgetList)["widgets"]?.arrayValue ?? []
      let placed = Set(widgets.compactMap { $0["kind"]?.stringValue })
      for widget in widgets {
        guard let kind = widget["kind"]?.stringValue, placing.widgets[kind] == nil else { continue }
        placing.widgets[kind] = widget["id"]
      }
      for kind in kinds {
        guard !placed.contains(kind) else {
          placing.there.append(kind)
          continue
        }
        do throws(Failure) {
          let added = try daemon.ask(.widgetAdd, ["kind": .string(kind)])
          placing.widgets[kind] = added["widget"]?["id"]
          placing.placed.append(kind)
        } catch {
          guard error.code != nil else { throw error }
          placing.refused.append((kind, reason(error, kind, report, loaded)))
        }
      }
    } catch {
      placing.problem = error
    }
    return placing
  }

  /// Returns the reason why a kind was not placed.
  ///
  /// The daemon has read the files by then. So a kind that it does not know has a manifest with a
  /// mistake, which it names, or one that it does not read at all.
  private func reason(
    _ refusal: Failure, _ kind: String, _ report: JSONObject, _ loaded: JSONValue
  ) -> String {
    let module = report["modules"]?.arrayValue?.first { $0["kind"]?.stringValue == kind }
    guard refusal.code == .unknownKind, let file = module?["manifest"]?.stringValue else {
      return refusal.message
    }
    let issue = (loaded["issues"]?.arrayValue ?? []).first {
      $0["file"]?.stringValue == file && $0["severity"] == "error"
    }
    guard let issue else {
      return "\(refusal.message), since the daemon does not read \(file); "
        + "did it start with another XDG_CONFIG_HOME?"
    }
    let line = issue["line"]?.intValue ?? 0
    return "\(file)\(line > 0 ? ":\(line)" : ""): \(issue["message"]?.stringValue ?? "");"
      + " expected: \(issue["expected"]?.stringValue ?? "")"
  }

  // MARK: Printing

  private func result(_ report: JSONObject, _ placing: Placing) -> JSONObject {
    var result = report
    result["table"] = nil
    result["summary"] = nil
    if !placing.refused.isEmpty { result["ok"] = false }
    result["placed"] = .array(placing.placed.map { .string($0) })
    result["notPlaced"] = .array(
      placing.refused.map { ["kind": .string($0.kind), "reason": .string($0.reason)] })
    result["notPlacedReason"] = placing.problem.map { .string($0.message) }
    return result
  }

  private func show(_ report: JSONObject, _ placing: Placing) {
    for problem in report["problems"]?.arrayValue ?? [] {
      let line = problem["line"]?.intValue ?? 0
      let file = problem["file"]?.stringValue ?? ""
      let place = line > 0 ? "\(file):\(line)" : file
      Output.complain("\(printable("\(place): \(problem["message"]?.stringValue ?? "")"))\n")
    }
    let table = (report["table"]?.arrayValue ?? []).compactMap(\.stringValue)
    let summary = report["summary"]?.stringValue ?? ""
    let lines = table.map(printable) + [summary + words(placing)]
    let text = lines.map { $0 + "\n" }.joined()
    if patch {
      Output.complain(text)
      showPatch(report)
    } else {
      Output.print(text)
    }
    for (kind, reason) in placing.refused {
      Output.complain(
        "\(printable("\(kind) was not placed: \(reason)"))\n  try: intent-send try \(kind)\n")
    }
    if let problem = placing.problem {
      Output.complain(
        "\(printable("nothing was placed: \(problem.message)"))\n"
          + "  when a daemon runs: intent-send add KIND\n")
    }
  }

  /// Prints the patch alone to standard output, and what a person has to know beside it to standard
  /// error.
  private func showPatch(_ report: JSONObject) {
    for note in report["patchNotes"]?.arrayValue ?? [] {
      Output.complain("\(printable(note.stringValue ?? ""))\n")
    }
    let text = report["patch"]?.stringValue ?? ""
    if text.isEmpty {
      Output.complain("there is nothing to patch\n")
    } else if let folder = report["patchFolder"]?.stringValue {
      Output.complain(
        "\(printable("the files are in another folder; apply it with: patch -p0 -d \(folder)"))\n")
    }
    if isatty(STDOUT_FILENO) != 0 { return Output.print(text) }
    // The person's own settings, byte for byte: cleaned text might not apply.
    if let code = StandardDescriptors.write(file: Array(text.utf8)) { Output.end(unwritable: code) }
  }

  private func words(_ placing: Placing) -> String {
    var words = ""
    if !placing.placed.isEmpty { words += ", placed \(list(placing.placed))" }
    if !placing.there.isEmpty {
      let verb = placing.there.count == 1 ? "is" : "are"
      words += ", \(list(placing.there)) \(verb) placed already"
    }
    return placing.placed.isEmpty ? words : words + " (--no-add: only the manifests)"
  }

  /// `a`, `a and b`, `a, b and c`.
  private func list(_ kinds: [String]) -> String {
    guard let last = kinds.last, kinds.count > 1 else { return kinds.first ?? "" }
    return "\(kinds.dropLast().joined(separator: ", ")) and \(last)"
  }
}
