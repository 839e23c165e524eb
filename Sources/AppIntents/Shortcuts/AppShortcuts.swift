public import FoundationAdditions

/// The sentences by which people start the intents of an app.
///
/// Source: AppIntents. The attribute keeps the type in an optimised program although nothing mentions
/// it.
@_alwaysEmitConformanceMetadata
public protocol AppShortcutsProvider: Sendable {
  /// The shortcuts.
  @AppShortcutsBuilder static var appShortcuts: [AppShortcut] { get }
  /// The colour of their tiles.
  static var shortcutTileColor: ShortcutTileColor { get }
  /// Words that are not meant.
  @NegativeAppShortcutPhrasesBuilder static var negativePhrases: [NegativeAppShortcutPhrase] { get }
}

extension AppShortcutsProvider {
  /// The usual colour.
  public static var shortcutTileColor: ShortcutTileColor { .blue }
  /// None.
  public static var negativePhrases: [NegativeAppShortcutPhrase] { [] }
  /// Tells the daemon the values that the parameters of the sentences take now.
  public static func updateAppShortcutParameters() {
    ShortcutParameterUpdates.announce(Self.self)
  }
}

/// A type that tells the daemon the values of parameters.
///
/// The module that speaks with the daemon has one. It is found among the types of the program, because
/// this module does not know that one.
@_alwaysEmitConformanceMetadata
package protocol ShortcutParameterReceiver: Sendable {
  /// Takes a program's wish to tell its values.
  static func update(_ provider: any AppShortcutsProvider.Type)
}

private enum ShortcutParameterUpdates {
  private static let receivers = ImageTypes.conforming(to: (any ShortcutParameterReceiver).self)
    .compactMap { $0 as? any ShortcutParameterReceiver.Type }

  static func announce(_ provider: any AppShortcutsProvider.Type) {
    for receiver in receivers { receiver.update(provider) }
  }
}

