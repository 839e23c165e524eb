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

  /// Returns the module of iOS that has a name; `nil`: nobody here knows it.
  static func module(of name: String) -> String? {
    absentMarks[name] ?? modulesOfTypes[name] ?? prefixes.first { name.hasPrefix($0.key) }?.value
  }

  /// Attributes and marks that the compiler of Linux does not take, each with what they need.
  static let absentMarks: [String: String] = [
    "@objc": "the Objective-C runtime", "@objcMembers": "the Objective-C runtime",
    "#selector": "the Objective-C runtime", "#keyPath": "the Objective-C runtime",
    "@NSManaged": "the Objective-C runtime",
  ]

  /// The modules of types whose names do not say them.
  ///
  /// Whether a name is offered does not depend on it: this only tells the author where it is from.
  private static let modulesOfTypes: [String: String] = [
    "AnyCancellable": "Combine", "PassthroughSubject": "Combine", "CurrentValueSubject": "Combine",
    "AnyPublisher": "Combine", "Publisher": "Combine", "Just": "Combine", "Future": "Combine",
    "Chart": "Charts", "BarMark": "Charts", "LineMark": "Charts", "AreaMark": "Charts",
    "PointMark": "Charts", "RuleMark": "Charts", "SectorMark": "Charts",
    "NSManagedObject": "CoreData", "NSManagedObjectContext": "CoreData",
    "NSPersistentContainer": "CoreData", "NSFetchRequest": "CoreData", "FetchRequest": "CoreData",
    "ModelContainer": "SwiftData", "ModelContext": "SwiftData", "FetchDescriptor": "SwiftData",
    "Model": "SwiftData", "Query": "SwiftData", "SecItemCopyMatching": "Security",
  ]

  /// The modules whose types begin alike.
  private static let prefixes = [
    "AV": "AVFoundation", "CK": "CloudKit", "CL": "CoreLocation", "EK": "EventKit",
    "HK": "HealthKit", "HM": "HomeKit", "MK": "MapKit", "MP": "MediaPlayer", "PH": "Photos",
    "SK": "StoreKit", "UI": "UIKit", "UN": "UserNotifications", "WC": "WatchConnectivity",
  ]
}
