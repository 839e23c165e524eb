package import Timekeeping

extension SharedTimeline {
  /// A run that ended, as `widget.budget` tells of it.
  package struct RecentRun: Hashable, Sendable {
    package var at: WallTime
    package var cause: ReloadCause
    /// Reloads taken from the budget.
    package var cost = 0
    package var isUnchanged = false
    /// Whether the provider said that it had nothing new.
    package var hasNoData = false
    /// The error of a failed run, which costs nothing.
    package var failure: String?
    /// What the provider of a failed run last wrote to standard error.
    package var stderr: String?

    package init(
      at: WallTime, cause: ReloadCause, cost: Int = 0, isUnchanged: Bool = false,
      hasNoData: Bool = false, failure: String? = nil, stderr: String? = nil
    ) {
      self.at = at
      self.cause = cause
      self.cost = cost
      self.isUnchanged = isUnchanged
      self.hasNoData = hasNoData
      self.failure = failure
      self.stderr = stderr
    }
  }
}
