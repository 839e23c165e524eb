public import Foundation

/// A text that is translated where it is shown.
///
/// Source: Foundation of Apple; corelibs has none.
public struct LocalizedStringResource: Hashable, Codable, Sendable,
  ExpressibleByStringInterpolation, CustomLocalizedStringResourceConvertible
{
  /// The key of the translations.
  public let key: String
  /// The text where no translation is found.
  public let defaultValue: String.LocalizationValue
  /// The table of translations; `nil` for `Localizable`.
  public let table: String?
  /// The language of the text.
  public var locale: Locale
  package let bundle: BundleDescription

  /// The place of the translations.
  public enum BundleDescription: Hashable, Codable, Sendable {
    /// The main bundle.
    case main
    /// The bundle of a class.
    case forClass(String)
    /// The bundle of a folder.
    case atURL(URL)

    /// The bundle of `type`.
    public static func forClass(_ type: AnyClass) -> BundleDescription {
      .forClass(String(reflecting: type))
    }
  }

  /// Makes a text whose words are its key.
  public init(
    _ keyAndValue: String.LocalizationValue, table: String? = nil, locale: Locale = .current,
    bundle: BundleDescription = .main, comment: StaticString? = nil
  ) {
    self.init(
      key: keyAndValue.key, defaultValue: keyAndValue, table: table, locale: locale, bundle: bundle)
  }

  /// Makes a text with a key of its own.
  public init(
    _ key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil,
    locale: Locale = .current, bundle: BundleDescription = .main, comment: StaticString? = nil
  ) {
    self.init(
      key: key.description, defaultValue: defaultValue, table: table, locale: locale, bundle: bundle
    )
  }

  /// Makes the text of a literal.
  public init(stringLiteral value: String) { self.init(String.LocalizationValue(value)) }

  /// Makes the text of a literal with values in it.
  public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
    self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
  }

  private init(
    key: String, defaultValue: String.LocalizationValue, table: String?, locale: Locale,
    bundle: BundleDescription
  ) {
    self.key = key
    self.defaultValue = defaultValue
    self.table = table
    self.locale = locale
    self.bundle = bundle
  }

  /// The text itself.
  public var localizedStringResource: LocalizedStringResource { self }
}

/// A value that has a text in the person's language.
public protocol CustomLocalizedStringResourceConvertible {
  /// The text.
  var localizedStringResource: LocalizedStringResource { get }
}

extension String {
  /// Translates `resource`.
  public init(localized resource: LocalizedStringResource) {
    self = Translations.text(
      resource.defaultValue, key: resource.key, table: resource.table, bundle: nil,
      locale: resource.locale)
  }

  /// Translates `keyAndValue`, which is its own key.
  public init(
    localized keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    self = Translations.text(
      keyAndValue, key: keyAndValue.key, table: table, bundle: bundle, locale: locale)
  }

  /// Translates `key`; without a translation the text is `defaultValue`.
  public init(
    localized key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil,
    bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
  ) {
    self = Translations.text(
      defaultValue, key: key.description, table: table, bundle: bundle, locale: locale)
  }
}
