/// The size and place of a widget.
///
/// Source: WidgetKit. As there, it is not `CaseIterable` and may grow: a `switch` needs a
/// `default`. Store the name (`description`), never the raw value.
public enum WidgetFamily: Int, Hashable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible
{
  case systemSmall = 0
  case systemMedium = 1
  case systemLarge = 2
  case systemExtraLarge = 3
  case systemExtraLargePortrait = 4
  case accessoryCircular = 5
  case accessoryRectangular = 6
  case accessoryInline = 7
  case accessoryCorner = 8

  /// The family's name, as the daemon and manifests write it: `systemSmall`.
  public var description: String {
    switch self {
    case .systemSmall: "systemSmall"
    case .systemMedium: "systemMedium"
    case .systemLarge: "systemLarge"
    case .systemExtraLarge: "systemExtraLarge"
    case .systemExtraLargePortrait: "systemExtraLargePortrait"
    case .accessoryCircular: "accessoryCircular"
    case .accessoryRectangular: "accessoryRectangular"
    case .accessoryInline: "accessoryInline"
    case .accessoryCorner: "accessoryCorner"
    }
  }

  /// The name with its type: `WidgetFamily.systemSmall`.
  public var debugDescription: String { "WidgetFamily.\(description)" }

  /// Makes the family of that name; `nil` for a name that this version does not know.
  package init?(name: String) {
    var rawValue = 0
    while let family = WidgetFamily(rawValue: rawValue) {
      if family.description == name {
        self = family
        return
      }
      rawValue += 1
    }
    return nil
  }
}
