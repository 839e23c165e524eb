public import Foundation

// Acts of an app's own window. A widget has none of them, so they are accepted and never happen.

/// The phase of the loading of an image.
public enum AsyncImagePhase: Sendable {
  case empty
  case success(Image)
  case failure(any Error)

  /// The image, if it is there.
  public var image: Image? {
    if case .success(let image) = self { image } else { nil }
  }
  /// The error, if there was one.
  public var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// An image of the network; a widget does not load while it is drawn, so it stays empty.
public struct AsyncImage<Content> {
  let content: Content
}

extension AsyncImage: View, TreeView where Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    evaluation.warn("AsyncImage loads nothing in a widget; load the image in the provider")
    evaluation.add(content)
  }

  /// Makes an image that stays empty.
  public init(url: URL?, scale: CGFloat = 1) where Content == Color {
    content = Color.gray.opacity(0.3)
  }

  /// Makes an image that shows its placeholder.
  public init<I: View, P: View>(
    url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I,
    @ViewBuilder placeholder: @escaping () -> P
  ) where Content == _ConditionalContent<I, P> {
    self.content = ViewBuilder.buildEither(second: placeholder())
  }

  /// Makes an image that stays in its first phase.
  public init(
    url: URL?, scale: CGFloat = 1, transaction: Transaction = Transaction(),
    @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
  ) {
    self.content = content(.empty)
  }
}

extension View {
  /// Never runs.
  public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View { self }

  /// Never runs.
  public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }

  /// Never runs.
  public nonisolated func task(
    priority: TaskPriority = .userInitiated, _ action: @escaping @Sendable () async -> Void
  ) -> some View { self }

  /// Never runs.
  public nonisolated func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    _ action: @escaping @Sendable () async -> Void
  ) -> some View { self }

  /// Never runs.
  public nonisolated func onChange<V: Equatable>(
    of value: V, perform action: @escaping (V) -> Void
  ) -> some View { self }

  /// Never runs.
  public nonisolated func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void
  ) -> some View { self }

  /// Never runs.
  public nonisolated func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View { self }

  /// Never runs.
  public nonisolated func onTapGesture(
    count: Int = 1, perform action: @escaping () -> Void
  ) -> some View { self }

  /// Never runs.
  public nonisolated func onLongPressGesture(
    minimumDuration: Double = 0.5, perform action: @escaping () -> Void
  ) -> some View { self }

  /// Never runs.
  public nonisolated func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }

  /// Taps go to links and buttons.
  public nonisolated func allowsHitTesting(_ enabled: Bool) -> some View { self }

  /// Taps go to links and buttons.
  public nonisolated func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View {
    self
  }

  /// Taps go to links and buttons.
  public nonisolated func contentShape<S: Shape>(
    _ kind: ContentShapeKinds, _ shape: S, eoFill: Bool = false
  ) -> some View { self }

  /// A widget has no bar.
  public nonisolated func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { self }

  /// A widget has no bar.
  @_disfavoredOverload
  public nonisolated func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }

  /// A list is a column.
  public nonisolated func listStyle(_ style: some ListStyle) -> some View { self }

  /// A list is a column.
  public nonisolated func listRowInsets(_ insets: EdgeInsets?) -> some View { self }

  /// A list is a column.
  public nonisolated func listRowBackground<V: View>(_ view: V?) -> some View { self }

  /// Nothing scrolls.
  public nonisolated func scrollDisabled(_ disabled: Bool) -> some View { self }

  /// Nothing is chosen.
  public nonisolated func tag<V: Hashable>(_ tag: V) -> some View { self }

  /// Preferences are read by nobody.
  public nonisolated func preference<K: PreferenceKey>(
    key: K.Type = K.self, value: K.Value
  ) -> some View { self }

  /// Preferences are read by nobody.
  public nonisolated func onPreferenceChange<K: PreferenceKey>(
    _ key: K.Type = K.self, perform action: @escaping (K.Value) -> Void
  ) -> some View where K.Value: Equatable { self }

  /// A name for places in the view.
  public nonisolated func coordinateSpace<T: Hashable>(name: T) -> some View { self }

  /// A name for places in the view.
  public nonisolated func coordinateSpace(_ name: NamedCoordinateSpace) -> some View { self }

  /// A view is compared with nothing.
  public nonisolated func equatable() -> EquatableView<Self> where Self: Equatable {
    EquatableView(content: self)
  }
}

/// Where a shape of taps counts.
public struct ContentShapeKinds: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Makes a set of its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Taps.
  public static let interaction = ContentShapeKinds(rawValue: 1)
  /// Previews.
  public static let contextMenuPreview = ContentShapeKinds(rawValue: 4)
  /// The pointer.
  public static let hoverEffect = ContentShapeKinds(rawValue: 8)
  /// Assistive technologies.
  public static let accessibility = ContentShapeKinds(rawValue: 16)
}

/// A value that views tell the views around them; nobody reads it.
public protocol PreferenceKey {
  /// The type of the value.
  associatedtype Value
  /// The value where no view tells one.
  static var defaultValue: Value { get }
  /// Puts another view's value to it.
  static func reduce(value: inout Value, nextValue: () -> Value)
}

/// A look of lists.
public protocol ListStyle {}

/// A list without any decoration.
public struct PlainListStyle: ListStyle, Sendable {
  /// Makes the style.
  public init() {}
}

extension ListStyle where Self == PlainListStyle {
  /// A list without any decoration.
  public static var plain: PlainListStyle { PlainListStyle() }
}
