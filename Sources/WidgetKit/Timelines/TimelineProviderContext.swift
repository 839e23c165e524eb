import SwiftUI

/// What a provider is told of the surroundings of a widget.
///
/// Source: WidgetKit; the initialiser is an addition.
public struct TimelineProviderContext {
  /// The surroundings that a widget may have, by the keys of the environment.
  @dynamicMemberLookup
  public struct EnvironmentVariants {
    let environment: EnvironmentValues

    /// The values that are possible; `nil`: nobody knows them.
    public subscript<T>(dynamicMember keyPath: WritableKeyPath<EnvironmentValues, T>) -> [T]? {
      self[keyPath]
    }
    /// The values that are possible; `nil`: nobody knows them.
    public subscript<T>(keyPath: WritableKeyPath<EnvironmentValues, T>) -> [T]? {
      switch keyPath {
      case \EnvironmentValues.colorScheme: [ColorScheme.light, .dark] as? [T]
      case \EnvironmentValues.displayScale, \EnvironmentValues.locale,
        \EnvironmentValues.sizeCategory, \EnvironmentValues.dynamicTypeSize:
        [environment[keyPath: keyPath]]
      default: nil
      }
    }
  }

  /// The surroundings that the widget may have.
  public let environmentVariants: EnvironmentVariants
  /// The size of the widget.
  public let family: WidgetFamily
  /// Whether the entry is for a gallery.
  public let isPreview: Bool
  /// The points of the widget.
  public let displaySize: CGSize

  /// The environment of the views.
  package var environment: EnvironmentValues { environmentVariants.environment }

  /// Makes a context, for tests.
  public init(
    family: WidgetFamily, isPreview: Bool = false, displaySize: CGSize? = nil,
    environment: EnvironmentValues = EnvironmentValues()
  ) {
    var environment = environment
    environment.widgetFamily = family
    if let displaySize {
      environment.displaySize = ViewSize(
        width: displaySize.width, height: displaySize.height)
    }
    environmentVariants = EnvironmentVariants(environment: environment)
    self.family = family
    self.isPreview = isPreview
    let size = environment.displaySize
    self.displaySize = CGSize(width: size.width, height: size.height)
  }
}
