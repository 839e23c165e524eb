/// A look of gauges.
///
/// Source: SwiftUI.
@MainActor @preconcurrency
public protocol GaugeStyle {
  /// The view of a gauge.
  associatedtype Body: View
  /// Makes the view of a gauge.
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
  /// The parts of a gauge.
  typealias Configuration = GaugeStyleConfiguration
}

/// The parts of a gauge.
public struct GaugeStyleConfiguration {
  /// A label of a gauge.
  public struct Label: View {
    let content: AnyView

    init<V: View>(_ content: V) { self.content = AnyView(content) }

    /// The label itself.
    public var body: some View { content }
  }

  /// The label of the value.
  public typealias CurrentValueLabel = Label
  /// The label of the lower bound.
  public typealias MinimumValueLabel = Label
  /// The label of the upper bound.
  public typealias MaximumValueLabel = Label

  /// From 0 to 1.
  public var value: Double
  /// The title.
  public var label: Label
  /// The label of the value.
  public var currentValueLabel: CurrentValueLabel?
  /// The label of the lower bound.
  public var minimumValueLabel: MinimumValueLabel?
  /// The label of the upper bound.
  public var maximumValueLabel: MaximumValueLabel?
}

extension GaugeStyle {
  func body(of configuration: GaugeStyleConfiguration) -> any View {
    makeBody(configuration: configuration)
  }
}

/// A style that the module draws itself.
protocol FormedGaugeStyle: GaugeStyle where Body == EmptyView {
  nonisolated var form: MeasurePicture.Form { get }
}

extension GaugeStyle where Body == EmptyView {
  /// The module draws the style itself.
  public func makeBody(configuration: Configuration) -> EmptyView { EmptyView() }
}

/// The look of the surroundings.
public struct DefaultGaugeStyle: FormedGaugeStyle {
  /// The module draws the style itself.
  public typealias Body = EmptyView
  /// Makes the style.
  public nonisolated init() {}
  nonisolated var form: MeasurePicture.Form { .line }
}

extension GaugeStyle where Self == DefaultGaugeStyle {
  /// The look of the surroundings.
  public static var automatic: DefaultGaugeStyle { DefaultGaugeStyle() }
}

/// A bar that fills.
public struct LinearCapacityGaugeStyle: FormedGaugeStyle {
  /// The module draws the style itself.
  public typealias Body = EmptyView
  /// Makes the style.
  public nonisolated init() {}
  nonisolated var form: MeasurePicture.Form { .line }
}

extension GaugeStyle where Self == LinearCapacityGaugeStyle {
  /// A bar that fills.
  public static var linearCapacity: LinearCapacityGaugeStyle { LinearCapacityGaugeStyle() }
}

/// A line with a mark.
public struct AccessoryLinearGaugeStyle: FormedGaugeStyle {
  /// The module draws the style itself.
  public typealias Body = EmptyView
  /// Makes the style.
  public nonisolated init() {}
  nonisolated var form: MeasurePicture.Form { .line }
}

extension GaugeStyle where Self == AccessoryLinearGaugeStyle {
  /// A line with a mark.
  public static var accessoryLinear: AccessoryLinearGaugeStyle { AccessoryLinearGaugeStyle() }
}

/// A bar that fills.
public struct AccessoryLinearCapacityGaugeStyle: FormedGaugeStyle {
  /// The module draws the style itself.
  public typealias Body = EmptyView
  /// Makes the style.
  public nonisolated init() {}
  nonisolated var form: MeasurePicture.Form { .line }
}

extension GaugeStyle where Self == AccessoryLinearCapacityGaugeStyle {
  /// A bar that fills.
  public static var accessoryLinearCapacity: AccessoryLinearCapacityGaugeStyle {
    AccessoryLinearCapacityGaugeStyle()
  }
}

/// An open ring with a mark.
public struct AccessoryCircularGaugeStyle: FormedGaugeStyle {
  /// The module draws the style itself.
  public typealias Body = EmptyView
  /// Makes the style.
  public nonisolated init() {}
  nonisolated var form: MeasurePicture.Form { .ring }
}

extension GaugeStyle where Self == AccessoryCircularGaugeStyle {
  /// An open ring with a mark.
  public static var accessoryCircular: AccessoryCircularGaugeStyle { AccessoryCircularGaugeStyle() }
}

/// A ring that fills.
public struct AccessoryCircularCapacityGaugeStyle: FormedGaugeStyle {
  /// The module draws the style itself.
  public typealias Body = EmptyView
  /// Makes the style.
  public nonisolated init() {}
  nonisolated var form: MeasurePicture.Form { .ring }
}

extension GaugeStyle where Self == AccessoryCircularCapacityGaugeStyle {
  /// A ring that fills.
  public static var accessoryCircularCapacity: AccessoryCircularCapacityGaugeStyle {
    AccessoryCircularCapacityGaugeStyle()
  }
}

/// Makes a view of a gauge as the older name of the style says.
public typealias CircularGaugeStyle = AccessoryCircularGaugeStyle
/// Makes a view of a gauge as the older name of the style says.
public typealias LinearGaugeStyle = AccessoryLinearGaugeStyle

