public import FoundationAdditions

/// How a view and its children are read.
public struct AccessibilityChildBehavior: Hashable, Sendable {
  private let name: String

  /// The children are not read.
  public static let ignore = AccessibilityChildBehavior(name: "ignore")
  /// The children are read one by one.
  public static let contain = AccessibilityChildBehavior(name: "contain")
  /// The children are read as one.
  public static let combine = AccessibilityChildBehavior(name: "combine")
}

/// The kind of a view.
public struct AccessibilityTraits: SetAlgebra, Sendable {
  private var bits: UInt64

  private init(bits: UInt64) { self.bits = bits }

  /// Nothing in particular.
  public init() { bits = 0 }

  /// A button.
  public static let isButton = AccessibilityTraits(bits: 1)
  /// A header.
  public static let isHeader = AccessibilityTraits(bits: 2)
  /// Chosen.
  public static let isSelected = AccessibilityTraits(bits: 4)
  /// A link.
  public static let isLink = AccessibilityTraits(bits: 8)
  /// A picture.
  public static let isImage = AccessibilityTraits(bits: 16)
  /// A text.
  public static let isStaticText = AccessibilityTraits(bits: 32)
  /// A summary.
  public static let isSummaryElement = AccessibilityTraits(bits: 64)
  /// Changing often.
  public static let updatesFrequently = AccessibilityTraits(bits: 128)
  /// On or off.
  public static let isToggle = AccessibilityTraits(bits: 256)
  /// Alone on the screen.
  public static let isModal = AccessibilityTraits(bits: 512)

  /// Whether all of `member` are in it.
  public func contains(_ member: AccessibilityTraits) -> Bool { bits & member.bits == member.bits }
  /// The traits of both.
  public func union(_ other: AccessibilityTraits) -> AccessibilityTraits {
    AccessibilityTraits(bits: bits | other.bits)
  }
  /// The traits that both have.
  public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits {
    AccessibilityTraits(bits: bits & other.bits)
  }
  /// The traits that one has.
  public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits {
    AccessibilityTraits(bits: bits ^ other.bits)
  }
  /// Adds traits.
  @discardableResult
  public mutating func insert(
    _ newMember: AccessibilityTraits
  ) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) {
    let isNew = !contains(newMember)
    bits |= newMember.bits
    return (isNew, newMember)
  }
  /// Takes traits away.
  @discardableResult
  public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
    let found = contains(member)
    bits &= ~member.bits
    return found ? member : nil
  }
  /// Adds traits.
  @discardableResult
  public mutating func update(with newMember: AccessibilityTraits) -> AccessibilityTraits? {
    insert(newMember).inserted ? nil : newMember
  }
  /// Adds the traits of `other`.
  public mutating func formUnion(_ other: AccessibilityTraits) { bits |= other.bits }
  /// Keeps the traits that `other` has.
  public mutating func formIntersection(_ other: AccessibilityTraits) { bits &= other.bits }
  /// Keeps the traits that one has.
  public mutating func formSymmetricDifference(_ other: AccessibilityTraits) { bits ^= other.bits }
}

/// The rank of a heading.
public enum AccessibilityHeadingLevel: UInt, Hashable, Sendable {
  case unspecified
  case h1
  case h2
  case h3
  case h4
  case h5
  case h6
}

extension View {
  /// Sets the words for everybody who does not see the view.
  public nonisolated func accessibilityLabel(_ label: Text) -> some View {
    styled(.accessibilityLabel(label.plainText))
  }

  /// Sets the words for everybody who does not see the view.
  public nonisolated func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View {
    styled(.accessibilityLabel(Text(labelKey).plainText))
  }

  /// Sets the words for everybody who does not see the view.
  @_disfavoredOverload
  public nonisolated func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
    styled(.accessibilityLabel(String(label)))
  }

  /// Sets the words for everybody who does not see the view.
  @_disfavoredOverload
  public nonisolated func accessibilityLabel(_ label: LocalizedStringResource) -> some View {
    styled(.accessibilityLabel(String(localized: label)))
  }

  /// Hides the view from everybody who does not see it.
  public nonisolated func accessibilityHidden(_ hidden: Bool) -> some View {
    StyledView(content: self, property: hidden ? .accessibilityHidden : .text(TextStyle()))
  }

  /// The words of a view are its texts.
  public nonisolated func accessibilityValue(_ value: Text) -> some View { self }

  /// The words of a view are its texts.
  public nonisolated func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View { self }

  /// The words of a view are its texts.
  @_disfavoredOverload
  public nonisolated func accessibilityValue<S: StringProtocol>(_ value: S) -> some View { self }

  /// A hint has no place.
  public nonisolated func accessibilityHint(_ hint: Text) -> some View { self }

  /// A hint has no place.
  public nonisolated func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View { self }

  /// A hint has no place.
  @_disfavoredOverload
  public nonisolated func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View { self }

  /// Children are read one by one.
  public nonisolated func accessibilityElement(
    children: AccessibilityChildBehavior = .ignore
  ) -> some View { self }

  /// The surface decides what a view is.
  public nonisolated func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
    self
  }

  /// The surface decides what a view is.
  public nonisolated func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View {
    self
  }

  /// Names for tests have no place.
  public nonisolated func accessibilityIdentifier(_ identifier: String) -> some View { self }

  /// Views are read in their order.
  public nonisolated func accessibilitySortPriority(_ sortPriority: Double) -> some View { self }

  /// A heading is read as a text.
  public nonisolated func accessibilityHeading(_ level: AccessibilityHeadingLevel) -> some View {
    self
  }

  /// The names for speech are the texts.
  public nonisolated func accessibilityInputLabels(_ inputLabelKeys: [LocalizedStringKey])
    -> some View
  { self }

  /// A view reads as itself.
  public nonisolated func accessibilityRepresentation<V: View>(
    @ViewBuilder representation: () -> V
  ) -> some View { self }

  /// A picture keeps its colours.
  public nonisolated func accessibilityIgnoresInvertColors(_ active: Bool = true) -> some View {
    self
  }

  /// Shows words when the person points at the view.
  public nonisolated func help(_ textKey: LocalizedStringKey) -> some View {
    styled(.help(Text(textKey).plainText))
  }

  /// Shows words when the person points at the view.
  @_disfavoredOverload
  public nonisolated func help<S: StringProtocol>(_ text: S) -> some View {
    styled(.help(String(text)))
  }

  /// Shows words when the person points at the view.
  public nonisolated func help(_ text: Text) -> some View { styled(.help(text.plainText)) }
}
