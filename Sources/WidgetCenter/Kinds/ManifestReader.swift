package import JSON
import Plugins

/// A manifest as it was read from disk, not yet judged.
package struct ManifestSource: Hashable, Sendable {
  package var file: String
  /// Absolute folder of the file.
  package var directory: String
  package var document: LocatedValue
  package var origin: ManifestOrigin

  package init(
    file: String, directory: String, document: LocatedValue, origin: ManifestOrigin = .own
  ) {
    self.file = file
    self.directory = directory
    self.document = document
    self.origin = origin
  }
}

/// Turns a manifest into kinds and issues.
///
/// All mistakes of a file are found in one reading. An error leaves its kind out; a warning (an
/// unknown key) does not.
package struct ManifestReader {
  package private(set) var issues: [DocumentIssue] = []
  let source: ManifestSource

  /// Whether an issue keeps the kind out.
  var hasErrors: Bool { issues.contains { $0.severity == .error } }

  init(source: ManifestSource) { self.source = source }

  static let keys = [
    "kind", "name", "description", "families", "modes", "intent", "provider", "reload", "env",
    "url", "app", "needs", "aliases", "suggest", "permissions", "sandbox", "privileges", "kinds",
    "group", "downloads", "performs", "view", "private",
  ]

  /// Reads the keys of one kind.
  mutating func readKind() -> WidgetKind? {
    let root = source.document
    guard case .object = root.node else {
      report(
        root.line, "a manifest is \(Self.describe(root))",
        "a mapping with kind, name, families, provider")
      return nil
    }
    warnUnknown(in: root, at: "", known: Self.keys)

    let kind = text(root, "kind", required: true)
    if let kind, !Self.isIdentifier(kind.value) {
      report(
        kind.line, "kind is '\(kind.value)'",
        "letters, digits, '.', '-' and '_', such as org.example.weather, at most \(Limits.widgetIDLengthMax)"
      )
    }
    let name = localizedText(root, "name", required: true)
    let description = localizedText(root, "description", required: false)
    let families = readFamilies(root)
    let intent = text(root, "intent", required: false)
    let provider = readProvider(root)
    let reload = readReload(root)
    let needsNetwork = readNeeds(root)
    let mayDownloadMetered = readDownloads(root)
    let aliases = readAliases(root, of: kind?.value)
    let url = text(root, "url", required: false)
    if let url, !url.value.contains(":") {
      report(
        url.line, "url is '\(url.value)'", "a URL with a scheme, such as weather://city/{city}")
    }
    let app = text(root, "app", required: false)
    let group = readGroup(root)
    let suggest = readSuggest(root)
    let modes = readModes(root, provider)
    let wantsView = readView(root, provider)
    let holding = readHolding(root)
    let performs = readPerforms(root, provider)

    guard let kind, let name, let families, !families.isEmpty, let provider else { return nil }
    var read = WidgetKind(
      kind: kind.value, name: name.text, description: description?.text ?? "",
      families: families, intent: intent?.value, provider: provider, reload: reload,
      url: url?.value, app: app?.value, file: source.file)
    read.names = name.isLocalized ? name : nil
    read.descriptions = description.flatMap { $0.isLocalized ? $0 : nil }
    read.needsNetwork = needsNetwork
    read.provider.needsNetwork = needsNetwork
    read.mayDownloadMetered = mayDownloadMetered
    if read.provider.plugin?.emptyTitle != nil { read.provider.plugin?.emptyTitle = name.text }
    // What comes from elsewhere takes over nothing that a person placed.
    read.aliases = source.origin == .own ? aliases : []
    read.suggest = suggest
    read.modes = modes
    read.performs = performs
    read.wantsView = wantsView
    read.isPrivate = readPrivate(root)
    read.origin = source.origin
    read.asked = holding.asked
    // A provider that is of no use without the network asks for it by saying so.
    if needsNetwork { read.asked.network = true }
    // Which app has the group is known with all manifests: see `SharedGroups`.
    read.group = group
    read.asked.group = group
    read.isStrict = holding.isStrict
    read.provider.hasPrivileges = holding.hasPrivileges
    return read.held(by: nil)
  }

  private mutating func readFamilies(_ root: LocatedValue) -> [WidgetFamily]? {
    let names = WidgetFamily.allCases.map(\.rawValue)
    guard let value = root["families"] else {
      report(root.line, "families is missing", "a list such as [systemSmall, accessoryInline]")
      return nil
    }
    guard case .array(let items) = value.node, !items.isEmpty else {
      report(
        value.line, "families is \(Self.describe(value))",
        "a list of at least one of \(names.joined(separator: ", "))")
      return nil
    }
    var families: [WidgetFamily] = []
    for item in items {
      let word = Self.scalarText(item) ?? Self.describe(item)
      guard let family = WidgetFamily(rawValue: word) else {
        report(
          item.line,
          "'\(word)' is not a family\(didYouMean(nearest(to: word, among: names, countMax: 1)))",
          "one of \(names.joined(separator: ", "))")
        continue
      }
      if !families.contains(family) { families.append(family) }
    }
    return families
  }

  private mutating func readProvider(_ root: LocatedValue) -> ProviderDeclaration? {
    guard let value = root["provider"], value.node != .null else {
      return readAbsentProvider(root)
    }
    guard case .object = value.node else {
      report(
        value.line, "provider is \(Self.describe(value))",
        "a mapping with exec: [program, argument…]")
      return nil
    }
    // A warning alone would let a program run free whose author asked for a box.
    for name in ["permissions", "sandbox", "privileges"] {
      guard let item = value[name], item.node != .null else { continue }
      report(
        item.line, "provider.\(name) has no effect",
        "\(name) at the left margin, beside provider")
    }
    warnUnknown(
      in: value, at: "provider.",
      known: [
        "exec", "protocol", "timeout", "memory", "processes", "fileSize", "cache", "processorTime",
      ] + Self.pluginKeys)

    var exec: [String] = []
    if let list = value["exec"] {
      if case .array(let items) = list.node, !items.isEmpty, items.count <= Limits.argumentCountMax
      {
        for item in items {
          guard let argument = Self.scalarText(item), !argument.utf8.contains(0) else {
            report(item.line, "an argument of provider.exec is \(Self.describe(item))", "a string")
            continue
          }
          exec.append(argument)
        }
        if exec.first == "" {
          report(list.line, "the program of provider.exec is empty", "a program")
        }
      } else {
        report(
          list.line, "provider.exec is \(Self.describe(list))",
          "a list of 1 to \(Limits.argumentCountMax) arguments such as [./weather, --short]; there is no shell"
        )
      }
    } else {
      report(value.line, "provider.exec is missing", "a list such as [./weather]")
    }

    let form = readForm(value)
    let timeout = duration(
      value, "timeout", path: "provider.timeout", default: Limits.providerTimeoutDefault,
      range: Limits.providerTimeoutMin...Limits.providerTimeoutMax)
    var memory = Limits.providerMemoryDefault
    if let item = value["memory"] {
      if let bytes = Self.scalarText(item).flatMap(ByteCount.read),
        bytes >= Limits.providerMemoryMin
      {
        memory = bytes
      } else {
        report(
          item.line, "provider.memory is \(Self.describe(item))",
          "a size of at least 1MB, such as 64MB or 1GB")
      }
    }
    var declared = ProviderDeclaration(
      exec: exec, directory: source.directory, timeout: timeout, memory: memory,
      environment: readEnvironment(root))
    switch form {
    case .provider(let known):
      declared.providerProtocol = known
      refusePluginKeys(value, beside: known)
    case .plugin(let format): declared.plugin = readPlugin(value, format)
    }
    declared.allowance = readAllowance(value)
    return declared
  }

  private mutating func readEnvironment(_ root: LocatedValue) -> [ProviderDeclaration.Variable] {
    guard let value = root["env"] else { return [] }
    guard case .object(let members) = value.node, members.count <= Limits.environmentCountMax else {
      report(
        value.line, "env is \(Self.describe(value))",
        "a mapping of at most \(Limits.environmentCountMax) NAME: value")
      return []
    }
    var variables: [ProviderDeclaration.Variable] = []
    for member in members {
      let isName =
        member.key.utf8.allSatisfy { byte in
          byte == 95 || (48...57).contains(byte) || (65...90).contains(byte)
            || (97...122).contains(byte)
        } && !member.key.isEmpty && !(48...57).contains(member.key.utf8.first ?? 48)
      guard isName else {
        report(
          member.line, "env has the name '\(member.key)'",
          "letters, digits and '_', not starting with a digit")
        continue
      }
      guard let text = Self.scalarText(member.value), !text.utf8.contains(0) else {
        report(
          member.value.line, "env.\(member.key) is \(Self.describe(member.value))",
          "a string, number or boolean")
        continue
      }
      variables.append(.init(name: member.key, value: text))
    }
    return variables
  }

  private mutating func readReload(_ root: LocatedValue) -> ReloadRules {
    var rules = ReloadRules()
    guard let value = root["reload"] else { return rules }
    guard case .object(let members) = value.node else {
      report(
        value.line, "reload is \(Self.describe(value))", "a mapping such as {minimumInterval: 5m}")
      return rules
    }
    warnUnknown(in: value, at: "reload.", known: ReloadOverrides.keys)
    var overrides = ReloadOverrides()
    for member in members where ReloadOverrides.keys.contains(member.key) {
      do throws(ReloadRuleError) {
        try overrides.read(member.key, member.value.json)
      } catch {
        report(
          member.value.line, "reload.\(member.key) is \(Self.describe(member.value))",
          error.expected)
      }
    }
    overrides.apply(to: &rules)
    return rules
  }

  /// `private: true` or `false`.
  private mutating func readPrivate(_ root: LocatedValue) -> Bool {
    guard let value = root["private"], value.node != .null else { return false }
    if case .bool(let flag) = value.node { return flag }
    report(
      value.line, "private is \(Self.describe(value))",
      "true if its widgets show personal data, which nobody is to see on a locked screen, or false")
    return false
  }

  /// `needs: network`, or a list of it.
  private mutating func readNeeds(_ root: LocatedValue) -> Bool {
    guard let value = root["needs"], value.node != .null else { return false }
    var words = [value]
    if case .array(let items) = value.node { words = items }
    for word in words where Self.scalarText(word) != "network" {
      report(word.line, "needs is \(Self.describe(word))", "network, or nothing")
    }
    return !words.isEmpty
  }

  private mutating func readAliases(_ root: LocatedValue, of kind: String?) -> [String] {
    guard let value = root["aliases"], value.node != .null else { return [] }
    let expected = "a list of at most \(Limits.aliasCountMax) names that the kind had before"
    guard case .array(let items) = value.node, items.count <= Limits.aliasCountMax else {
      report(value.line, "aliases is \(Self.describe(value))", expected)
      return []
    }
    var aliases: [String] = []
    for item in items {
      guard let name = Self.scalarText(item), Self.isIdentifier(name), name != kind else {
        report(item.line, "an alias is \(Self.describe(item))", expected)
        continue
      }
      if !aliases.contains(name) { aliases.append(name) }
    }
    return aliases
  }

  // MARK: Pieces

  mutating func text(
    _ parent: LocatedValue, _ key: String, required: Bool, path: String? = nil
  ) -> (value: String, line: Int)? {
    guard let value = parent[key], value.node != .null else {
      if required { report(parent.line, "\(path ?? key) is missing", "a text") }
      return nil
    }
    guard case .string(let text) = value.node, !text.isEmpty else {
      report(value.line, "\(path ?? key) is \(Self.describe(value))", "a text")
      return nil
    }
    guard text.utf8.count <= Limits.manifestTextBytesMax else {
      report(
        value.line, "\(path ?? key) has \(text.utf8.count) bytes",
        "at most \(Limits.manifestTextBytesMax)")
      return nil
    }
    return (text, value.line)
  }

  mutating func duration(
    _ parent: LocatedValue, _ key: String, path: String, default standard: Int64,
    range: ClosedRange<Int64>
  ) -> Int64 {
    guard let value = parent[key] else { return standard }
    if let milliseconds = Self.scalarText(value).flatMap(DurationText.read),
      range.contains(milliseconds)
    {
      return milliseconds
    }
    report(
      value.line, "\(path) is \(Self.describe(value))",
      "a duration such as 30s, 5m or 2h, from \(DurationText.write(range.lowerBound)) to \(DurationText.write(range.upperBound))"
    )
    return standard
  }

  mutating func warnUnknown(in value: LocatedValue, at prefix: String, known: [String]) {
    guard case .object(let members) = value.node else { return }
    // One more than are told, so that the list says that there are others.
    let unknown = members.lazy.filter { !known.contains($0.key) }
      .prefix(DocumentIssue.countOfFileMax + 1)
    for member in unknown {
      let near = didYouMean(nearest(to: member.key, among: known, countMax: 1))
      issues.append(
        DocumentIssue(
          severity: .warning, file: source.file, line: member.line,
          message: "'\(prefix)\(member.key)' is not a key of a manifest and is ignored\(near)",
          expected: "one of \(known.joined(separator: ", "))"))
    }
  }

  mutating func report(_ line: Int, _ message: String, _ expected: String) {
    issues.append(
      DocumentIssue(file: source.file, line: line, message: message, expected: expected))
  }

  mutating func append(_ found: [DocumentIssue]) { issues += found }

  static func scalarText(_ value: LocatedValue) -> String? {
    switch value.node {
    case .string(let text): text
    case .int(let number): String(number)
    case .double(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  static func describe(_ value: LocatedValue) -> String {
    if let text = scalarText(value) { return "'\(text)'" }
    switch value.node {
    case .array(let items): return "a list of \(items.count)"
    case .object(let members): return "a mapping of \(members.count)"
    case .null: return "empty"
    case .string, .int, .double, .bool: return value.json.typeName
    }
  }

  /// Whether a text may name a kind or a widget: `[A-Za-z0-9._-]{1,128}`.
  package static func isIdentifier(_ text: String) -> Bool {
    // No id looks like a hidden file, `..` or an option of a command.
    !text.isEmpty && text.utf8.count <= Limits.widgetIDLengthMax && text.first != "."
      && text.first != "-"
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || byte == 45 || byte == 46 || byte == 95
      }
  }
}
