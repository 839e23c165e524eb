/// The limits of this module, each with its unit and reason.
package enum Limits {
  /// Days in one span of days off: a leap year.
  package static let dayOffSpanMax = 366
  /// Items that one behaviour model knows: the largest number of widgets, and lately removed ones.
  package static let itemCountMax = 12_288
  /// Uses that one behaviour model remembers one by one, a power of two: months of a busy person,
  /// 400 KiB.
  package static let historyCountMax = 8_192
  /// Items, the latest used first, that a use is compared with: to learn costs no more with ten
  /// thousand than with these.
  package static let rivalCountMax = 1_024
  /// Uses that vote for similar moments: a prediction walks over them.
  package static let voteCountMax = 1_024
  /// Uses of the previous item that are searched for the item that followed.
  package static let followCountMax = 256
}
