public import FoundationAdditions

// Each protocol has the attribute of `AppIntent`: a type that names one of these conforms to
// `AppIntent` only through it.

/// An intent of the system's own forms.
@_alwaysEmitConformanceMetadata
public protocol SystemIntent: AppIntent {}

extension SystemIntent {
  /// Such an intent needs no title of its own.
  public static var title: LocalizedStringResource {
    LocalizedStringResource(stringLiteral: persistentIdentifier)
  }
}

/// The configuration of a widget.
@_alwaysEmitConformanceMetadata
public protocol WidgetConfigurationIntent: SystemIntent {}

extension WidgetConfigurationIntent {
  /// Does nothing: a configuration has only parameters.
  public func perform() async throws -> some IntentResult { .result() }
}

/// The configuration of a control.
@_alwaysEmitConformanceMetadata
public protocol ControlConfigurationIntent: SystemIntent {}

extension ControlConfigurationIntent {
  /// Does nothing: a configuration has only parameters.
  public func perform() async throws -> some IntentResult { .result() }
}

/// An intent that sets a value: the act of a toggle.
@_alwaysEmitConformanceMetadata
public protocol SetValueIntent: SystemIntent {
  /// The type of the value.
  associatedtype ValueType: _IntentValue
  /// The value to set.
  var value: ValueType { get set }
}

/// An intent that opens something in the app.
@_alwaysEmitConformanceMetadata
public protocol OpenIntent: SystemIntent {
  /// The type of what is opened.
  associatedtype Value: _IntentValue
  /// The entity to open.
  var target: Value { get set }
}

extension OpenIntent {
  /// The app comes to the front.
  public static var openAppWhenRun: Bool { true }
}

/// An intent that shows something within the app.
@_alwaysEmitConformanceMetadata
public protocol ShowInAppSearchResultsIntent: SystemIntent {}

/// An intent that deletes entities.
@_alwaysEmitConformanceMetadata
public protocol DeleteIntent: SystemIntent {}

/// An intent that takes the place of an older one.
@_alwaysEmitConformanceMetadata
public protocol CustomIntentMigratedAppIntent: AppIntent {
  /// The class of the older intent.
  static var intentClassName: String { get }
}

/// An intent that is offered no more.
@_alwaysEmitConformanceMetadata
public protocol DeprecatedAppIntent: AppIntent {}

/// An intent that may bring the app to the front.
@_alwaysEmitConformanceMetadata
public protocol ForegroundContinuableIntent: AppIntent {}

/// An intent that changes a Live Activity.
@_alwaysEmitConformanceMetadata
public protocol LiveActivityIntent: SystemIntent {}

/// An intent that starts a Live Activity.
@_alwaysEmitConformanceMetadata
public protocol LiveActivityStartingIntent: AppIntent {}

/// An intent that plays sound.
@_alwaysEmitConformanceMetadata
public protocol AudioPlaybackIntent: SystemIntent {}

/// An intent that starts to play sound.
@_alwaysEmitConformanceMetadata
public protocol AudioStartingIntent: AppIntent {}

/// An intent that records sound.
@_alwaysEmitConformanceMetadata
public protocol AudioRecordingIntent: SystemIntent {}

/// An intent that takes pictures.
@_alwaysEmitConformanceMetadata
public protocol CameraCaptureIntent: SystemIntent {}

/// An intent that says how far it is.
@_alwaysEmitConformanceMetadata
public protocol ProgressReportingIntent: AppIntent {}

extension ProgressReportingIntent {
  /// How far it is.
  public var progress: Progress { Progress(totalUnitCount: 1) }
}

/// An intent that the system may suggest.
@_alwaysEmitConformanceMetadata
public protocol PredictableIntent: AppIntent {
  /// The words of a suggestion.
  associatedtype PredictionConfiguration: IntentPredictionConfiguration
  /// The words of a suggestion.
  @IntentPredictionsBuilder<Self>
  static var predictionConfiguration: PredictionConfiguration { get }
}

extension PredictableIntent {
  /// The words of a suggestion, by the values of parameters.
  public typealias Prediction = IntentPrediction<Self>
}

/// The words of a suggestion.
public protocol IntentPredictionConfiguration: Sendable {}

/// The words of a suggestion; recorded nowhere.
public struct IntentPrediction<Intent: AppIntent>: IntentPredictionConfiguration {
  /// Words for an intent without parameters.
  public init(displayRepresentation: () -> DisplayRepresentation) {}
  /// Words for the values of parameters.
  public init<each Value: _IntentValue>(
    parameters: (repeat KeyPath<Intent, IntentParameter<each Value>>),
    displayRepresentation: @escaping (repeat each Value) -> DisplayRepresentation
  ) {}
}

/// Several predictions.
public struct IntentPredictionGroup: IntentPredictionConfiguration {}

/// Builds the predictions of an intent.
@resultBuilder
public enum IntentPredictionsBuilder<Intent: AppIntent> {
  /// Takes a prediction.
  public static func buildExpression(
    _ prediction: IntentPrediction<Intent>
  ) -> any IntentPredictionConfiguration { prediction }
  /// Takes predictions together.
  public static func buildBlock(
    _ predictions: any IntentPredictionConfiguration...
  ) -> IntentPredictionGroup { IntentPredictionGroup() }
}

/// Opens a URL.
public struct OpenURLIntent: AppIntent {
  /// The name for people.
  public static var title: LocalizedStringResource { "Open" }
  /// The URL to open.
  @Parameter(title: "URL") public var url: URL

  /// Makes it without a URL.
  public init() {}

  /// Opens `url`.
  public init(_ url: URL) { self.url = url }

  /// Answers the URL, which the daemon opens.
  public func perform() async throws -> some IntentResult { .result(opensIntent: self) }
}
