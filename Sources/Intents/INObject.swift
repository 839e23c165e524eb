public import FoundationAdditions

/// A thing of an app that an intent is about.
///
/// Source: Intents.
open class INObject: NSObject, NSCopying {
  /// The name for programs.
  public let identifier: String?
  /// The name for people.
  public let displayString: String
  /// How the name is spoken.
  public private(set) final var pronunciationHint: String?
  /// A second line.
  open var subtitleString: String?
  /// A picture.
  open var displayImage: INImage?
  /// Other words for it.
  open var alternativeSpeakableMatches: [INSpeakableString]?

  /// Makes an object.
  public required init(identifier: String?, display displayString: String) {
    self.identifier = identifier
    self.displayString = displayString
    super.init()
  }

  /// Makes an object with a hint how it is spoken.
  public convenience init(
    identifier: String?, display displayString: String, pronunciationHint: String?
  ) {
    self.init(identifier: identifier, display: displayString)
    self.pronunciationHint = pronunciationHint
  }

  /// Makes an object with a second line and a picture.
  public convenience init(
    identifier: String?, display displayString: String, subtitle subtitleString: String?,
    image displayImage: INImage?
  ) {
    self.init(identifier: identifier, display: displayString)
    self.subtitleString = subtitleString
    self.displayImage = displayImage
  }

  /// Returns an object with the same names and properties.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init(identifier: identifier, display: displayString)
    copy.pronunciationHint = pronunciationHint
    copy.subtitleString = subtitleString
    copy.displayImage = displayImage
    copy.alternativeSpeakableMatches = alternativeSpeakableMatches
    for (name, value) in _values { _ = copy._set(value, for: name) }
    return copy
  }

  /// Whether the other one has the same names.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? INObject else { return false }
    return identifier == other.identifier && displayString == other.displayString
  }

  /// A number of the names.
  open override var hash: Int { (identifier ?? displayString).hashValue }
  /// The name for people.
  open override var description: String { displayString }

  // MARK: For generated classes

  /// The values of the generated class's properties, by name.
  open var _values: [String: INIntent.Value] { [:] }
  /// Takes the value of a property; `false`: there is no such property, or the value is none of its
  /// type.
  open func _set(_ value: INIntent.Value, for property: String) -> Bool { false }
}

/// A picture by its name or its bytes; nothing shows it.
open class INImage: NSObject {
  /// A picture of the app.
  public convenience init(named name: String) { self.init() }
  /// A symbol.
  public static func systemImageNamed(_ systemImageName: String) -> Self { Self() }
  /// A picture by its bytes.
  public convenience init(imageData: Data) { self.init() }
  /// A picture at a place.
  public convenience init?(url URL: URL) { self.init() }
  /// Makes an empty picture.
  public required override init() { super.init() }
}

/// Words, and how they are spoken.
open class INSpeakableString: NSObject {
  /// The words.
  public let spokenPhrase: String
  /// How they are spoken.
  public let pronunciationHint: String?
  /// The name for programs.
  public let vocabularyIdentifier: String?

  /// Makes words.
  public init(spokenPhrase: String) {
    self.spokenPhrase = spokenPhrase
    pronunciationHint = nil
    vocabularyIdentifier = nil
  }
  /// Makes words with a name for programs.
  public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
    self.vocabularyIdentifier = vocabularyIdentifier
    self.spokenPhrase = spokenPhrase
    self.pronunciationHint = pronunciationHint
  }
}

/// Objects under a title.
///
/// Source: Intents.
open class INObjectSection<ObjectType: AnyObject>: NSObject {
  /// The title.
  public let title: String?
  /// The objects.
  public let items: [ObjectType]

  /// Makes a section.
  public init(title: String?, items: [ObjectType]) {
    self.title = title
    self.items = items
  }
}

/// The objects that the person may choose.
///
/// Source: Intents.
open class INObjectCollection<ObjectType: AnyObject>: NSObject {
  /// The sections.
  public let sections: [INObjectSection<ObjectType>]
  /// All objects.
  public var allItems: [ObjectType] { sections.flatMap(\.items) }
  /// Whether the objects stand under their first letters.
  open var usesIndexedCollation = false

  /// Makes a collection of sections.
  public init(sections: [INObjectSection<ObjectType>]) { self.sections = sections }
  /// Makes a collection of objects.
  public convenience init(items: [ObjectType]) {
    self.init(sections: [INObjectSection(title: nil, items: items)])
  }
}

extension INObjectCollection {
  /// The objects of any type as the runtime takes them: a text is its own name.
  public var _objects: [INObject] {
    allItems.compactMap { item in
      switch item {
      case let object as INObject: object
      case let text as NSString:
        INObject(
          identifier: String(describing: text), display: String(describing: text))
      case let number as NSNumber:
        INObject(identifier: number.stringValue, display: number.stringValue)
      default: nil
      }
    }
  }
}
