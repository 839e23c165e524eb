public import FoundationAdditions

/// A message, with values in it that may be kept private.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  let text: String

  /// Makes the message of a literal.
  public init(stringLiteral value: String) { text = value }
  /// Makes the message of a literal with values in it.
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The readers of a value.
public struct OSLogPrivacy: Sendable {
  /// How a hidden value is told from another.
  public enum Mask: Sendable { case none, hash }

  let isHidden: Bool

  /// Whoever may read the message.
  public static let auto = OSLogPrivacy(isHidden: false)
  /// Everybody.
  public static let `public` = OSLogPrivacy(isHidden: false)
  /// Nobody.
  public static let `private` = OSLogPrivacy(isHidden: true)
  /// Nobody.
  public static let sensitive = OSLogPrivacy(isHidden: true)
  /// Nobody.
  public static func `private`(mask: Mask) -> OSLogPrivacy { .private }
  /// Nobody.
  public static func sensitive(mask: Mask) -> OSLogPrivacy { .sensitive }
  /// Whoever may read the message.
  public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
}

/// How wide a value is.
public struct OSLogStringAlignment: Sendable {
  let columns: Int
  let isLeft: Bool

  /// As wide as it is.
  public static let none = OSLogStringAlignment(columns: 0, isLeft: true)
  /// Filled up on its right.
  public static func left(columns: Int) -> OSLogStringAlignment {
    Self(columns: columns, isLeft: true)
  }
  /// Filled up on its left.
  public static func right(columns: Int) -> OSLogStringAlignment {
    Self(columns: columns, isLeft: false)
  }

  func fill(_ text: String) -> String {
    let blanks = String(repeating: " ", count: max(0, columns - text.count))
    return isLeft ? text + blanks : blanks + text
  }
}

/// How a number with a fraction is written.
public struct OSLogFloatFormatting: Sendable {
  let precision: Int?

  /// With six digits of fraction.
  public static var fixed: OSLogFloatFormatting { Self(precision: 6) }
  /// With some digits of fraction.
  public static func fixed(precision: Int) -> OSLogFloatFormatting { Self(precision: precision) }
  /// As short as it can be.
  public static var hybrid: OSLogFloatFormatting { Self(precision: nil) }
}

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
  let radix: Int

  /// In tens.
  public static var decimal: OSLogIntegerFormatting { Self(radix: 10) }
  /// In sixteens.
  public static var hex: OSLogIntegerFormatting { Self(radix: 16) }
  /// In eights.
  public static var octal: OSLogIntegerFormatting { Self(radix: 8) }
}

/// Collects the parts of a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  var text = ""

  /// Makes an empty message with room for the literal.
  public init(literalCapacity: Int, interpolationCount: Int) {
    text.reserveCapacity(literalCapacity + 8 * interpolationCount)
  }

  /// Adds words of the literal.
  public mutating func appendLiteral(_ literal: String) { text += literal }

  /// Adds a text.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy) { align.fill(value()) }
  }
  /// Adds a whole number.
  public mutating func appendInterpolation<T: FixedWidthInteger>(
    _ value: @autoclosure () -> T, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy) { align.fill(String(value(), radix: format.radix)) }
  }
  /// Adds a number with a fraction.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy) {
      let number = value()
      let text = format.precision.map { String(format: "%.\($0)f", number) } ?? "\(number)"
      return align.fill(text)
    }
  }
  /// Adds a number with a fraction.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    appendInterpolation(Double(value()), format: format, align: align, privacy: privacy)
  }
  /// Adds a truth.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy) { value().description }
  }
  /// Adds any value by its description.
  public mutating func appendInterpolation<T: CustomStringConvertible>(
    _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(privacy) { align.fill(value().description) }
  }
  /// Adds the name of a type.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> Any.Type, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy) { String(describing: value()) }
  }
  /// Adds an error.
  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy) { String(describing: value()) }
  }
  /// Adds an object.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> NSObject, privacy: OSLogPrivacy = .auto
  ) {
    append(privacy) { value().description }
  }

  private mutating func append(_ privacy: OSLogPrivacy, _ value: () -> String) {
    text += privacy.isHidden ? "<private>" : value()
  }
}
