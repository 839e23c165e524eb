/// Content with a label before it.
///
/// Source: SwiftUI.
public struct LabeledContent<Label, Content> {
  let label: Label
  let content: Content
}

extension LabeledContent: View, TreeView where Label: View, Content: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    let configuration = LabeledContentStyleConfiguration(
      label: .init(label), content: .init(content))
    evaluation.add(AnyView(evaluation.environment.labeledContentStyle.body(of: configuration)))
  }

  /// Makes content with a label.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
    self.init(label: label(), content: content())
  }
}

extension LabeledContent where Label == Text, Content: View {
  /// Makes content with a title.
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
    self.init(label: Text(titleKey), content: content())
  }

  /// Makes content with a title.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
    self.init(label: Text(title), content: content())
  }
}

extension LabeledContent where Label == Text, Content == Text {
  /// Makes a text with a title.
  public init<S: StringProtocol>(_ titleKey: LocalizedStringKey, value: S) {
    self.init(label: Text(titleKey), content: Text(value))
  }

  /// Makes a text with a title.
  @_disfavoredOverload
  public init<S1: StringProtocol, S2: StringProtocol>(_ title: S1, value: S2) {
    self.init(label: Text(title), content: Text(value))
  }
}

extension LabeledContent
where
  Label == LabeledContentStyleConfiguration.Label,
  Content == LabeledContentStyleConfiguration.Content
{
  /// Makes the content that a style changes.
  public init(_ configuration: LabeledContentStyleConfiguration) {
    self.init(label: configuration.label, content: configuration.content)
  }
}

/// The parts of content with a label.
public struct LabeledContentStyleConfiguration {
  /// The label.
  public struct Label: View {
    let content: AnyView

    init<V: View>(_ content: V) { self.content = AnyView(content) }

    /// The label itself.
    public var body: some View { content }
  }

  /// The content.
  public struct Content: View {
    let content: AnyView

    init<V: View>(_ content: V) { self.content = AnyView(content) }

    /// The content itself.
    public var body: some View { content }
  }

  /// The label.
  public let label: Label
  /// The content.
  public let content: Content
}

/// A look of content with a label.
@MainActor @preconcurrency
public protocol LabeledContentStyle {
  /// The view of content with a label.
  associatedtype Body: View
  /// Makes the view of content with a label.
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
  /// The parts of content with a label.
  typealias Configuration = LabeledContentStyleConfiguration
}

extension LabeledContentStyle {
  func body(of configuration: LabeledContentStyleConfiguration) -> any View {
    makeBody(configuration: configuration)
  }
}

/// The look of the surroundings: the label at one end, the content at the other.
public struct AutomaticLabeledContentStyle: LabeledContentStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Puts the label at one end of the row and the content at the other.
  public func makeBody(configuration: Configuration) -> some View {
    HStack {
      configuration.label
      Spacer()
      configuration.content
    }
  }
}

extension LabeledContentStyle where Self == AutomaticLabeledContentStyle {
  /// The look of the surroundings.
  public static var automatic: AutomaticLabeledContentStyle { AutomaticLabeledContentStyle() }
}

private enum LabeledContentStyleKey: EnvironmentKey {
  static var defaultValue: any LabeledContentStyle { AutomaticLabeledContentStyle() }
}

extension EnvironmentValues {
  var labeledContentStyle: any LabeledContentStyle {
    get { self[LabeledContentStyleKey.self] }
    set { self[LabeledContentStyleKey.self] = newValue }
  }
}

extension View {
  /// Sets the look of content with labels.
  public nonisolated func labeledContentStyle<S: LabeledContentStyle>(_ style: S) -> some View {
    EnvironmentView(content: self) { $0.labeledContentStyle = style }
  }
}
