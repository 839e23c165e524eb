import IntentProtocol
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Handles `widget.openMenu`: the items of a widget, after its script has run if it wants to.
///
/// The answer promises nothing and waits for no disk: a menu opens also where nothing can be saved.
extension Daemon {
  /// The outcome of the run that a menu waited for, as the answer names it.
  private enum MenuRun: String {
    /// No run was wanted.
    case none
    case done, failed
    /// It goes on; the items are the last ones.
    case late
  }

  mutating func openMenu(
    _ value: JSONValue?, _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let params = try Params(value, known: ["id", "mode", "name"])
    let id = try params.string("id")
    guard let widget = engine.widgets[id] else { throw RPCError(engine.unknownWidget(id)) }
    let mode = mode(try askedMode(params), of: id)
    try outbox.checkMayWait(address)
    var output = EngineOutput()
    let runs: Bool
    do throws(WidgetError) {
      _ = try engine.key(of: widget, in: mode)
      runs = try engine.openMenu(of: id, at: now.wall, into: &output)
    } catch {
      throw RPCError(error)
    }
    // Behind the request for a run, so that one which is overdue is told of the menu.
    noteReading(of: [id], in: mode, address, at: now, into: &effects)
    engine.advance(at: now, into: &output)
    if runs, address.id != nil {
      try outbox.reserveWaiting(address)
      openMenus.wait(
        OpenMenus.Waiting(
          address: address, widget: id, mode: mode,
          deadline: now.monotonic.advanced(byMilliseconds: Limits.menuWait)))
    } else {
      outbox.answer(address, menu(of: id, in: mode, .none, address, at: now))
    }
    apply(output, at: now, into: &effects)
  }

  /// Answers the requests for a menu whose run ended.
  mutating func answerMenus(of widgets: Set<String>, at now: Now) {
    for request in openMenus.take(widgets) {
      let hasFailed =
        engine.widgets[request.widget].flatMap { engine.timelines[$0.timelineKey]?.failure } != nil
      answer(request, hasFailed ? .failed : .done, at: now)
    }
  }

  /// Answers the requests for a menu that have waited long enough.
  mutating func answerLateMenus(at now: Now) {
    for request in openMenus.takeLate(at: now.monotonic) { answer(request, .late, at: now) }
  }

  private mutating func answer(_ request: OpenMenus.Waiting, _ run: MenuRun, at now: Now) {
    guard engine.widgets[request.widget] != nil else {
      return refuseWaiting(request.address, RPCError(engine.unknownWidget(request.widget)))
    }
    outbox.releaseWaiting(request.address)
    outbox.answer(
      request.address,
      menu(of: request.widget, in: request.mode, run, request.address, at: now))
  }

  private func menu(
    of id: String, in mode: WidgetMode, _ run: MenuRun, _ address: ReplyAddress, at now: Now
  ) -> JSONObject {
    [
      "widget": .object(
        engine.view(
          of: id, mode: mode, at: now.wall, in: languages(of: address.connection)) ?? [:]),
      "run": .string(run.rawValue),
    ]
  }
}
