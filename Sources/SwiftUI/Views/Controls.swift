public import AppIntents
import JSON

/// A view that opens a URL.
///
/// Source: SwiftUI.
public struct Link<Label> {
  let destination: URL
  let label: Label
}

extension Link: View, TreeView where Label: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    let children = evaluation.children(of: label)
    guard !children.contains(where: \.takesTaps) else {
      // A tap does one thing, and the intent of a control is the nearer one.
      evaluation.warn("a Link around a Button or a Toggle opens nothing: the control takes the tap")
      return evaluation.append(ViewNode(.layers(.center), children: children))
    }
    evaluation.append(
      ViewNode(.link(destination.absoluteString), children: children.map(\.withoutTaps)))
  }

  /// Makes a view that opens `destination`.
  public init(destination: URL, @ViewBuilder label: () -> Label) {
    self.init(destination: destination, label: label())
  }
}

extension Link where Label == Text {
  /// Makes a text that opens `destination`.
  public init(_ titleKey: LocalizedStringKey, destination: URL) {
    self.init(destination: destination, label: Text(titleKey))
  }

  /// Makes a text that opens `destination`.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, destination: URL) {
    self.init(destination: destination, label: Text(title))
  }
}

/// The purpose of a button.
public struct ButtonRole: Equatable, Sendable {
  private let name: String

  /// It takes something away.
  public static let destructive = ButtonRole(name: "destructive")
  /// It changes nothing.
  public static let cancel = ButtonRole(name: "cancel")
}

/// A view that does something when it is tapped.
///
/// With an intent, a tap sends it. With a closure, nothing can be sent: a widget of iOS does not run
/// it either.
public struct Button<Label> {
  let label: Label
  let role: ButtonRole?
  let intent: SentIntent?
}

extension Button: View, TreeView where Label: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    let environment = evaluation.environment
    let configuration = ButtonStyleConfiguration(
      role: role, label: ButtonStyleConfiguration.Label(self.label))
    let style = environment.buttonStyle ?? WidgetButtonStyle(family: environment.widgetFamily)
    let label = evaluation.children(of: AnyView(style.body(of: configuration)))
    let isEnabled = environment.isEnabled
    let tap = TapPicture(
      intent: isEnabled ? intent?.call : nil, title: intent?.words(in: environment.locale) ?? "",
      isDisabled: !isEnabled && intent != nil, isDestructive: role == .destructive,
      isTinted: environment.buttonStyle == nil)
    evaluation.append(ViewNode(.button(tap), children: label.map(\.withoutTaps)))
  }

  /// Makes a button that runs a closure.
  public init(
    action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) {
    self.init(label: label(), role: nil, intent: nil)
  }

  /// Makes a button that runs a closure.
  public init(
    role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) {
    self.init(label: label(), role: role, intent: nil)
  }

  /// Makes a button that sends an intent.
  public init<I: AppIntent>(intent: I, @ViewBuilder label: () -> Label) {
    self.init(label: label(), role: nil, intent: IntentItem.value(of: intent))
  }

  /// Makes a button that sends an intent.
  public init<I: AppIntent>(role: ButtonRole?, intent: I, @ViewBuilder label: () -> Label) {
    self.init(label: label(), role: role, intent: IntentItem.value(of: intent))
  }
}

