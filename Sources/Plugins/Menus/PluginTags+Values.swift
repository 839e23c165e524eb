import JSON
import PlainText

extension PluginTags {
  /// Takes a tag; the first of a name counts, but for lists.
  mutating func take(_ tag: TagText, line: Int) {
    let whole = printable(tag.value)
    let text = whole.trimmed(to: PluginLimits.tagBytesMax)
    if whole.utf8.count > PluginLimits.tagBytesMax {
      warn(
        line,
        "<\(tag.prefix).\(printable(tag.name))> has \(whole.utf8.count) bytes; it is cut after"
          + " \(PluginLimits.tagBytesMax)")
    }
    switch tag.name {
    case "title": if title == nil { title = text.nonEmpty }
    case "version": if version == nil { version = text.nonEmpty }
    case "author": if author == nil { author = text.nonEmpty }
    case "author.github": if authorGitHub == nil { authorGitHub = text.nonEmpty }
    case "desc": if summary == nil { summary = text.nonEmpty }
    case "abouturl": if about == nil { about = text.nonEmpty }
    case "dependencies": takeDependencies(text, line: line)
    case "var": takeVariable(text, line: line)
    case "schedule": takeSchedule(text, line: line)
    case "environment": takeEnvironment(text, line: line)
    case "type":
      isStream = text.lowercased() == "streamable"
      if !isStream {
        warn(line, "<swiftbar.type> is '\(text)'; only 'streamable' is known, and it is ignored")
      }
    case "usetrailingstreamseparator": hasTrailingSeparator = flag(text, tag, line)
    case "runinbash": runsInShell = flag(text, tag, line)
    case "refreshonopen": runsWhenOpened = flag(text, tag, line)
    case "alwaysvisible": isAlwaysVisible = flag(text, tag, line)
    // These say nothing that a widget has.
    case "image", "persistentwebview", "droptypes": break
    case let name where name.hasPrefix("hide"): break
    default:
      warn(
        line,
        "<\(tag.prefix).\(printable(tag.name))> is no tag of \(tag.prefix), and is ignored"
          + didYouMean(nearest(to: tag.name, among: Self.names, countMax: 1)))
    }
  }

  private static let names = [
    "title", "version", "author", "author.github", "desc", "abouturl", "dependencies", "var",
    "schedule", "environment", "type", "useTrailingStreamSeparator", "runInBash", "refreshOnOpen",
    "alwaysVisible", "image",
  ]

  private mutating func warn(_ line: Int, _ message: String) {
    guard warnings.count < PluginLimits.warningCountMax else { return }
    warnings.append(PluginWarning(line: line, message))
  }

  private mutating func flag(_ text: String, _ tag: TagText, _ line: Int) -> Bool {
    if let value = MenuValue.flag(text) { return value }
    warn(line, "<\(tag.prefix).\(tag.name)> is '\(text)', and not true or false")
    return tag.name == "runinbash"
  }

  private mutating func takeDependencies(_ text: String, line: Int) {
    for part in text.split(whereSeparator: { $0 == "," || $0 == ";" }) {
      let name = part.trimmed
      guard !name.isEmpty else { continue }
      guard dependencies.count < PluginLimits.dependencyCountMax else {
        return warn(
          line, "more than \(PluginLimits.dependencyCountMax) programs; the first ones are named")
      }
      dependencies.append(name)
    }
  }

  private mutating func takeSchedule(_ text: String, line: Int) {
    guard let lines = CronLine.lines(text) else {
      return warn(
        line,
        "<swiftbar.schedule> is '\(text)', and no line of a crontab such as '*/15 * * * *'; the"
          + " interval in the name of the file stands")
    }
    schedule = lines
  }

  /// `[A=1, B:2]`, with or without the brackets.
  private mutating func takeEnvironment(_ text: String, line: Int) {
    var text = text[...]
    if text.first == "[" { text = text.dropFirst() }
    if text.last == "]" { text = text.dropLast() }
    for part in text.split(separator: ",") {
      guard let mark = part.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
        warn(line, "'\(part.trimmed)' in <swiftbar.environment> is no NAME=VALUE, and is ignored")
        continue
      }
      let name = part[..<mark].trimmed
      guard PluginVariable.isName(name) else {
        warn(line, "'\(name)' in <swiftbar.environment> is no name of a variable, and is ignored")
        continue
      }
      guard environment.count < PluginLimits.variableCountMax else {
        return warn(
          line, "more than \(PluginLimits.variableCountMax) variables; the first ones are set")
      }
      environment.append(PluginVariable(name, part[part.index(after: mark)...].trimmed.unquoted))
    }
  }

  /// `number(COUNT=5): Lines to show. [1, 2]`, with the value quoted or not.
  private mutating func takeVariable(_ text: String, line: Int) {
    guard let open = text.firstIndex(of: "("),
      let kind = Variable.Kind(rawValue: text[..<open].trimmed.lowercased())
    else {
      return warn(
        line, "<xbar.var> is '\(text)'; it has to begin with string(, number(, boolean( or select(")
    }
    let rest = text[text.index(after: open)...]
    guard let equals = rest.firstIndex(of: "=") else {
      return warn(line, "<xbar.var> is '\(text)'; it names no value, as in string(NAME=\"value\")")
    }
    let name = rest[..<equals].trimmed
    guard PluginVariable.isName(name) else {
      return warn(line, "'\(name)' in <xbar.var> is no name of an environment variable")
    }
    guard let value = Self.value(rest[rest.index(after: equals)...]) else {
      return warn(line, "<xbar.var> of \(name) has no ')' behind its value, and is ignored")
    }
    guard !variables.contains(where: { $0.name == name }) else { return }
    guard variables.count < PluginLimits.variableCountMax else {
      return warn(
        line, "more than \(PluginLimits.variableCountMax) variables; the first ones are set")
    }
    var variable = Variable(kind: kind, name: name, value: value.text, summary: "")
    var summary = value.rest.trimmed
    if summary.hasPrefix(":") { summary = summary.dropFirst().trimmed }
    if kind == .select, summary.hasSuffix("]"), let start = summary.lastIndex(of: "[") {
      let options = summary[summary.index(after: start)...].dropLast().split(separator: ",")
      variable.options = options.prefix(PluginLimits.variableCountMax).map(\.trimmed.unquoted)
      summary = summary[..<start].trimmed
    }
    variable.summary = summary
    variables.append(variable)
  }

  /// Returns the value up to its closing parenthesis, without quotes, and the text behind it.
  private static func value(_ text: Substring) -> (text: String, rest: Substring)? {
    let text = text.drop(while: \.isWhitespace)
    if let quote = text.first, quote == "\"" || quote == "'" {
      let body = text.dropFirst()
      // A quote inside of the value is not the last one: the parenthesis follows that.
      var index = body.startIndex
      while let end = body[index...].firstIndex(of: quote) {
        let behind = body[body.index(after: end)...].drop(while: \.isWhitespace)
        if behind.first == ")" { return (String(body[..<end]), behind.dropFirst()) }
        index = body.index(after: end)
      }
    }
    // Unquoted; a description may have parentheses of its own behind `): `.
    var depth = 0
    for index in text.indices {
      if text[index] == "(" { depth += 1 }
      guard text[index] == ")" else { continue }
      if depth == 0 { return (text[..<index].trimmed, text[text.index(after: index)...]) }
      depth -= 1
    }
    return nil
  }
}
