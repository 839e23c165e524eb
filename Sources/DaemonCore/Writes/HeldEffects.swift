import WidgetCenter

/// Runs and launches that wait until what clients were promised is on disk, and lines for these runs
/// and their cancellations.
///
/// A provider that ran, or an application that was opened, cannot be undone when the transaction
/// fails.
struct HeldEffects: Sendable {
  /// Effects that depend on writes which are in no transaction yet.
  private var waiting: [Effect] = []
  /// Effects that depend on the transaction under way.
  private var inTransaction: [Effect] = []
  /// The runs among both.
  private var tokens: Set<RunToken> = []

  /// Whether the start of this run waits.
  func holds(_ token: RunToken) -> Bool { !tokens.isEmpty && tokens.contains(token) }

  /// Keeps an effect until the next transaction is on disk.
  mutating func hold(_ effect: Effect) {
    if case .runProvider(let run) = effect { tokens.insert(run.token) }
    waiting.append(effect)
  }

  /// Ties the effects held so far to the transaction that begins.
  mutating func beginTransaction() {
    inTransaction += waiting
    waiting = []
  }

  /// Carries out what waited for the transaction that is on disk.
  mutating func transactionCommitted(into effects: inout [Effect]) {
    guard !inTransaction.isEmpty else { return }
    let due = inTransaction
    inTransaction = []
    release(due, into: &effects)
  }

  /// Carries out everything, because no client waits for the disk.
  mutating func releaseAll(into effects: inout [Effect]) {
    guard !inTransaction.isEmpty || !waiting.isEmpty else { return }
    let due = inTransaction + waiting
    inTransaction = []
    waiting = []
    release(due, into: &effects)
  }

  /// Drops everything: it never happens.
  ///
  /// - Returns: the runs and the launches among it.
  mutating func removeAll() -> (runs: Set<RunToken>, launches: [LaunchToken]) {
    let launches = (inTransaction + waiting).compactMap { effect -> LaunchToken? in
      if case .launch(let token, _) = effect { token } else { nil }
    }
    defer { self = HeldEffects() }
    return (tokens, launches)
  }

  /// Drops the runs, because the daemon stops; launches still wait for the disk.
  mutating func dropRuns() -> Set<RunToken> {
    func isLaunch(_ effect: Effect) -> Bool {
      if case .launch = effect { true } else { false }
    }
    inTransaction = inTransaction.filter(isLaunch)
    waiting = waiting.filter(isLaunch)
    defer { tokens = [] }
    return tokens
  }

  private mutating func release(_ due: [Effect], into effects: inout [Effect]) {
    for effect in due {
      if case .runProvider(let run) = effect { tokens.remove(run.token) }
      effects.append(effect)
    }
    // The cancellation of a run that waited, or a line for it, may be held for a later transaction.
    guard !waiting.isEmpty else { return }
    var rest: [Effect] = []
    for effect in waiting {
      switch effect {
      case .cancelProvider(let token) where !tokens.contains(token),
        .tellStream(let token, _) where !tokens.contains(token):
        effects.append(effect)
      default: rest.append(effect)
      }
    }
    waiting = rest
  }

  /// Sentences about everything that is wrong after a turn.
  func checkInvariants(_ engine: borrowing WidgetEngine) -> [String] {
    let known = engine.runningTokens
    return tokens.filter { !known.contains($0) }.map {
      "run \($0.number) waits for the disk, and nothing waits for it"
    }
  }
}
