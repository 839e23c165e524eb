public import Foundation
public import FoundationAdditions

/// A text of the interface: the key of its translations, with the values to put into it.
///
/// `"\(3) stops"` has the key `%lld stops`. Source: SwiftUI.
public struct LocalizedStringKey: Equatable, Sendable, ExpressibleByStringInterpolation {
  let value: String.LocalizationValue
  /// Texts with a style, images and live dates, by the number of their argument.
  let pieces: [Int: Text]

  /// Makes a text that is its own key.
  public init(_ value: String) { self.init(stringLiteral: value) }

  /// Makes the text of a literal.
  public init(stringLiteral value: String) {
    self.value = String.LocalizationValue(value)
    pieces = [:]
  }

  /// Makes the text of a literal with values in it.
  public init(stringInterpolation: StringInterpolation) {
    value = String.LocalizationValue(stringInterpolation: stringInterpolation.base)
    pieces = stringInterpolation.pieces
  }

  /// The translation, without styles.
  func text(tableName: String? = nil, bundle: Bundle? = nil, locale: Locale) -> String {
    // A literal without values is no format: its `%` is a percent sign.
    let text = Translations.text(
      value, key: value.key, table: tableName, bundle: bundle, locale: locale)
    return text
  }

  /// Marks the place of a piece in the translated text; no text of an author has it.
  static let mark: Character = "\u{F8F0}"

  /// Collects the parts of a literal with values in it.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var base: String.LocalizationValue.StringInterpolation
    var pieces: [Int: Text] = [:]
    private var count = 0

    /// Makes an empty text with room for the literal.
    public init(literalCapacity: Int, interpolationCount: Int) {
      base = .init(literalCapacity: literalCapacity, interpolationCount: interpolationCount)
    }

    /// Adds words of the literal.
    public mutating func appendLiteral(_ literal: String) { base.appendLiteral(literal) }

    /// Adds a text.
    public mutating func appendInterpolation(_ string: String) {
      count += 1
      base.appendInterpolation(string)
    }

    /// Adds a part of a text.
    public mutating func appendInterpolation(_ string: Substring) {
      appendInterpolation(String(string))
    }

    /// Adds a text in the words of the person's language.
    public mutating func appendInterpolation(_ resource: LocalizedStringResource) {
      count += 1
      base.appendInterpolation(resource)
    }

    /// Adds a signed number.
    public mutating func appendInterpolation<T: SignedInteger & FixedWidthInteger>(_ value: T) {
      count += 1
      base.appendInterpolation(value)
    }

    /// Adds a number without a sign.
    public mutating func appendInterpolation<T: UnsignedInteger & FixedWidthInteger>(_ value: T) {
      count += 1
      base.appendInterpolation(value)
    }

    /// Adds a number with a fraction.
    public mutating func appendInterpolation(_ value: Double) {
      count += 1
      base.appendInterpolation(value)
    }

    /// Adds a number with a fraction.
    public mutating func appendInterpolation(_ value: Float) {
      count += 1
      base.appendInterpolation(value)
    }

    /// Adds a number with a fraction.
    public mutating func appendInterpolation(_ value: CGFloat) {
      appendInterpolation(Double(value))
    }

    /// Adds a number in the form of a format specifier such as `%.1f`.
    public mutating func appendInterpolation<T: BinaryFloatingPoint>(_ value: T, specifier: String)
    {
      count += 1
      base.appendInterpolation(value, specifier: specifier)
    }

    /// Adds a whole number in the form of a format specifier such as `%02lld`.
    public mutating func appendInterpolation<T: FixedWidthInteger>(_ value: T, specifier: String) {
      count += 1
      base.appendInterpolation(value, specifier: specifier)
    }

    /// Adds a value as a format style writes it.
    public mutating func appendInterpolation<F: FormatStyle>(_ value: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String {
      appendInterpolation(format.locale(EnvironmentValues.current.locale).format(value))
    }

    /// Adds a value as a formatter writes it.
    public mutating func appendInterpolation<Subject>(_ subject: Subject, formatter: Formatter?) {
      appendInterpolation(formatter?.string(for: subject) ?? String(describing: subject))
    }

    /// Adds a text with its styles.
    public mutating func appendInterpolation(_ text: Text) { append(text) }

    /// Adds an image.
    public mutating func appendInterpolation(_ image: Image) { append(Text(image)) }

    /// Adds a text with its styles.
    public mutating func appendInterpolation(_ text: AttributedString) { append(Text(text)) }

    /// Adds a date, which may follow the clock.
    public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
      append(Text(date, style: style))
    }

    /// Adds a span between two dates.
    public mutating func appendInterpolation(_ dates: ClosedRange<Date>) { append(Text(dates)) }

    /// Adds a span between two dates.
    public mutating func appendInterpolation(_ interval: DateInterval) { append(Text(interval)) }

    /// Adds a timer.
    public mutating func appendInterpolation(
      timerInterval: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true,
      showsHours: Bool = true
    ) {
      append(
        Text(
          timerInterval: timerInterval, pauseTime: pauseTime, countsDown: countsDown,
          showsHours: showsHours))
    }

    /// Adds any other value by its description.
    @_disfavoredOverload
    public mutating func appendInterpolation<T>(_ value: T) {
      appendInterpolation(String(describing: value))
    }

    private mutating func append(_ piece: Text) {
      pieces[count] = piece
      let mark = LocalizedStringKey.mark
      appendInterpolation("\(mark)\(count)\(mark)")
    }
  }
}
