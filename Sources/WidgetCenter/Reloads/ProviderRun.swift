package import Downloads
package import JSON
package import Timekeeping

/// One run of a provider, from start to outcome.
///
/// Unique for the life of the process.
package struct RunToken: Hashable, Comparable, Sendable {
  package var number: UInt64
  package init(_ number: UInt64) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Everything a shell needs to ask a provider for a timeline.
package struct ProviderRun: Hashable, Sendable {
  package var token: RunToken
  package var kind: String
  package var family: WidgetFamily
  package var provider: ProviderDeclaration
  /// The request object as JSON, one line without its newline.
  package var request: [UInt8]
  /// The method of an extension is `provider.` and this.
  package var method: String
  /// For a plugin, in place of the request: why it runs, and with which variables; `nil`: it is
  /// none.
  package var plugin: PluginRequest?

  /// The kind under whose id the program is known: `WidgetKind.bundle`.
  package var bundle: String { provider.bundle ?? kind }

  package init(
    token: RunToken, kind: String, family: WidgetFamily, provider: ProviderDeclaration,
    request: [UInt8], method: String = ProviderRequest.Request.timeline.rawValue
  ) {
    self.method = method
    self.token = token
    self.kind = kind
    self.family = family
    self.provider = provider
    self.request = request
  }
}

/// How a provider failed.
///
/// A failure concerns its own widgets and no others.
package struct ProviderFailure: Error, Hashable, Sendable {
  /// The sort of a failure.
  package enum Reason: Hashable, Sendable {
    /// It ended with a status other than 0.
    case exited(code: Int32)
    case signaled(signal: Int32)
    /// No answer within its manifest's `timeout` (milliseconds).
    case timedOut(after: Int64)
    /// It wrote more than a provider may (bytes).
    case tooMuchOutput(limit: Int)
    /// It reached a limit of its processes.
    case overLimit(ProviderLimit)
    /// The supervisor of runs ended, and the run with it.
    case unsupervised
    /// It could not be started; why.
    case notStarted(String)
    /// It needs a box that it cannot have, and was not started; a sentence says why.
    case notBoxed(String)
    /// A file of its program is not the one that the person agreed to.
    case changed(kind: String, file: String)
    /// Its answer is no timeline; the text says why.
    case badAnswer(String)
    /// An extension answered with an error; its message.
    case refused(String)
    /// The answer says that it failed; the reason in the author's words.
    case reported(String)
    /// The run was stopped because no widget needed it any more.
    case cancelled
    /// The run took long and was stopped for a newer one that takes long.
    case crowdedOut

    /// Whether the provider itself says that it failed.
    var isReported: Bool {
      switch self {
      case .reported, .refused: true
      default: false
      }
    }
  }

  package var reason: Reason
  /// The end of the provider's standard error, for its author.
  package var diagnostics: String

  package init(_ reason: Reason, diagnostics: String = "") {
    self.reason = reason
    self.diagnostics = diagnostics
  }

  /// The line of standard error that says why, for people; `nil`: the provider wrote none.
  package var stderr: String? { ErrorLine.last(of: diagnostics) }

  /// A sentence without the diagnostics.
  package var message: String {
    switch reason {
    case .exited(let code): "the provider ended with exit code \(code)"
    case .signaled(let signal): "the provider was ended by signal \(signal)"
    case .timedOut(let milliseconds):
      "the provider did not answer within \(DurationText.write(milliseconds))"
    case .tooMuchOutput(let limit): "the provider wrote more than \(limit) bytes"
    case .overLimit(let limit): limit.message
    case .unsupervised:
      "the supervisor of runs ended, and the run with it; another one is started for the next run"
    case .notStarted(let why): "the provider could not be started: \(why)"
    case .notBoxed(let why): "the provider was not started: \(why)"
    case .changed(let kind, let file):
      "\(file) changed since you agreed to the program; look at it, then:"
        + " intent-send permissions \(kind) --grant"
    case .badAnswer(let what): "the provider's answer cannot be used: \(what)"
    case .refused(let message): "the provider refused: \(message)"
    case .reported(let reason): "the provider failed: \(reason)"
    case .cancelled: "the run was cancelled"
    case .crowdedOut:
      "the provider was stopped: it had run longer than \(DurationText.write(Limits.slotInterval)), as \(Limits.overlongRunCountMax) newer runs do"
    }
  }
}

/// The request that a provider reads: DESIGN's one-shot object, the extension protocol's `params`.
package struct ProviderRequest: Hashable, Sendable {
  package enum Request: String, Hashable, Sendable {
    case placeholder, snapshot, timeline, options, perform
  }

  package var request: Request
  package var kind: String
  package var family: WidgetFamily
  package var intent: JSONValue
  package var locale: String
  package var textSize: TextSize
  package var displaySize: DisplaySize
  package var now: WallTime
  /// The values that taps on the widget's items set.
  package var values = WidgetValues.none
  /// The mode that the answer is for, and the room for it.
  package struct Room: Hashable, Sendable {
    package var mode: WidgetMode
    package var maximumSize: DisplaySize

    package init(mode: WidgetMode, maximumSize: DisplaySize) {
      self.mode = mode
      self.maximumSize = maximumSize
    }
  }

  /// `nil`: the kind has the compact mode only, and its provider is told of none.
  package var room: Room?
  /// Whether a view is wanted beside the content of each entry.
  package var wantsView = false
  /// The files that its last answer asked for; empty: it is told of none.
  package var downloads: [DownloadResult] = []
  /// The parameter whose options are asked for.
  package var parameter: String?
  /// The text that was said for the parameter, for a provider that can look it up.
  package var search: String?

  package init(
    request: Request, kind: String, family: WidgetFamily, intent: JSONValue, locale: String,
    textSize: TextSize = .large, displaySize: DisplaySize? = nil, now: WallTime
  ) {
    self.request = request
    self.kind = kind
    self.family = family
    self.intent = intent
    self.locale = locale
    self.textSize = textSize
    self.displaySize = displaySize ?? family.displaySize
    self.now = now
  }

  package var json: JSONValue {
    var object: JSONObject = [
      "request": .string(request.rawValue), "kind": .string(kind),
      "family": .string(family.rawValue),
      "displaySize": displaySize.json,
      "isPreview": .bool(request == .snapshot || request == .placeholder),
      "locale": .string(locale), "textSize": .string(textSize.rawValue), "intent": intent,
      "now": .string(now.rfc3339),
    ]
    if !values.isEmpty { object["values"] = .object(values.json) }
    if let room {
      object["mode"] = .string(room.mode.rawValue)
      object["maximumSize"] = room.maximumSize.json
    }
    if wantsView { object["view"] = "html" }
    if !downloads.isEmpty { object["downloads"] = .array(downloads.map(\.json)) }
    if let parameter { object["parameter"] = .string(parameter) }
    if let search { object["search"] = .string(search) }
    return .object(object)
  }
}
