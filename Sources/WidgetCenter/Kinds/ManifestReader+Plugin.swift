package import JSON
import Plugins

/// Reads the keys under `provider:` that belong to a script of another bar.
///
/// ```yaml
/// provider:
///   exec: [./cpu.sh]
///   protocol: i3blocks
///   every: 5s
///   signal: 8
///   clicks: {left: [pavucontrol], scrollUp: pactl set-sink-volume @DEFAULT_SINK@ +5%}
/// ```
extension ManifestReader {
  static let pluginKeys = [
    "every", "retry", "recheck", "stream", "useTrailingStreamSeparator", "alwaysVisible",
    "refreshOnOpen", "signal", "clicks", "restart", "if", "look",
  ]

  /// The value of `provider.protocol`.
  enum Form {
    case provider(ProviderDeclaration.ProviderProtocol)
    case plugin(PluginFormat)
  }

  mutating func readForm(_ provider: LocatedValue) -> Form {
    guard let word = text(provider, "protocol", required: false, path: "provider.protocol") else {
      return .provider(.timeline)
    }
    if let known = ProviderDeclaration.ProviderProtocol(rawValue: word.value) {
      return .provider(known)
    }
    if let format = PluginFormat(rawValue: word.value) { return .plugin(format) }
    let names = PluginFormat.allCases.map(\.rawValue)
    let known = names + ProviderDeclaration.ProviderProtocol.allCases.map(\.rawValue)
    report(
      word.line,
      "provider.protocol is '\(word.value)'"
        + didYouMean(nearest(to: word.value, among: known, countMax: 1)),
      "timeline (a process a request), extension (long-lived), or the program that the script was"
        + " written for: \(names.joined(separator: ", "))")
    return .provider(.timeline)
  }

  /// Says of each key of a plugin that it stands beside a protocol which has none.
  mutating func refusePluginKeys(
    _ provider: LocatedValue, beside form: ProviderDeclaration.ProviderProtocol
  ) {
    for key in Self.pluginKeys {
      guard let item = provider[key], item.node != .null else { continue }
      report(
        item.line, "provider.\(key) stands beside the protocol \(form.rawValue)",
        "it only with a protocol such as \(PluginFormat.i3blocks.rawValue); reload has the rules"
          + " of \(form.rawValue)")
    }
  }

  mutating func readPlugin(_ provider: LocatedValue, _ format: PluginFormat) -> PluginDeclaration {
    var plugin = PluginDeclaration(format, readSchedule(provider))
    if let item = provider["stream"], item.node != .null {
      if case .bool(let flag) = item.node {
        plugin.isStream = flag
      } else {
        report(item.line, "provider.stream is \(Self.describe(item))", "true or false")
      }
    }
    readTrailingSeparator(provider, into: &plugin)
    if let item = provider["alwaysVisible"], item.node != .null {
      switch item.node {
      // The caller, who knows the kind's name, puts it here.
      case .bool(let flag): plugin.emptyTitle = flag ? "" : nil
      default:
        report(item.line, "provider.alwaysVisible is \(Self.describe(item))", "true or false")
      }
    }
    if let item = provider["refreshOnOpen"], item.node != .null {
      switch item.node {
      case .bool(let flag): plugin.runsWhenOpened = flag
      default:
        report(item.line, "provider.refreshOnOpen is \(Self.describe(item))", "true or false")
      }
    }
    if let item = provider["signal"], item.node != .null {
      if case .int(let number) = item.node, let signal = Int(exactly: number),
        Limits.pluginSignalRange.contains(signal)
      {
        plugin.signal = signal
      } else {
        let range = Limits.pluginSignalRange
        report(
          item.line, "provider.signal is \(Self.describe(item))",
          "a whole number from \(range.lowerBound) to \(range.upperBound), as in pkill -RTMIN+8")
      }
    }
    if let item = provider["restart"], item.node != .null {
      plugin.restart = duration(
        provider, "restart", path: "provider.restart", default: Limits.pluginRestartDefault,
        range: Limits.pluginIntervalRange)
      if !plugin.isStream {
        report(
          item.line, "provider.restart stands beside no stream",
          "stream: true, or every in place of restart")
      }
    }
    plugin.retry = interval(provider, "retry")
    plugin.recheck = interval(provider, "recheck")
    readClicks(provider, into: &plugin)
    if let item = provider["if"], item.node != .null {
      plugin.condition = readCommand(item, "provider.if") ?? []
    }
    plugin.look = readLook(provider, format)
    return plugin
  }

  /// Reads a time from the end of a run to the next one.
  private mutating func interval(_ provider: LocatedValue, _ key: String) -> Int64? {
    guard let item = provider[key], item.node != .null else { return nil }
    return duration(
      provider, key, path: "provider.\(key)", default: Limits.pluginRestartDefault,
      range: Limits.pluginIntervalRange)
  }

