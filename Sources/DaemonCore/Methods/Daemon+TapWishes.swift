import IntentProtocol
import JSON
import JSONRPC
import Plugins
import Timekeeping
import WidgetCenter

/// Decides what a tap asks for: the URL and the actions of an entry, the commands of a manifest, a
/// click that the plugin itself gets.
///
/// A program is run only for a plugin: for `clicks` of its manifest, or where its own output named
/// the program. Content that a client pushed runs none, whatever the kind of its widget.
extension Daemon {
  /// The wishes of a tap, before anything of them is checked.
  struct TapWish {
    var action = PluginAction()
    /// The URL that is opened, as it was written.
    var url: String?
    /// The containing app of the kind.
    var app: String?
    /// The kind's provider, where it is a plugin; `nil`: it is none.
    var plugin: ProviderDeclaration?
    var family = WidgetFamily.systemSmall
    /// The variables of the click that the plugin gets; `nil`: it gets none.
    var click: PluginRequest?
    /// Whether the widget shows the other template of its look from now on.
    var turnsLook = false

    /// Whether something is done, and no URL is opened for it.
    var isWithoutURL: Bool {
      url == nil && (!action.exec.isEmpty || action.stdin != nil || click != nil)
    }
  }

  /// Returns the entry that the person tapped: that of the mode in which they saw the widget.
  ///
  /// Everything that a tap does is read from this entry, since the items of the two modes differ.
  func entry(
    under gesture: TapGesture, on widget: Widget, at now: WallTime
  ) throws(RPCError) -> TimelineEntry? {
    engine.timelines[try timelineKey(under: gesture, on: widget)]?.entry(at: now)
  }

  private func timelineKey(
    under gesture: TapGesture, on widget: Widget
  ) throws(RPCError) -> TimelineKey {
    do throws(WidgetError) {
      return try engine.key(of: widget, in: gesture.mode)
    } catch {
      throw RPCError(error)
    }
  }

  func wish(
    of gesture: TapGesture, on widget: Widget, at now: WallTime
  ) throws(RPCError) -> TapWish {
    let kind = engine.kinds[widget.kind]
    let key = try timelineKey(under: gesture, on: widget)
    let entry = try entry(under: gesture, on: widget, at: now)
    let item = try gesture.item(of: entry, on: widget.id)
    let declared = kind?.provider.plugin
    let button = gesture.click.button
    var wish = TapWish()
    wish.app = kind?.app
    wish.plugin = declared == nil ? nil : kind?.provider
    wish.family = widget.family

    var isFromContent = true
    if let item {
      guard item["disabled"]?.boolValue != true, item["separator"]?.boolValue != true else {
        throw RPCError(
          .nothingToOpen,
          "item \(gesture.path) of '\(widget.id)' cannot be chosen; tap another one")
      }
      wish.action = PluginAction(ofItem: item)
    } else if let words = PluginButton(rawValue: button).flatMap({ declared?.clicks[$0] }) {
      wish.action.exec = words
      // Waybar runs a module again after each of its commands (`exec-on-event`).
      wish.action.refreshes = declared?.format == .waybar
      isFromContent = false
    } else if let click = entry?.content["clicks"]?["\(button)"] {
      wish.action = PluginAction(click)
    } else if button == 1 {
      wish.action = PluginAction(entry?.content["action"])
      if entry?.content["refresh"]?.boolValue == true { wish.action.refreshes = true }
    }
    try check(
      wish.action, isFromContent, of: widget,
      isPrinted: engine.timelines[key]?.timeline?.isPrinted == true)
    if item == nil, let look = declared?.look, look.alternate != nil {
      wish.turnsLook = look.alternateButton.rawValue == button
    }

    if wish.action.isEmpty, item == nil, declared?.format == .i3blocks {
      if let text = text(of: gesture, on: widget) {
        wish.action.stdin = text
        return wish
      }
      let block = wish.plugin?.block(of: widget.kind) ?? (name: widget.kind, instance: "")
      let variables = gesture.click.variables(of: block.name, instance: block.instance)
        .map { ProviderDeclaration.Variable(name: $0.name, value: $0.value) }
      wish.click = PluginRequest(.click, variables: variables)
      return wish
    }
    wish.url = wish.action.url
    if wish.turnsLook, wish.url == nil {
      // The click has its meaning, and opens nothing beside it.
      wish.app = nil
      wish.action.refreshes = true
      return wish
    }
    guard wish.url == nil, wish.action.exec.isEmpty, wish.action.stdin == nil else { return wish }
    guard button == 1 || item != nil || wish.action.refreshes else {
      throw RPCError(
        .nothingToOpen,
        "'\(widget.id)' has nothing for button \(button); tap with button 1, or name a command in the manifest of \(widget.kind) (provider: clicks)"
      )
    }
    if button == 1 || item != nil {
      wish.url =
        entry?.url ?? kind?.url.map { Self.fill($0, widget.configuration.parameters) }
    } else {
      wish.app = nil
    }
    return wish
  }

