import AppIntents
import SwiftUI

enum Theme: String, AppEnum, CaseIterable {
  case day
  case night

  static let typeDisplayRepresentation = TypeDisplayRepresentation(name: "Theme")
  static let caseDisplayRepresentations: [Theme: DisplayRepresentation] = [
    .day: .init(title: "Day", image: .init(systemName: "sun.max")),
    .night: .init(title: "Night", image: .init(systemName: "moon")),
  ]

  var colors: [Color] {
    switch self {
    case .day: [.orange, .yellow]
    case .night: [.indigo, .black]
    }
  }
}

struct CountdownIntent: WidgetConfigurationIntent {
  static let title: LocalizedStringResource = "Countdown"

  @Parameter(title: "Title", default: "Launch", requestValueDialog: "What is it called?")
  var title: String

  @Parameter(title: "Begins")
  var date: Date?

  @Parameter(title: "Minutes", default: 90, controlStyle: .stepper, inclusiveRange: (1, 1440))
  var minutes: Int

  @Parameter(title: "Theme", default: .night)
  var theme: Theme

  static var parameterSummary: some ParameterSummary {
    When(\.$theme, .equalTo, .night) {
      Summary("\(\.$title) at night") {
        \.$date
        \.$minutes
        \.$theme
      }
    } otherwise: {
      Summary("\(\.$title) by day") {
        \.$date
        \.$theme
      }
    }
  }
}
