public import FoundationAdditions
package import JSON
import Synchronization

/// A parameter of an intent: `@Parameter(title: "City") var city: String`.
///
/// Source: AppIntents. As there it is a class: copies of an intent share their values, and
/// `\.$city` names a parameter, which is found by its identity. A lock guards its value.
@propertyWrapper
public final class IntentParameter<Value: _IntentValue>: @unchecked Sendable {
  package let traits: ParameterTraits
  private let defaultValue: Value.UnwrappedType?
  // Its own lock guards it: a provider may read on one thread what an act sets on another.
  private let value: Mutex<Stored>

  private struct Stored: @unchecked Sendable { var value: Value? }

  package init(traits: ParameterTraits, default defaultValue: Value.UnwrappedType?) {
    self.traits = traits
    self.defaultValue = defaultValue
    value = Mutex(Stored(value: defaultValue.flatMap { Self.wrapped($0) }))
  }

  /// The value; a parameter without one that is not optional has none to give.
  public var wrappedValue: Value {
    get {
      if let value = value.withLock({ $0.value }) { return value }
      // Of an optional the missing value is `nil`.
      if let none = Self.noValue { return none }
      fatalError("the parameter '\(label)' has no value")
    }
    set { value.withLock { $0.value = newValue } }
  }

  /// The parameter itself.
  public var projectedValue: IntentParameter<Value> { self }

  /// The name for people.
  public var title: LocalizedStringResource { traits.title ?? "" }
  /// A sentence about it.
  public var description: LocalizedStringResource? { traits.description }

  /// Asks the person for a value; code that runs cannot wait for a person here, so it throws an error
  /// that tells the question, and how to give the value.
  public func requestValue(_ dialog: IntentDialog? = nil) async throws -> Value {
    throw needsValueError(dialog)
  }
  /// Asks the person which is meant; throws as `requestValue` does, with the values.
  public func requestDisambiguation(
    among values: [Value], dialog: IntentDialog? = nil
  ) async throws -> Value {
    let names = values.prefix(Limits.namedValueCountMax).map { Self.words(for: $0) }
    let all = names.joined(separator: ", ") + (values.count > names.count ? ", …" : "")
    throw AppIntentError.question(
      dialog?.text ?? "Which \(label) do you mean?", instead: "give one value of '\(label)': \(all)"
    )
  }
  /// Asks the person for a yes; throws as `requestValue` does.
  @discardableResult
  public func requestConfirmation(
    for value: Value, dialog: IntentDialog? = nil
  ) async throws -> Bool {
    throw AppIntentError.question(
      dialog?.text ?? "\(label): \(Self.words(for: value))?",
      instead: "give the exact value of '\(label)'")
  }
  /// The error that says that a value is missing.
  public func needsValueError(_ dialog: IntentDialog? = nil) -> any Error {
    AppIntentError.question(
      dialog?.text ?? traits.prompt?.text ?? "Which \(label)?", instead: "give '\(label)' with it")
  }

  /// The title, else the name of the type.
  private var label: String {
    traits.title.map { String(localized: $0) } ?? "\(Value.UnwrappedType.self)"
  }

  /// A value in words for a person.
  private static func words(for value: Value) -> String {
    let json = value._intentArgument.json
    return json["display"]?.stringValue ?? json.stringValue ?? json.serialized
  }

  private static func wrapped(_ value: Value.UnwrappedType) -> Value? {
    // `Value` is `UnwrappedType`, or an optional of it: both casts hold.
    value as? Value
  }

  /// The missing value of an optional type; `nil` for any other.
  fileprivate static var noValue: Value? {
    (Value.self as? any AbsentValue.Type)?.absent as? Value
  }
}

/// A type that has a value which is none.
private protocol AbsentValue {
  static var absent: Self { get }
}

extension Optional: AbsentValue {
  fileprivate static var absent: Wrapped? { nil }
}

extension IntentParameter {
  /// Makes a parameter.
  public convenience init(
    title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
    default defaultValue: Value.UnwrappedType? = nil, requestValueDialog: IntentDialog? = nil,
    requestDisambiguationDialog: IntentDialog? = nil,
    inputConnectionBehavior: InputConnectionBehavior = .default
  ) {
    self.init(
      traits: ParameterTraits(
        title: title, description: description, prompt: requestValueDialog,
        disambiguation: requestDisambiguationDialog),
      default: defaultValue)
  }

