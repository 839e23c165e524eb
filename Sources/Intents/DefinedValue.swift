// What the classes that are generated from a definition file read and write values with. The names
// begin with an underscore, since no program of an author's mentions them.

public import FoundationAdditions

/// A type that a parameter of a definition file can have.
public protocol _DefinedValue {
  /// Reads a value; `nil`: it is none of this type.
  static func _read(_ value: INIntent.Value) -> Self?
  /// The value of the wire.
  var _written: INIntent.Value { get }
}

/// An enumeration of a definition file.
public protocol _DefinedEnumeration: _DefinedValue, RawRepresentable where RawValue == Int {
  /// Its cases by their names in the definition file.
  static var _cases: [(name: String, value: Self)] { get }
}

extension _DefinedEnumeration {
  /// Finds a case by its name, or by its number.
  public static func _read(_ value: INIntent.Value) -> Self? {
    switch value {
    case .string(let name): _cases.first { $0.name == name }?.value
    case .integer(let number): Int(exactly: number).flatMap(Self.init(rawValue:))
    case .number, .boolean, .list, .fields, .none: nil
    }
  }
  /// The name of the case; none for `unknown`, which stands for no value.
  public var _written: INIntent.Value {
    let found = Self._cases.first { $0.value.rawValue == rawValue }
    guard let found, found.name != "unknown" else { return .none }
    return .string(found.name)
  }
}

extension String: _DefinedValue {
  /// Reads a text; of an object its identifier.
  public static func _read(_ value: INIntent.Value) -> String? { value.text }
  /// The text.
  public var _written: INIntent.Value { .string(self) }
}

extension URL: _DefinedValue {
  /// Reads a URL.
  public static func _read(_ value: INIntent.Value) -> URL? {
    value.text.flatMap { URL(string: $0) }
  }
  /// The URL as text.
  public var _written: INIntent.Value { .string(absoluteString) }
}

extension INObject: _DefinedValue {
  /// Makes the object of an identifier, of words and of its properties; a text is both names.
  public static func _read(_ value: INIntent.Value) -> Self? {
    guard let identifier = value.text, !identifier.isEmpty else { return nil }
    guard case .fields(let parts) = value else {
      return Self(identifier: identifier, display: identifier)
    }
    let object = Self(identifier: identifier, display: parts["display"]?.text ?? identifier)
    for (name, part) in parts { _ = object._set(part, for: name) }
    return object
  }
  /// The names, and the properties of the generated class.
  public var _written: INIntent.Value {
    let names: [String: INIntent.Value] = [
      "identifier": .string(identifier ?? displayString), "display": .string(displayString),
    ]
    return .fields(names.merging(_values) { name, _ in name })
  }
}

extension Array: _DefinedValue where Element: _DefinedValue {
  /// Reads a list, all of it; one value is a list of it.
  public static func _read(_ value: INIntent.Value) -> [Element]? {
    let elements = value.elements
    let read = elements.compactMap(Element._read)
    return read.count == elements.count ? read : nil
  }
  /// The list.
  public var _written: INIntent.Value { .list(map(\._written)) }
}

extension INIntent.Value {
  /// A number of an object of `NSNumber`, which knows whether it was made of a truth.
  public static func _number(_ number: NSNumber, isBoolean: Bool = false) -> Self {
    if isBoolean { return .boolean(number.boolValue) }
    guard let whole = Int64(exactly: number.doubleValue) else { return .number(number.doubleValue) }
    return .integer(whole)
  }

  /// A whole number; `nil`: it is none.
  public var _whole: NSNumber? {
    switch self {
    case .integer(let number): NSNumber(value: number)
    case .number(let number): Int64(exactly: number).map { NSNumber(value: $0) }
    case .string, .boolean, .list, .fields, .none: nil
    }
  }
  /// A number of any kind; `nil`: it is none.
  public var _decimal: NSNumber? {
    switch self {
    case .integer(let number): NSNumber(value: number)
    case .number(let number): NSNumber(value: number)
    case .string, .boolean, .list, .fields, .none: nil
    }
  }
  /// A truth; `nil`: it is none.
  public var _truth: NSNumber? {
    switch self {
    case .boolean(let truth): NSNumber(value: truth)
    case .integer(0): NSNumber(value: false)
    case .integer(1): NSNumber(value: true)
    case .string, .integer, .number, .list, .fields, .none: nil
    }
  }
  /// The elements as `read` makes them; `nil`: one of them is none.
  public func _list<Element>(_ read: (Self) -> Element?) -> [Element]? {
    let read = elements.compactMap(read)
    return read.count == elements.count ? read : nil
  }

  /// Stores what was read in a property; `false`: nothing was.
  public static func _store<Value>(_ read: Value?, in property: inout Value?) -> Bool {
    guard let read else { return false }
    property = read
    return true
  }
  /// Reads a value of the property's type and stores it; `false`: it is none.
  public static func _take<Value: _DefinedValue>(
    _ value: Self, in property: inout Value?
  ) -> Bool { _store(Value._read(value), in: &property) }
  /// Likewise, for a property that always has a value.
  public static func _takeCase<Value: _DefinedValue>(
    _ value: Self, in property: inout Value
  ) -> Bool {
    guard let read = Value._read(value) else { return false }
    property = read
    return true
  }

  /// The text; of an object its identifier.
  package var text: String? {
    switch self {
    case .string(let text): text
    case .fields(let parts): parts["identifier"]?.text ?? parts["name"]?.text
    case .integer, .number, .boolean, .list, .none: nil
    }
  }
  /// The elements; one value is a list of it.
  package var elements: [Self] {
    switch self {
    case .list(let values): values
    case .none: []
    case .string, .integer, .number, .boolean, .fields: [self]
    }
  }
}

extension DateComponents: _DefinedValue {
  /// Reads a date, a time of day, or both.
  public static func _read(_ value: INIntent.Value) -> DateComponents? {
    value.text.flatMap { DateComponents(_written: $0) }
  }

  /// Reads `2026-11-21`, `09:30`, or both with a `T` between them; a zone after them is left out.
  private init?(_written text: String) {
    func numbers(_ text: Substring, _ separator: Character) -> [Int]? {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      let numbers = parts.compactMap { part in
        part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil
      }
      return numbers.count == parts.count ? numbers : nil
    }
    var components = DateComponents()
    var time = text[...]
    let date = text.prefix(10)
    if date.contains("-") {
      guard let day = numbers(date, "-"), day.count == 3 else { return nil }
      (components.year, components.month, components.day) = (day[0], day[1], day[2])
      time = text.dropFirst(10)
      guard time.isEmpty || time.first == "T" || time.first == " " else { return nil }
      time = time.dropFirst()
    }
    if !time.isEmpty {
      let clock = time.prefix { $0.isNumber || $0 == ":" }
      guard let parts = numbers(clock, ":"), (2...3).contains(parts.count) else { return nil }
      (components.hour, components.minute) = (parts[0], parts[1])
      if parts.count == 3 { components.second = parts[2] }
    } else if !date.contains("-") {
      return nil
    }
    self = components
  }

  /// The date, the time of day, or both, as they are read.
  public var _written: INIntent.Value {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    var text = ""
    if let year, let month, let day {
      let digits = String(year)
      text = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      text += "-\(two(month))-\(two(day))"
    }
    if let hour {
      text += (text.isEmpty ? "" : "T") + "\(two(hour)):\(two(minute ?? 0))"
      if let second { text += ":\(two(second))" }
    }
    return text.isEmpty ? .none : .string(text)
  }
}
