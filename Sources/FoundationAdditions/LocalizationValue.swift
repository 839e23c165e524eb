public import Foundation

extension String {
  /// A text to translate: the key of its translations, with the values to put into it.
  ///
  /// `"\(3) stops"` has the key `%lld stops` and the value 3. Source: Foundation of Apple; corelibs
  /// has none.
  public struct LocalizationValue: Hashable, Codable, Sendable, ExpressibleByStringInterpolation {
    /// A value that stands for a specifier of the key.
    package enum Argument: Hashable, Codable, Sendable {
      case text(String)
      case integer(Int64)
      case unsigned(UInt64)
      case number(Double)
    }

    /// The key, with a format specifier for each value: `%lld stops`.
    package var key: String
    /// The values in the order of their specifiers.
    package var arguments: [Argument]

    package init(key: String, arguments: [Argument]) {
      self.key = key
      self.arguments = arguments
    }

    /// Makes a text that is its own key.
    public init(_ value: String) { self.init(key: value, arguments: []) }

    /// Makes the text of a literal.
    public init(stringLiteral value: String) { self.init(key: value, arguments: []) }

    /// Makes the text of a literal with values in it.
    public init(stringInterpolation: StringInterpolation) {
      self.init(key: stringInterpolation.key, arguments: stringInterpolation.arguments)
    }

    /// Collects the parts of a literal with values in it.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
      package var key = ""
      package var arguments: [Argument] = []

      /// Makes an empty text with room for the literal.
      public init(literalCapacity: Int, interpolationCount: Int) {
        key.reserveCapacity(literalCapacity + 4 * interpolationCount)
      }

      /// Adds words of the literal; a `%` of theirs is no specifier.
      public mutating func appendLiteral(_ literal: String) {
        key += literal.contains("%") ? literal.replacing("%", with: "%%") : literal
      }

      /// Adds a text.
      public mutating func appendInterpolation(_ string: String) { append(.text(string), "%@") }

      /// Adds a part of a text.
      public mutating func appendInterpolation(_ string: Substring) {
        append(.text(String(string)), "%@")
      }

      /// Adds a text in the words of the person's language.
      public mutating func appendInterpolation(_ resource: LocalizedStringResource) {
        append(.text(String(localized: resource)), "%@")
      }

      /// Adds a signed number.
      public mutating func appendInterpolation<T: SignedInteger & FixedWidthInteger>(_ value: T) {
        append(.integer(Int64(clamping: value)), T.bitWidth > 32 ? "%lld" : "%d")
      }

      /// Adds a number without a sign.
      public mutating func appendInterpolation<T: UnsignedInteger & FixedWidthInteger>(_ value: T) {
        append(.unsigned(UInt64(clamping: value)), T.bitWidth > 32 ? "%llu" : "%u")
      }

      /// Adds a number with a fraction.
      public mutating func appendInterpolation(_ value: Double) { append(.number(value), "%lf") }

      /// Adds a number with a fraction.
      public mutating func appendInterpolation(_ value: Float) {
        append(.number(Double(value)), "%f")
      }

      /// Adds a number in the form of a format specifier such as `%.1f`.
      public mutating func appendInterpolation<T: BinaryFloatingPoint>(
        _ value: T, specifier: String
      ) {
        append(.number(Double(value)), specifier)
      }

      /// Adds a whole number in the form of a format specifier such as `%02lld`.
      public mutating func appendInterpolation<T: FixedWidthInteger>(
        _ value: T, specifier: String
      ) {
        append(.integer(Int64(clamping: value)), specifier)
      }

      /// Adds a value as a format style writes it.
      public mutating func appendInterpolation<F: FormatStyle>(
        _ value: F.FormatInput, format: F
      ) where F.FormatOutput == String {
        append(.text(format.format(value)), "%@")
      }

      /// Adds any other value by its description.
      @_disfavoredOverload
      public mutating func appendInterpolation<T>(_ value: T) {
        append(.text(String(describing: value)), "%@")
      }

      private mutating func append(_ argument: Argument, _ specifier: String) {
        key += specifier
        arguments.append(argument)
      }
    }
  }
}
