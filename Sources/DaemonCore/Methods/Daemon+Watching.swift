import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Passes the surfaces' visibility and properties to the engine.
extension Daemon {
  /// Tells the engine which widgets visible surfaces show now, and runs the reloads that become
  /// due.
  ///
  /// The runs start in this turn and answer in a later one, so cached entries are sent first.
  mutating func updateWatches(at now: Now, into effects: inout [Effect]) {
    guard phase == .running else { return }
    var output = EngineOutput()
    if !engine.expandedWidgets.isEmpty {
      engine.keepExpanded(on: Set(surfaces.numbers), at: now.wall, into: &output)
    }
    var watches: [Watch] = []
    var showsStack = false
    for number in surfaces.numbers {
      guard let surface = surfaces[number] else { continue }
      if surface.modes != nil { surfaces.setExpanded(expandedWidgets(on: surface), number) }
      guard surface.isVisible, !surfaces.isLocked else { continue }
      if surface.isStack { showsStack = true }
      watches.append(
        Watch(
          families: surface.families, widgets: surface.widgets,
          expanded: surfaces[number]?.expanded ?? []))
    }
    engine.setStackIsVisible(showsStack, at: now.wall)
    engine.setWatches(watches, at: now.wall, into: &output)
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
  }

  /// Notes that a client that is no surface read these widgets.
  ///
  /// Of one that it read in the expanded mode, the timeline of this mode is watched, too. With
  /// `isContinued` they are the rest of a list whose beginning was noted before.
  mutating func noteReading(
    of ids: [String], in mode: WidgetMode = .compact, _ address: ReplyAddress,
    isContinued: Bool = false, at now: Now,
    into effects: inout [Effect]
  ) {
    guard phase == .running, !surfaces.contains(address.connection) else { return }
    var output = EngineOutput()
    engine.noteReading(of: ids, isContinued: isContinued, at: now.wall, into: &output)
    if mode == .expanded {
      for id in ids { engine.noteReadingExpanded(id, at: now.wall, into: &output) }
    }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
  }

  /// Returns the name of a language and region, or refuses a text that is none.
  static func localeName(_ name: String, _ parameter: String) throws(RPCError) -> String {
    let isName =
      (2...35).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || byte == 45 || byte == 95
      }
    guard isName else {
      throw Params.refusal(
        parameter, "parameter '\(parameter)' is \(quoted(name))",
        expected: "a name such as en_US")
    }
    return name
  }

  /// Reads `locale`, `textSize`, `profile` and `displaySizes` of `surface.attach`.
  func surroundings(_ params: Params) throws(RPCError) -> WidgetEngine.Surroundings {
    var surroundings = WidgetEngine.Surroundings()
    if let name = try params.optionalString("locale") {
      surroundings.locale = try Self.localeName(name, "locale")
    }
    if let name = try params.optionalString("textSize") {
      guard let size = TextSize(rawValue: name) else {
        throw Params.refusal(
          "textSize", "\(quoted(name)) is not a text size",
          expected: "one of \(TextSize.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      surroundings.textSize = size
    }
    if let name = try params.optionalString("profile") {
      guard let profile = SurfaceProfile(rawValue: name) else {
        throw Params.refusal(
          "profile", "\(quoted(name)) is no known surface",
          expected: "one of \(SurfaceProfile.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      surroundings.displaySizes = profile.displaySizes
    }
    for member in try params.optionalObject("displaySizes")?.members ?? [] {
      guard let family = WidgetFamily(rawValue: member.key), let size = DisplaySize(member.value)
      else {
        throw Params.refusal(
          "displaySizes", "parameter 'displaySizes' has no size for \(quoted(member.key))",
          expected:
            "families with width and height from 1 to \(WidgetCenter.Limits.displaySizeMax)")
      }
      surroundings.displaySizes[family] = size
    }
    return surroundings
  }

  mutating func changeNetwork(isUp: Bool, at now: Now, into effects: inout [Effect]) {
    var output = EngineOutput()
    engine.setNetwork(isUp: isUp, at: now.wall, into: &output)
    // Until the daemon runs, there is no reload to start, and the journal must take no entry.
    guard phase == .running else { return }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
  }

  mutating func changeZone(
    secondsEast: Int64, hasOtherRules: Bool, at now: Now, into effects: inout [Effect]
  ) {
    var output = EngineOutput()
    engine.setZone(
      offset: secondsEast * 1000, hasOtherRules: hasOtherRules, isFirst: phase != .running,
      at: now.wall, into: &output)
    guard phase == .running else { return }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
  }
}
