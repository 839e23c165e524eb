/// What a person places: a kind of widget, or several.
///
/// Source: SwiftUI.
@MainActor @preconcurrency
public protocol Widget {
  /// The type of its configuration.
  associatedtype Body: WidgetConfiguration
  /// Makes it.
  init()
  /// Its kind, its provider and its view.
  var body: Body { get }
}

/// The widgets of one program.
///
/// Source: SwiftUI.
@MainActor @preconcurrency
public protocol WidgetBundle {
  /// The type of its widgets.
  associatedtype Body: Widget
  /// Makes it.
  init()
  /// The widgets.
  @WidgetBundleBuilder var body: Body { get }
}

/// A kind, its provider and its view.
///
/// Source: SwiftUI.
@MainActor @preconcurrency
public protocol WidgetConfiguration {
  /// The type of the configuration that it is made of.
  associatedtype Body: WidgetConfiguration
  /// The configuration that it is made of.
  var body: Body { get }
}

extension Never: WidgetConfiguration {
  /// There is no value, so there is no body: one for each protocol that `Never` conforms to.
  public var body: Never { preconditionFailure("there is no value of Never") }
}

extension WidgetConfiguration where Body == Never {
  /// No code asks a configuration of the system for its body.
  public var body: Never { preconditionFailure("a configuration of the system has no body") }
}

/// A configuration without a kind.
///
/// Source: SwiftUI.
public struct EmptyWidgetConfiguration: WidgetConfiguration, Sendable {
  /// It has none.
  public typealias Body = Never
  /// Makes it.
  public nonisolated init() {}
}

/// A button or a toggle for the system's own places; it compiles, and nothing shows it.
///
/// Source: SwiftUI.
@MainActor @preconcurrency
public protocol ControlWidget {
  /// The type of its configuration.
  associatedtype Body: ControlWidgetConfiguration
  /// Makes it.
  init()
  /// Its kind and its view.
  var body: Body { get }
}

/// A kind of control.
///
/// Source: SwiftUI.
@MainActor @preconcurrency
public protocol ControlWidgetConfiguration {
  /// The type of the configuration that it is made of.
  associatedtype Body: ControlWidgetConfiguration
  /// The configuration that it is made of.
  var body: Body { get }
}

extension Never: ControlWidgetConfiguration {}

extension ControlWidgetConfiguration where Body == Never {
  /// No code asks a configuration of the system for its body.
  public var body: Never { preconditionFailure("a configuration of the system has no body") }
}

/// The view of a control.
///
/// Source: SwiftUI.
@MainActor @preconcurrency
public protocol ControlWidgetTemplate {
  /// The type of the view that it is made of.
  associatedtype Body: ControlWidgetTemplate
  /// The view that it is made of.
  var body: Body { get }
}

extension Never: ControlWidgetTemplate {}

extension ControlWidgetTemplate where Body == Never {
  /// No code asks a template of the system for its body.
  public var body: Never { preconditionFailure("a template of the system has no body") }
}
