import DaemonCore
package import DaemonRuntime
import Digests
import Glibc
import IntentRouter
import JSON
import PlainText
import Plugins
import Timekeeping
import WidgetCenter

/// The answer to the question of a consent.
package enum Grant: String, CaseIterable, Sendable {
  /// It runs, and has nothing beyond its own folders.
  case none
  /// It has what its manifest asks for.
  case asked
}

/// `intentd --install PATH` takes in a widget that comes from elsewhere.
///
/// It reads the files once, judges them, shows what the widget asks for, and copies them only after
/// a yes. The provider of what was installed runs in a box.
package struct Installation {
  private let options: RuntimeOptions
  private let path: String
  private let grant: Grant?

  /// `grant` is the answer that was given in advance; `nil`: a person is asked.
  package init(options: RuntimeOptions, path: String, grant: Grant?) {
    self.options = options
    self.path = path
    self.grant = grant
  }

  /// Returns the exit code: 0 installed, 1 refused, 4 a person has to answer first.
  package func run(asJSON: Bool) -> Int32 {
    do throws(ToolRefusal) {
      var source = try InstallSource(path)
      let kinds = try judge(&source)
      // One program has one consent, which has the name of the first kind.
      let kind = kinds[0]
      let own = readOwn()
      for kind in kinds { try refuseTakenKind(kind, in: own) }
      try refuseInstalledKinds(kinds)
      try refuseOtherScript(source, kind)
      return try install(source, kind, kinds.dropFirst().map(\.kind), asJSON: asJSON)
    } catch {
      return Question.report(error, asJSON: asJSON)
    }
  }

  // MARK: Judgement

  /// Reads the manifest as the daemon will, and returns its kinds, at least one; adds the files that
  /// a single manifest names.
  private func judge(_ source: inout InstallSource) throws(ToolRefusal) -> [WidgetKind] {
    let shown = "\(source.folder)/\(source.manifest)"
    let bytes = source.files.first { $0.path == source.manifest }?.bytes ?? []
    var issues: [DocumentIssue] = []
    let document = readDocument(bytes, shown, &issues)
    let read = document.map {
      ManifestReader.read(
        ManifestSource(file: shown, directory: source.folder, document: $0, origin: .installed))
    }
    issues += read?.issues ?? []
    source.namesAliases = document.map(Self.namesAliases) ?? false
    guard var kinds = read?.kinds, let first = kinds.first,
      !issues.contains(where: { $0.severity == .error })
    else {
      let lines = issues.map(\.description)
      throw ToolRefusal(
        lines.isEmpty ? "\(shown) is empty" : lines.joined(separator: "\n"),
        "nothing was installed; mend the manifest, or ask its author")
    }
    try addPrograms(of: first, to: &source)
    let target = InstalledFolder(parent: options.installedFolder, kind: first.kind)
    for index in kinds.indices {
      kinds[index].file = "\(target.path)/\(source.manifest)"
      kinds[index].provider.directory = target.path
    }
    return kinds
  }

  private static func namesAliases(_ document: LocatedValue) -> Bool {
    if case .array(let kinds)? = document["kinds"]?.node {
      return kinds.contains { $0["aliases"] != nil }
    }
    return document["aliases"] != nil
  }

  private func addPrograms(
    of kind: WidgetKind, to source: inout InstallSource
  ) throws(ToolRefusal) {
    for (index, word) in kind.provider.exec.enumerated() where !word.hasPrefix("/") {
      let parts = word.split(separator: "/").filter { $0 != "." }
      let path = parts.joined(separator: "/")
      let isNamed = index == 0 && word.contains("/")
      guard !parts.contains("..") else {
        guard isNamed else { continue }
        throw ToolRefusal(
          "the program '\(word)' leads out of the widget's folder",
          "a widget from elsewhere runs what it brings along, or a program of the system by its name"
        )
      }
      if source.isFile(path) { try source.add(path) }
      guard isNamed else { continue }
      guard let program = source.files.first(where: { $0.path == path }) else {
        throw ToolRefusal(
          "the program '\(word)' of the manifest is not in \(source.folder)",
          "install the folder that has it: intent-send install FOLDER")
      }
      guard program.isProgram else {
        throw ToolRefusal(
          "the program '\(word)' may not be executed",
          "chmod u+x \(ShellWord.quoted("\(source.folder)/\(path)"))")
      }
    }
  }

  /// The person's own manifests and scripts.
  private func readOwn() -> ConfigurationFiles {
    ConfigurationLoader(
      intentFolders: [], widgetFolders: options.allWidgetFolders,
      pluginFolders: options.allPluginFolders
    ).load()
  }

  private func refuseTakenKind(
    _ kind: WidgetKind, in files: ConfigurationFiles
  ) throws(ToolRefusal) {
    let taken = files.manifests.first { $0.writtenKinds.contains { $0.kind == kind.kind } }
    if let taken {
      throw ToolRefusal(
        "the kind \(kind.kind) is offered by \(taken.file) already, and that one would stay in force",
        "remove that one first, if you want this one")
    }
    // A manifest wins over a script of the same kind, and would take the person's own one away.
    for plugin in files.plugins where WidgetKind.read(plugin).kind?.kind == kind.kind {
      throw ToolRefusal(
        "the kind \(kind.kind) is offered by your own script \(plugin.path) already",
        "remove that one first, if you want this one, or give one of them another name")
    }
  }

  /// Refuses kinds that another installed manifest offers: which of the two holds would depend on
  /// the order of their names.
  private func refuseInstalledKinds(_ kinds: [WidgetKind]) throws(ToolRefusal) {
    let files = ConfigurationLoader(
      intentFolders: [], widgetFolders: [], installedFolder: options.installedFolder
    ).load()
    let target = InstalledFolder(parent: options.installedFolder, kind: kinds[0].kind).path
    for source in files.manifests where source.directory != target {
      let offered = Set(source.writtenKinds.map(\.kind))
      guard let taken = kinds.first(where: { offered.contains($0.kind) }) else { continue }
      let folder = source.directory.split(separator: "/").last.map(String.init) ?? ""
      throw ToolRefusal(
        "the kind \(taken.kind) is installed already, by \(source.file)",
        "remove that one first, if you want this one: intent-send uninstall \(folder)")
    }
  }

  /// Refuses a script in the place of another one.
  ///
  /// Files of many authors are called `cpu`. One of them shall not get what another one was granted,
  /// nor its cache folder.
  private func refuseOtherScript(
    _ source: InstallSource, _ kind: WidgetKind
  ) throws(ToolRefusal) {
    guard let script = source.plugin else { return }
    let folder = InstalledFolder(parent: options.installedFolder, kind: kind.kind)
    guard folder.exists, access("\(folder.path)/\(script.file)", F_OK) != 0 else { return }
    let name = PluginSource(path: script.file).name
    throw ToolRefusal(
      "the kind \(kind.kind) is installed already, and not from a file '\(name)'",
      "remove that one first, if you want this one: intent-send uninstall \(kind.kind)",
      "or give this one another name, such as \(kind.kind)-2\(name.dropFirst(kind.kind.count))")
  }

  // MARK: Consent

  /// Asks and installs; `others` are the kinds of the manifest beside its first.
  private func install(
    _ source: InstallSource, _ kind: WidgetKind, _ others: [String], asJSON: Bool
  ) throws(ToolRefusal) -> Int32 {
    let folder = InstalledFolder(parent: options.installedFolder, kind: kind.kind)
    let old = folder.exists ? options.consents.load().consents[kind.kind] : nil
    if let old, grant == nil, isSame(source, as: old, in: folder) {
      report(
        kind, others, source, old, state: "unchanged", asJSON: asJSON,
        text: "\(kind.kind) is installed already, with these files\n")
      return 0
    }
    if !asJSON {
      Terminal.emit(TerminalText(summary(source, kind, others, old, isThere: folder.exists)))
    }
    let grant: Grant
    if let given = self.grant {
      grant = given
    } else {
      grant = try ask(kind, isThere: folder.exists, asJSON: asJSON)
    }
    if grant == .asked, let reason = GrantCheck.refusal(of: kind.asked, for: kind, options) {
      throw ToolRefusal(
        "\(Self.outcome(kind, isThere: folder.exists)): \(reason)",
        "without that: intent-send install \(ShellWord.quoted(path)) --grant none")
    }
    try folder.replace(with: source.files)
    let granted = grant == .asked ? kind.asked : ProviderPermissions()
    let consent = Consent(
      kind: kind.kind, manifest: kind.file, granted: granted, date: Question.now,
      pin: try KindPin.make(for: kind))
    do throws(FileFailure) {
      try options.consents.write(consent)
    } catch {
      throw ToolRefusal(
        "it was installed, and nothing was granted: \(error.message)",
        "then: intent-send permissions \(kind.kind) --grant")
    }
    report(
      kind, others, source, consent, state: "installed", asJSON: asJSON,
      text: """
        installed in \(folder.path)
        granted: \(PermissionWords.phrase(granted))
        place it: \(([kind.kind] + others).map { "intent-send add \($0)" }.joined(separator: ", "))

        """)
    return 0
  }

  /// The description that a script of another bar gives of itself, and why it asks.
  private static func lines(of script: InstalledPlugin, _ kind: WidgetKind) -> [String] {
    var lines = [
      "  as        a script for \(script.format.rawValue): "
        + (kind.provider.plugin.map(PluginTrial.schedule) ?? "")
    ]
    if !script.needs.isEmpty {
      lines.append("  its tags  say that it needs \(script.needs.joined(separator: ", "))")
    }
    if let word = script.networkWord {
      lines.append("  it names  \"\(word)\", so it asks for the network")
    }
    return lines
  }

  /// Whether the files are those that were installed, and those are as they were.
  private func isSame(
    _ source: InstallSource, as old: Consent, in folder: InstalledFolder
  ) -> Bool {
    let known = Dictionary(old.pin.files.map { ($0.path, $0.digest) }) { first, _ in first }
    var check = PinCheck()
    return known.count == source.files.count && check.changedFile(of: old.pin) == nil
      && source.files.allSatisfy {
        known["\(folder.path)/\($0.path)"] == SHA256.digest(of: $0.bytes)
      }
  }

  private func summary(
    _ source: InstallSource, _ kind: WidgetKind, _ others: [String], _ old: Consent?, isThere: Bool
  ) -> String {
    var lines = [
      PermissionWords.title(kind),
      "  from      \(source.place): \(source.files.count) files,"
        + " \(ByteCount.write(UInt64(source.byteCount)))",
      "  runs      \(PermissionWords.program(of: kind))",
    ]
    if !others.isEmpty {
      lines.append("  offers    \(([kind.kind] + others).joined(separator: ", "))")
    }
    if let script = source.plugin { lines += Self.lines(of: script, kind) }
    if isThere { lines.append("  replaces  the version that is installed") }
    lines += PermissionWords.request(kind.asked)
    if source.namesAliases {
      lines.append(
        "  its aliases do not count: only your own manifests take over widgets that are placed")
    }
    if let old {
      let more = kind.asked.subtracting(old.granted)
      lines.append(
        more.isEmpty
          ? "  that is no more than it has now"
          : "  it has none of this yet: \(PermissionWords.phrase(more))")
    }
    return lines.map { printable($0) + "\n" }.joined()
  }

  /// The outcome where nothing was installed, as the beginning of a sentence.
  private static func outcome(_ kind: WidgetKind, isThere: Bool) -> String {
    isThere
      ? "the new version of \(kind.kind) was not installed; the installed one stays"
      : "\(kind.kind) is not installed"
  }

  private func ask(
    _ kind: WidgetKind, isThere: Bool, asJSON: Bool
  ) throws(ToolRefusal) -> Grant {
    let path = ShellWord.quoted(path)
    let outcome = Self.outcome(kind, isThere: isThere)
    guard !asJSON, Question.isPossible else {
      guard !kind.asked.isEmpty else {
        throw ToolRefusal(
          "\(outcome): nobody can say yes here", "intent-send install \(path) --yes", status: 4)
      }
      throw ToolRefusal(
        "\(outcome): nobody can answer here whether it may have"
          + " \(PermissionWords.phrase(kind.asked))",
        "install it and grant that: intent-send install \(path) --yes",
        "install it and grant nothing: intent-send install \(path) --grant none", status: 4)
    }
    let answer =
      kind.asked.isEmpty
      ? Question.answer("install it? [y/N]", ["y", "n"])
      : Question.answer("install it and grant that? [y]es, [w]ithout, [N]o", ["y", "w", "n"])
    switch answer {
    case "y": return .asked
    case "w": return .none
    default:
      var refusal = ToolRefusal(isThere ? outcome : "nothing was installed")
      refusal.isAnswer = true
      throw refusal
    }
  }

  private func report(
    _ kind: WidgetKind, _ others: [String], _ source: InstallSource, _ consent: Consent,
    state: String, asJSON: Bool, text: String
  ) {
    guard asJSON else { return Terminal.emit(TerminalText(text)) }
    Terminal.emit(
      Terminal.line(
        of: [
          "ok": true, "state": .string(state), "kind": .string(kind.kind),
          "kinds": .array(([kind.kind] + others).map { .string($0) }),
          "manifest": .string(kind.file), "fileCount": .int(Int64(source.files.count)),
          "asked": kind.asked.json, "granted": consent.granted.json,
        ]))
  }
}

