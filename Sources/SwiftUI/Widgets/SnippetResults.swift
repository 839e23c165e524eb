public import AppIntents

// A result may bring a view, which Siri shows. Nothing shows it here: the words and the value are the
// answer, and the view is never evaluated.

extension IntentResult {
  /// Answers a view.
  public static func result<Content: View>(@ViewBuilder content: () -> Content) -> Self
  where Self == IntentResultContainer<Never, Never, SnippetPlace, Never> { .snippet() }
  /// Answers words and a view.
  public static func result<Content: View>(
    dialog: IntentDialog, @ViewBuilder content: () -> Content
  ) -> Self where Self == IntentResultContainer<Never, Never, SnippetPlace, IntentDialog> {
    .snippet(dialog: dialog)
  }
  /// Answers a value and a view.
  public static func result<V: _IntentValue, Content: View>(
    value: V, @ViewBuilder content: () -> Content
  ) -> Self where Self == IntentResultContainer<V, Never, SnippetPlace, Never> {
    .snippet(value: value)
  }
  /// Answers a value, words and a view.
  public static func result<V: _IntentValue, Content: View>(
    value: V, dialog: IntentDialog, @ViewBuilder content: () -> Content
  ) -> Self where Self == IntentResultContainer<V, Never, SnippetPlace, IntentDialog> {
    .snippet(value: value, dialog: dialog)
  }

  /// Answers a view.
  public static func result<Content: View>(view: Content) -> Self
  where Self == IntentResultContainer<Never, Never, SnippetPlace, Never> { .snippet() }
  /// Answers words and a view.
  public static func result<Content: View>(dialog: IntentDialog, view: Content) -> Self
  where Self == IntentResultContainer<Never, Never, SnippetPlace, IntentDialog> {
    .snippet(dialog: dialog)
  }
  /// Answers a value and a view.
  public static func result<V: _IntentValue, Content: View>(value: V, view: Content) -> Self
  where Self == IntentResultContainer<V, Never, SnippetPlace, Never> { .snippet(value: value) }
  /// Answers a value, words and a view.
  public static func result<V: _IntentValue, Content: View>(
    value: V, dialog: IntentDialog, view: Content
  ) -> Self where Self == IntentResultContainer<V, Never, SnippetPlace, IntentDialog> {
    .snippet(value: value, dialog: dialog)
  }
}
