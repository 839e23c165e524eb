public import SwiftUI

/// The surroundings of a preview of a widget; nothing shows it.
///
/// Source: WidgetKit.
public struct WidgetPreviewContext: PreviewContext {
  package let family: WidgetFamily

  /// A widget of a size.
  public init(family: WidgetFamily) { self.family = family }

  /// The usual value.
  public subscript<Key: PreviewContextKey>(key: Key.Type) -> Key.Value { Key.defaultValue }
}