extension GaugeStyle where Self == AccessoryCircularGaugeStyle {
  /// An open ring with a mark.
  public static var circular: AccessoryCircularGaugeStyle { AccessoryCircularGaugeStyle() }
}

extension GaugeStyle where Self == AccessoryLinearGaugeStyle {
  /// A line with a mark.
  public static var linear: AccessoryLinearGaugeStyle { AccessoryLinearGaugeStyle() }
}

/// A look of progress.
@MainActor @preconcurrency
public protocol ProgressViewStyle {
  /// The view of a progress.
  associatedtype Body: View
  /// Makes the view of a progress.
  @ViewBuilder func makeBody(configuration: Configuration) -> Body
  /// The parts of a progress.
  typealias Configuration = ProgressViewStyleConfiguration
}

/// The parts of a progress.
public struct ProgressViewStyleConfiguration {
  /// A label of a progress.
  public struct Label: View {
    let content: AnyView

    init<V: View>(_ content: V) { self.content = AnyView(content) }

    /// The label itself.
    public var body: some View { content }
  }

  /// The label of the value.
  public typealias CurrentValueLabel = Label

  /// From 0 to 1; `nil`: nobody knows.
  public let fractionCompleted: Double?
  /// The title.
  public var label: Label?
  /// The label of the value.
  public var currentValueLabel: CurrentValueLabel?
}

extension ProgressViewStyle {
  func body(of configuration: ProgressViewStyleConfiguration) -> any View {
    makeBody(configuration: configuration)
  }
}

/// A style that the module draws itself.
protocol FormedProgressStyle: ProgressViewStyle where Body == EmptyView {
  nonisolated var form: MeasurePicture.Form? { get }
}

extension ProgressViewStyle where Body == EmptyView {
  /// The module draws the style itself.
  public func makeBody(configuration: Configuration) -> EmptyView { EmptyView() }
}

/// The look of the surroundings.
public struct DefaultProgressViewStyle: FormedProgressStyle {
  /// The module draws the style itself.
  public typealias Body = EmptyView
  /// Makes the style.
  public nonisolated init() {}
  nonisolated var form: MeasurePicture.Form? { nil }
}

extension ProgressViewStyle where Self == DefaultProgressViewStyle {
  /// The look of the surroundings.
  public static var automatic: DefaultProgressViewStyle { DefaultProgressViewStyle() }
}

/// A bar.
public struct LinearProgressViewStyle: FormedProgressStyle {
  /// The module draws the style itself.
  public typealias Body = EmptyView
  /// Makes the style.
  public nonisolated init() {}

  /// Makes the style in a colour, which `tint` says today.
  public nonisolated init(tint: Color) {}
  nonisolated var form: MeasurePicture.Form? { .line }
}

extension ProgressViewStyle where Self == LinearProgressViewStyle {
  /// A bar.
  public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}

/// A ring.
public struct CircularProgressViewStyle: FormedProgressStyle {
  /// The module draws the style itself.
  public typealias Body = EmptyView
  /// Makes the style.
  public nonisolated init() {}

  /// Makes the style in a colour, which `tint` says today.
  public nonisolated init(tint: Color) {}
  nonisolated var form: MeasurePicture.Form? { .ring }
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
  /// A ring.
  public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}

private enum GaugeStyleKey: EnvironmentKey {
  static var defaultValue: any GaugeStyle { DefaultGaugeStyle() }
}

private enum ProgressStyleKey: EnvironmentKey {
  static var defaultValue: any ProgressViewStyle { DefaultProgressViewStyle() }
}

extension EnvironmentValues {
  fileprivate var gaugeStyle: any GaugeStyle {
    get { self[GaugeStyleKey.self] }
    set { self[GaugeStyleKey.self] = newValue }
  }

  fileprivate var progressStyle: any ProgressViewStyle {
    get { self[ProgressStyleKey.self] }
    set { self[ProgressStyleKey.self] = newValue }
  }

  /// The form of gauges of a style of this module.
  var gaugeForm: MeasurePicture.Form {
    (gaugeStyle as? any FormedGaugeStyle)?.form ?? .line
  }

  /// A style of the author's own.
  var ownGaugeStyle: (any GaugeStyle)? {
    gaugeStyle is any FormedGaugeStyle ? nil : gaugeStyle
  }

  /// The form of progress of a style of this module; `nil`: the view decides.
  var progressForm: MeasurePicture.Form? {
    (progressStyle as? any FormedProgressStyle)?.form
  }

  /// A style of the author's own.
  var ownProgressStyle: (any ProgressViewStyle)? {
    progressStyle is any FormedProgressStyle ? nil : progressStyle
  }
}

extension View {
  /// Sets the look of gauges.
  public nonisolated func gaugeStyle<S: GaugeStyle>(_ style: S) -> some View {
    EnvironmentView(content: self) { $0.gaugeStyle = style }
  }

  /// Sets the look of progress.
  public nonisolated func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View {
    EnvironmentView(content: self) { $0.progressStyle = style }
  }
}
