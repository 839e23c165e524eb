public import Foundation

/// What the person does in an app; an extension only carries it around.
///
/// Source: Foundation of Apple; corelibs has none.
open class NSUserActivity: NSObject {
  /// The sort of activity.
  public let activityType: String
  /// The name for people.
  open var title: String?
  /// More about it.
  open var userInfo: [AnyHashable: Any]?
  /// The page on the web.
  open var webpageURL: URL?
  /// The words that find it.
  open var keywords: Set<String> = []
  /// Whether another device may go on with it.
  open var isEligibleForHandoff = true
  /// Whether a search finds it.
  open var isEligibleForSearch = false
  /// Whether the system may suggest it.
  open var isEligibleForPrediction = false

  /// Makes an activity.
  public init(activityType: String) { self.activityType = activityType }

  /// Adds to `userInfo`.
  open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
    userInfo = (userInfo ?? [:]).merging(otherDictionary) { _, new in new }
  }
  /// Says that the person does it now; nobody listens here.
  open func becomeCurrent() {}
  /// Says that the person does it no more; nobody listens here.
  open func resignCurrent() {}
  /// Says that it is over; nobody listens here.
  open func invalidate() {}
}
