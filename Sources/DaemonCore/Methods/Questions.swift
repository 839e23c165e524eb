import IntentRouter
import JSON
import Timekeeping
import WidgetCenter

/// A question that the sender of an intent has not answered yet.
struct PendingQuestion: Sendable {
  var token: String
  var need: IntentNeed
  var origin: Daemon.Origin
  /// The providers' options, so that the answer needs no second request.
  var options: [String: [ResolutionChoice]]
  var asked: Set<String>
  var goal: IntentCompletion.Goal
  /// Whether a link asks, and not the sender of an intent.
  var isAboutLink = false
  var expiresAt: Instant
}

/// A request to a provider for the options of a parameter.
struct PendingOptions: Sendable {
  var completion: IntentCompletion
  var parameter: String
  var kind: String
}

/// The open questions about intents: those to their senders, and requests to providers for the
/// options of a parameter.
///
/// Questions live in memory, `Limits.pendingQuestionCountMax` of them for
/// `Limits.pendingQuestionInterval` each: an intent that nobody completed was never acknowledged.
struct Questions: Sendable {
  /// The questions to senders, oldest first.
  private var questions: [PendingQuestion] = []
  private var lastNumber: UInt64 = 0
  private var options: [RunToken: PendingOptions] = [:]

  // MARK: Questions to senders

  /// The number of questions that are not answered yet.
  var count: Int { questions.count }

  /// Keeps a question and returns the token that its answer has to carry.
  ///
  /// `processID` is a part of the token, so that a token of an earlier daemon is not valid.
  mutating func ask(
    _ need: IntentNeed, _ origin: Daemon.Origin, options: [String: [ResolutionChoice]],
    asked: Set<String>, goal: IntentCompletion.Goal, processID: Int32, at now: Instant
  ) -> String {
    questions.removeAll { $0.expiresAt <= now }
    if questions.count(where: { !$0.isAboutLink }) >= Limits.pendingQuestionCountMax,
      let oldest = questions.firstIndex(where: { !$0.isAboutLink })
    {
      questions.remove(at: oldest)
    }
    lastNumber += 1
    let token = "\(processID)-\(lastNumber)"
    questions.append(
      PendingQuestion(
        token: token, need: need, origin: origin, options: options, asked: asked, goal: goal,
        expiresAt: now.advanced(byMilliseconds: Limits.pendingQuestionInterval)))
    return token
  }

  /// Keeps a question about a link, beside at most `Limits.pendingLinkQuestionCountMax` others.
  ///
  /// Links cannot push the questions of senders out. The same link asks once, as long as the same
  /// program performs its intent: then `isNew` is false.
  mutating func askAboutLink(
    _ need: IntentNeed, _ origin: Daemon.Origin, processID: Int32, at now: Instant
  ) -> (token: String, isNew: Bool) {
    questions.removeAll { $0.expiresAt <= now }
    if let same = questions.first(where: {
      $0.isAboutLink && $0.need == need && $0.origin.consent == origin.consent
    }) {
      return (same.token, false)
    }
    if questions.count(where: \.isAboutLink) >= Limits.pendingLinkQuestionCountMax,
      let oldest = questions.firstIndex(where: \.isAboutLink)
    {
      questions.remove(at: oldest)
    }
    let token = ask(
      need, origin, options: [:], asked: [], goal: .perform, processID: processID, at: now)
    questions[questions.count - 1].isAboutLink = true
    return (token, true)
  }

  /// The questions about links that wait for a yes, oldest first.
  func aboutLinks(at now: Instant) -> [PendingQuestion] {
    questions.filter { $0.isAboutLink && $0.expiresAt > now }
  }

  /// Returns the question with this token; `nil`: there is none, or its time is over.
  mutating func question(_ token: String, at now: Instant) -> PendingQuestion? {
    questions.removeAll { $0.expiresAt <= now }
    return questions.first { $0.token == token }
  }

  /// Forgets a question that was answered.
  mutating func forget(_ token: String) { questions.removeAll { $0.token == token } }

  // MARK: Requests to providers

  mutating func awaitOptions(_ token: RunToken, _ pending: PendingOptions) {
    options[token] = pending
  }

  /// Ends a run for options; `nil`: the run was not for options.
  mutating func endOptions(_ token: RunToken) -> PendingOptions? {
    options.isEmpty ? nil : options.removeValue(forKey: token)
  }

  /// Takes every request to a provider, in the order of the runs.
  mutating func removeAllOptions() -> [PendingOptions] {
    let all = options.sorted { $0.key < $1.key }.map(\.value)
    options = [:]
    return all
  }

  /// The runs that ask for options.
  var tokens: Set<RunToken> { Set(options.keys) }
  /// The clients that wait for options, one for each request.
  var connections: [ConnectionID] { addresses.map(\.connection) }
  /// The requests that wait for options.
  var addresses: [ReplyAddress] { options.values.map(\.completion.address) }
}
