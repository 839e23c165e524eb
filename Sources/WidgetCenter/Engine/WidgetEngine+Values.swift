package import JSON
package import Timekeeping

/// Values that a tap sets on a widget.
///
/// Widgets with other values show other content, so the values are a part of the timeline's key. The
/// widget takes what it shows along to the timeline of its new values, and the reload replaces it.
extension WidgetEngine {
  /// Sets values of a widget and reloads it, as a tap of the person.
  ///
  /// Throws `.tooManyValues`; then nothing has changed.
  package mutating func setValues(
    _ change: JSONObject, of id: String, at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) -> Receipt {
    guard let old = widgets[id] else { throw unknownWidget(id) }
    var widget = old
    widget.values = try old.values.setting(change)
    if widget.timelineKey == old.timelineKey {
      placed.replace(widget)
    } else {
      let before = timelines[old.timelineKey]
      let expandedBefore = old.expandedKey.flatMap { timelines[$0] }
      detach(id, into: &output)
      widget.revisionMin = revisions.next(at: now)
      widget.expandedRevisionMin = revisions.next(at: now)
      placed.move(widget, to: attach(widget, at: now, into: &output))
      if let before {
        inherit(before, widget.timelineKey, at: now, into: &output)
        output.dirtyTimelines.insert(widget.timelineKey)
      }
      if let expandedBefore, let key = widget.expandedKey {
        inherit(expandedBefore, key, at: now, into: &output)
        output.dirtyTimelines.insert(key)
      }
    }
    output.dirtyWidgets.insert(id)
    output.changedWidgets.insert(id)
    output.stackChanged = true
    return try requestReload(of: id, cause: .tap, at: now, into: &output)
  }
}
