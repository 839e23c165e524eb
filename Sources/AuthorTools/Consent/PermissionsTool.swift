import DaemonCore
package import DaemonRuntime
import JSON
import PlainText
import Timekeeping
import WidgetCenter

/// `intentd --permissions` lists what kinds ask for and were granted, grants it and takes it back.
///
/// It reads and writes the files that the daemon reads, so no daemon is needed.
package struct PermissionsTool {
  private let options: RuntimeOptions
  private let kind: String?
  private let grant: Grant?
  private let isAnswered: Bool
  /// Whether nothing is to be said of a kind that has what it asks for, in files as agreed to.
  package var isForNeedsOnly = false

  /// `kind` is one kind, `nil` all of them; `grant` is the change, `nil` lists.
  ///
  /// `isAnswered`: nobody is asked before something is granted.
  package init(options: RuntimeOptions, kind: String?, grant: Grant?, isAnswered: Bool) {
    self.options = options
    self.kind = kind
    self.grant = grant
    self.isAnswered = isAnswered
  }

  /// Returns the exit code: 0 done, 1 refused, 4 a person has to answer first.
  package func run(asJSON: Bool) -> Int32 {
    do throws(ToolRefusal) {
      let kinds = try read()
      guard let grant else {
        list(kinds, asJSON: asJSON)
        return 0
      }
      guard let kind, let found = kinds.first else {
        throw ToolRefusal(
          "no kind is named", "name it: intent-send permissions KIND --grant (or --revoke)")
      }
      guard found.provider.containment != .open || found.asked.group != nil else {
        throw ToolRefusal(
          "\(kind) runs without a box, since its manifest is your own: \(found.file)",
          "it may do what you may; for a box, write into the manifest: sandbox: strict")
      }
      switch grant {
      case .asked: try self.grant(found, asJSON: asJSON)
      case .none: try revoke(found, asJSON: asJSON)
      }
      return 0
    } catch {
      return Question.report(error, asJSON: asJSON)
    }
  }

  // MARK: Kinds

  /// Returns the named kind, or the kinds that are in a box or ask for anything.
  private func read() throws(ToolRefusal) -> [WidgetKind] {
    let files = ConfigurationLoader(options).load()
    var kinds: [String: WidgetKind] = [:]
    for source in files.manifests {
      for read in ManifestReader.read(source).kinds where kinds[read.kind] == nil {
        kinds[read.kind] = read.held(by: files.consents[read.bundle])
      }
    }
    for kind in SharedGroups.shared(among: Array(kinds.values)) { kinds[kind.kind] = kind }
    guard let kind else {
      return kinds.values.filter { $0.provider.containment != .open || !$0.asked.isEmpty }
        .sorted { $0.kind < $1.kind }
    }
    guard let found = kinds[kind] else {
      let problems = files.issues.filter { $0.file.contains(kind) }.map(\.description)
      let near = didYouMean(nearest(to: kind, among: kinds.keys.sorted()))
      throw ToolRefusal(
        (["no kind is called '\(kind)'\(near)"] + problems).joined(separator: "\n"),
        "the kinds there are: intent-send gallery")
    }
    return [found]
  }

  // MARK: Listing

  private func list(_ kinds: [WidgetKind], asJSON: Bool) {
    if asJSON {
      return Terminal.emit(Terminal.line(of: ["kinds": .array(kinds.map { view(of: $0) })]))
    }
    guard !kinds.isEmpty else {
      return Terminal.emit(
        TerminalText("no kind is in a box, and none asks for permissions\n"))
    }
    let lines = kinds.flatMap(lines(of:))
    Terminal.emit(TerminalText(lines.map { printable($0) + "\n" }.joined()))
  }

  private func lines(of kind: WidgetKind) -> [String] {
    var lines = [kind.kind]
    lines.append("  held     \(reason(kind))")
    if kind.bundle != kind.kind {
      lines.append("  program  that of \(kind.bundle), with one consent for both")
    }
    lines.append("  asks     \(PermissionWords.phrase(kind.asked))")
    guard kind.provider.containment != .open || kind.asked.group != nil else { return lines }
    let since = kind.consent.map { ", since \($0.date.rfc3339)" } ?? ""
    lines.append("  granted  \(PermissionWords.phrase(kind.granted))\(since)")
    if let file = changedFile(of: kind) {
      lines.append("  changed  \(file), so it does not run; look at it, then:")
      lines.append("           intent-send permissions \(kind.kind) --grant")
    } else if !kind.asked.subtracting(kind.granted).isEmpty {
      lines.append("           intent-send permissions \(kind.kind) --grant")
    }
    return lines
  }

  private func reason(_ kind: WidgetKind) -> String {
    switch (kind.origin, kind.isStrict) {
    case (.installed, _): "in a box: it was installed from elsewhere"
    case (.own, true): "in a box: its manifest says sandbox: strict"
    case (.own, false): "open: it stands in a widgets folder, and may do what you may"
    }
  }

  private func changedFile(of kind: WidgetKind) -> String? {
    var check = PinCheck()
    return kind.provider.pin.flatMap { check.changedFile(of: $0) }
  }

  private func view(of kind: WidgetKind) -> JSONValue {
    var view: JSONObject = [
      "kind": .string(kind.kind), "manifest": .string(kind.file),
      "origin": .string(kind.origin.rawValue),
      "isBoxed": .bool(kind.provider.containment != .open), "asked": kind.asked.json,
      "granted": kind.granted.json,
    ]
    if let bundle = kind.provider.bundle { view["bundle"] = .string(bundle) }
    if let consent = kind.consent { view["date"] = .string(consent.date.rfc3339) }
    if let file = changedFile(of: kind) { view["changed"] = .string(file) }
    return .object(view)
  }

  // MARK: Changes

  private func grant(_ kind: WidgetKind, asJSON: Bool) throws(ToolRefusal) {
    let asked = Self.askable(kind)
    if isForNeedsOnly, asked == kind.granted, changedFile(of: kind) == nil { return }
    if let reason = GrantCheck.refusal(of: asked, for: kind, options) {
      throw ToolRefusal("\(kind.kind) was granted nothing: \(reason)")
    }
    let pin = try KindPin.make(for: kind)
    let changed = kind.consent.map { KindPin.changes(from: $0.pin, to: pin) } ?? []
    if !asJSON { Terminal.emit(TerminalText(summary(kind, changed))) }
    if !isAnswered {
      guard !asJSON, Question.isPossible else {
        throw ToolRefusal(
          "\(kind.kind) was granted nothing: nobody can answer here",
          "say yes with: intent-send permissions \(kind.kind) --grant --yes", status: 4)
      }
      guard Question.answer("grant that? [y/N]", ["y", "n"]) == "y" else {
        throw no(kind, hasChanged: !changed.isEmpty)
      }
    }
    try write(kind, asked, pin, asJSON: asJSON)
  }

  /// The permissions that can be granted to a kind: without a box it has all but a group.
  private static func askable(_ kind: WidgetKind) -> ProviderPermissions {
    kind.provider.containment == .open
      ? ProviderPermissions(group: kind.asked.group) : kind.asked
  }

  /// The outcome of a no, which `intent-send add` shows before it places the widget.
  private func no(_ kind: WidgetKind, hasChanged: Bool) -> ToolRefusal {
    let now =
      if hasChanged {
        "it does not run, since its files changed"
      } else if kind.granted.isEmpty {
        "it runs with nothing"
      } else {
        "it keeps \(PermissionWords.phrase(kind.granted))"
      }
    var refusal = ToolRefusal(
      "nothing was granted; \(now). Later: intent-send permissions \(kind.kind) --grant")
    refusal.isAnswer = true
    return refusal
  }

  private func summary(_ kind: WidgetKind, _ changed: [String]) -> String {
    var lines = [PermissionWords.title(kind)]
    if !changed.isEmpty {
      lines.append("  changed since you agreed:")
      lines += changed.prefix(InstallLimits.shownFileCountMax).map { "    \($0)" }
      let more = changed.count - InstallLimits.shownFileCountMax
      if more > 0 { lines.append("    and \(more) more") }
    }
    lines.append("  runs  \(PermissionWords.program(of: kind))")
    if kind.provider.bundle != nil {
      lines.append("  and so do the other kinds of its manifest, which have the same program")
    }
    lines += PermissionWords.request(
      Self.askable(kind), isBoxed: kind.provider.containment != .open)
    return lines.map { printable($0) + "\n" }.joined()
  }

  /// Takes back everything; which files are agreed to stays as it is.
  private func revoke(_ kind: WidgetKind, asJSON: Bool) throws(ToolRefusal) {
    let pin: ProgramPin
    if let known = kind.provider.pin { pin = known } else { pin = try KindPin.make(for: kind) }
    try write(kind, ProviderPermissions(), pin, asJSON: asJSON)
  }

  private func write(
    _ kind: WidgetKind, _ granted: ProviderPermissions, _ pin: ProgramPin, asJSON: Bool
  ) throws(ToolRefusal) {
    let consent = Consent(
      kind: kind.bundle, manifest: kind.file, granted: granted, date: Question.now, pin: pin)
    do throws(FileFailure) {
      try options.consents.write(consent)
    } catch {
      throw ToolRefusal("nothing changed: \(error.message)")
    }
    if asJSON {
      Terminal.emit(Terminal.line(of: view(of: kind.held(by: consent))))
    } else {
      Terminal.emit(
        TerminalText("\(kind.kind) has now: \(printable(PermissionWords.phrase(granted)))\n"))
    }
  }
}