/// Builds the shortcuts of an app.
@resultBuilder
public enum AppShortcutsBuilder {
  /// Takes a shortcut.
  public static func buildExpression(_ shortcut: AppShortcut) -> [AppShortcut] { [shortcut] }
  /// Takes shortcuts.
  public static func buildExpression(_ shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
  /// Takes shortcuts together.
  public static func buildBlock(_ shortcuts: [AppShortcut]...) -> [AppShortcut] {
    shortcuts.flatMap { $0 }
  }
  /// Takes the shortcuts of an `if`.
  public static func buildOptional(_ shortcuts: [AppShortcut]?) -> [AppShortcut] {
    shortcuts ?? []
  }
  /// Takes the shortcuts of an `if`.
  public static func buildEither(first shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
  /// Takes the shortcuts of an `else`.
  public static func buildEither(second shortcuts: [AppShortcut]) -> [AppShortcut] { shortcuts }
  /// Takes the shortcuts of an `if #available`.
  public static func buildLimitedAvailability(_ shortcuts: [AppShortcut]) -> [AppShortcut] {
    shortcuts
  }
}

/// An intent and the sentences that start it.
public struct AppShortcut: Sendable {
  package let intentName: String
  package let intentType: any AppIntent.Type
  package let phrases: [ShortcutPhrase]
  package let shortTitle: LocalizedStringResource?
  package let systemImageName: String?

  /// Makes a shortcut.
  public init<Intent: AppIntent>(
    intent: Intent, phrases: [AppShortcutPhrase<Intent>], shortTitle: LocalizedStringResource,
    systemImageName: String
  ) {
    self.init(Intent.self, phrases, shortTitle, systemImageName)
  }
  /// Makes a shortcut without a tile.
  public init<Intent: AppIntent>(intent: Intent, phrases: [AppShortcutPhrase<Intent>]) {
    self.init(Intent.self, phrases, nil, nil)
  }
  /// Makes a shortcut whose tile shows the values of a parameter.
  public init<Intent: AppIntent, Value: _IntentValue>(
    intent: Intent, phrases: [AppShortcutPhrase<Intent>], shortTitle: LocalizedStringResource,
    systemImageName: String,
    parameterPresentation: AppShortcutParameterPresentation<Intent, Value>
  ) {
    self.init(Intent.self, phrases, shortTitle, systemImageName)
  }

  private init<Intent: AppIntent>(
    _ type: Intent.Type, _ phrases: [AppShortcutPhrase<Intent>],
    _ shortTitle: LocalizedStringResource?, _ systemImageName: String?
  ) {
    intentName = type.persistentIdentifier
    intentType = type
    self.phrases = phrases.map(\.phrase)
    self.shortTitle = shortTitle
    self.systemImageName = systemImageName
  }
}

/// How the values of a parameter are shown.
public struct AppShortcutParameterPresentation<Intent: AppIntent, Value: _IntentValue>: Sendable {
  /// Shows the values of a parameter.
  public init(
    for parameter: KeyPath<Intent, IntentParameter<Value>>,
    summary: AppShortcutParameterPresentationSummary<Intent>
  ) {}
}

/// The words about the values of a parameter.
public struct AppShortcutParameterPresentationSummary<Intent: AppIntent>: Sendable {
  /// Makes them.
  public init(_ string: ParameterSummaryString<Intent>) {}
}

/// The parts of a sentence that starts an intent.
package struct ShortcutPhrase: Hashable, Sendable {
  /// A part.
  package enum Part: Hashable, Sendable {
    case words(String)
    case applicationName
    case parameter(String)
  }
  package var parts: [Part]

  /// The parameters that it names.
  package var parameterNames: [String] {
    parts.compactMap { part in
      if case .parameter(let name) = part { name } else { nil }
    }
  }

  /// The key of its translations: `Show ${city} in ${applicationName}`.
  package var key: String {
    parts.map { part in
      switch part {
      case .words(let words): words
      case .applicationName: "${applicationName}"
      case .parameter(let name): "${\(name)}"
      }
    }.joined()
  }
}

/// A sentence that starts an intent: `"Show \(\.$city) in \(.applicationName)"`.
public struct AppShortcutPhrase<Intent: AppIntent>: ExpressibleByStringInterpolation, Hashable,
  Sendable
{
  package let phrase: ShortcutPhrase

  /// Words without parameters.
  public init(stringLiteral value: String) { phrase = ShortcutPhrase(parts: [.words(value)]) }
  /// Words with parameters.
  public init(stringInterpolation: StringInterpolation) {
    phrase = ShortcutPhrase(parts: stringInterpolation.parts)
  }

  /// Collects words and parameters.
  public struct StringInterpolation: StringInterpolationProtocol {
    var parts: [ShortcutPhrase.Part] = []

    /// Begins without any.
    public init(literalCapacity: Int, interpolationCount: Int) {}
    /// Adds words.
    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.words(literal)) }
    }
    /// Adds the name of the app.
    public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) {
      parts.append(.applicationName)
    }
    /// Adds a parameter.
    public mutating func appendInterpolation<Value: _IntentValue>(
      _ path: KeyPath<Intent, IntentParameter<Value>>
    ) {
      if let name = Intent.name(of: path) { parts.append(.parameter(name)) }
    }
  }
}

/// The words that stand in a sentence for the app.
public enum AppShortcutPhraseToken: Hashable, Sendable { case applicationName }

/// Words that are not meant.
public struct NegativeAppShortcutPhrase: Sendable {
  /// Makes them.
  public init(_ phrase: NegativeAppShortcutPhraseString) {}
}

/// The words that are not meant.
public struct NegativeAppShortcutPhraseString: ExpressibleByStringInterpolation, Sendable {
  /// Makes them of a literal.
  public init(stringLiteral value: String) {}
  /// Makes them of a literal with the app in it.
  public init(stringInterpolation: StringInterpolation) {}
  /// Collects them.
  public struct StringInterpolation: StringInterpolationProtocol {
    /// Begins without any.
    public init(literalCapacity: Int, interpolationCount: Int) {}
    /// Adds words.
    public mutating func appendLiteral(_ literal: String) {}
    /// Adds the name of the app.
    public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) {}
  }
}

/// Builds words that are not meant.
@resultBuilder
public enum NegativeAppShortcutPhrasesBuilder {
  /// Takes words together.
  public static func buildBlock(
    _ phrases: NegativeAppShortcutPhrase...
  ) -> [NegativeAppShortcutPhrase] { phrases }
}

/// The colour of the tiles of shortcuts.
public enum ShortcutTileColor: Hashable, Sendable {
  case blue, grape, grayBlue, grayBrown, grayGreen, lightBlue, lime, navy, orange, pink, purple,
    red,
    tangerine, teal, yellow
}
