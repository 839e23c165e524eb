/// A part of a picture, described by other parts.
///
/// A body is evaluated once for each entry, on the main actor. Source: SwiftUI.
@MainActor @preconcurrency
public protocol View {
  /// The view that this one is made of.
  associatedtype Body: View
  /// The content of the view.
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

/// A view that becomes nodes of the tree by itself; it has no body.
@MainActor @preconcurrency
package protocol TreeView: View where Body == Never {
  /// Appends the nodes of this view.
  func append(to evaluation: inout Evaluation)
}

extension Never: View {
  /// There is no value, so there is no body.
  public typealias Body = Never
}

extension View where Body == Never {
  /// No code asks a view of this module for its body.
  public var body: Never { preconditionFailure("a view of SwiftUI has no body") }
}

/// A view that shows nothing and takes no room.
public struct EmptyView: Sendable {
  /// Makes an empty view.
  public init() {}
}

extension EmptyView: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {}
}

/// A view whose type is forgotten.
public struct AnyView {
  private let content: any View

  /// Keeps `view` without its type.
  public init<V: View>(_ view: V) { content = view }

  /// Keeps `view` without its type.
  public init<V: View>(erasing view: V) { content = view }
}

extension AnyView: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) { evaluation.addDeeper(content) }
}

extension Optional: View, TreeView where Wrapped: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    if let self { evaluation.add(self) }
  }
}
