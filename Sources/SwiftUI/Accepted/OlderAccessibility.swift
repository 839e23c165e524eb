// The names of iOS 13 for what is said to everybody who does not see a view. Much code has them still.

extension View {
  /// Sets the words for everybody who does not see the view, by an older name.
  public nonisolated func accessibility(label: Text) -> some View { accessibilityLabel(label) }

  /// Hides the view from everybody who does not see it.
  public nonisolated func accessibility(hidden: Bool) -> some View { accessibilityHidden(hidden) }

  /// The words of a view are its texts.
  public nonisolated func accessibility(value: Text) -> some View { self }

  /// A hint has no place.
  public nonisolated func accessibility(hint: Text) -> some View { self }

  /// The surface decides what a view is.
  public nonisolated func accessibility(addTraits traits: AccessibilityTraits) -> some View { self }

  /// The surface decides what a view is.
  public nonisolated func accessibility(removeTraits traits: AccessibilityTraits) -> some View {
    self
  }

  /// Names for tests have no place.
  public nonisolated func accessibility(identifier: String) -> some View { self }

  /// Views are read in their order.
  public nonisolated func accessibility(sortPriority: Double) -> some View { self }

  /// The names for speech are the texts.
  public nonisolated func accessibility(inputLabels: [Text]) -> some View { self }
}
