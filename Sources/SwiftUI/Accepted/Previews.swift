public import Foundation

/// Views for the canvas of Xcode; nothing shows them here.
///
/// Source: SwiftUI.
@MainActor @preconcurrency
public protocol PreviewProvider {
  /// The views.
  associatedtype Previews: View
  /// The views.
  @ViewBuilder static var previews: Previews { get }
  /// The device that they are shown on.
  static var platform: PreviewPlatform? { get }
}

extension PreviewProvider {
  /// Any device.
  public static var platform: PreviewPlatform? { nil }
}

/// A sort of devices.
public enum PreviewPlatform: Hashable, Sendable {
  case iOS
  case macOS
  case tvOS
  case watchOS
}

/// The surroundings of a preview.
public protocol PreviewContext {
  /// A value of the surroundings.
  subscript<Key: PreviewContextKey>(key: Key.Type) -> Key.Value { get }
}

/// A value of the surroundings of a preview.
public protocol PreviewContextKey {
  /// The type of the value.
  associatedtype Value
  /// The value where nothing else is said.
  static var defaultValue: Value { get }
}

/// The room of a preview.
public enum PreviewLayout: Sendable {
  case device
  case sizeThatFits
  case fixed(width: CGFloat, height: CGFloat)
}

/// A device by its name.
public struct PreviewDevice: ExpressibleByStringLiteral, Sendable {
  /// The name.
  public let rawValue: String

  /// Makes a device.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes a device.
  public init(stringLiteral value: String) { rawValue = value }
}

/// How a device is held.
public struct InterfaceOrientation: Hashable, Sendable {
  private let name: String

  /// Upright.
  public static let portrait = InterfaceOrientation(name: "portrait")
  /// On its left side.
  public static let landscapeLeft = InterfaceOrientation(name: "landscapeLeft")
  /// On its right side.
  public static let landscapeRight = InterfaceOrientation(name: "landscapeRight")
}

extension View {
  /// Nothing shows a preview.
  public nonisolated func previewContext<C: PreviewContext>(_ value: C) -> some View { self }

  /// Nothing shows a preview.
  public nonisolated func previewDevice(_ value: PreviewDevice?) -> some View { self }

  /// Nothing shows a preview.
  public nonisolated func previewLayout(_ value: PreviewLayout) -> some View { self }

  /// Nothing shows a preview.
  public nonisolated func previewDisplayName(_ value: String?) -> some View { self }

  /// Nothing shows a preview.
  public nonisolated func previewInterfaceOrientation(_ value: InterfaceOrientation) -> some View {
    self
  }
}
