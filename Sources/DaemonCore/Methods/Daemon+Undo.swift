import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Undoes the latest `widget.remove` or `stack.dismiss`.
extension Daemon {
  mutating func restoreWidget(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    _ = try Params(value, known: [])
    var output = EngineOutput()
    let undone: WidgetEngine.Undone?
    do throws(WidgetError) {
      undone = try engine.undo(at: now.wall, into: &output)
    } catch {
      throw RPCError(error)
    }
    // A kind may have changed since the widget was removed.
    if undone != nil { migrateWidgets(at: now, into: &output) }
    engine.advance(at: now, into: &output)
    if let undone { journalUndo(undone, at: now.wall) }
    apply(output, at: now, into: &effects)
    guard let undone else {
      throw RPCError(
        .nothingToUndo,
        "nothing was removed or dismissed in the last \(WidgetCenter.Limits.undoWindow / 60_000) minutes"
      )
    }
    var result: JSONObject = [
      "undone": .string(undone.act), "widgets": .array(undone.widgets.map { .string($0.id) }),
    ]
    let renamed = undone.widgets.compactMap { widget in
      widget.formerID.map { JSONObject.Member(key: $0, value: .string(widget.id)) }
    }
    if !renamed.isEmpty { result["renamed"] = .object(JSONObject(renamed)) }
    outbox.answerWhenDurable(address, result)
  }

  /// Writes an entry for each widget, with what a restart has to give it back.
  private mutating func journalUndo(_ undone: WidgetEngine.Undone, at date: WallTime) {
    guard !engine.isPrivate else {
      journal.append("undone", at: date, fields: ["private": true])
      return
    }
    for widget in undone.widgets {
      var fields: JSONObject = ["act": .string(undone.act), "widget": .string(widget.id)]
      if let kind = engine.widgets[widget.id]?.kind { fields["kind"] = .string(kind) }
      engine.standing(of: widget.id).write(to: &fields)
      journal.append("undone", at: date, fields: fields)
    }
  }
}
