public import FoundationAdditions

/// A title with an icon before it.
///
/// Source: SwiftUI.
public struct Label<Title, Icon> {
  let title: Title
  let icon: Icon
}

extension Label: View, TreeView where Title: View, Icon: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    let configuration = LabelStyleConfiguration(
      title: .init(title), icon: .init(icon))
    let style = evaluation.environment.labelStyle
    evaluation.add(AnyView(style.body(of: configuration)))
  }

  /// Makes a label.
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
    self.init(title: title(), icon: icon())
  }
}

extension Label where Title == Text, Icon == Image {
  /// Makes a label of a text and a symbol.
  public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
    self.init(title: Text(titleKey), icon: Image(systemName: name))
  }

  /// Makes a label of a text and a symbol.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, systemImage name: String) {
    self.init(title: Text(title), icon: Image(systemName: name))
  }

  /// Makes a label of a text and a symbol.
  @_disfavoredOverload
  public init(_ titleResource: LocalizedStringResource, systemImage name: String) {
    self.init(title: Text(titleResource), icon: Image(systemName: name))
  }

  /// Makes a label of a text and an image.
  public init(_ titleKey: LocalizedStringKey, image name: String) {
    self.init(title: Text(titleKey), icon: Image(name))
  }

  /// Makes a label of a text and an image.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, image name: String) {
    self.init(title: Text(title), icon: Image(name))
  }
}

extension Label where Title == LabelStyleConfiguration.Title, Icon == LabelStyleConfiguration.Icon {
  /// Makes the label that a style changes.
  public init(_ configuration: LabelStyleConfiguration) {
    self.init(title: configuration.title, icon: configuration.icon)
  }
}

/// The parts of a label.
public struct LabelStyleConfiguration {
  /// The title.
  public struct Title: View {
    let content: AnyView

    init<V: View>(_ content: V) { self.content = AnyView(content) }

    /// The title itself.
    public var body: some View { content }
  }

  /// The icon.
  public struct Icon: View {
    let content: AnyView

    init<V: View>(_ content: V) { self.content = AnyView(content) }

    /// The icon itself.
    public var body: some View { content }
  }

  /// The title.
  public let title: Title
  /// The icon.
  public let icon: Icon
}

/// A look of labels.
@MainActor @preconcurrency
public protocol LabelStyle {
  /// The view of a label.
  associatedtype Body: View
  /// Makes the view of a label.
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
  /// The parts of a label.
  typealias Configuration = LabelStyleConfiguration
}

extension LabelStyle {
  func body(of configuration: LabelStyleConfiguration) -> any View {
    makeBody(configuration: configuration)
  }
}

/// Shows the icon and the title.
public struct TitleAndIconLabelStyle: LabelStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Puts the icon before the title.
  public func makeBody(configuration: Configuration) -> some View {
    HStack(spacing: 6) {
      configuration.icon
      configuration.title
    }
  }
}

/// Shows the icon alone.
public struct IconOnlyLabelStyle: LabelStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Shows the icon; the title is for everybody who does not see it.
  public func makeBody(configuration: Configuration) -> some View { configuration.icon }
}

/// Shows the title alone.
public struct TitleOnlyLabelStyle: LabelStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Shows the title.
  public func makeBody(configuration: Configuration) -> some View { configuration.title }
}

/// The look of the surroundings: the icon and the title.
public struct DefaultLabelStyle: LabelStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Puts the icon before the title.
  public func makeBody(configuration: Configuration) -> some View {
    TitleAndIconLabelStyle().makeBody(configuration: configuration)
  }
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
  /// Shows the icon and the title.
  public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}

extension LabelStyle where Self == IconOnlyLabelStyle {
  /// Shows the icon alone.
  public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
  /// Shows the title alone.
  public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

extension LabelStyle where Self == DefaultLabelStyle {
  /// The look of the surroundings.
  public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}

private enum LabelStyleKey: EnvironmentKey {
  static var defaultValue: any LabelStyle { DefaultLabelStyle() }
}

extension EnvironmentValues {
  var labelStyle: any LabelStyle {
    get { self[LabelStyleKey.self] }
    set { self[LabelStyleKey.self] = newValue }
  }
}

extension View {
  /// Sets the look of labels.
  public nonisolated func labelStyle<S: LabelStyle>(_ style: S) -> some View {
    EnvironmentView(content: self) { $0.labelStyle = style }
  }
}