  /// Reads the word of SwiftBar's tag `<swiftbar.useTrailingStreamSeparator>`.
  private mutating func readTrailingSeparator(
    _ provider: LocatedValue, into plugin: inout PluginDeclaration
  ) {
    let key = "useTrailingStreamSeparator"
    guard let item = provider[key], item.node != .null else { return }
    guard case .bool(let flag) = item.node else {
      return report(item.line, "provider.\(key) is \(Self.describe(item))", "true or false")
    }
    guard plugin.isStream, plugin.format == .swiftbar else {
      let place = plugin.isStream ? "the protocol \(plugin.format.rawValue)" : "no stream"
      return report(
        item.line, "provider.\(key) stands beside \(place)",
        "it only with protocol: swiftbar and stream: true")
    }
    plugin.hasTrailingSeparator = flag
  }

  private mutating func readSchedule(_ provider: LocatedValue) -> PluginSchedule {
    guard let item = provider["every"], item.node != .null else { return .once }
    let written = Self.scalarText(item)
    switch written {
    case "once": return .once
    case "never": return .never
    case nil, .some: break
    }
    if let written {
      if let milliseconds = DurationText.read(written),
        Limits.pluginIntervalRange.contains(milliseconds)
      {
        return .every(milliseconds)
      }
      if let lines = CronLine.lines(written) { return .cron(lines) }
    }
    let range = Limits.pluginIntervalRange
    report(
      item.line, "provider.every is \(Self.describe(item))",
      "a duration such as 5s, from \(DurationText.write(range.lowerBound)) to"
        + " \(DurationText.write(range.upperBound)), once, never, or a line of a crontab such as"
        + " \"*/15 * * * *\"")
    return .once
  }

  private mutating func readClicks(_ provider: LocatedValue, into plugin: inout PluginDeclaration) {
    guard let value = provider["clicks"], value.node != .null else { return }
    guard case .object(let members) = value.node else {
      report(
        value.line, "provider.clicks is \(Self.describe(value))",
        "a mapping such as {left: [pavucontrol]}")
      return
    }
    let names = PluginButton.allCases.map(\.name)
    warnUnknown(in: value, at: "provider.clicks.", known: names)
    for member in members {
      guard let button = PluginButton.allCases.first(where: { $0.name == member.key }) else {
        continue
      }
      guard let command = readCommand(member.value, "provider.clicks.\(member.key)") else {
        continue
      }
      plugin.clicks[button] = command
    }
  }

  /// The commands of a manifest that a plugin runs beside its program: `if` and `clicks`, each with
  /// the line of each of its words.
  ///
  /// What is no command is left out; whoever reads the manifest says so.
  package static func commands(of provider: LocatedValue) -> [[(word: String, line: Int)]] {
    var values = [provider["if"]].compactMap { $0 }
    if case .object(let members)? = provider["clicks"]?.node { values += members.map(\.value) }
    return values.compactMap { value in
      switch value.node {
      case .array(let items):
        items.compactMap { item in scalarText(item).map { ($0, item.line) } }
      case .string(let text): PluginCommand.words(of: text).map { ($0, value.line) }
      case .object, .null, .bool, .int, .double: nil
      }
    }
  }

  /// Reads a program and its arguments: a list, or a text as people type it.
  private mutating func readCommand(_ value: LocatedValue, _ path: String) -> [String]? {
    switch value.node {
    case .array(let items) where !items.isEmpty && items.count <= Limits.argumentCountMax:
      let words = items.compactMap { Self.scalarText($0) }
      if words.count == items.count, words[0] != "",
        words.allSatisfy({ !$0.utf8.contains(0) })
      {
        return words
      }
    case .string(let text):
      let isUsable =
        text.utf8.count <= Limits.manifestTextBytesMax && !text.utf8.contains(0)
        && text.utf8.contains { $0 != 32 }
      if isUsable { return PluginCommand.words(of: text) }
    case .array, .object, .null, .bool, .int, .double: break
    }
    report(
      value.line, "\(path) is \(Self.describe(value))",
      "a list such as [pavucontrol, --tab=3], of 1 to \(Limits.argumentCountMax), or a command as a"
        + " text")
    return nil
  }
}

/// A command as a person types it, as a program and its arguments.
enum PluginCommand {
  /// Returns the words of a command; one with syntax of the shell goes to `/bin/sh -c` as it is.
  static func words(of text: String) -> [String] {
    let words = text.split(separator: " ").map(String.init)
    let isPlain = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || plain.contains(byte)
    }
    guard isPlain, let program = words.first, !program.utf8.contains(UInt8(ascii: "=")),
      words.count <= Limits.argumentCountMax
    else { return ["/bin/sh", "-c", text] }
    return words
  }

  /// Characters beside letters and digits that no shell reads as anything but themselves.
  private static let plain = Set(" -_./:=@%+,".utf8)
}
