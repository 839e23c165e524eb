/// Builds a view from the statements of a closure.
///
/// Source: SwiftUI.
@resultBuilder
public struct ViewBuilder: Sendable {
  /// Takes an expression as it is.
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

  /// Makes the view of no statement.
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// Takes one statement as it is.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  /// Puts several statements behind each other.
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> {
    let views = MainActorValue(value: (repeat each content))
    return TupleView(views.value) { evaluation in
      repeat evaluation.add(each views.value)
    }
  }

  /// Takes the view of an `if` without `else`.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  /// Takes the first branch.
  public static func buildEither<TrueContent: View, FalseContent: View>(
    first: TrueContent
  ) -> _ConditionalContent<TrueContent, FalseContent> {
    _ConditionalContent(storage: .trueContent(first))
  }

  /// Takes the second branch.
  public static func buildEither<TrueContent: View, FalseContent: View>(
    second: FalseContent
  ) -> _ConditionalContent<TrueContent, FalseContent> {
    _ConditionalContent(storage: .falseContent(second))
  }

  /// Forgets the type of a view behind `#available`.
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
    AnyView(content)
  }
}

/// A value that a closure of the main actor takes with it.
///
/// Views are made and evaluated on the main thread alone, which a builder of a nonisolated signature
/// cannot say.
struct MainActorValue<T>: @unchecked Sendable {
  let value: T
}

/// Several views behind each other.
public struct TupleView<T> {
  /// The views.
  public var value: T
  private let appendAll: @MainActor (inout Evaluation) -> Void

  init(_ value: T, appendAll: @escaping @MainActor (inout Evaluation) -> Void) {
    self.value = value
    self.appendAll = appendAll
  }

  /// Makes a view of a tuple of views.
  public init(_ value: T) {
    let views = MainActorValue(value: value)
    self.init(value) { evaluation in
      for child in Mirror(reflecting: views.value).children {
        if let view = child.value as? any View { evaluation.add(view) }
      }
    }
  }
}

extension TupleView: View, TreeView {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) { appendAll(&evaluation) }
}

/// One of two views, as an `if` or a `switch` chose.
public struct _ConditionalContent<TrueContent, FalseContent> {
  enum Storage {
    case trueContent(TrueContent)
    case falseContent(FalseContent)
  }

  let storage: Storage
}

extension _ConditionalContent: View, TreeView where TrueContent: View, FalseContent: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    switch storage {
    case .trueContent(let view): evaluation.add(view)
    case .falseContent(let view): evaluation.add(view)
    }
  }
}
