public import FoundationAdditions

/// How a number is put in.
public enum IntentControlStyle: Hashable, Sendable {
  case field
  case stepper
  case slider
}

/// How a parameter takes the result of the act before it.
public enum InputConnectionBehavior: Hashable, Sendable {
  case `default`
  case never
  case connectToPreviousIntentResult
}

/// The size of a widget, for the length of a list.
public enum IntentWidgetFamily: String, Hashable, Sendable {
  case systemSmall
  case systemMedium
  case systemLarge
  case systemExtraLarge
  case accessoryCorner
  case accessoryCircular
  case accessoryRectangular
  case accessoryInline
}

/// The length of a list, everywhere or by the size of a widget.
public struct IntentCollectionSize: Hashable, Sendable, ExpressibleByIntegerLiteral,
  ExpressibleByDictionaryLiteral
{
  /// The length where no size is named.
  package var length: Int?
  /// The length by the size of a widget.
  package var lengths: [IntentWidgetFamily: Int]

  /// One length.
  public init(integerLiteral value: Int) { self.init(value) }
  /// A length for each size.
  public init(dictionaryLiteral elements: (IntentWidgetFamily, Int)...) {
    length = nil
    lengths = Dictionary(elements) { _, last in last }
  }
  /// One length.
  public init(_ length: Int) {
    self.length = length
    lengths = [:]
  }
  /// One length.
  public init(min: Int = 0, max: Int) { self.init(max) }
}

extension String {
  /// How a text is put in.
  public struct IntentInputOptions: Sendable {
    /// The keys that are offered.
    public enum KeyboardType: Sendable {
      case `default`, asciiCapable, numbersAndPunctuation, URL, numberPad, phonePad, namePhonePad,
        emailAddress, decimalPad, twitter, webSearch, asciiCapableNumberPad
    }
    /// Which letters are large.
    public enum CapitalizationType: Sendable { case none, words, sentences, allCharacters }

    /// Makes them.
    public init(
      keyboardType: KeyboardType = .default, capitalizationType: CapitalizationType = .sentences,
      multiline: Bool = false, autocorrect: Bool = true, smartQuotes: Bool = true,
      smartDashes: Bool = true
    ) {}
  }
}

extension Bool {
  /// The words for yes and no.
  public struct IntentDisplayName: Sendable {
    /// Makes them.
    public init(true: LocalizedStringResource, false: LocalizedStringResource) {}
  }
}

extension Date {
  /// The part of a date that is asked for.
  public enum IntentKind: Hashable, Sendable {
    case date
    case time
    case dateTime
  }
}
