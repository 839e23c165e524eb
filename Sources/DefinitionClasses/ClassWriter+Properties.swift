// The Swift of a property: its type, its first value, and how it is read and written.

extension DefinedTypes.Property {
  /// Whether a value is always there, as for an enumeration, which has a case for no value.
  private var isAlwaysSet: Bool {
    guard case .enumeration = type else { return false }
    return !isArray
  }

  var swiftType: String { isAlwaysSet ? requiredType : requiredType + "?" }

  /// The type of a value that is there.
  var requiredType: String {
    // Objective-C has arrays of objects alone.
    isArray ? "[\(type.objectType)]" : type.swiftType
  }

  /// The text after the type: the value before one is set.
  var initialValue: String {
    switch standard {
    case .text(let text): return " = \(literal(text))"
    case .whole(let number): return " = NSNumber(value: \(number))"
    case .decimal(let number): return " = NSNumber(value: \(number))"
    case .truth(let truth): return " = NSNumber(value: \(truth))"
    case .enumerationCase(let name): return " = .\(marked(name))"
    case nil: break
    }
    guard isAlwaysSet else { return "" }
    // The first case of the enumeration, which is `unknown` in almost all.
    return " = \(type.swiftType)._cases[0].value"
  }

  /// The expression that makes a value of the wire.
  var written: String {
    let name = "self.\(marked(self.name))"
    if isArray {
      switch type {
      case .text, .date, .url, .object: return "\(name)?._written"
      case .whole, .decimal, .interval:
        return "\(name).map { .list($0.map { INIntent.Value._number($0) }) }"
      case .truth: return "\(name).map { .list($0.map { .boolean($0.boolValue) }) }"
      case .enumeration(let type):
        return "\(name).map { .list($0.compactMap { \(type)(rawValue: $0.intValue)?._written }) }"
      }
    }
    switch type {
    case .text, .date, .url, .object: return "\(name)?._written"
    case .whole, .decimal, .interval: return "\(name).map { INIntent.Value._number($0) }"
    case .truth: return "\(name).map { INIntent.Value.boolean($0.boolValue) }"
    case .enumeration: return "\(name)._written"
    }
  }

  /// The expression that takes `value`, and is false for a value of another type.
  var stored: String {
    let place = "in: &self.\(marked(name))"
    let read: String
    switch (type, isArray) {
    // Its type is inferred: a parameter may have the name of its type, and hides it in the class.
    case (.text, _), (.date, _), (.url, _), (.object, _):
      return "INIntent.Value._take(value, \(place))"
    case (.enumeration, false): return "INIntent.Value._takeCase(value, \(place))"
    case (.enumeration(let type), true):
      read = "value._list { \(type)._read($0).map { NSNumber(value: $0.rawValue) } }"
    case (.whole, false): read = "value._whole"
    case (.whole, true): read = "value._list { $0._whole }"
    case (.decimal, false), (.interval, false): read = "value._decimal"
    case (.decimal, true), (.interval, true): read = "value._list { $0._decimal }"
    case (.truth, false): read = "value._truth"
    case (.truth, true): read = "value._list { $0._truth }"
    }
    return "INIntent.Value._store(\(read), \(place))"
  }

  /// Whether the property has a result of resolution of its own.
  var hasOwnResult: Bool { isResolved && !reasons.isEmpty }
}

extension DefinedTypes.ValueType {
  var swiftType: String {
    switch self {
    case .text: "String"
    case .whole, .decimal, .truth, .interval: "NSNumber"
    case .date: "DateComponents"
    case .url: "URL"
    case .enumeration(let name), .object(let name): name
    }
  }

  /// The type of an element of an array.
  var objectType: String {
    if case .enumeration = self { return "NSNumber" }
    return swiftType
  }

  /// The class of an option, which a collection of objects can have.
  var optionType: String {
    switch self {
    case .text: "NSString"
    case .whole, .decimal, .truth, .interval, .enumeration: "NSNumber"
    case .date: "NSDateComponents"
    case .url: "NSURL"
    case .object(let name): name
    }
  }

  /// The class of the result of resolution.
  var resultType: String {
    switch self {
    case .text: "INStringResolutionResult"
    case .whole: "INIntegerResolutionResult"
    case .decimal: "INDoubleResolutionResult"
    case .truth: "INBooleanResolutionResult"
    case .interval: "INTimeIntervalResolutionResult"
    case .date: "INDateComponentsResolutionResult"
    case .url: "INURLResolutionResult"
    case .enumeration(let name), .object(let name): "\(name)ResolutionResult"
    }
  }
}