extension Button where Label == Text {
  /// Makes a button that runs a closure.
  public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.init(label: Text(titleKey), role: nil, intent: nil)
  }

  /// Makes a button that runs a closure.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
    self.init(label: Text(title), role: nil, intent: nil)
  }

  /// Makes a button that runs a closure.
  public init(
    _ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {
    self.init(label: Text(titleKey), role: role, intent: nil)
  }

  /// Makes a button that runs a closure.
  @_disfavoredOverload
  public init<S: StringProtocol>(
    _ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {
    self.init(label: Text(title), role: role, intent: nil)
  }

  /// Makes a button that sends an intent.
  public init<I: AppIntent>(_ titleKey: LocalizedStringKey, intent: I) {
    self.init(label: Text(titleKey), role: nil, intent: IntentItem.value(of: intent))
  }

  /// Makes a button that sends an intent.
  @_disfavoredOverload
  public init<S: StringProtocol, I: AppIntent>(_ title: S, intent: I) {
    self.init(label: Text(title), role: nil, intent: IntentItem.value(of: intent))
  }

  /// Makes a button that sends an intent.
  public init<I: AppIntent>(_ titleKey: LocalizedStringKey, role: ButtonRole?, intent: I) {
    self.init(label: Text(titleKey), role: role, intent: IntentItem.value(of: intent))
  }
}

extension Button where Label == SwiftUI.Label<Text, Image> {
  /// Makes a button with a symbol that runs a closure.
  public init(
    _ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void
  ) {
    self.init(
      label: SwiftUI.Label(titleKey, systemImage: systemImage), role: nil, intent: nil)
  }

  /// Makes a button with a symbol that sends an intent.
  public init<I: AppIntent>(_ titleKey: LocalizedStringKey, systemImage: String, intent: I) {
    self.init(
      label: SwiftUI.Label(titleKey, systemImage: systemImage), role: nil,
      intent: IntentItem.value(of: intent))
  }
}

extension Button where Label == PrimitiveButtonStyleConfiguration.Label {
  /// Makes the button that a style changes.
  public init(_ configuration: PrimitiveButtonStyleConfiguration) {
    self.init(label: configuration.label, role: configuration.role, intent: nil)
  }
}

/// A view that is on or off, and changes when it is tapped.
public struct Toggle<Label> {
  let isOn: Bool
  let label: Label
  let intent: SentIntent?
}

extension Toggle: View, TreeView where Label: View {
  /// It has none.
  public typealias Body = Never
  package func append(to evaluation: inout Evaluation) {
    let isEnabled = evaluation.environment.isEnabled
    var tap = TapPicture(
      intent: isEnabled ? intent?.call : nil,
      title: intent?.words(in: evaluation.environment.locale) ?? "",
      isDisabled: !isEnabled && intent != nil)
    if let style = evaluation.environment.toggleStyle {
      let configuration = ToggleStyleConfiguration(
        label: ToggleStyleConfiguration.Label(label), isOn: .constant(isOn))
      let children = evaluation.children(of: AnyView(style.body(of: configuration)))
      tap.isOn = intent == nil ? nil : isOn
      return evaluation.append(ViewNode(.button(tap), children: children.map(\.withoutTaps)))
    }
    evaluation.append(
      ViewNode(
        .toggle(isOn: isOn, tap),
        children: evaluation.children(of: label).map(\.withoutTaps)))
  }

  /// Makes a toggle of a binding.
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    self.init(isOn: isOn.wrappedValue, label: label(), intent: nil)
  }

  /// Makes a toggle that sends an intent.
  public init<I: AppIntent>(isOn: Bool, intent: I, @ViewBuilder label: () -> Label) {
    self.init(isOn: isOn, label: label(), intent: IntentItem.value(of: intent, turning: !isOn))
  }
}

extension Toggle where Label == Text {
  /// Makes a toggle of a binding.
  public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
    self.init(isOn: isOn.wrappedValue, label: Text(titleKey), intent: nil)
  }

  /// Makes a toggle of a binding.
  @_disfavoredOverload
  public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
    self.init(isOn: isOn.wrappedValue, label: Text(title), intent: nil)
  }

  /// Makes a toggle that sends an intent.
  public init<I: AppIntent>(_ titleKey: LocalizedStringKey, isOn: Bool, intent: I) {
    self.init(
      isOn: isOn, label: Text(titleKey), intent: IntentItem.value(of: intent, turning: !isOn))
  }

  /// Makes a toggle that sends an intent.
  @_disfavoredOverload
  public init<S: StringProtocol, I: AppIntent>(_ title: S, isOn: Bool, intent: I) {
    self.init(isOn: isOn, label: Text(title), intent: IntentItem.value(of: intent, turning: !isOn))
  }
}

/// An intent that a tap sends.
struct SentIntent {
  /// Its name and parameters, as an item of a content says it.
  var call: JSONValue
  /// Its name for people, where its control shows no words.
  var title: LocalizedStringResource

  /// The title in the language of `locale`.
  func words(in locale: Locale) -> String {
    var title = title
    title.locale = locale
    return String(localized: title)
  }
}

/// Makes the intents of controls.
enum IntentItem {
  /// The name of the intent and its parameters.
  static func value<I: AppIntent>(of intent: I) -> SentIntent {
    SentIntent(call: .object(IntentCall(intent).json), title: I.title)
  }

  /// The name of the intent and its parameters, for a toggle that a tap turns on or off.
  ///
  /// As on iOS, the value of an intent that sets one is that of the toggle after the tap.
  static func value<I: AppIntent>(of intent: I, turning isOn: Bool) -> SentIntent {
    var call = IntentCall(intent)
    if let setting = I.self as? any SetValueIntent.Type, setting.setsTruth {
      call.parameters["value"] = .bool(isOn)
    }
    return SentIntent(call: .object(call.json), title: I.title)
  }
}

extension SetValueIntent {
  fileprivate static var setsTruth: Bool { ValueType.self == Bool.self }
}
