public import Foundation

/// Whether the surroundings are light or dark.
public enum ColorScheme: CaseIterable, Hashable, Sendable {
  case light
  case dark
}

/// The contrast that the person chose.
public enum ColorSchemeContrast: CaseIterable, Hashable, Sendable {
  case standard
  case increased
}

/// The direction of a script.
public enum LayoutDirection: CaseIterable, Hashable, Sendable {
  case leftToRight
  case rightToLeft
}

/// The weight of text that the person chose.
public enum LegibilityWeight: Hashable, Sendable {
  case regular
  case bold
}

/// The room of a surface along one axis.
public enum UserInterfaceSizeClass: Hashable, Sendable {
  case compact
  case regular
}

/// The phase of an app.
public enum ScenePhase: Comparable, Hashable, Sendable {
  case background
  case inactive
  case active
}

/// The size of a Live Activity.
public enum ActivityFamily: Hashable, Sendable {
  case small
  case medium
}

/// How near the person is to a widget in a room.
public enum LevelOfDetail: Hashable, Sendable {
  case `default`
  case simplified
}

/// The weight of a part.
public enum Prominence: Hashable, Sendable {
  case standard
  case increased
}

/// The size of controls.
public enum ControlSize: CaseIterable, Hashable, Sendable {
  case mini
  case small
  case regular
  case large
  case extraLarge
}

/// Whether something is shown.
public enum Visibility: CaseIterable, Hashable, Sendable {
  case automatic
  case visible
  case hidden
}

/// How a surface shows the colours of a widget.
public struct WidgetRenderingMode: Hashable, Sendable, CustomStringConvertible {
  /// The name of the mode.
  public let description: String

  /// As the widget says them.
  public static let fullColor = WidgetRenderingMode(description: "fullColor")
  /// In two groups of one colour each.
  public static let accented = WidgetRenderingMode(description: "accented")
  /// Without colours.
  public static let vibrant = WidgetRenderingMode(description: "vibrant")
}

/// How an image shows its colours where a widget is accented.
public struct WidgetAccentedRenderingMode: Hashable, Sendable {
  private let name: String

  /// In the accent colour.
  public static let accented = WidgetAccentedRenderingMode(name: "accented")
  /// In the accent colour, without saturation.
  public static let accentedDesaturated = WidgetAccentedRenderingMode(name: "accentedDesaturated")
  /// Without saturation.
  public static let desaturated = WidgetAccentedRenderingMode(name: "desaturated")
  /// As the image has them.
  public static let fullColor = WidgetAccentedRenderingMode(name: "fullColor")
}

/// Why content is not shown.
public struct RedactionReasons: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Makes a set of its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// There is no content yet.
  public static let placeholder = RedactionReasons(rawValue: 1)
  /// It is private.
  public static let privacy = RedactionReasons(rawValue: 2)
  /// It is out of date.
  public static let invalidated = RedactionReasons(rawValue: 4)
}

/// The size of text that the person chose.
public enum DynamicTypeSize: Int, CaseIterable, Comparable, Hashable, Sendable {
  case xSmall
  case small
  case medium
  case large
  case xLarge
  case xxLarge
  case xxxLarge
  case accessibility1
  case accessibility2
  case accessibility3
  case accessibility4
  case accessibility5

  /// Whether it is one of the five largest.
  public var isAccessibilitySize: Bool { self >= .accessibility1 }

  /// Compares by size.
  public static func < (a: DynamicTypeSize, b: DynamicTypeSize) -> Bool {
    a.rawValue < b.rawValue
  }

  /// Points of the body's text, of which 17 are the usual.
  private var bodyPoints: Double {
    switch self {
    case .xSmall: 14
    case .small: 15
    case .medium: 16
    case .large: 17
    case .xLarge: 19
    case .xxLarge: 21
    case .xxxLarge: 23
    case .accessibility1: 28
    case .accessibility2: 33
    case .accessibility3: 40
    case .accessibility4: 47
    case .accessibility5: 53
    }
  }

  /// The factor of the sizes of fonts.
  package var scale: Double { bodyPoints / 17 }
}

/// The size of text that the person chose, by its older name.
public enum ContentSizeCategory: CaseIterable, Hashable, Sendable {
  case extraSmall
  case small
  case medium
  case large
  case extraLarge
  case extraExtraLarge
  case extraExtraExtraLarge
  case accessibilityMedium
  case accessibilityLarge
  case accessibilityExtraLarge
  case accessibilityExtraExtraLarge
  case accessibilityExtraExtraExtraLarge

  /// Whether it is one of the five largest.
  public var isAccessibilityCategory: Bool {
    Self.allCases.suffix(5).contains(self)
  }
}

/// Opens URLs for the app.
public struct OpenURLAction: Sendable {
  /// The outcome of opening a URL.
  public struct Result: Sendable {
    /// It was opened.
    public static let handled = Result()
    /// It was dropped.
    public static let discarded = Result()
    /// The system opens it.
    public static let systemAction = Result()
  }

  /// Makes an action that does nothing: in a widget only a tap opens a URL.
  public init() {}

  /// Makes an action; nothing calls `handler`.
  public init(handler: @escaping (URL) -> Result) {}

  /// Does nothing.
  public func callAsFunction(_ url: URL) {}
}

/// Closes a presentation.
public struct DismissAction: Sendable {
  /// Does nothing: a widget presents nothing.
  public func callAsFunction() {}
}

/// Loads a view anew.
public struct RefreshAction: Sendable {
  /// Does nothing.
  public func callAsFunction() async {}
}

extension ViewSize {
  /// The points of a family on an iPhone of 6.1 inches.
  ///
  /// Source: Human Interface Guidelines, "Widgets", dimensions for 390 × 844.
  package static func standard(for family: WidgetFamily) -> ViewSize {
    switch family {
    case .systemSmall: ViewSize(width: 158, height: 158)
    case .systemMedium: ViewSize(width: 338, height: 158)
    case .systemLarge: ViewSize(width: 338, height: 354)
    case .systemExtraLarge: ViewSize(width: 715, height: 354)
    case .systemExtraLargePortrait: ViewSize(width: 354, height: 715)
    case .accessoryCircular, .accessoryCorner: ViewSize(width: 72, height: 72)
    case .accessoryRectangular: ViewSize(width: 160, height: 72)
    case .accessoryInline: ViewSize(width: 234, height: 26)
    }
  }
}
