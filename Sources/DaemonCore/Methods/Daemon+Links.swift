import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping
import WidgetCenter

/// Follows links to intents: at the pace of links, within the budget, and as the intent allows.
///
/// A link is no act of the person: a page can open one that nobody clicked. So it reloads within
/// the budget, promotes nothing, and no habit is learned from it. An intent may want a person's yes
/// first (`links: ask`); with the yes it is the person's act.
extension Daemon {
  /// Makes the intent of a link, asks about it, or refuses.
  ///
  /// For a client that sends a URL as an intent of its own, `isLink` is false, and the intent is
  /// made.
  mutating func follow(
    _ intent: Intent, _ origin: Origin, wait: Bool, _ address: ReplyAddress, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) {
    switch linkRule(of: intent.name, origin) {
    case .allow:
      if origin.isLink { try takePace(at: now) }
      try perform(intent, origin, wait: wait, address, at: now, into: &effects)
      if origin.isLink { links.countFollowed() }
    case .ask: try ask(aboutLinkTo: intent, origin, address, at: now)
    case .never: throw linkRefused(intent.name)
    }
  }

  /// Refuses to make an intent by a link with callbacks unless its links need no question: the app
  /// that asks would wait for a person.
  mutating func checkCallsBack(_ intent: Intent, _ origin: Origin) throws(RPCError) {
    switch linkRule(of: intent.name, origin) {
    case .allow: return
    case .never: throw linkRefused(intent.name)
    case .ask:
      links.countRefused()
      throw RPCError(
        .linkRefused,
        "\(intent.name) asks a person before a link makes it, and an x-callback-url cannot wait for"
          + " that; open it without callbacks",
        details: ["suggestions": []])
    }
  }

  /// Asks for the yes that an intent of a link needs, and refuses any other question: nobody may be
  /// there to choose a value.
  mutating func follow(
    _ need: IntentNeed, _ origin: Origin, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) {
    guard need.reason == .confirmation, linkRule(of: need.intent, origin) == .ask else {
      throw unanswered(need)
    }
    try ask(
      aboutLinkTo: Intent(name: need.intent, parameters: need.parameters), origin, address, at: now)
  }

  /// The rule of an intent for links; an origin that is no link has none to keep.
  private func linkRule(of name: String, _ origin: Origin) -> LinkRule {
    guard origin.isLink else { return .allow }
    let rule = configuration.catalog.definition(named: name)?.links ?? .allow
    // Any page can have a link, and none makes a program run without a person's yes.
    return rule == .allow && !configuration.performers(of: name).isEmpty ? .ask : rule
  }

  /// Counts and returns the refusal of a link to an intent with `links: never`.
  private mutating func linkRefused(_ name: String) -> RPCError {
    links.countRefused()
    return RPCError(
      .linkRefused,
      "no link makes \(name) (its intent.yaml says 'links: never'); send it as an intent",
      details: ["suggestions": []])
  }

  /// Refuses links that come too fast.
  private mutating func takePace(at now: Now) throws(RPCError) {
    guard !links.takeIntent(at: now.monotonic) else { return }
    links.countRefused()
    throw RPCError(
      .limitReached, "too many links at once; open it again in a moment",
      details: ["max": .int(Limits.linkBurst)])
  }

  /// Asks a person whether to do what a link wants: the opener of the link, and every surface that
  /// takes questions and reads what it is sent.
  ///
  /// The first answer decides. The same link again gets the same question, unless another
  /// program performs its intent by now, and no surface hears of it twice.
  private mutating func ask(
    aboutLinkTo intent: Intent, _ origin: Origin, _ address: ReplyAddress, at now: Now
  ) throws(RPCError) {
    let performer = try performer(of: intent.name)
    try takePace(at: now)
    // All surfaces get the same line.
    let title =
      configuration.catalog.definition(named: intent.name)?.title(in: [engine.locale])
      ?? intent.name
    let about = valuesInQuestion(intent.parameters)
    let need = IntentNeed(
      confirming: intent, prompt: "A link asks\(asked(performer)) for: \(title)\(about). Do it?")
    // With the yes it is an act of the person who gave it.
    var origin = origin
    origin.isLink = false
    bind(intent.name, &origin)
    let asked = questions.askAboutLink(
      need, origin, processID: options.processID, at: now.monotonic)
    var view = need.view
    view["token"] = .string(asked.token)
    view["program"] = performer.map { .string($0.kind) }
    view["link"] = true
    outbox.answer(address, ["needs": .object(view)])
    guard asked.isNew else { return }
    let expires = now.wall.advanced(byMilliseconds: Limits.pendingQuestionInterval)
    var question = view
    question["expires"] = .string(expires.rfc3339)
    var line: [UInt8] = []
    appendNotification(
      method: DaemonNotification.intentQuestion.rawValue, params: .object(question), to: &line)
    for connection in surfaces.connections(where: \.hearsOfQuestions)
    where connection != address.connection && !outbox.isBackedUp(connection) {
      outbox.notify(connection, line)
    }
  }
}