  /// Makes a parameter for text.
  public convenience init(
    title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
    default defaultValue: String? = nil, inputOptions: String.IntentInputOptions,
    requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
    inputConnectionBehavior: InputConnectionBehavior = .default
  ) where Value.UnwrappedType == String {
    self.init(
      traits: ParameterTraits(title: title, description: description, prompt: requestValueDialog),
      default: defaultValue)
  }

  /// Makes a parameter for a whole number.
  public convenience init(
    title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
    default defaultValue: Int? = nil, controlStyle: IntentControlStyle = .field,
    inclusiveRange: (lowerBound: Int, upperBound: Int)? = nil,
    requestValueDialog: IntentDialog? = nil,
    inputConnectionBehavior: InputConnectionBehavior = .default
  ) where Value.UnwrappedType == Int {
    self.init(
      traits: ParameterTraits(
        title: title, description: description, prompt: requestValueDialog,
        range: inclusiveRange.map { Double($0.lowerBound)...Double($0.upperBound) }),
      default: defaultValue)
  }

  /// Makes a parameter for a number.
  public convenience init(
    title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
    default defaultValue: Double? = nil, controlStyle: IntentControlStyle = .field,
    inclusiveRange: (lowerBound: Double, upperBound: Double)? = nil,
    requestValueDialog: IntentDialog? = nil,
    inputConnectionBehavior: InputConnectionBehavior = .default
  ) where Value.UnwrappedType == Double {
    self.init(
      traits: ParameterTraits(
        title: title, description: description, prompt: requestValueDialog,
        range: inclusiveRange.map { $0.lowerBound...$0.upperBound }),
      default: defaultValue)
  }

  /// Makes a parameter for yes or no.
  public convenience init(
    title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
    default defaultValue: Bool? = nil, displayName: Bool.IntentDisplayName,
    requestValueDialog: IntentDialog? = nil,
    inputConnectionBehavior: InputConnectionBehavior = .default
  ) where Value.UnwrappedType == Bool {
    self.init(
      traits: ParameterTraits(title: title, description: description, prompt: requestValueDialog),
      default: defaultValue)
  }

  /// Makes a parameter for a date.
  public convenience init(
    title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
    default defaultValue: Date? = nil, kind: Date.IntentKind,
    requestValueDialog: IntentDialog? = nil,
    inputConnectionBehavior: InputConnectionBehavior = .default
  ) where Value.UnwrappedType == Date {
    self.init(
      traits: ParameterTraits(title: title, description: description, prompt: requestValueDialog),
      default: defaultValue)
  }

  /// Makes a parameter for files.
  public convenience init(
    title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
    supportedTypeIdentifiers: [String], requestValueDialog: IntentDialog? = nil,
    inputConnectionBehavior: InputConnectionBehavior = .default
  ) {
    self.init(
      traits: ParameterTraits(title: title, description: description, prompt: requestValueDialog),
      default: nil)
  }

  /// Makes a parameter for several values.
  public convenience init<Element>(
    title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
    default defaultValue: [Element]? = nil, size: IntentCollectionSize,
    requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
    inputConnectionBehavior: InputConnectionBehavior = .default
  ) where Value.UnwrappedType == [Element] {
    self.init(
      traits: ParameterTraits(
        title: title, description: description, prompt: requestValueDialog, size: size),
      default: defaultValue)
  }

  /// Makes a parameter whose values the app offers.
  public convenience init<Provider: DynamicOptionsProvider>(
    title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
    default defaultValue: Value.UnwrappedType? = nil, size: IntentCollectionSize? = nil,
    requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
    inputConnectionBehavior: InputConnectionBehavior = .default, optionsProvider: Provider
  ) {
    self.init(
      traits: ParameterTraits(
        title: title, description: description, prompt: requestValueDialog, size: size,
        options: OptionsSource(optionsProvider)),
      default: defaultValue)
  }

