import FoundationAdditions
package import JSON

/// The answer of an intent.
///
/// Source: AppIntents.
public protocol IntentResult: Sendable {
  /// The type of the value.
  associatedtype Value = Never
  /// The value.
  var value: Value? { get }
}

/// A result with a value.
public protocol ReturnsValue<Value>: IntentResult {}
/// A result with words.
public protocol ProvidesDialog: IntentResult {}
/// A result with an intent that opens something.
public protocol OpensIntent: IntentResult {}
/// A result with a view.
public protocol ShowsSnippetView: IntentResult {}

extension Never: IntentResult {
  /// There is none.
  public var value: Never? { nil }
}

/// The result that `.result(…)` makes; a constant, which one thread makes and another reads.
public struct IntentResultContainer<Value, Opened, Snippet, Dialog>: IntentResult,
  @unchecked Sendable
{
  /// The value.
  public let value: Value?
  package let opened: (any AppIntent)?
  package let dialog: IntentDialog?

  package init(
    value: Value? = nil, opened: (any AppIntent)? = nil, dialog: IntentDialog? = nil
  ) {
    self.value = value
    self.opened = opened
    self.dialog = dialog
  }
}

extension IntentResultContainer where Snippet == SnippetPlace {
  /// Makes a result whose view nothing shows.
  package static func snippet(value: Value? = nil, dialog: IntentDialog? = nil) -> Self {
    Self(value: value, dialog: dialog)
  }
}

extension IntentResultContainer: ReturnsValue where Value: _IntentValue {}
extension IntentResultContainer: ProvidesDialog where Dialog == IntentDialog {}
extension IntentResultContainer: OpensIntent where Opened: AppIntent {}
extension IntentResultContainer: ShowsSnippetView where Snippet == SnippetPlace {}

/// Stands for the view of a result; nothing shows it.
public struct SnippetPlace: Sendable {}

extension IntentResult {
  /// Answers nothing.
  public static func result() -> Self
  where Self == IntentResultContainer<Never, Never, Never, Never> { Self() }
  /// Answers words.
  public static func result(dialog: IntentDialog) -> Self
  where Self == IntentResultContainer<Never, Never, Never, IntentDialog> { Self(dialog: dialog) }
  /// Answers a value.
  public static func result<V: _IntentValue>(value: V) -> Self
  where Self == IntentResultContainer<V, Never, Never, Never> { Self(value: value) }
  /// Answers a value and words.
  public static func result<V: _IntentValue>(value: V, dialog: IntentDialog) -> Self
  where Self == IntentResultContainer<V, Never, Never, IntentDialog> {
    Self(value: value, dialog: dialog)
  }
  /// Opens something.
  public static func result<I: AppIntent>(opensIntent: I) -> Self
  where Self == IntentResultContainer<Never, I, Never, Never> { Self(opened: opensIntent) }
  /// Opens something, with words.
  public static func result<I: AppIntent>(opensIntent: I, dialog: IntentDialog) -> Self
  where Self == IntentResultContainer<Never, I, Never, IntentDialog> {
    Self(opened: opensIntent, dialog: dialog)
  }
  /// Answers a value and opens something.
  public static func result<V: _IntentValue, I: AppIntent>(value: V, opensIntent: I) -> Self
  where Self == IntentResultContainer<V, I, Never, Never> {
    Self(value: value, opened: opensIntent)
  }
  /// Answers a value, with words, and opens something.
  public static func result<V: _IntentValue, I: AppIntent>(
    value: V, opensIntent: I, dialog: IntentDialog
  ) -> Self where Self == IntentResultContainer<V, I, Never, IntentDialog> {
    Self(value: value, opened: opensIntent, dialog: dialog)
  }
}

// MARK: The answer of the wire

/// A result of any type.
private protocol AnsweringResult {
  var answer: JSONObject { get }
}

extension IntentResultContainer: AnsweringResult {
  fileprivate var answer: JSONObject {
    var members = JSONObject()
    if let dialog { members["dialog"] = .string(dialog.text) }
    if let value = value as? any _IntentValue { members["value"] = value._intentArgument.json }
    if let opened = opened as? OpenURLIntent {
      members["url"] = .string(opened.url.absoluteString)
    } else if let opened {
      members["intent"] = .object(IntentCall(opened).json)
    }
    return members
  }
}

extension IntentResult {
  /// The answer to `provider.perform`: `{"dialog"?, "value"?, "url"?, "intent"?}`.
  package var performAnswer: JSONObject { (self as? any AnsweringResult)?.answer ?? [:] }
}

/// An intent with its values, as the wire names it.
package struct IntentCall: Hashable, Sendable {
  package var name: String
  package var parameters: JSONObject

  package init(name: String, parameters: JSONObject) {
    self.name = name
    self.parameters = parameters
  }

  /// Takes the values that `intent` has.
  package init(_ intent: some AppIntent) {
    name = type(of: intent).persistentIdentifier
    parameters = [:]
    for (name, parameter) in intent.parameters {
      if let value = parameter.argument, !value.isNull { parameters[name] = value }
    }
  }

  /// The form of the wire.
  package var json: JSONObject {
    ["name": .string(name), "parameters": .object(parameters)]
  }
}
