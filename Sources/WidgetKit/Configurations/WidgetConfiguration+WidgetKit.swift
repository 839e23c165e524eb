public import SwiftUI

/// A place for widgets.
///
/// Source: WidgetKit.
public struct WidgetLocation: Hashable, Sendable {
  private let name: String
  /// The home screen.
  public static let homeScreen = WidgetLocation(name: "homeScreen")
  /// The lock screen.
  public static let lockScreen = WidgetLocation(name: "lockScreen")
  /// A phone that stands.
  public static let standBy = WidgetLocation(name: "standBy")
  /// A phone's widgets on a computer.
  public static let iPhoneWidgetsOnMac = WidgetLocation(name: "iPhoneWidgetsOnMac")
  /// A car.
  public static let carPlay = WidgetLocation(name: "carPlay")
  /// A stack.
  public static let smartStack = WidgetLocation(name: "smartStack")
}

/// The number of a program for a server's messages; there are none here.
public struct WidgetPushInfo: Sendable {
  /// The number.
  public let token: Data
}

/// Hears of the number for a server's messages; nobody tells it.
public protocol WidgetPushHandler {
  /// Makes it.
  init()
  /// Says that the number is another one.
  func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo])
}

/// The surface of a widget in a room.
public struct WidgetTexture: Hashable, Sendable {
  private let name: String
  /// Glass.
  public static let glass = WidgetTexture(name: "glass")
  /// Paper.
  public static let paper = WidgetTexture(name: "paper")
}

/// How a widget hangs in a room.
public struct WidgetMountingStyle: Hashable, Sendable {
  private let name: String
  /// In the wall.
  public static let recessed = WidgetMountingStyle(name: "recessed")
  /// Before the wall.
  public static let elevated = WidgetMountingStyle(name: "elevated")
}

extension WidgetConfiguration {
  /// Recorded: a person decides about places.
  public nonisolated func disfavoredLocations(
    _ locations: [WidgetLocation], for families: [WidgetFamily]
  ) -> some WidgetConfiguration { recording("disfavoredLocations") }
  /// Recorded: no server sends messages.
  public nonisolated func pushHandler(
    _ handlerType: any WidgetPushHandler.Type
  ) -> some WidgetConfiguration { recording("pushHandler") }
  /// Recorded: there are no widgets of relevance alone.
  public nonisolated func associatedKind(_ kind: String?) -> some WidgetConfiguration {
    recording("associatedKind")
  }
  /// Recorded: there are no rooms.
  public nonisolated func supportedMountingStyles(
    _ styles: [WidgetMountingStyle]
  ) -> some WidgetConfiguration { recording("supportedMountingStyles") }
  /// Recorded: there are no rooms.
  public nonisolated func widgetTexture(_ texture: WidgetTexture) -> some WidgetConfiguration {
    recording("widgetTexture")
  }
}
