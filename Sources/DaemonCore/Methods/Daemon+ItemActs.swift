import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Plugins
import Timekeeping
import WidgetCenter

/// Does what an item says with `set` or `intent`: the tap opens nothing.
///
/// The values of `set` are kept with the widget, and its provider gets them. An intent is sent as if
/// the person had sent it from a shell, with its questions. The words of the item are the content's,
/// though, and not the person's: an intent that asks before a link makes it asks here as well, and
/// one that no link makes is refused.
extension Daemon {
  /// Does what the item that was tapped says; `false`: it says neither `set` nor `intent`.
  ///
  /// Throws before anything has changed.
  mutating func actInPlace(
    _ gesture: TapGesture, on widget: Widget, activationToken: String?, _ address: ReplyAddress,
    at now: Now, into effects: inout [Effect]
  ) throws(RPCError) -> Bool {
    let entry = try entry(under: gesture, on: widget, at: now.wall)
    guard let item = try gesture.item(of: entry, on: widget.id),
      item["disabled"]?.boolValue != true, item["separator"]?.boolValue != true
    else { return false }
    let act: ItemAct?
    do throws(ItemActError) {
      act = try ItemAct.read(item)
    } catch {
      throw RPCError(
        .nothingToOpen,
        "item \(gesture.path) of '\(widget.id)' does nothing, since its \(error.message)")
    }
    var tap = Tap(
      widget: widget.id, kind: widget.kind, item: gesture.path, button: gesture.click.button)
    switch act {
    case nil: return false
    case .set(let change):
      tap.set = change
      try set(change, tap, on: widget, address, at: now, into: &effects)
    case .intent(let name, let parameters):
      tap.intent = name
      try send(
        name, parameters, tap, activationToken: activationToken, address, at: now, into: &effects)
    }
    return true
  }

  private mutating func set(
    _ change: JSONObject, _ tap: Tap, on widget: Widget, _ address: ReplyAddress, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) {
    guard let kind = engine.kinds[widget.kind] else {
      throw RPCError(
        .nothingToOpen,
        "no manifest offers the kind \(widget.kind) now, so nobody gets the values of this item")
    }
    guard kind.hasProvider, kind.provider.plugin == nil else {
      throw RPCError(
        .nothingToOpen,
        kind.hasProvider
          ? "'\(widget.id)' shows a script of another bar, which gets no values; 'set' is for providers with the protocol timeline or extension"
          : "'\(widget.id)' shows what is pushed to it, so there is no provider that gets the values of this item; leave 'set' out of what is pushed"
      )
    }
    var output = EngineOutput()
    let receipt: Receipt
    do throws(WidgetError) {
      receipt = try engine.setValues(change, of: widget.id, at: now.wall, into: &output)
    } catch {
      throw RPCError(error)
    }
    engine.advance(at: now, into: &output)
    apply(output, at: now, into: &effects)
    record(tap, at: now, into: &effects)
    let values = engine.widgets[widget.id]?.values ?? .none
    outbox.answerWhenDurable(
      address,
      [
        "opened": "nothing", "values": .object(values.json),
        "receipt": .object(engine.view(of: receipt)),
      ])
  }

  private mutating func send(
    _ name: String, _ parameters: JSONObject, _ tap: Tap, activationToken: String?,
    _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    var values: [String: JSONValue] = [:]
    for member in parameters.members { values[member.key] = member.value }
    var origin = Origin(source: String("tap:\(tap.widget)".prefix(Limits.sourceLengthMax)))
    origin.tappedWidget = tap.widget
    origin.tappedKind = tap.kind
    origin.activationToken = activationToken
    switch configuration.catalog.definition(named: name)?.links ?? .allow {
    case .never:
      throw RPCError(
        .linkRefused,
        "no content of a widget makes \(name) (its intent.yaml says 'links: never'); send it yourself",
        details: ["suggestions": []])
    case .ask:
      let performer = try performer(of: name, near: tap.kind)
      ask(confirming(name, values, from: tap.kind, performer), origin, address, at: now)
    case .allow:
      try complete(
        IntentCompletion(
          intent: name, parameters: values, origin: origin, wait: false, address: address),
        at: now, into: &effects)
    }
    record(tap, at: now, into: &effects)
  }

  /// Returns the question that an intent of an item needs before another program's code runs;
  /// `nil`: none, or a person was asked already.
  ///
  /// Asked at each step to the intent, since programs come and go while a question is open.
  func foreignNeed(of completion: IntentCompletion) throws(RPCError) -> IntentNeed? {
    guard let tapped = completion.origin.tappedKind, completion.origin.consent == nil,
      let performer = try performer(of: completion.intent, near: tapped),
      isForeign(performer, to: tapped)
    else { return nil }
    return confirming(completion.intent, completion.parameters, from: tapped, performer)
  }

  private func confirming(
    _ name: String, _ values: [String: JSONValue], from kind: String, _ performer: WidgetKind?
  ) -> IntentNeed {
    let shown = engine.kinds[kind]?.name ?? kind
    let title = configuration.catalog.definition(named: name)?.title ?? quotedValue(name)
    return IntentNeed(
      confirming: Intent(name: name, parameters: values),
      prompt:
        "\(quotedValue(shown)) asks\(asked(performer)) for: \(title)\(valuesInQuestion(values))."
        + " Do it?")
  }

  // MARK: The reload after the intent

  /// Reloads the widget whose item sent an intent when the intent is done, unless the intent reloads
  /// it anyway.
  mutating func reload(
    _ id: String, after handled: HandledIntent, at now: Now, into effects: inout [Effect]
  ) {
    guard engine.widgets[id] != nil, !handled.shown.contains(where: { $0.widget.id == id })
    else { return }
    if tapReloads.add(id, after: handled.receipts, engine) { return }
    refresh(id, at: now, into: &effects)
  }

  /// Reloads the widgets whose intents are done.
  mutating func settleTapReloads(at now: Now, into effects: inout [Effect]) {
    guard !tapReloads.isEmpty else { return }
    for id in tapReloads.takeDone(engine) where engine.widgets[id] != nil {
      refresh(id, at: now, into: &effects)
    }
  }
}
