import JSON

/// A widget that the person has placed.
///
/// Source: WidgetKit; `identifier` is an addition. Nothing here changes it, so threads may share it.
public struct WidgetInfo: Identifiable, Hashable, @unchecked Sendable, CustomDebugStringConvertible
{
  /// The intent that the person configured it with; `nil` for a widget without configuration.
  public let configuration: INIntent?
  /// The size and place that the person chose.
  public let family: WidgetFamily
  /// The widget's kind, as in the `kind` of its manifest.
  public let kind: String
  /// The daemon's id of this widget, as `intent-send widgets` lists it.
  ///
  /// (Not on iOS, where two widgets configured alike cannot be told apart.)
  public let identifier: String

  /// The value itself, as on iOS.
  public var id: WidgetInfo { self }

  /// Returns the configuration as the app intent `type`; `nil`: it is none of it.
  ///
  /// A value that its entity's query has to find is missing: a query takes time.
  public func widgetConfigurationIntent<Intent: WidgetConfigurationIntent>(
    of type: Intent.Type = Intent.self
  ) -> Intent? {
    guard let configuration, configuration._name == type.persistentIdentifier else { return nil }
    let intent = type.init()
    for (name, parameter) in intent.parameters {
      if let value = configuration._parameters[name] { parameter.setPlainly(value.json) }
    }
    return intent
  }

  /// All members on one line.
  public var debugDescription: String {
    let intent = configuration.map { ", configuration: \($0)" } ?? ""
    return "WidgetInfo(kind: \(kind), family: \(family), identifier: \(identifier)\(intent))"
  }

  package init(
    kind: String, family: WidgetFamily, configuration: INIntent?, identifier: String
  ) {
    self.kind = kind
    self.family = family
    self.configuration = configuration
    self.identifier = identifier
  }

  /// Reads a `widget` of the wire.
  ///
  /// `nil` for a suggestion, which nobody placed, and for a family that this version does not know.
  init?(_ json: JSONValue) {
    guard json["suggestion"]?.boolValue != true, let kind = json["kind"]?.stringValue,
      let identifier = json["id"]?.stringValue,
      let family = json["family"]?.stringValue.flatMap(WidgetFamily.init(name:))
    else { return nil }
    self.init(
      kind: kind, family: family, configuration: json["intent"].flatMap { INIntent.typed($0) },
      identifier: identifier)
  }
}
