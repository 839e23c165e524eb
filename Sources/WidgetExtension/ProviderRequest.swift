package import JSON
package import Timekeeping

/// A request to the providers of this program.
package struct ProviderRequest: Hashable, Sendable {
  /// The subject of the request.
  package enum Sort: String, Hashable, Sendable {
    case timeline
    case snapshot
    case placeholder
    case options
    case perform

    /// Reads a method such as `provider.timeline`.
    package init?(method: String) {
      guard method.hasPrefix("provider.") else { return nil }
      self.init(rawValue: String(method.dropFirst("provider.".count)))
    }
  }

  package var sort: Sort
  /// The kind as the code names it; `nil`: of an intent that is performed.
  package var kind: String?
  package var family: String
  /// Points of the widget; `nil`: the usual ones of the family.
  package var width: Double?
  package var height: Double?
  package var isPreview: Bool
  /// The person's language, such as `en_US`.
  package var locale: String?
  package var textSize: String?
  /// The intent that configures the widget, or that is performed; `nil`: none.
  package var intent: JSONValue?
  /// Whether the person said yes to an intent that is performed.
  package var isConfirmed: Bool
  /// The moment of the request.
  package var now: WallTime
  /// Whether a picture is wanted beside the content.
  package var wantsPicture: Bool
  /// Of a request for options.
  package var parameter: String?
  package var search: String?

  /// Reads the parameters of a request.
  package init(_ sort: Sort, _ params: JSONValue, kinds: KindNames) throws(ExtensionError) {
    guard case .object = params else {
      throw ExtensionError(.invalidParams, "params is \(params.typeName); expected an object")
    }
    guard let text = params["now"]?.stringValue, let now = WallTime(rfc3339: text) else {
      throw ExtensionError(
        .invalidParams, "params.now is no RFC 3339 date, such as 2026-11-21T01:09:47Z")
    }
    self.sort = sort
    self.now = now
    if let kind = params["kind"]?.stringValue {
      // An intent is performed by the program, whatever kind showed its button.
      self.kind = sort == .perform ? nil : try kinds.kind(kind)
    } else if sort != .perform {
      throw ExtensionError(.invalidParams, "params.kind is missing")
    }
    family = params["family"]?.stringValue ?? "systemSmall"
    width = params["displaySize"]?["width"]?.doubleValue
    height = params["displaySize"]?["height"]?.doubleValue
    isPreview = params["isPreview"]?.boolValue ?? false
    locale = params["locale"]?.stringValue
    textSize = params["textSize"]?.stringValue
    intent = params["intent"]?.isNull == false ? params["intent"] : Optional.none
    isConfirmed = params["confirmed"]?.boolValue ?? false
    wantsPicture = params["view"]?.stringValue == "html"
    parameter = params["parameter"]?.stringValue
    search = params["search"]?.stringValue
    if sort == .perform, intent?["name"]?.stringValue == nil {
      throw ExtensionError(.invalidParams, "params.intent has no name")
    }
    if sort == .options, parameter == nil {
      throw ExtensionError(.invalidParams, "params.parameter is missing")
    }
  }
}

/// How far the program's clock is put forward or back.
package enum ClockDifference {
  /// Returns the milliseconds to add to `clock`, so that it follows the request's moment.
  ///
  /// Providers ask the clock, not the request. A request that is a little late means the clock's own
  /// time; one from another day is simulated.
  package static func milliseconds(from clock: WallTime, to now: WallTime) -> Int64 {
    let difference = now.milliseconds(since: clock)
    return abs(difference) > Limits.clockDifferenceMax ? difference : 0
  }
}
