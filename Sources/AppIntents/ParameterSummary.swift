/// A sentence with the parameters of an intent in it.
public protocol ParameterSummary: Sendable {}

/// No sentence.
public struct EmptyParameterSummary: ParameterSummary {
  /// Makes it.
  public init() {}
}

/// Builds the summary of an intent.
@resultBuilder
public enum ParameterSummaryBuilder<Intent> {
  /// Takes a summary as it is.
  public static func buildBlock<S: ParameterSummary>(_ summary: S) -> S { summary }
}
