package import Plugins
package import Timekeeping

/// Timelines that a producer hands over itself, without being asked.
extension WidgetEngine {
  /// Takes a timeline with its pictures for a widget and for all that share its timeline.
  ///
  /// A widget whose kind has no provider shares it with none.
  ///
  /// - Returns: a receipt that is done.
  package mutating func push(
    _ timeline: Timeline, pictures: [PluginPicture] = [], to id: String, cause: ReloadCause,
    at now: WallTime, into output: inout EngineOutput
  ) throws(WidgetError) -> Receipt {
    guard let widget = widgets[id] else { throw unknownWidget(id) }
    let receipt = receiptBook.open(for: widget, cause, at: now, into: &output)
    var answer = Answer(timeline)
    answer.pictures = pictures
    accept(
      answer, for: widget.timelineKey, cause: cause, isPushed: true, at: now,
      into: &output)
    output.dirtyTimelines.insert(widget.timelineKey)
    settle(receipt.id, .done, into: &output)
    return receiptBook[receipt.id] ?? receipt
  }

  /// Whether a kind is offered and has no provider: its widgets show what is pushed to them, and
  /// nothing ever runs for them.
  package func hasNoProvider(_ kind: String) -> Bool { kinds[kind]?.hasProvider == false }

  /// The end of a request for a widget whose kind has no provider.
  ///
  /// Placing and configuring such a widget is done at once; everything else asks for a run that
  /// cannot come.
  static func withoutProvider(_ cause: ReloadCause, _ kind: String) -> Receipt.State {
    switch cause {
    case .placed, .configuration, .mode: .done
    case .intent, .link, .tap, .menu, .reload, .hostForeground, .hostBackground, .policy, .interval,
      .signal, .retry, .download, .providerUpgrade, .locale, .textSize, .displaySize, .timeChange:
      .dropped(
        reason: "the kind \(kind) has no provider, so there is nobody to ask: it shows what is"
          + " pushed to it, such as by intent-send push")
    }
  }
}
