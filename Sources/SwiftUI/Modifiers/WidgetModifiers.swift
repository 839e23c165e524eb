public import Foundation

/// A place whose background a view sets.
public struct ContainerBackgroundPlacement: Hashable, Sendable {
  private let name: String

  /// The widget.
  public static let widget = ContainerBackgroundPlacement(name: "widget")
  /// A stack of pages; a widget has none.
  public static let navigation = ContainerBackgroundPlacement(name: "navigation")
}

extension View {
  /// Sets the URL that a tap on the widget opens; the outermost counts.
  public nonisolated func widgetURL(_ url: URL?) -> some View {
    StyledView(
      content: self, property: url.map { .widgetURL($0.absoluteString) } ?? .text(TextStyle()))
  }

  /// Sets the background of the widget.
  public nonisolated func containerBackground<S: ShapeStyle>(
    _ style: S, for container: ContainerBackgroundPlacement
  ) -> some View {
    styled(.containerBackground(Paint(style)))
  }

  /// Sets the background of the widget.
  public nonisolated func containerBackground<V: View>(
    for container: ContainerBackgroundPlacement, alignment: Alignment = .center,
    @ViewBuilder content: () -> V
  ) -> some View {
    ContainerBackgroundView(content: self, background: content(), alignment: alignment)
  }

  /// Puts the view into the group of the accent colour.
  public nonisolated func widgetAccentable(_ accentable: Bool = true) -> some View {
    StyledView(content: self, property: accentable ? .accentable : .text(TextStyle()))
  }

  /// Sets the label beside an accessory widget.
  public nonisolated func widgetLabel(_ label: LocalizedStringKey) -> some View {
    styled(.accessibilityLabel(Text(label).plainText))
  }

  /// Sets the label beside an accessory widget.
  @_disfavoredOverload
  public nonisolated func widgetLabel<S: StringProtocol>(_ label: S) -> some View {
    styled(.accessibilityLabel(String(label)))
  }

  /// Sets the view beside an accessory widget; it has no picture.
  public nonisolated func widgetLabel<Label: View>(@ViewBuilder label: () -> Label) -> some View {
    self
  }

  /// Nothing bends the content.
  public nonisolated func widgetCurvesContent(_ curvesContent: Bool = true) -> some View { self }

  /// A new entry replaces the content anyhow.
  public nonisolated func invalidatableContent(_ invalidatable: Bool = true) -> some View { self }

  /// Marks content that is private.
  public nonisolated func privacySensitive(_ sensitive: Bool = true) -> some View {
    StyledView(content: self, property: sensitive ? .privacySensitive : .text(TextStyle()))
  }

  /// A widget has no tint of its own background.
  public nonisolated func activityBackgroundTint(_ color: Color?) -> some View { self }

  /// A Live Activity has no picture.
  public nonisolated func activitySystemActionForegroundColor(_ color: Color?) -> some View { self }

  /// A Live Activity has no picture.
  public nonisolated func dynamicIsland(verticalPlacement: DynamicIslandVerticalPlacement)
    -> some View
  { self }

  /// The widget decides whether it shows its background.
  public nonisolated func accessoryWidgetGroupStyle(_ style: AccessoryWidgetGroupStyle)
    -> some View
  { self }
}

/// The place of a view in the Dynamic Island.
public struct DynamicIslandVerticalPlacement: Hashable, Sendable {
  private let name: String

  /// Below the camera if it is too wide.
  public static let belowIfTooWide = DynamicIslandVerticalPlacement(name: "belowIfTooWide")
}

/// The look of a group of accessories.
public struct AccessoryWidgetGroupStyle: Hashable, Sendable {
  private let name: String

  /// The look of the surroundings.
  public static let automatic = AccessoryWidgetGroupStyle(name: "automatic")
  /// Circles.
  public static let circular = AccessoryWidgetGroupStyle(name: "circular")
  /// Rectangles with round corners.
  public static let roundedSquare = AccessoryWidgetGroupStyle(name: "roundedSquare")
}

/// A view with a background of the widget.
struct ContainerBackgroundView<Content, Background> {
  let content: Content
  let background: Background
  let alignment: Alignment
}

extension ContainerBackgroundView: View, TreeView where Content: View, Background: View {
  typealias Body = Never
  func append(to evaluation: inout Evaluation) {
    let start = evaluation.nodes.count
    evaluation.add(content)
    let layers = evaluation.children(of: background)
    guard !layers.isEmpty, start < evaluation.nodes.count else { return }
    if layers.count == 1, layers[0].properties.isEmpty, case .fill(let paint) = layers[0].kind {
      evaluation.nodes[start].properties.append(.containerBackground(paint))
      return
    }
    let layer =
      layers.count == 1 ? layers[0] : ViewNode(.layers(alignment.pair), children: layers)
    evaluation.nodes[start].properties.append(.containerLayer(layer, alignment.pair))
  }
}
