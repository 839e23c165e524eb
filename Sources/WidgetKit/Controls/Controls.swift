public import SwiftUI

// Controls compile, and nothing shows them: they get no manifest.

/// A kind of control without a configuration.
///
/// Source: WidgetKit.
public struct StaticControlConfiguration<Content> {}

extension StaticControlConfiguration: ControlWidgetConfiguration
where Content: ControlWidgetTemplate {
  /// It has none.
  public typealias Body = Never

  /// Takes a kind and its view.
  public nonisolated init(
    kind: String, @ControlWidgetTemplateBuilder content: @escaping () -> Content
  ) {}
  /// Takes a kind, its provider and its view.
  public nonisolated init<Provider: ControlValueProvider>(
    kind: String, provider: Provider,
    @ControlWidgetTemplateBuilder content: @escaping (Provider.Value) -> Content
  ) {}
}

/// A kind of control that an app intent configures.
///
/// Source: WidgetKit.
public struct AppIntentControlConfiguration<Configuration, Content> {}

extension AppIntentControlConfiguration: ControlWidgetConfiguration
where Configuration: ControlConfigurationIntent, Content: ControlWidgetTemplate {
  /// It has none.
  public typealias Body = Never

  /// Takes a kind and its view.
  public nonisolated init(
    kind: String, intent: Configuration.Type = Configuration.self,
    @ControlWidgetTemplateBuilder content: @escaping (Configuration) -> Content
  ) {}
  /// Takes a kind, its provider and its view.
  public nonisolated init<Provider: AppIntentControlValueProvider>(
    kind: String, provider: Provider,
    @ControlWidgetTemplateBuilder content: @escaping (Provider.Value) -> Content
  ) where Provider.Configuration == Configuration {}
}

/// An object that knows the value of a control.
public protocol ControlValueProvider {
  /// The type of the value.
  associatedtype Value
  /// The value for a gallery.
  var previewValue: Value { get }
  /// Returns the value now.
  func currentValue() async throws -> Value
}

/// An object that knows the value of a control that an app intent configures.
public protocol AppIntentControlValueProvider {
  /// The type of the value.
  associatedtype Value
  /// The type of the configuration.
  associatedtype Configuration: ControlConfigurationIntent
  /// Returns the value for a gallery.
  func previewValue(configuration: Configuration) -> Value
  /// Returns the value now.
  func currentValue(configuration: Configuration) async throws -> Value
}

/// Builds the view of a control.
@resultBuilder
public enum ControlWidgetTemplateBuilder {
  /// Takes a view as it is.
  public static func buildExpression<T: ControlWidgetTemplate>(_ template: T) -> T { template }
  /// Takes a view as it is.
  public static func buildBlock<T: ControlWidgetTemplate>(_ template: T) -> T { template }
}

/// A button of a control.
public struct ControlWidgetButton<Label: View, Action: AppIntent>: ControlWidgetTemplate {
  /// It has none.
  public typealias Body = Never

  /// A button that performs an intent.
  public nonisolated init(action: Action, @ViewBuilder label: @escaping () -> Label) {}
  /// A button that performs an intent.
  public nonisolated init<ActionLabel: View>(
    action: Action, @ViewBuilder label: @escaping () -> Label,
    @ViewBuilder actionLabel: @escaping (Bool) -> ActionLabel
  ) {}
  /// A button that performs an intent.
  public nonisolated init<ActionLabel: View>(
    _ title: LocalizedStringKey, action: Action,
    @ViewBuilder actionLabel: @escaping (Bool) -> ActionLabel
  ) where Label == Text {}
}

/// A toggle of a control.
public struct ControlWidgetToggle<Label: View, ValueLabel: View, Action: SetValueIntent>:
  ControlWidgetTemplate
where Action.ValueType == Bool {
  /// It has none.
  public typealias Body = Never

  /// A toggle that performs an intent.
  public nonisolated init(
    isOn: Bool, action: Action, @ViewBuilder label: @escaping () -> Label,
    @ViewBuilder valueLabel: @escaping (Bool) -> ValueLabel
  ) {}
  /// A toggle that performs an intent.
  public nonisolated init(
    _ title: LocalizedStringKey, isOn: Bool, action: Action,
    @ViewBuilder valueLabel: @escaping (Bool) -> ValueLabel
  ) where Label == Text {}
  /// A toggle that performs an intent.
  @_disfavoredOverload
  public nonisolated init<S: StringProtocol>(
    _ title: S, isOn: Bool, action: Action,
    @ViewBuilder valueLabel: @escaping (Bool) -> ValueLabel
  ) where Label == Text {}
}

extension ControlWidgetTemplate {
  /// Nothing shows a control.
  public nonisolated func tint(_ tint: Color?) -> some ControlWidgetTemplate { self }
  /// Nothing shows a control.
  public nonisolated func disabled(_ disabled: Bool) -> some ControlWidgetTemplate { self }
}

extension ControlWidgetConfiguration {
  /// Nothing shows a control.
  public nonisolated func displayName(
    _ displayName: LocalizedStringResource
  ) -> some ControlWidgetConfiguration { self }
  /// Nothing shows a control.
  public nonisolated func description(
    _ description: LocalizedStringResource
  ) -> some ControlWidgetConfiguration { self }
  /// Nothing shows a control.
  public nonisolated func promptsForUserConfiguration() -> some ControlWidgetConfiguration { self }
  /// No server sends messages.
  public nonisolated func pushHandler(
    _ handlerType: any ControlPushHandler.Type
  ) -> some ControlWidgetConfiguration { self }
}

/// A control that the person placed: there are none.
public struct ControlInfo: Identifiable, Sendable {
  /// The name for programs.
  public let id: String
  /// The kind.
  public let kind: String
  /// The number for a server's messages: there is none.
  public var pushInfo: ControlPushInfo? { nil }

  /// The configuration: there is none.
  public func configurationIntent<Intent: ControlConfigurationIntent>(
    of type: Intent.Type = Intent.self
  ) -> Intent? { nil }

  /// The number of a control for a server's messages.
  public struct ControlPushInfo: Hashable, Sendable {
    /// The number.
    public let token: Data
  }
}

/// Hears of the numbers of controls for a server's messages; nobody tells it.
public protocol ControlPushHandler {
  /// Makes it.
  init()
  /// Says that the numbers are other ones.
  func pushTokensDidChange(controls: [ControlInfo])
}

/// The controls that the person placed: there are none.
public final class ControlCenter: Sendable {
  /// The only one.
  public static let shared = ControlCenter()
  /// Returns none.
  public func currentControls() async throws -> [ControlInfo] { [] }
  /// Reloads none.
  public func reloadControls(ofKind kind: String) {}
  /// Reloads none.
  public func reloadAllControls() {}
}
