import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import Timekeeping

/// Goes on with a sentence that matches nothing, where it nearly is one that does.
///
/// The event is `intent.send` with a text that exact recognition finds nothing for. The decision is
/// the catalogue's: to do what was meant, to ask, or nothing. The effects are those of the sentence
/// that was meant, which goes the way of any sentence; the answer says what was understood.
extension Daemon {
  /// A sentence, how it is to be read, and by whom it was sent.
  struct SentSentence {
    var text: String
    var languages: [String]
    var context: [String: JSONValue]
    var isStrict = false
  }

  /// Does or asks about what a sentence nearly says; `false` if it says nothing.
  mutating func sendNearly(
    _ sentence: SentSentence, _ origin: Origin, wait: Bool, _ address: ReplyAddress, at now: Now,
    into effects: inout [Effect]
  ) throws(RPCError) -> Bool {
    guard let (answer, language) = readNearly(sentence) else { return false }
    var origin = origin
    switch answer.decision {
    case .none: return false
    case .act:
      origin.understood = answer.readings[0].understood
      try send(
        SentSentence(
          text: answer.readings[0].sentence, languages: [language], context: sentence.context,
          isStrict: true), origin, wait: wait, address, at: now, into: &effects)
    case .ask:
      origin.language = language
      origin.context = sentence.context
      let sentences = answer.readings.map(\.sentence)
      let first = answer.readings[0].meaning
      let prompt =
        sentences.count == 1
        ? "did you mean \(quotedValue(sentences[0]))?" : "which of these did you mean?"
      ask(
        IntentNeed(
          whichOf: sentences, intent: Intent(name: first.intent, parameters: first.slots),
          prompt: prompt), origin, address, at: now)
    }
    return true
  }

  /// Reads a sentence nearly, unless its sender or the person wants it exact.
  mutating func readNearly(_ sentence: SentSentence) -> (NearAnswer, language: String)? {
    guard !sentence.isStrict, configuration.settings.readsNearly else { return nil }
    let (answer, language) = configuration.catalog.readNearly(
      sentence.text, languages: sentence.languages, context: sentence.context)
    return language.map { (answer, $0) }
  }

  /// Takes the answer to "did you mean": the place of a sentence, the sentence, yes or no.
  mutating func resumeSentence(
    _ pending: PendingQuestion, _ given: JSONValue, activationToken: String?, wait: Bool,
    _ address: ReplyAddress, at now: Now, into effects: inout [Effect]
  ) throws(RPCError) {
    let sentences = pending.need.sentences
    var chosen = sentences.first {
      given.stringValue?.lowercased() == $0.lowercased()
    }
    if chosen == nil, sentences.count == 1, let isWanted = Self.isYes(given) {
      guard isWanted else {
        questions.forget(pending.token)
        outbox.answer(address, ["cancelled": true, "intent": .string(pending.need.intent)])
        return
      }
      chosen = sentences[0]
    }
    if chosen == nil,
      let place = given.intValue ?? given.stringValue.flatMap({ Int64($0) }),
      (1...Int64(sentences.count)).contains(place)
    {
      chosen = sentences[Int(place) - 1]
    }
    guard let chosen else {
      throw RPCError(
        .invalidParameter,
        "\(quotedValue(given.stringValue ?? given.serialized)) is none of the choices: "
          + sentences.joined(separator: ", "),
        details: ["suggestions": .array(sentences.map { .string($0) })])
    }
    var origin = pending.origin
    origin.activationToken = activationToken
    // If this throws, the question stays, so that the sender can give another answer.
    try send(
      SentSentence(
        text: chosen, languages: origin.language.map { [$0] } ?? origin.languages,
        context: origin.context, isStrict: true), origin, wait: wait, address, at: now,
      into: &effects)
    questions.forget(pending.token)
  }
}

extension NearReading {
  /// `understood` of the protocol.
  var understood: JSONObject {
    [
      "sentence": .string(sentence), "confidence": .double((confidence * 100).rounded() / 100),
      "changes": changes.view,
    ]
  }
}

extension [NearChange] {
  /// `changes` of the protocol.
  var view: JSONValue {
    .array(
      map {
        [
          "said": .string($0.said), "taken": .string($0.taken), "why": .string($0.why.rawValue),
        ]
      })
  }
}

extension NearAnswer {
  /// `near` of the protocol: what a sentence nearly says, and what would be done.
  var view: JSONObject {
    [
      "decision": .string(decision.rawValue),
      "readings": .array(
        readings.enumerated().map { place, reading in
          var view = reading.understood
          // Only the first one has a confidence; the others are behind it.
          if place > 0 { view["confidence"] = nil }
          view["intent"] = .object(
            Intent(name: reading.meaning.intent, parameters: reading.meaning.slots).view)
          return .object(view)
        }),
    ]
  }
}
