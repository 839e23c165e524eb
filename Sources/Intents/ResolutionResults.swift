public import FoundationAdditions

// The results of resolution that a definition file's parameters may need besides those of texts,
// truths, numbers and objects.

/// How a span of time was taken.
open class INTimeIntervalResolutionResult: INIntentResolutionResult {
  /// It is right.
  public class func success(with resolvedTimeInterval: TimeInterval) -> Self { Self() }
  /// The person has to say yes.
  public class func confirmationRequired(with timeIntervalToConfirm: TimeInterval) -> Self {
    Self(outcome: .confirmation)
  }
}

/// How a date was taken.
open class INDateComponentsResolutionResult: INIntentResolutionResult {
  /// It is right.
  public class func success(with resolvedDateComponents: DateComponents) -> Self { Self() }
  /// The person has to choose.
  public class func disambiguation(
    with dateComponentsToDisambiguate: [DateComponents]
  ) -> Self { Self(outcome: .disambiguation) }
  /// The person has to say yes.
  public class func confirmationRequired(with dateComponentsToConfirm: DateComponents?) -> Self {
    Self(outcome: .confirmation)
  }
}

/// How a URL was taken.
open class INURLResolutionResult: INIntentResolutionResult {
  /// It is right.
  public class func success(with resolvedURL: URL) -> Self { Self() }
  /// The person has to choose.
  public class func disambiguation(with urlsToDisambiguate: [URL]) -> Self {
    Self(outcome: .disambiguation)
  }
  /// The person has to say yes.
  public class func confirmationRequired(with urlToConfirm: URL?) -> Self {
    Self(outcome: .confirmation)
  }
}

extension INBooleanResolutionResult {
  /// The person has to say yes.
  public class func confirmationRequired(with valueToConfirm: Bool?) -> Self {
    Self(outcome: .confirmation)
  }
}

extension INIntegerResolutionResult {
  /// The person has to say yes.
  public class func confirmationRequired(with valueToConfirm: Int?) -> Self {
    Self(outcome: .confirmation)
  }
}

extension INDoubleResolutionResult {
  /// The person has to say yes.
  public class func confirmationRequired(with valueToConfirm: Double?) -> Self {
    Self(outcome: .confirmation)
  }
}