  /// Makes a parameter whose entities a query finds.
  public convenience init<Query: EntityQuery>(
    title: LocalizedStringResource? = nil, description: LocalizedStringResource? = nil,
    default defaultValue: Value.UnwrappedType? = nil, size: IntentCollectionSize? = nil,
    requestValueDialog: IntentDialog? = nil, requestDisambiguationDialog: IntentDialog? = nil,
    inputConnectionBehavior: InputConnectionBehavior = .default, query: Query
  ) {
    self.init(
      traits: ParameterTraits(
        title: title, description: description, prompt: requestValueDialog, size: size,
        options: OptionsSource(query: query)),
      default: defaultValue)
  }
}

/// The facts of a parameter beside its value.
package struct ParameterTraits: Sendable {
  package var title: LocalizedStringResource?
  package var description: LocalizedStringResource?
  package var prompt: IntentDialog?
  package var disambiguation: IntentDialog?
  /// Of a number.
  package var range: ClosedRange<Double>?
  /// Of a list, by families.
  package var size: IntentCollectionSize?
  /// Where the values come from; `nil`: of an entity its query, of anything else nowhere.
  package var options: OptionsSource?
}

// MARK: What the runtime does with a parameter

/// A parameter of any type.
package protocol AnyIntentParameter: AnyObject, Sendable {
  var traits: ParameterTraits { get }
  var type: _IntentType { get }
  var isOptional: Bool { get }
  /// The value, or the default; `nil`: there is none.
  var argument: JSONValue? { get }
  /// Where the values come from that a person may choose; `nil`: nobody offers any.
  var optionsSource: OptionsSource? { get }

  /// Takes a value of the daemon; `false`: it is none of the type, and the parameter stays.
  func set(_ json: JSONValue) async throws -> Bool
  /// Takes a value of the daemon that needs no query; any other leaves the parameter as it is.
  func setPlainly(_ json: JSONValue)
  /// Whether there is a value, if only `nil` of an optional type.
  var hasValue: Bool { get }
  /// Gives a parameter without a value the one that its query or its options provider names.
  func fillFromOptions() async
  /// Gives a parameter without a value that one, else the one that its type has of itself.
  func fill() async
}

extension IntentParameter: AnyIntentParameter {
  package var type: _IntentType { Value._intentType }
  package var isOptional: Bool { Self.noValue != nil }
  package var argument: JSONValue? { value.withLock { $0.value?._intentArgument.json } }

  package var optionsSource: OptionsSource? {
    traits.options ?? (Value.UnwrappedType.self as? any OptionsOffering.Type)?.optionsSource
  }

  package func set(_ json: JSONValue) async throws -> Bool {
    guard let read = try await Value._intentValue(reading: _IntentArgument(json)) else {
      return false
    }
    wrappedValue = read
    return true
  }

  package func setPlainly(_ json: JSONValue) {
    if let read = Value._plainIntentValue(reading: _IntentArgument(json)) { wrappedValue = read }
  }

  package var hasValue: Bool { isOptional || value.withLock { $0.value } != nil }

  package func fillFromOptions() async {
    guard value.withLock({ $0.value }) == nil else { return }
    if let made = await optionsSource?.defaultValue() as? Value { wrappedValue = made }
  }

  package func fill() async {
    await fillFromOptions()
    guard value.withLock({ $0.value }) == nil else { return }
    if let made = await Value._intentDefault() { wrappedValue = made }
  }
}

extension AppIntent {
  /// The parameters by their names, in the order of their declaration.
  package var parameters: [(name: String, parameter: any AnyIntentParameter)] {
    Mirror(reflecting: self).children.compactMap { child in
      guard let parameter = child.value as? any AnyIntentParameter,
        // The storage of a wrapped property has its name behind an underscore.
        let label = child.label
      else { return nil }
      return (label.hasPrefix("_") ? String(label.dropFirst()) : label, parameter)
    }
  }

  /// Returns the name of a parameter of this type; `nil`: the path leads to none of its own.
  package static func name<Value: _IntentValue>(
    of path: KeyPath<Self, IntentParameter<Value>>
  ) -> String? {
    let intent = Self()
    let meant = intent[keyPath: path]
    return intent.parameters.first { $0.parameter === meant }?.name
  }
}
