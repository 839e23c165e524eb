public import FoundationAdditions
import JSON

// The types of Foundation and of the language that a parameter may have. Without any value a
// parameter that is not optional has the empty one, because a widget is drawn all the same.

extension String: _IntentValue {
  /// A text.
  public static var _intentType: _IntentType { _IntentType(.string) }
  /// Reads a text; of an object its identifier.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> String? {
    argument.json.stringValue ?? argument.json["identifier"]?.stringValue
      ?? argument.json["name"]?.stringValue
  }
  /// The text.
  public var _intentArgument: _IntentArgument { _IntentArgument(.string(self)) }
  /// An empty text.
  public static func _intentDefault() async -> String? { "" }
}

extension Int: _IntentValue {
  /// A whole number.
  public static var _intentType: _IntentType { _IntentType(.integer) }
  /// Reads a whole number.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> Int? {
    argument.json.intValue.flatMap { Int(exactly: $0) }
      ?? argument.json.doubleValue.flatMap { Int(exactly: $0) }
  }
  /// The number.
  public var _intentArgument: _IntentArgument { _IntentArgument(.int(Int64(self))) }
  /// Zero.
  public static func _intentDefault() async -> Int? { 0 }
}

extension Double: _IntentValue {
  /// A number.
  public static var _intentType: _IntentType { _IntentType(.decimal) }
  /// Reads a number.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> Double? {
    argument.json.doubleValue
  }
  /// The number.
  public var _intentArgument: _IntentArgument { _IntentArgument(.double(self)) }
  /// Zero.
  public static func _intentDefault() async -> Double? { 0 }
}

extension Bool: _IntentValue {
  /// Yes or no.
  public static var _intentType: _IntentType { _IntentType(.boolean) }
  /// Reads yes or no.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> Bool? {
    argument.json.boolValue
  }
  /// The answer.
  public var _intentArgument: _IntentArgument { _IntentArgument(.bool(self)) }
  /// No.
  public static func _intentDefault() async -> Bool? { false }
}

extension Date: _IntentValue {
  /// A date.
  public static var _intentType: _IntentType { _IntentType(.date) }
  /// Reads a date, a time of today, or both.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> Date? {
    argument.json.stringValue.flatMap { WrittenDate.date(of: $0) }
  }
  /// The date in RFC 3339.
  public var _intentArgument: _IntentArgument {
    _IntentArgument(.string(formatted(.iso8601)))
  }
}

extension DateComponents: _IntentValue {
  /// A date.
  public static var _intentType: _IntentType { _IntentType(.date) }
  /// Reads a date or a time as far as it is written.
  public static func _intentValue(
    reading argument: _IntentArgument
  ) async throws -> DateComponents? {
    argument.json.stringValue.flatMap { WrittenDate.components(of: $0) }
  }
  /// The date in RFC 3339, or nothing for parts that name no moment.
  public var _intentArgument: _IntentArgument {
    let date = (calendar ?? .current).date(from: self)
    return date?._intentArgument ?? _IntentArgument(.null)
  }
}

extension URL: _IntentValue {
  /// A URL.
  public static var _intentType: _IntentType { _IntentType(.url) }
  /// Reads a URL.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> URL? {
    argument.json.stringValue.flatMap { URL(string: $0) }
  }
  /// The URL.
  public var _intentArgument: _IntentArgument { _IntentArgument(.string(absoluteString)) }
}

extension Measurement: _IntentValue where UnitType: Dimension {
  /// A number, in the unit's base.
  public static var _intentType: _IntentType { _IntentType(.decimal) }
  /// Reads a number in the unit's base.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> Self? {
    argument.json.doubleValue.map { Measurement(value: $0, unit: UnitType.baseUnit()) }
  }
  /// The number in the unit's base.
  public var _intentArgument: _IntentArgument {
    _IntentArgument(.double(converted(to: UnitType.baseUnit()).value))
  }
}

/// A file that an intent takes or answers.
public struct IntentFile: Hashable, Sendable, _IntentValue {
  /// The content.
  public var data: Data
  /// The name.
  public var filename: String
  /// The place, if it has one.
  public var fileURL: URL?

  /// Makes a file of its content.
  public init(data: Data, filename: String, type: String? = nil) {
    self.data = data
    self.filename = filename
  }

  /// Makes a file of a place.
  public init(fileURL: URL, filename: String? = nil, type: String? = nil) {
    data = Data()
    self.filename = filename ?? fileURL.lastPathComponent
    self.fileURL = fileURL
  }

  /// A value that no sentence names.
  public static var _intentType: _IntentType { _IntentType(.other) }
  /// Reads the path of a file.
  public static func _plainIntentValue(reading argument: _IntentArgument) -> IntentFile? {
    argument.json.stringValue.map { IntentFile(fileURL: URL(fileURLWithPath: $0)) }
  }
  /// The path.
  public var _intentArgument: _IntentArgument {
    _IntentArgument(fileURL.map { .string($0.path) } ?? .null)
  }
}
