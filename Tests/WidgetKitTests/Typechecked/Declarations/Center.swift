import WidgetKit

// Families, the placed widgets and their center.

private func families(_ family: WidgetFamily) -> String {
  let _: any Hashable & Sendable & CustomStringConvertible & CustomDebugStringConvertible = family
  let _: Int = family.rawValue
  let _: WidgetFamily? = WidgetFamily(rawValue: 0)
  switch family {
  case .systemSmall, .systemMedium, .systemLarge, .systemExtraLarge: return "system"
  case .systemExtraLargePortrait: return "room"
  case .accessoryCircular, .accessoryRectangular, .accessoryInline: return "lock screen"
  case .accessoryCorner: return "watch"
  @unknown default: return family.debugDescription
  }
}

private func information(_ information: WidgetInfo) {
  let _: any Hashable & Sendable & CustomDebugStringConvertible = information
  let _: WidgetInfo = information.id
  let _: INIntent? = information.configuration
  let _: WidgetFamily = information.family
  let _: String = information.kind
  let _: ChooseColour? = information.widgetConfigurationIntent()
  let _ = information.widgetConfigurationIntent(of: ChooseColour.self)
}

private func center() async throws {
  let center: WidgetCenter = WidgetCenter.shared
  center.getCurrentConfigurations { (result: Result<[WidgetInfo], any Error>) in
    if case .success(let widgets) = result { print(widgets.map(\.kind)) }
  }
  let _: [WidgetInfo] = try await center.currentConfigurations()
  let _: (String) -> Void = center.reloadTimelines(ofKind:)
  let _: () -> Void = center.reloadAllTimelines
  let _: () -> Void = center.invalidateConfigurationRecommendations
  let _: (String) -> Void = center.invalidateRelevance(ofKind:)
  let _: WidgetPushInfo? = await center.currentPushInfo
  let _: String = WidgetCenter.UserInfoKey.kind
  let _: String = WidgetCenter.UserInfoKey.family
  let _: String = WidgetCenter.UserInfoKey.activityID
}

private struct Handler: WidgetPushHandler {
  func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {
    let _: Data = pushInfo.token
    let _: any Sendable = pushInfo
  }
}
