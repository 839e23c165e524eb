/// A change to a view that can be used again.
///
/// Source: SwiftUI.
@MainActor @preconcurrency
public protocol ViewModifier {
  /// The view that the modifier makes.
  associatedtype Body: View
  /// Makes the changed view from the view that is changed.
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
  /// The view that is changed.
  typealias Content = _ViewModifier_Content<Self>
}

/// The view that a modifier changes.
public struct _ViewModifier_Content<Modifier> {
  let append: @MainActor (inout Evaluation) -> Void
}

extension _ViewModifier_Content: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) { append(&evaluation) }
}

/// A view with a modifier.
public struct ModifiedContent<Content, Modifier> {
  /// The view that is changed.
  public var content: Content
  /// The change.
  public var modifier: Modifier

  /// Changes `content` by `modifier`.
  public init(content: Content, modifier: Modifier) {
    self.content = content
    self.modifier = modifier
  }
}

extension ModifiedContent: View, TreeView where Content: View, Modifier: ViewModifier {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    let content = content
    let changed = _ViewModifier_Content<Modifier> { $0.add(content) }
    evaluation.addBody { modifier.body(content: changed) }
  }
}

extension ModifiedContent: ViewModifier where Content: ViewModifier, Modifier: ViewModifier {
  /// Applies the first modifier, then the second.
  public func body(content inner: _ViewModifier_Content<Self>) -> some View {
    inner.modifier(content).modifier(modifier)
  }
}

/// A modifier that changes nothing.
public struct EmptyModifier: ViewModifier {
  /// The modifier.
  public nonisolated static let identity = EmptyModifier()
  /// Makes the modifier.
  public nonisolated init() {}
  /// Returns the view as it is.
  public func body(content: Content) -> some View { content }
}

extension View {
  /// Changes the view by `modifier`.
  public nonisolated func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}

extension ViewModifier {
  /// Applies `modifier` after this one.
  public nonisolated func concat<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}
