import IntentProtocol
import IntentRouter
import JSON
import JSONRPC
import WidgetCenter

/// The program that a person was asked about: a yes counts for this one alone.
struct PerformConsent: Hashable, Sendable {
  /// A program as it was then, and one of its kinds.
  struct Program: Hashable, Sendable {
    var kind: String
    var provider: ProviderDeclaration
  }

  /// `nil`: the question named none, since no program performed the intent, or several.
  var program: Program?
}

/// Finds the program that performs an intent.
///
/// An intent is known by its name, and two programs may have one of the same name. The button of a
/// widget means its own program. From elsewhere nobody knows which one is meant, and code cannot be
/// undone, so the intent is refused and both are named.
extension Daemon {
  /// Returns the kind whose program performs the intent; `nil`: none does.
  ///
  /// Throws if several do. `near` is the kind whose program comes before others that perform an
  /// intent of this name.
  func performer(of intent: String, near kind: String? = nil) throws(RPCError) -> WidgetKind? {
    if let own = kind.flatMap({ engine.kinds[$0] }), own.performs.contains(intent) { return own }
    let names = configuration.performers(of: intent)
    guard names.count > 1 else { return names.first.flatMap { engine.kinds[$0] } }
    let programs = names.map { name in
      engine.kinds[name].map { "\($0.name) (\(name))" } ?? name
    }
    throw RPCError(
      .unclearPerformer,
      "\(intent) is performed by several programs: \(programs.joined(separator: ", ")); tap the"
        + " button of the widget that you mean, or leave it out of 'performs' in the other manifest",
      details: ["programs": .array(names.map { .string($0) })])
  }

  /// Returns the same for an intent from `origin`; throws, too, if a person was asked about another
  /// program.
  func performer(of intent: String, for origin: Origin) throws(RPCError) -> WidgetKind? {
    guard let consent = origin.consent else {
      return try performer(of: intent, near: origin.tappedKind)
    }
    guard let asked = consent.program else {
      guard try performer(of: intent) == nil else {
        throw consentIsOver(intent, "the question named none")
      }
      return nil
    }
    guard let kind = engine.kinds[asked.kind], kind.performs.contains(intent),
      kind.provider == asked.provider
    else { throw consentIsOver(intent, "it was the program of \(asked.kind)") }
    return kind
  }

  /// Returns the kind of the only program that performs the intent; `nil`: none does, or several.
  func onlyPerformer(of intent: String) -> WidgetKind? {
    let names = configuration.performers(of: intent)
    return names.count == 1 ? engine.kinds[names[0]] : nil
  }

  /// Notes in the origin which program a question is about, if it is not known yet.
  ///
  /// Of several programs the question names none, so its yes starts none, also when only one of
  /// them is left by then.
  func bind(_ intent: String, _ origin: inout Origin) {
    guard origin.consent == nil else { return }
    origin.consent = PerformConsent()
    do throws(RPCError) {
      let kind = try performer(of: intent, near: origin.tappedKind)
      origin.consent?.program = kind.map { .init(kind: $0.kind, provider: $0.provider) }
    } catch {
      // With the yes it is refused, as it is without a question.
    }
  }

  /// The words of a question for the program that performs the intent: " Counter", or nothing.
  func asked(_ performer: WidgetKind?) -> String {
    performer.map { " \(quotedValue($0.name))" } ?? ""
  }

  private func consentIsOver(_ intent: String, _ before: String) -> RPCError {
    RPCError(
      .unclearPerformer,
      "the program that performs \(intent) changed since you were asked (\(before)), so nothing was"
        + " done; send it again")
  }
}
