import FoundationAdditions

/// A sentence with the parameters of an intent in it.
///
/// Source: AppIntents.
public protocol ParameterSummary: Sendable {}

/// One way to say the parameters of an intent, as a manifest's combination has it.
package struct SummaryForm: Hashable, Sendable {
  /// A word, or a parameter by its name.
  package enum Part: Hashable, Sendable {
    case words(String)
    case parameter(String)
  }
  /// The sentence.
  package var parts: [Part]
  /// Parameters below the sentence.
  package var others: [String]

  /// All parameters, each once, in the order of their appearance.
  package var parameters: [String] {
    var names: [String] = []
    for part in parts {
      if case .parameter(let name) = part, !names.contains(name) { names.append(name) }
    }
    for name in others where !names.contains(name) { names.append(name) }
    return names
  }

  /// The sentence as a title of a combination: `Show ${city}`.
  package var title: String {
    parts.map { part in
      switch part {
      case .words(let words): words
      case .parameter(let name): "${\(name)}"
      }
    }.joined()
  }
}

/// A summary that knows its forms.
package protocol DescribingSummary {
  var forms: [SummaryForm] { get }
}

/// No sentence.
public struct EmptyParameterSummary: ParameterSummary {
  /// Makes it.
  public init() {}
}

/// A sentence, and parameters below it.
public struct IntentParameterSummary<Intent: AppIntent>: ParameterSummary, DescribingSummary {
  package let forms: [SummaryForm]

  /// A sentence.
  public init(_ summary: ParameterSummaryString<Intent>, table: String? = nil) {
    forms = [SummaryForm(parts: summary.parts, others: [])]
  }
  /// A sentence, and parameters below it.
  public init(
    _ summary: ParameterSummaryString<Intent>, table: String? = nil,
    @ParameterKeyPathsBuilder<Intent> _ otherParameters: () -> [ParameterKeyPath<Intent>]
  ) {
    forms = [SummaryForm(parts: summary.parts, others: otherParameters().compactMap(\.name))]
  }
  /// Parameters without a sentence.
  public init(
    @ParameterKeyPathsBuilder<Intent> _ parameters: () -> [ParameterKeyPath<Intent>]
  ) {
    forms = [SummaryForm(parts: [], others: parameters().compactMap(\.name))]
  }
  /// No sentence.
  public init() { forms = [] }
}

/// A parameter in a list of parameters.
public struct ParameterKeyPath<Intent: AppIntent>: Sendable {
  /// The name; `nil`: the path leads to none.
  package let name: String?
}

/// Builds a list of parameters.
@resultBuilder
public enum ParameterKeyPathsBuilder<Intent: AppIntent> {
  /// Takes a parameter.
  public static func buildExpression<Value: _IntentValue>(
    _ path: KeyPath<Intent, IntentParameter<Value>>
  ) -> ParameterKeyPath<Intent> { ParameterKeyPath(name: Intent.name(of: path)) }
  /// Takes parameters together.
  public static func buildBlock(
    _ parameters: ParameterKeyPath<Intent>...
  ) -> [ParameterKeyPath<Intent>] { parameters }
}

/// The words of a summary: `"Show \(\.$city)"`.
public struct ParameterSummaryString<Intent: AppIntent>: ExpressibleByStringInterpolation, Sendable
{
  package let parts: [SummaryForm.Part]

  /// Words without parameters.
  public init(stringLiteral value: String) { parts = [.words(value)] }
  /// Words with parameters.
  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// Collects words and parameters.
  public struct StringInterpolation: StringInterpolationProtocol {
    var parts: [SummaryForm.Part] = []

    /// Begins without any.
    public init(literalCapacity: Int, interpolationCount: Int) {}
    /// Adds words.
    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.words(literal)) }
    }
    /// Adds a parameter.
    public mutating func appendInterpolation<Value: _IntentValue>(
      _ path: KeyPath<Intent, IntentParameter<Value>>
    ) {
      if let name = Intent.name(of: path) { parts.append(.parameter(name)) }
    }
  }
}

/// Builds the summary of an intent.
@resultBuilder
public enum ParameterSummaryBuilder<Intent: AppIntent> {
  /// Takes a summary as it is.
  public static func buildExpression<S: ParameterSummary>(_ summary: S) -> S { summary }
  /// Takes a summary as it is.
  public static func buildBlock<S: ParameterSummary>(_ summary: S) -> S { summary }
  /// No summary.
  public static func buildBlock() -> EmptyParameterSummary { EmptyParameterSummary() }
  /// Takes the summaries of the cases of a switch.
  public static func buildBlock<each S: ParameterSummary>(
    _ summaries: repeat each S
  ) -> ParameterSummaryGroup {
    var forms: [SummaryForm] = []
    for summary in repeat each summaries {
      forms += (summary as? any DescribingSummary)?.forms ?? []
    }
    return ParameterSummaryGroup(forms: forms)
  }
}

/// Several summaries.
public struct ParameterSummaryGroup: ParameterSummary, DescribingSummary {
  package let forms: [SummaryForm]
}

/// How a value is compared.
public enum ComparableComparisonOperator: Hashable, Sendable {
  case equalTo, notEqualTo, lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo
}
/// How a value is compared.
public enum EquatableComparisonOperator: Hashable, Sendable { case equalTo, notEqualTo }
/// How a value is compared with several.
public enum ParameterSummaryOneOfOperator: Hashable, Sendable { case oneOf }
/// Whether there is a value.
public enum HasValueComparisonOperator: Hashable, Sendable { case hasAnyValue, hasNoValue }