  /// Refuses what an action must not do, or cannot do.
  private func check(
    _ action: PluginAction, _ isFromContent: Bool, of widget: Widget, isPrinted: Bool
  ) throws(RPCError) {
    let isPlugin = engine.kinds[widget.kind]?.provider.plugin != nil
    if isFromContent, !(isPlugin && isPrinted), !action.exec.isEmpty || action.stdin != nil {
      throw RPCError(
        .nothingToOpen,
        "the content of '\(widget.id)' names a program, and was not printed by a plugin: it is not run; reload the widget first, if it is one"
      )
    }
  }

  /// Refuses a tap on something that is shown no more.
  ///
  /// - Returns: the mode in which that is shown.
  mutating func check(
    _ revision: Int64, of id: String, in mode: WidgetMode?, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) -> WidgetMode {
    var output = EngineOutput()
    var revisions: [(mode: WidgetMode, current: Int64)] = []
    for shown in mode.map({ [$0] }) ?? WidgetMode.allCases {
      if let current = engine.revision(of: id, in: shown, at: now.wall, into: &output) {
        revisions.append((shown, current))
      }
    }
    apply(output, at: now, into: &effects)
    if let shown = revisions.first(where: { $0.current == revision }) { return shown.mode }
    let current = revisions.first?.current ?? 0
    throw RPCError(
      .entryChanged,
      "'\(id)' shows something else by now, and nothing was done; look at it, and tap again",
      details: ["revision": .int(current)])
  }

  /// Returns the program that is to be run; `nil`: none is.
  func command(of wish: TapWish, _ widget: Widget) throws(RPCError) -> PluginCommand? {
    guard !wish.action.exec.isEmpty, let provider = wish.plugin else { return nil }
    guard commands.mayBegin(widget.kind) else {
      throw RPCError(
        .limitReached,
        "\(Limits.commandsOfKindMax) programs of clicks on \(widget.kind) run already, or \(Limits.commandCountMax) of all kinds; wait until some have ended",
        details: ["max": .int(Int64(Limits.commandsOfKindMax))])
    }
    return PluginCommand(
      kind: widget.kind, family: widget.family, provider: provider, exec: wish.action.exec,
      isInTerminal: wish.action.isInTerminal)
  }

  /// Refuses a click while many others wait for the plugin to run.
  func checkMayClick(_ click: PluginRequest, _ widget: Widget) throws(RPCError) {
    guard engine.mayClick(widget.id) else {
      throw RPCError(
        .limitReached,
        "\(WidgetCenter.Limits.waitingClickCountMax) clicks on '\(widget.id)' wait for its plugin already; click again when it has run",
        details: ["max": .int(Int64(WidgetCenter.Limits.waitingClickCountMax))])
    }
  }

  /// Runs the plugin of a widget for a click.
  mutating func run(
    _ id: String, because click: PluginRequest, at now: Now, into effects: inout [Effect]
  ) {
    engine.noteClick(click, on: id)
    refresh(id, at: now, into: &effects)
  }

  /// The program of a click ended, or runs for so long that nobody waits for it any more.
  mutating func endCommand(
    _ token: LaunchToken, at now: Now, into effects: inout [Effect]
  ) {
    guard let id = commands.end(token)?.refreshed, engine.widgets[id] != nil, phase == .running
    else { return }
    refresh(id, at: now, into: &effects)
  }
}
