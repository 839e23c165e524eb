/// A look of buttons.
///
/// Source: SwiftUI.
@MainActor @preconcurrency
public protocol ButtonStyle {
  /// The view of a button.
  associatedtype Body: View
  /// Makes the view of a button.
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
  /// The parts of a button.
  typealias Configuration = ButtonStyleConfiguration
}

/// The parts of a button.
public struct ButtonStyleConfiguration {
  /// The label.
  public struct Label: View {
    let content: AnyView

    init<V: View>(_ content: V) { self.content = AnyView(content) }

    /// The label itself.
    public var body: some View { content }
  }

  /// The purpose of the button.
  public let role: ButtonRole?
  /// The label.
  public let label: Label
  /// Whether it is pressed now; a picture is not.
  public let isPressed = false
}

extension ButtonStyle {
  func body(of configuration: ButtonStyleConfiguration) -> any View {
    makeBody(configuration: configuration)
  }
}

/// A look and a behaviour of buttons.
@MainActor @preconcurrency
public protocol PrimitiveButtonStyle {
  /// The view of a button.
  associatedtype Body: View
  /// Makes the view of a button.
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
  /// The parts of a button.
  typealias Configuration = PrimitiveButtonStyleConfiguration
}

/// The parts of a button, and its act.
public struct PrimitiveButtonStyleConfiguration {
  /// The label.
  public struct Label: View {
    let content: AnyView

    init<V: View>(_ content: V) { self.content = AnyView(content) }

    /// The label itself.
    public var body: some View { content }
  }

  /// The purpose of the button.
  public let role: ButtonRole?
  /// The label.
  public let label: Label

  /// Does nothing: a picture is not tapped.
  public func trigger() {}
}

/// A button without any decoration.
public struct PlainButtonStyle: PrimitiveButtonStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Shows the label.
  public func makeBody(configuration: Configuration) -> some View { configuration.label }
}

/// The look of the surroundings.
public struct DefaultButtonStyle: PrimitiveButtonStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Shows the label.
  public func makeBody(configuration: Configuration) -> some View { configuration.label }
}

/// A button without a border.
public struct BorderlessButtonStyle: PrimitiveButtonStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Shows the label.
  public func makeBody(configuration: Configuration) -> some View { configuration.label }
}

/// A button on a plate.
public struct BorderedButtonStyle: PrimitiveButtonStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Shows the label on a plate.
  public func makeBody(configuration: Configuration) -> some View {
    configuration.label
      .padding(.horizontal, 12).padding(.vertical, 6)
      .background(.fill, in: Capsule())
  }
}

/// The look of a button in a widget that has no style: a plate with some of its tint.
///
/// The plate under it keeps the words legible on any background. An accessory has no plate.
struct WidgetButtonStyle: ButtonStyle {
  let family: WidgetFamily

  func makeBody(configuration: Configuration) -> some View {
    if family.description.hasPrefix("system") {
      let tint =
        configuration.role == .destructive ? AnyShapeStyle(Color.red) : AnyShapeStyle(.tint)
      configuration.label
        .padding(.horizontal, 12).padding(.vertical, 6)
        .background(tint.opacity(0.15), in: Capsule())
        .background(.thickMaterial, in: Capsule())
    } else {
      configuration.label
    }
  }
}

/// A button on a plate of the accent colour.
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Shows the label on a plate.
  public func makeBody(configuration: Configuration) -> some View {
    configuration.label
      .foregroundStyle(.white)
      .padding(.horizontal, 12).padding(.vertical, 6)
      .background(.tint, in: Capsule())
  }
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
  /// A button without any decoration.
  public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
  /// The look of the surroundings.
  public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  /// A button without a border.
  public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
  /// A button on a plate.
  public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
  /// A button on a plate of the accent colour.
  public static var borderedProminent: BorderedProminentButtonStyle {
    BorderedProminentButtonStyle()
  }
}

/// A primitive style as a style: its act is never called here.
private struct PrimitiveStyle<Style: PrimitiveButtonStyle> {
  let style: Style
}

extension PrimitiveStyle: ButtonStyle {
  func makeBody(configuration: Configuration) -> some View {
    style.makeBody(
      configuration: PrimitiveButtonStyleConfiguration(
        role: configuration.role, label: .init(configuration.label)))
  }
}

/// The outline of bordered buttons; it is a capsule here.
public struct ButtonBorderShape: Equatable, Sendable {
  private let name: String