/// A sentence that depends on a parameter; both its forms count.
public struct ParameterSummaryWhenCondition<Intent: AppIntent>: ParameterSummary, DescribingSummary
{
  package let forms: [SummaryForm]

  private init(_ summaries: [any ParameterSummary]) {
    forms = summaries.flatMap { ($0 as? any DescribingSummary)?.forms ?? [] }
  }

  /// One sentence where the parameter has the value, and another where not.
  public init<Value: _IntentValue>(
    _ path: KeyPath<Intent, IntentParameter<Value>>, _ comparison: ComparableComparisonOperator,
    _ value: Value.UnwrappedType,
    @ParameterSummaryBuilder<Intent> _ then: () -> some ParameterSummary,
    @ParameterSummaryBuilder<Intent> otherwise: () -> some ParameterSummary
  ) { self.init([then(), otherwise()]) }
  /// A sentence where the parameter has the value.
  public init<Value: _IntentValue>(
    _ path: KeyPath<Intent, IntentParameter<Value>>, _ comparison: ComparableComparisonOperator,
    _ value: Value.UnwrappedType,
    @ParameterSummaryBuilder<Intent> _ then: () -> some ParameterSummary
  ) { self.init([then()]) }
  /// One sentence where the parameter has one of the values, and another where not.
  public init<Value: _IntentValue>(
    _ path: KeyPath<Intent, IntentParameter<Value>>, _ comparison: ParameterSummaryOneOfOperator,
    _ values: [Value.UnwrappedType],
    @ParameterSummaryBuilder<Intent> _ then: () -> some ParameterSummary,
    @ParameterSummaryBuilder<Intent> otherwise: () -> some ParameterSummary
  ) { self.init([then(), otherwise()]) }
  /// One sentence where the parameter has any value, and another where not.
  public init<Value: _IntentValue>(
    _ path: KeyPath<Intent, IntentParameter<Value>>, _ comparison: HasValueComparisonOperator,
    @ParameterSummaryBuilder<Intent> _ then: () -> some ParameterSummary,
    @ParameterSummaryBuilder<Intent> otherwise: () -> some ParameterSummary
  ) { self.init([then(), otherwise()]) }
  /// One sentence for a size of the widget, and another for the others.
  public init(
    widgetFamily comparison: EquatableComparisonOperator, _ family: IntentWidgetFamily,
    @ParameterSummaryBuilder<Intent> _ then: () -> some ParameterSummary,
    @ParameterSummaryBuilder<Intent> otherwise: () -> some ParameterSummary
  ) { self.init([then(), otherwise()]) }
  /// One sentence for some sizes of the widget, and another for the others.
  public init(
    widgetFamily comparison: ParameterSummaryOneOfOperator, _ families: [IntentWidgetFamily],
    @ParameterSummaryBuilder<Intent> _ then: () -> some ParameterSummary,
    @ParameterSummaryBuilder<Intent> otherwise: () -> some ParameterSummary
  ) { self.init([then(), otherwise()]) }
}

/// Sentences for the values of a parameter; all of them count.
public struct ParameterSummarySwitchCondition<Intent: AppIntent>: ParameterSummary,
  DescribingSummary
{
  package let forms: [SummaryForm]

  /// Sentences for the values of a parameter.
  public init<Value: _IntentValue>(
    _ path: KeyPath<Intent, IntentParameter<Value>>,
    @ParameterSummaryCaseBuilder<Intent, Value.UnwrappedType> _ cases: () -> ParameterSummaryGroup
  ) { forms = cases().forms }
  /// Sentences for the sizes of the widget.
  public init(
    _ family: ParameterSummaryWidgetFamily,
    @ParameterSummaryCaseBuilder<Intent, IntentWidgetFamily> _ cases: () -> ParameterSummaryGroup
  ) { forms = cases().forms }
}

/// The size of the widget, in a `Switch`.
public enum ParameterSummaryWidgetFamily: Sendable { case widgetFamily }

/// A sentence for one value.
public struct ParameterSummaryCaseCondition<Intent: AppIntent, Value>: ParameterSummary,
  DescribingSummary
{
  package let forms: [SummaryForm]

  /// A sentence for a value.
  public init(
    _ value: Value, @ParameterSummaryBuilder<Intent> _ summary: () -> some ParameterSummary
  ) { forms = (summary() as? any DescribingSummary)?.forms ?? [] }
}

/// A sentence for every other value.
public struct ParameterSummaryDefaultCaseCondition<Intent: AppIntent>: ParameterSummary,
  DescribingSummary
{
  package let forms: [SummaryForm]

  /// A sentence.
  public init(@ParameterSummaryBuilder<Intent> _ summary: () -> some ParameterSummary) {
    forms = (summary() as? any DescribingSummary)?.forms ?? []
  }
}

/// Builds the cases of a `Switch`.
@resultBuilder
public enum ParameterSummaryCaseBuilder<Intent: AppIntent, Value> {
  /// Takes a case, whose value is of the parameter's type.
  public static func buildExpression(
    _ condition: ParameterSummaryCaseCondition<Intent, Value>
  ) -> any ParameterSummary { condition }
  /// Takes any other sentence.
  public static func buildExpression(_ summary: some ParameterSummary) -> any ParameterSummary {
    summary
  }
  /// Takes the cases together.
  public static func buildBlock(
    _ cases: any ParameterSummary...
  ) -> ParameterSummaryGroup {
    ParameterSummaryGroup(forms: cases.flatMap { ($0 as? any DescribingSummary)?.forms ?? [] })
  }
}

extension AppIntent {
  /// The ways to say its parameters.
  package static var summaryForms: [SummaryForm] {
    (parameterSummary as? any DescribingSummary)?.forms ?? []
  }
}
