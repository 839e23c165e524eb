import ActivityKit
import SwiftUI
import WidgetKit

struct DeliveryAttributes: ActivityAttributes {
  struct ContentState: Codable, Hashable {
    var stopsLeft: Int
    var eta: ClosedRange<Date>
  }

  var parcelName: String
}

@available(iOSApplicationExtension 16.1, *)
struct DeliveryActivity: Widget {
  var body: some WidgetConfiguration {
    ActivityConfiguration(for: DeliveryAttributes.self) { context in
      VStack(alignment: .leading) {
        Text(context.attributes.parcelName).font(.headline)
        Text(timerInterval: context.state.eta, countsDown: true)
      }
      .padding()
      .activityBackgroundTint(.brown.opacity(0.3))
      .activitySystemActionForegroundColor(.primary)
    } dynamicIsland: { context in
      DynamicIsland {
        DynamicIslandExpandedRegion(.leading) {
          Image(systemName: "shippingbox").dynamicIsland(verticalPlacement: .belowIfTooWide)
        }
        DynamicIslandExpandedRegion(.trailing, priority: 1) {
          Text("\(context.state.stopsLeft)")
        }
        if context.state.stopsLeft > 0 {
          DynamicIslandExpandedRegion(.bottom) {
            ProgressView(timerInterval: context.state.eta)
          }
        }
      } compactLeading: {
        Image(systemName: "shippingbox")
      } compactTrailing: {
        Text("\(context.state.stopsLeft)")
      } minimal: {
        Image(systemName: "shippingbox")
      }
      .keylineTint(.brown)
      .widgetURL(URL(string: "parcels://activity/\(context.activityID)"))
    }
    .supplementalActivityFamilies([.small])
  }
}

#if canImport(ActivityKit)
  enum DeliveryActivities {
    static func start(_ name: String) throws -> Activity<DeliveryAttributes>? {
      guard ActivityAuthorizationInfo().areActivitiesEnabled else { return nil }
      let now = Date.now
      return try Activity.request(
        attributes: DeliveryAttributes(parcelName: name),
        content: .init(
          state: .init(stopsLeft: 3, eta: now...now.addingTimeInterval(600)), staleDate: nil),
        pushType: nil)
    }
  }
#endif

#Preview("Activity", as: .content, using: DeliveryAttributes(parcelName: "Bicycle")) {
  DeliveryActivity()
} contentStates: {
  DeliveryAttributes.ContentState(stopsLeft: 2, eta: .now ... .now.addingTimeInterval(60))
}