  /// The outline of the surroundings.
  public static let automatic = ButtonBorderShape(name: "automatic")
  /// A capsule.
  public static let capsule = ButtonBorderShape(name: "capsule")
  /// A circle.
  public static let circle = ButtonBorderShape(name: "circle")
  /// A rectangle with round corners.
  public static let roundedRectangle = ButtonBorderShape(name: "roundedRectangle")
  /// A rectangle with corners of a radius.
  public static func roundedRectangle(radius: Double) -> ButtonBorderShape { roundedRectangle }
}

/// A look of toggles.
@MainActor @preconcurrency
public protocol ToggleStyle {
  /// The view of a toggle.
  associatedtype Body: View
  /// Makes the view of a toggle.
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
  /// The parts of a toggle.
  typealias Configuration = ToggleStyleConfiguration
}

/// The parts of a toggle.
public struct ToggleStyleConfiguration {
  /// The label.
  public struct Label: View {
    let content: AnyView

    init<V: View>(_ content: V) { self.content = AnyView(content) }

    /// The label itself.
    public var body: some View { content }
  }

  /// The label.
  public let label: Label
  /// Whether it is on.
  @Binding public var isOn: Bool
  /// Whether it is on in some places only.
  public var isMixed: Bool { false }
}

extension ToggleStyle {
  func body(of configuration: ToggleStyleConfiguration) -> any View {
    makeBody(configuration: configuration)
  }
}

/// A switch beside the label.
public struct SwitchToggleStyle: ToggleStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Makes the style in a colour.
  public nonisolated init(tint: Color) {}

  /// Shows the label with a switch.
  public func makeBody(configuration: Configuration) -> some View {
    HStack {
      configuration.label
      Spacer()
      Capsule().fill(configuration.isOn ? Color.green : Color.gray.opacity(0.4))
        .frame(width: 40, height: 24)
        .overlay(alignment: configuration.isOn ? .trailing : .leading) {
          Circle().fill(.white).frame(width: 20, height: 20).padding(2)
        }
    }
  }
}

/// A button that looks pressed while it is on.
public struct ButtonToggleStyle: ToggleStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Shows the label on a plate.
  public func makeBody(configuration: Configuration) -> some View {
    configuration.label
      .padding(.horizontal, 12).padding(.vertical, 6)
      .background(configuration.isOn ? AnyShapeStyle(.tint) : AnyShapeStyle(.fill), in: Capsule())
  }
}

/// The look of the surroundings.
public struct DefaultToggleStyle: ToggleStyle {
  /// Makes the style.
  public nonisolated init() {}

  /// Shows the label with a switch.
  public func makeBody(configuration: Configuration) -> some View {
    SwitchToggleStyle().makeBody(configuration: configuration)
  }
}

extension ToggleStyle where Self == SwitchToggleStyle {
  /// A switch beside the label.
  public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}

extension ToggleStyle where Self == ButtonToggleStyle {
  /// A button that looks pressed while it is on.
  public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}

extension ToggleStyle where Self == DefaultToggleStyle {
  /// The look of the surroundings.
  public static var automatic: DefaultToggleStyle { DefaultToggleStyle() }
}

private enum ButtonStyleKey: EnvironmentKey {
  static var defaultValue: (any ButtonStyle)? { nil }
}

private enum ToggleStyleKey: EnvironmentKey {
  static var defaultValue: (any ToggleStyle)? { nil }
}

extension EnvironmentValues {
  var buttonStyle: (any ButtonStyle)? {
    get { self[ButtonStyleKey.self] }
    set { self[ButtonStyleKey.self] = newValue }
  }

  var toggleStyle: (any ToggleStyle)? {
    get { self[ToggleStyleKey.self] }
    set { self[ToggleStyleKey.self] = newValue }
  }
}

extension View {
  /// Sets the look of buttons.
  public nonisolated func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
    EnvironmentView(content: self) { $0.buttonStyle = style }
  }

  /// Sets the look of buttons.
  public nonisolated func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
    EnvironmentView(content: self) {
      $0.buttonStyle = style is DefaultButtonStyle ? nil : PrimitiveStyle(style: style)
    }
  }

  /// The outline of bordered buttons is a capsule.
  public nonisolated func buttonBorderShape(_ shape: ButtonBorderShape) -> some View { self }

  /// Sets the look of toggles.
  public nonisolated func toggleStyle<S: ToggleStyle>(_ style: S) -> some View {
    EnvironmentView(content: self) { $0.toggleStyle = style }
  }
}
