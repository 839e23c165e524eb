/// The modules that code of iOS may import here, and names of those that it may not.
package enum OfferedModules {
  /// Products of the SDK; `Package.swift` names those that the code imports.
  package static let ofSDK = [
    "ActivityKit", "AppIntents", "Intents", "OSLog", "SwiftUI", "WidgetKit", "os",
  ]

  /// Modules of Swift's toolchain.
  static let ofToolchain: Set<String> = [
    "Dispatch", "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking", "FoundationXML", "Glibc", "Observation", "RegexBuilder", "Swift",
    "Synchronization", "_Concurrency", "_StringProcessing",
  ]

  static let all = ofToolchain.union(ofSDK)

  /// Names of iOS that are not offered, each with the module that has them there.
  ///
  /// On iOS some modules bring others, so a file may need UIKit without an import of it.
  static let absentNames: [String: String] = [
    "UIApplication": "UIKit", "UIDevice": "UIKit", "UIFont": "UIKit", "UIScreen": "UIKit",
    "UIView": "UIKit", "UIViewController": "UIKit", "UIViewRepresentable": "UIKit",
    "UIHostingController": "UIKit", "UIBezierPath": "UIKit", "UIGraphicsImageRenderer": "UIKit",
    "UIPasteboard": "UIKit", "UITraitCollection": "UIKit",
    "AnyCancellable": "Combine", "PassthroughSubject": "Combine", "CurrentValueSubject": "Combine",
    "AnyPublisher": "Combine",
    "Chart": "Charts", "BarMark": "Charts", "LineMark": "Charts", "AreaMark": "Charts",
    "PointMark": "Charts", "RuleMark": "Charts", "SectorMark": "Charts",
    "CLLocation": "CoreLocation", "CLLocationManager": "CoreLocation",
    "CLLocationCoordinate2D": "CoreLocation", "CLPlacemark": "CoreLocation",
    "NSManagedObject": "CoreData", "NSManagedObjectContext": "CoreData",
    "NSPersistentContainer": "CoreData", "NSFetchRequest": "CoreData", "@FetchRequest": "CoreData",
    "ModelContainer": "SwiftData", "ModelContext": "SwiftData", "FetchDescriptor": "SwiftData",
    "@Model": "SwiftData", "@Query": "SwiftData",
    "HKHealthStore": "HealthKit", "HKQuantityType": "HealthKit", "EKEventStore": "EventKit",
    "WCSession": "WatchConnectivity", "PHAsset": "Photos", "MKMapSnapshotter": "MapKit",
    "MPMusicPlayerController": "MediaPlayer", "AVPlayer": "AVFoundation",
    "UNUserNotificationCenter": "UserNotifications", "SecItemCopyMatching": "Security",
    "@objc": "the Objective-C runtime", "#selector": "the Objective-C runtime",
    "#keyPath": "the Objective-C runtime", "@NSManaged": "the Objective-C runtime",
    "@Entry": "SwiftUI's macros",
  ]
}
