package import JSON

/// The width and height that a widget may fill, in points.
package struct DisplaySize: Hashable, Sendable {
  package var width: Int64
  package var height: Int64

  package init(width: Int64, height: Int64) {
    self.width = width
    self.height = height
  }

  package var json: JSONValue { ["width": .int(width), "height": .int(height)] }

  /// `{"width", "height"}`, each from 1 to `Limits.displaySizeMax`.
  package init?(_ value: JSONValue) {
    let range = 1...Limits.displaySizeMax
    guard let width = value["width"]?.intValue, let height = value["height"]?.intValue,
      range.contains(width), range.contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}

/// How large the person reads text: the seven ordinary sizes and five larger ones.
package enum TextSize: String, CaseIterable, Hashable, Sendable {
  case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
  case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5
}

/// Surfaces with known sizes; any other surface says its own.
package enum SurfaceProfile: String, CaseIterable, Hashable, Sendable {
  /// A phone of the middle size, which is the default.
  case phone
  case smallPhone
  case largePhone
  /// A column of a desktop panel or a page.
  case desktop
  /// One line of a status bar, with the families that fit it.
  case bar

  /// Returns the size of a family on this surface, in points.
  package func size(of family: WidgetFamily) -> DisplaySize {
    let size: (Int64, Int64)
    switch (self, family) {
    case (.smallPhone, .systemSmall): size = (148, 148)
    case (.smallPhone, .systemMedium): size = (321, 148)
    case (.smallPhone, .systemLarge): size = (321, 324)
    case (.largePhone, .systemSmall): size = (170, 170)
    case (.largePhone, .systemMedium): size = (364, 170)
    case (.largePhone, .systemLarge): size = (364, 382)
    case (.desktop, .systemSmall): size = (170, 170)
    case (.desktop, .systemMedium): size = (364, 170)
    case (.desktop, .systemLarge): size = (364, 382)
    case (.bar, .accessoryInline): size = (240, 24)
    case (.bar, .accessoryCircular): size = (24, 24)
    default: size = Self.standard(family)
    }
    return DisplaySize(width: size.0, height: size.1)
  }

  /// The sizes that differ from those of the default phone.
  package var displaySizes: [WidgetFamily: DisplaySize] {
    var sizes: [WidgetFamily: DisplaySize] = [:]
    for family in WidgetFamily.allCases { sizes[family] = size(of: family) }
    return sizes
  }

  private static func standard(_ family: WidgetFamily) -> (Int64, Int64) {
    switch family {
    case .systemSmall: (158, 158)
    case .systemMedium: (338, 158)
    case .systemLarge: (338, 354)
    case .systemExtraLarge: (715, 354)
    case .systemExtraLargePortrait: (354, 715)
    case .accessoryCircular: (72, 72)
    case .accessoryRectangular: (160, 72)
    case .accessoryInline: (234, 26)
    case .accessoryCorner: (40, 40)
    }
  }
}

extension WidgetFamily {
  /// Points a provider may fill when no surface says otherwise.
  package var displaySize: DisplaySize { SurfaceProfile.phone.size(of: self) }
}