/// `intentd --uninstall KIND` removes what `--install` took in, and its consent.
package struct Uninstallation {
  private let options: RuntimeOptions
  private let kind: String

  package init(options: RuntimeOptions, kind: String) {
    self.options = options
    self.kind = kind
  }

  /// Returns the first kind of the installed manifest that offers this one; `nil`: none does.
  private func bundle() -> String? {
    let files = ConfigurationLoader(
      intentFolders: [], widgetFolders: [], installedFolder: options.installedFolder
    ).load()
    let source = files.manifests.first { $0.writtenKinds.contains { $0.kind == kind } }
    return source?.directory.split(separator: "/").last.map(String.init)
  }

  /// Returns the exit code: 0 removed, 1 it was not there.
  package func run(asJSON: Bool) -> Int32 {
    do throws(ToolRefusal) {
      let folder = InstalledFolder(parent: options.installedFolder, kind: kind)
      guard ManifestReader.isIdentifier(kind), folder.exists else {
        if let bundle = bundle() {
          throw ToolRefusal(
            "the kind \(kind) was installed with others of one manifest, as \(bundle)",
            "remove them together: intent-send uninstall \(bundle)")
        }
        throw ToolRefusal(
          "no kind '\(kind)' is installed in \(options.installedFolder)",
          "the kinds there are: intent-send permissions")
      }
      folder.remove()
      do throws(FileFailure) {
        try options.consents.remove(kind)
      } catch {
        throw ToolRefusal(
          "\(kind) was removed, and its consent was not: \(error.message)",
          "rm \(ShellWord.quoted(options.consents.path(of: kind)))")
      }
      if asJSON {
        Terminal.emit(Terminal.line(of: ["ok": true, "kind": .string(kind)]))
      } else {
        Terminal.emit(
          TerminalText(
            "uninstalled \(kind)\nits widgets stay placed; take them away with: intent-send remove ID\n"
          ))
      }
      return 0
    } catch {
      return Question.report(error, asJSON: asJSON)
    }
  }
}
