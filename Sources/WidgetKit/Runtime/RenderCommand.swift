import AppIntents
import CVirtualClock
import JSON
import SwiftUI
import Timekeeping
import WidgetExtension

/// `render`: draws one entry of a widget.
@MainActor
struct RenderCommand {
  let kinds: [WidgetProgram.Kind]
  let options: ProgramCommand.RenderOptions

  func run() -> Never {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    // The provider's own output is no part of the drawing.
    let output = AnswerOutput.takingStandardOutput()
    Task { @MainActor in
      do throws(UsageError) {
        output.write(Array("\(try await draw(isTerminal: isTerminal))\n".utf8))
        exit(0)
      } catch {
        complain(error.message)
        exit(error.status)
      }
    }
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  private func draw(isTerminal: Bool) async throws(UsageError) -> String {
    let kind = try kind()
    let source = kind.source
    let family = try family(of: kind)
    let clock = WallTime(milliseconds: virtual_clock_system_time())
    let now = options.moment ?? clock
    virtual_clock_put_forward(ClockDifference.milliseconds(from: clock, to: now))
    var environment = EnvironmentValues()
    environment.hasContentMargins = source.hasContentMargins
    environment.colorScheme = options.isDark ? .dark : .light
    if let locale = Self.ownLocale { environment.locale = locale }
    let context = TimelineProviderContext(family: family, environment: environment)
    let timeline: ProvidedTimeline?
    do throws(ParameterProblem) {
      timeline = try await source.timeline(intent(of: source), context)
    } catch {
      throw UsageError("\(error.sentence); give one: --set \(error.parameter)=…")
    }
    guard let provided = timeline else {
      throw UsageError(
        "the provider of '\(source.kind)' let go of its completion without a call", status: 1)
    }
    for warning in provided.warnings { complain(warning) }
    // The same as the daemon shows: the entry that came last, else the first to come.
    let answered = Date().wallTime ?? now
    let entry =
      provided.entries.filter { ($0.date.wallTime ?? now) <= answered }.max { $0.date < $1.date }
      ?? provided.entries.min { $0.date < $1.date }
    guard let entry else {
      throw UsageError("the timeline of '\(source.kind)' is empty", status: 1)
    }
    let tree = EntryDrawing.tree(entry.view(), in: context.environment)
    for warning in tree.warnings { complain(warning) }
    return text(of: tree, at: max(entry.date, Date(now)), family, isTerminal: isTerminal)
  }

  /// The language of the person who started the program; `nil`: none is set.
  ///
  /// Foundation of Linux has one of its own for everybody.
  private static var ownLocale: Locale? {
    let environment = ProcessInfo.processInfo.environment
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    guard let name = set?.prefix(while: { $0 != "." && $0 != "@" }), name != "C", name != "POSIX"
    else { return nil }
    return Locale(identifier: String(name))
  }

  private func text(
    of tree: ViewTree, at date: Date, _ family: WidgetFamily, isTerminal: Bool
  ) -> String {
    let scheme: ColorScheme = options.isDark ? .dark : .light
    switch options.form {
    case .content:
      var bytes: [UInt8] = []
      JSONValue.object(tree.content(for: family)).writePretty(into: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    case .html:
      let (html, warnings) = tree.html(in: scheme, at: date)
      for warning in warnings { complain(warning) }
      return html ?? ""
    case .ansi:
      let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
      let hasColours = ProcessInfo.processInfo.environment["NO_COLOR"] == nil && isTerminal
      return tree.ansi(
        columns: columns ?? Limits.terminalColumns, hasColours: hasColours, in: scheme, at: date)
    }
  }

  /// The family that is asked for, which the kind must have; else its small or its first one.
  private func family(of kind: WidgetProgram.Kind) throws(UsageError) -> WidgetFamily {
    guard let name = options.family else {
      return kind.families.contains(.systemSmall)
        ? .systemSmall : kind.families.first ?? .systemSmall
    }
    guard let family = kind.families.first(where: { $0.description == name }) else {
      throw UsageError(
        "'\(kind.source.kind)' has no family '\(name)'; it has "
          + kind.families.map(\.description).joined(separator: ", "))
    }
    return family
  }

  private func kind() throws(UsageError) -> WidgetProgram.Kind {
    let names = KindNames(kinds.map(\.source.kind))
    guard let wanted = options.kind ?? kinds.first?.source.kind else {
      throw UsageError("the program has no kinds")
    }
    do throws(ExtensionError) {
      let kind = try names.kind(wanted)
      guard let found = kinds.first(where: { $0.source.kind == kind }) else {
        throw ExtensionError(.invalidParams, "no kind '\(wanted)'")
      }
      return found
    } catch {
      throw UsageError(error.message)
    }
  }

  /// The values as a person wrote them: a number, a truth, or a text.
  private func intent(of source: WidgetSource) -> JSONValue? {
    let name: String
    var shapes: [String: _IntentType.Shape] = [:]
    switch source.configuration {
    case .none: return nil
    case .appIntent(let type):
      name = type.persistentIdentifier
      for (name, parameter) in type.init().parameters { shapes[name] = parameter.type.shape }
    case .intent(let type): name = type._intentName
    }
    var parameters = JSONObject()
    for (key, text) in options.values.sorted(by: { $0.key < $1.key }) {
      parameters[key] = Self.value(text, shapes[key])
    }
    return ["name": .string(name), "parameters": .object(parameters)]
  }

  /// Reads a value; what is no other value is a text, such as `Oslo`, and so is everything for a
  /// parameter whose values are texts.
  private static func value(_ text: String, _ shape: _IntentType.Shape?) -> JSONValue {
    let read: JSONValue
    do {
      read = try JSONValue(parsing: text)
    } catch {
      return .string(text)
    }
    switch (read, shape) {
    case (.string, _), (.array, .list): return read
    case (.object, .entity), (.object, .list(.entity)): return read
    case (.int, .integer), (.int, .decimal), (.double, .decimal), (.bool, .boolean): return read
    case (.int, nil), (.double, nil), (.bool, nil): return read
    case (.int, .list(let element)), (.double, .list(let element)), (.bool, .list(let element)):
      return value(text, element)
    case (.double, .integer), (.bool, .integer), (.bool, .decimal), (.int, .boolean),
      (.double, .boolean):
      // None of the type: the program says so.
      return read
    default: return .string(text)
    }
  }
}
