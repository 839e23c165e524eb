import Plugins
package import Timekeeping

/// Menus: a plugin may want to run when the person opens the menu of its widget.
///
/// Source: the `+` behind the interval in a name of Argos, and SwiftBar's `refreshOnOpen`. The run
/// costs no budget and has no receipt; `EngineOutput.menuRuns` says when it ended. It is another
/// one than a run under way, which was not told of the menu, unless that began for a menu too.
extension WidgetEngine {
  /// Asks for a run of the widget's plugin because its menu was opened.
  ///
  /// A plugin that nobody watched and whose interval is over runs too, so that no old menu is shown.
  /// One that stays running has its menu ready.
  ///
  /// - Returns: whether a run comes; `false`: the menu is what is shown already.
  package mutating func openMenu(
    of id: String, at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) -> Bool {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    let key = widget.timelineKey
    guard let plugin = plugin(of: key), plugin.format.isMenu, !plugin.isStream,
      let shared = timelines[key], !hasProblem(shared),
      plugin.runsWhenOpened || isOverdue(shared, at: now)
    else { return false }
    ask(key, .menu, receipt: nil, at: now, into: &output)
    return true
  }
}
