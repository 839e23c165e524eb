public import FoundationAdditions
import JSON

/// An enumeration whose cases a parameter takes.
///
/// Source: AppIntents.
public protocol AppEnum: RawRepresentable, CaseIterable, _IntentValue, Sendable,
  CustomLocalizedStringResourceConvertible, TypeDisplayRepresentable, CaseDisplayRepresentable,
  PersistentlyIdentifiable
where RawValue: LosslessStringConvertible {}

/// A type with a name for people.
public protocol TypeDisplayRepresentable {
  /// The name for people.
  static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
  /// The name for people.
  static var typeDisplayName: LocalizedStringResource { get }
}

extension TypeDisplayRepresentable {
  /// The name for people.
  public static var typeDisplayName: LocalizedStringResource { typeDisplayRepresentation.name }
}

/// A type whose cases have names for people.
public protocol CaseDisplayRepresentable: Hashable {
  /// The names for people.
  static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
}

extension AppEnum {
  /// The name for people.
  public var localizedStringResource: LocalizedStringResource {
    Self.caseDisplayRepresentations[self]?.title
      ?? LocalizedStringResource(stringLiteral: rawValue.description)
  }

  /// An enumeration of its cases.
  public static var _intentType: _IntentType {
    let names = caseDisplayRepresentations
    return _IntentType(
      .enumeration(
        name: persistentIdentifier,
        cases: allCases.map { value in
          _IntentType.Choice(
            name: value.rawValue.description, title: value.localizedStringResource,
            synonyms: names[value]?.synonyms ?? [])
        }))
  }

  /// Reads a case by its raw value.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> Self? {
    let name =
      argument.json.stringValue ?? argument.json.intValue?.description
      ?? argument.json["identifier"]?.stringValue
    return name.flatMap { RawValue($0) }.flatMap { Self(rawValue: $0) }
  }

  /// The raw value.
  public var _intentArgument: _IntentArgument { _IntentArgument(.string(rawValue.description)) }
  /// The first case.
  public static func _intentDefault() async -> Self? { allCases.first }
}
