public import FoundationAdditions

/// The words and the picture for a value.
///
/// Source: AppIntents.
public struct DisplayRepresentation: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The picture.
  public struct Image: Hashable, Sendable {
    /// The name of a symbol; `nil`: it is another picture.
    public var systemName: String?

    /// A symbol.
    public init(systemName: String) { self.systemName = systemName }
    /// A symbol with a colour.
    public init(systemName: String, isTemplate: Bool?) { self.systemName = systemName }
    /// A picture of the app.
    public init(named name: String, isTemplate: Bool? = nil) {}
    /// A picture by its bytes.
    public init(data: Data, isTemplate: Bool? = nil) {}
    /// A picture at a place.
    public init(url: URL, isTemplate: Bool? = nil) {}
  }

  /// The first line.
  public var title: LocalizedStringResource
  /// The second line.
  public var subtitle: LocalizedStringResource?
  /// The picture.
  public var image: Image?
  /// Other words for it.
  public var synonyms: [LocalizedStringResource]

  /// Makes it of its parts.
  public init(
    title: LocalizedStringResource, subtitle: LocalizedStringResource? = nil, image: Image? = nil,
    synonyms: [LocalizedStringResource] = []
  ) {
    self.title = title
    self.subtitle = subtitle
    self.image = image
    self.synonyms = synonyms
  }

  /// Makes it of its parts.
  public init(
    title: LocalizedStringResource, subtitle: LocalizedStringResource? = nil, image: Image? = nil,
    descriptionText: LocalizedStringResource?, synonyms: [LocalizedStringResource] = []
  ) {
    self.init(title: title, subtitle: subtitle, image: image, synonyms: synonyms)
  }

  /// Makes it of a literal.
  public init(stringLiteral value: String) {
    self.init(title: LocalizedStringResource(stringLiteral: value))
  }

  /// Makes it of a literal with values in it.
  public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
    self.init(title: LocalizedStringResource(stringInterpolation: stringInterpolation))
  }
}

/// The name of a type for people.
///
/// Source: AppIntents.
public struct TypeDisplayRepresentation: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The name of one.
  public var name: LocalizedStringResource
  /// The name of several, `"\(3) stops"`.
  public var numericFormat: LocalizedStringResource?
  /// Other words for it.
  public var synonyms: [LocalizedStringResource]

  /// Makes it of a name.
  public init(
    name: LocalizedStringResource, numericFormat: LocalizedStringResource? = nil,
    synonyms: [LocalizedStringResource] = []
  ) {
    self.name = name
    self.numericFormat = numericFormat
    self.synonyms = synonyms
  }

  /// Makes it of a literal.
  public init(stringLiteral value: String) {
    self.init(name: LocalizedStringResource(stringLiteral: value))
  }

  /// Makes it of a literal with values in it.
  public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
    self.init(name: LocalizedStringResource(stringInterpolation: stringInterpolation))
  }
}
