/// The place on a phone from which a person looks at widgets that come compact or expanded.
///
/// The heights are points that were measured on phones of 4.7 and 5.5 inches. The width is that of
/// the phone's screen held upright, less eight points on each side; held sideways, the column keeps
/// it. Source: field reports on `NCWidgetProviding`, iOS 10 to 13.
package struct TodaySize: Hashable, Sendable {
  /// From where the person came.
  package enum EntryPoint: String, CaseIterable, Hashable, Sendable {
    /// The Today page.
    case today
    /// The list of notifications.
    case notifications
    /// The menu of an app's icon, which shows widgets compact only.
    case icon
  }

  /// The diagonal of the phone's screen, in inches.
  package enum Screen: String, CaseIterable, Hashable, Sendable {
    case inches4_7 = "4.7in"
    case inches5_5 = "5.5in"
    case inches5_8 = "5.8in"
    case inches6_1 = "6.1in"
    case inches6_5 = "6.5in"

    /// Points from one side of the screen to the other while it is held upright.
    fileprivate var width: Int64 {
      switch self {
      case .inches4_7, .inches5_8: 375
      case .inches5_5, .inches6_1, .inches6_5: 414
      }
    }
  }

  package enum Orientation: String, CaseIterable, Hashable, Sendable { case portrait, landscape }

  package var entryPoint = EntryPoint.today
  package var screen = Screen.inches4_7
  package var orientation = Orientation.portrait

  package init(
    _ entryPoint: EntryPoint = .today, _ screen: Screen = .inches4_7,
    _ orientation: Orientation = .portrait
  ) {
    self.entryPoint = entryPoint
    self.screen = screen
    self.orientation = orientation
  }

  /// The size in the compact mode, whose height the text size alone fixes.
  package func compact(_ textSize: TextSize) -> DisplaySize {
    DisplaySize(width: width, height: Self.compactHeight(textSize))
  }

  /// The largest size in the expanded mode; `nil`: there is room for the compact one only.
  package var expanded: DisplaySize? {
    expandedHeightMax.map { DisplaySize(width: width, height: $0) }
  }

  private var width: Int64 { screen.width - 16 }

  /// The height in the compact mode.
  package static func compactHeight(_ textSize: TextSize) -> Int64 {
    switch textSize {
    case .xSmall: 95
    case .small: 100
    case .medium: 105
    case .large: 110
    case .xLarge: 120
    case .xxLarge: 135
    case .xxxLarge, .accessibility1, .accessibility2, .accessibility3, .accessibility4,
      .accessibility5:
      140
    }
  }

  /// The largest height in the expanded mode, by what was measured.
  ///
  /// Nobody measured the other screens. Each has the value of the next smaller screen that was
  /// measured in its orientation. A 4.7-inch screen held sideways has none; it gets that of the
  /// 5.5-inch one, which its 375 points have room for.
  private var expandedHeightMax: Int64? {
    switch (entryPoint, orientation) {
    case (.today, .portrait): 616
    case (.notifications, .portrait): 528
    case (.today, .landscape): 352
    case (.notifications, .landscape): 264
    case (.icon, _): nil
    }
  }
}
