// Made of Tides.intentdefinition by the plugin IntentDefinitions; each build makes it anew.
// swift-format-ignore-file

public import Intents

/// Unit of length
nonisolated public enum LengthUnit: Int, Sendable, _DefinedEnumeration {
  case `unknown` = 0
  case `metres` = 2
  case `feet` = 1

  public static var _cases: [(name: String, value: LengthUnit)] {
    [
      ("unknown", .`unknown`),
      ("metres", .`metres`),
      ("feet", .`feet`),
    ]
  }
}

/// How a value of LengthUnit was taken.
nonisolated public class LengthUnitResolutionResult: INEnumResolutionResult {
  public class func success(with resolvedValue: LengthUnit) -> Self { Self(outcome: .success) }
  public class func confirmationRequired(with valueToConfirm: LengthUnit) -> Self { Self(outcome: .confirmation) }
}

/// TideDrawingStyle
nonisolated public enum TideDrawingStyle: Int, Sendable, _DefinedEnumeration {
  case `default` = 1
  case `bold` = 2

  public static var _cases: [(name: String, value: TideDrawingStyle)] {
    [
      ("default", .`default`),
      ("bold", .`bold`),
    ]
  }
}

/// How a value of TideDrawingStyle was taken.
nonisolated public class TideDrawingStyleResolutionResult: INEnumResolutionResult {
  public class func success(with resolvedValue: TideDrawingStyle) -> Self { Self(outcome: .success) }
  public class func confirmationRequired(with valueToConfirm: TideDrawingStyle) -> Self { Self(outcome: .confirmation) }
}

/// Harbour
nonisolated public class TDHarbour: INObject {
  public var `depth`: NSNumber?
  public var `region`: Region?
  public var `unit`: LengthUnit = LengthUnit._cases[0].value

  public override var _values: [String: INIntent.Value] {
    var _all: [String: INIntent.Value] = [:]
    _all["depth"] = self.`depth`.map { INIntent.Value._number($0) }
    _all["region"] = self.`region`?._written
    _all["unit"] = self.`unit`._written
    return _all.filter { $0.value != INIntent.Value.none }
  }

  public override func _set(_ value: INIntent.Value, for property: String) -> Bool {
    switch property {
    case "depth": return INIntent.Value._store(value._decimal, in: &self.`depth`)
    case "region": return INIntent.Value._take(value, in: &self.`region`)
    case "unit": return INIntent.Value._takeCase(value, in: &self.`unit`)
    default: return false
    }
  }
}

/// How a value of TDHarbour was taken.
nonisolated public class TDHarbourResolutionResult: INObjectResolutionResult {
  public class func success(with resolvedObject: TDHarbour) -> Self { Self(outcome: .success) }
  public class func disambiguation(with objectsToDisambiguate: [TDHarbour]) -> Self { Self(outcome: .disambiguation) }
  public class func confirmationRequired(with objectToConfirm: TDHarbour?) -> Self { Self(outcome: .confirmation) }
}

/// Region
nonisolated public class Region: INObject {
}

/// How a value of Region was taken.
nonisolated public class RegionResolutionResult: INObjectResolutionResult {
  public class func success(with resolvedObject: Region) -> Self { Self(outcome: .success) }
  public class func disambiguation(with objectsToDisambiguate: [Region]) -> Self { Self(outcome: .disambiguation) }
  public class func confirmationRequired(with objectToConfirm: Region?) -> Self { Self(outcome: .confirmation) }
}

/// Show Tides
nonisolated public class ShowTidesIntent: INIntent {
  /// Name
  public var `name`: String? = "Low \"tide\""
  /// Harbour
  public var `harbour`: TDHarbour?
  /// Others
  public var `others`: [TDHarbour]?
  /// Unit
  public var `unit`: LengthUnit = .`metres`
  /// Default
  public var `default`: LengthUnit = LengthUnit._cases[0].value
  /// Style
  public var `style`: TideDrawingStyle = TideDrawingStyle._cases[0].value
  /// Units
  public var `units`: [NSNumber]?
  /// Days
  public var `days`: NSNumber? = NSNumber(value: 3)
  /// Height
  public var `height`: NSNumber? = NSNumber(value: 1.5)
  /// Heights
  public var `heights`: [NSNumber]?
  /// Showsmoon
  public var `showsMoon`: NSNumber? = NSNumber(value: true)
  /// Flags
  public var `flags`: [NSNumber]?
  /// Span
  public var `span`: NSNumber?
  /// Since
  public var `since`: DateComponents?
  /// Page
  public var `page`: URL?
  /// Tags
  public var `tags`: [String]?

  public override class var _intentName: String { "ShowTides" }
  public override class var _definition: String? { DefinitionFile.text }

  public override var _values: [String: INIntent.Value]? {
    var _all: [String: INIntent.Value] = [:]
    _all["name"] = self.`name`?._written
    _all["harbour"] = self.`harbour`?._written
    _all["others"] = self.`others`?._written
    _all["unit"] = self.`unit`._written
    _all["default"] = self.`default`._written
    _all["style"] = self.`style`._written
    _all["units"] = self.`units`.map { .list($0.compactMap { LengthUnit(rawValue: $0.intValue)?._written }) }
    _all["days"] = self.`days`.map { INIntent.Value._number($0) }
    _all["height"] = self.`height`.map { INIntent.Value._number($0) }
    _all["heights"] = self.`heights`.map { .list($0.map { INIntent.Value._number($0) }) }
    _all["showsMoon"] = self.`showsMoon`.map { INIntent.Value.boolean($0.boolValue) }
    _all["flags"] = self.`flags`.map { .list($0.map { .boolean($0.boolValue) }) }
    _all["span"] = self.`span`.map { INIntent.Value._number($0) }
    _all["since"] = self.`since`?._written
    _all["page"] = self.`page`?._written
    _all["tags"] = self.`tags`?._written
    return _all.filter { $0.value != INIntent.Value.none }
  }

  public override func _set(_ value: INIntent.Value, for parameter: String) -> Bool {
    switch parameter {
    case "name": return INIntent.Value._take(value, in: &self.`name`)
    case "harbour": return INIntent.Value._take(value, in: &self.`harbour`)
    case "others": return INIntent.Value._take(value, in: &self.`others`)
    case "unit": return INIntent.Value._takeCase(value, in: &self.`unit`)
    case "default": return INIntent.Value._takeCase(value, in: &self.`default`)
    case "style": return INIntent.Value._takeCase(value, in: &self.`style`)
    case "units": return INIntent.Value._store(value._list { LengthUnit._read($0).map { NSNumber(value: $0.rawValue) } }, in: &self.`units`)
    case "days": return INIntent.Value._store(value._whole, in: &self.`days`)
    case "height": return INIntent.Value._store(value._decimal, in: &self.`height`)
    case "heights": return INIntent.Value._store(value._list { $0._decimal }, in: &self.`heights`)
    case "showsMoon": return INIntent.Value._store(value._truth, in: &self.`showsMoon`)
    case "flags": return INIntent.Value._store(value._list { $0._truth }, in: &self.`flags`)
    case "span": return INIntent.Value._store(value._decimal, in: &self.`span`)
    case "since": return INIntent.Value._take(value, in: &self.`since`)
    case "page": return INIntent.Value._take(value, in: &self.`page`)
    case "tags": return INIntent.Value._take(value, in: &self.`tags`)
    default: return false
    }
  }

  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = super.copy(with: zone)
    guard let own = copy as? ShowTidesIntent else { return copy }
    own.`name` = self.`name`
    own.`harbour` = self.`harbour`
    own.`others` = self.`others`
    own.`unit` = self.`unit`
    own.`default` = self.`default`
    own.`style` = self.`style`
    own.`units` = self.`units`
    own.`days` = self.`days`
    own.`height` = self.`height`
    own.`heights` = self.`heights`
    own.`showsMoon` = self.`showsMoon`
    own.`flags` = self.`flags`
    own.`span` = self.`span`
    own.`since` = self.`since`
    own.`page` = self.`page`
    own.`tags` = self.`tags`
    return own
  }

  public override func _perform(
    by handler: Any, completion: @escaping @Sendable (INIntent._Answer) -> Void
  ) -> Bool {
    guard let handler = handler as? any ShowTidesIntentHandling else {
      return false
    }
    INIntent._answer(to: completion) {
      handler.confirm(intent: self, completion: $0)
    } handle: {
      handler.handle(intent: self, completion: $0)
    }
    return true
  }

  public override func _isHandled(by handler: Any) -> Bool {
    handler is any ShowTidesIntentHandling
  }

  public override func _provideOptions(
    for parameter: String, search: String?, from handler: Any,
    completion: @escaping @Sendable (Result<[INObject], any Error>) -> Void
  ) -> Bool {
    guard let handler = handler as? any ShowTidesIntentHandling else {
      return false
    }
    switch parameter {
    case "harbour":
      INIntent._offer(to: completion) {
        handler.provideHarbourOptionsCollection(for: self, searchTerm: search, with: $0)
      }
    case "others":
      INIntent._offer(to: completion) {
        handler.provideOthersOptionsCollection(for: self, with: $0)
      }
    case "default":
      INIntent._offer(to: completion) {
        handler.provideDefaultOptionsCollection(for: self, with: $0)
      }
    case "days":
      INIntent._offer(to: completion) {
        handler.provideDaysOptionsCollection(for: self, with: $0)
      }
    case "since":
      INIntent._offer(to: completion) {
        handler.provideSinceOptionsCollection(for: self, with: $0)
      }
    case "page":
      INIntent._offer(to: completion) {
        handler.providePageOptionsCollection(for: self, with: $0)
      }
    case "tags":
      INIntent._offer(to: completion) {
        handler.provideTagsOptionsCollection(for: self, with: $0)
      }
    default: return false
    }
    return true
  }

  public override func _defaultValue(
    for parameter: String, from handler: Any
  ) -> INIntent.Value? {
    guard let handler = handler as? any ShowTidesIntentHandling else {
      return nil
    }
    let _given = ShowTidesIntent()
    switch parameter {
    case "harbour": _given.`harbour` = handler.defaultHarbour(for: self)
    case "others": _given.`others` = handler.defaultOthers(for: self)
    case "default": _given.`default` = handler.defaultDefault(for: self)
    case "days": _given.`days` = handler.defaultDays(for: self)
    case "since": _given.`since` = handler.defaultSince(for: self)
    case "page": _given.`page` = handler.defaultPage(for: self)
    case "tags": _given.`tags` = handler.defaultTags(for: self)
    default: return nil
    }
    return _given._values?[parameter]
  }
}

/// What answers for ShowTidesIntent.
nonisolated public protocol ShowTidesIntentHandling: NSObjectProtocol {
  func resolveName(for intent: ShowTidesIntent, with completion: @escaping (ShowTidesNameResolutionResult) -> Void)
  func resolveName(for intent: ShowTidesIntent) async -> ShowTidesNameResolutionResult
  func resolveHarbour(for intent: ShowTidesIntent, with completion: @escaping (TDHarbourResolutionResult) -> Void)
  func resolveHarbour(for intent: ShowTidesIntent) async -> TDHarbourResolutionResult
  func resolveOthers(for intent: ShowTidesIntent, with completion: @escaping ([TDHarbourResolutionResult]) -> Void)
  func resolveOthers(for intent: ShowTidesIntent) async -> [TDHarbourResolutionResult]
  func resolveUnit(for intent: ShowTidesIntent, with completion: @escaping (LengthUnitResolutionResult) -> Void)
  func resolveUnit(for intent: ShowTidesIntent) async -> LengthUnitResolutionResult
  func provideHarbourOptionsCollection(for intent: ShowTidesIntent, searchTerm: String?, with completion: @escaping (INObjectCollection<TDHarbour>?, (any Error)?) -> Void)
  func provideHarbourOptionsCollection(for intent: ShowTidesIntent, searchTerm: String?) async throws -> INObjectCollection<TDHarbour>
  func provideHarbourOptions(for intent: ShowTidesIntent, with completion: @escaping ([TDHarbour]?, (any Error)?) -> Void)
  func defaultHarbour(for intent: ShowTidesIntent) -> TDHarbour?
  func provideOthersOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<TDHarbour>?, (any Error)?) -> Void)
  func provideOthersOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<TDHarbour>
  func provideOthersOptions(for intent: ShowTidesIntent, with completion: @escaping ([TDHarbour]?, (any Error)?) -> Void)
  func defaultOthers(for intent: ShowTidesIntent) -> [TDHarbour]?
  func provideDefaultOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<NSNumber>?, (any Error)?) -> Void)
  func provideDefaultOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<NSNumber>
  func provideDefaultOptions(for intent: ShowTidesIntent, with completion: @escaping ([NSNumber]?, (any Error)?) -> Void)
  func defaultDefault(for intent: ShowTidesIntent) -> LengthUnit
  func provideDaysOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<NSNumber>?, (any Error)?) -> Void)
  func provideDaysOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<NSNumber>
  func provideDaysOptions(for intent: ShowTidesIntent, with completion: @escaping ([NSNumber]?, (any Error)?) -> Void)
  func defaultDays(for intent: ShowTidesIntent) -> NSNumber?
  func provideSinceOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<NSDateComponents>?, (any Error)?) -> Void)
  func provideSinceOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<NSDateComponents>
  func provideSinceOptions(for intent: ShowTidesIntent, with completion: @escaping ([DateComponents]?, (any Error)?) -> Void)
  func defaultSince(for intent: ShowTidesIntent) -> DateComponents?
  func providePageOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<NSURL>?, (any Error)?) -> Void)
  func providePageOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<NSURL>
  func providePageOptions(for intent: ShowTidesIntent, with completion: @escaping ([URL]?, (any Error)?) -> Void)
  func defaultPage(for intent: ShowTidesIntent) -> URL?
  func provideTagsOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<NSString>?, (any Error)?) -> Void)
  func provideTagsOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<NSString>
  func provideTagsOptions(for intent: ShowTidesIntent, with completion: @escaping ([String]?, (any Error)?) -> Void)
  func defaultTags(for intent: ShowTidesIntent) -> [String]?
  func confirm(intent: ShowTidesIntent, completion: @escaping (ShowTidesIntentResponse) -> Void)
  func confirm(intent: ShowTidesIntent) async -> ShowTidesIntentResponse
  func handle(intent: ShowTidesIntent, completion: @escaping (ShowTidesIntentResponse) -> Void)
  func handle(intent: ShowTidesIntent) async -> ShowTidesIntentResponse
}

nonisolated extension ShowTidesIntentHandling {
  public func resolveName(for intent: ShowTidesIntent, with completion: @escaping (ShowTidesNameResolutionResult) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.resolveName(for: _intent) }
  }

  public func resolveName(for intent: ShowTidesIntent) async -> ShowTidesNameResolutionResult {
    .notRequired()
  }

  public func resolveHarbour(for intent: ShowTidesIntent, with completion: @escaping (TDHarbourResolutionResult) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.resolveHarbour(for: _intent) }
  }

  public func resolveHarbour(for intent: ShowTidesIntent) async -> TDHarbourResolutionResult {
    .notRequired()
  }

  public func resolveOthers(for intent: ShowTidesIntent, with completion: @escaping ([TDHarbourResolutionResult]) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.resolveOthers(for: _intent) }
  }

  public func resolveOthers(for intent: ShowTidesIntent) async -> [TDHarbourResolutionResult] {
    [.notRequired()]
  }

  public func resolveUnit(for intent: ShowTidesIntent, with completion: @escaping (LengthUnitResolutionResult) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.resolveUnit(for: _intent) }
  }

  public func resolveUnit(for intent: ShowTidesIntent) async -> LengthUnitResolutionResult {
    .notRequired()
  }

  public func provideHarbourOptionsCollection(for intent: ShowTidesIntent, searchTerm: String?, with completion: @escaping (INObjectCollection<TDHarbour>?, (any Error)?) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { try await _self.provideHarbourOptionsCollection(for: _intent, searchTerm: searchTerm) }
  }

  public func provideHarbourOptionsCollection(for intent: ShowTidesIntent, searchTerm: String?) async throws -> INObjectCollection<TDHarbour> {
    try await _collection { self.provideHarbourOptions(for: intent, with: $0) }
  }

  public func provideHarbourOptions(for intent: ShowTidesIntent, with completion: @escaping ([TDHarbour]?, (any Error)?) -> Void) {
    completion(nil, nil)
  }

  public func defaultHarbour(for intent: ShowTidesIntent) -> TDHarbour? {
    nil
  }

  public func provideOthersOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<TDHarbour>?, (any Error)?) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { try await _self.provideOthersOptionsCollection(for: _intent) }
  }

  public func provideOthersOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<TDHarbour> {
    try await _collection { self.provideOthersOptions(for: intent, with: $0) }
  }

  public func provideOthersOptions(for intent: ShowTidesIntent, with completion: @escaping ([TDHarbour]?, (any Error)?) -> Void) {
    completion(nil, nil)
  }

  public func defaultOthers(for intent: ShowTidesIntent) -> [TDHarbour]? {
    nil
  }

  public func provideDefaultOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<NSNumber>?, (any Error)?) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { try await _self.provideDefaultOptionsCollection(for: _intent) }
  }

  public func provideDefaultOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<NSNumber> {
    try await _collection { self.provideDefaultOptions(for: intent, with: $0) }
  }

  public func provideDefaultOptions(for intent: ShowTidesIntent, with completion: @escaping ([NSNumber]?, (any Error)?) -> Void) {
    completion(nil, nil)
  }

  public func defaultDefault(for intent: ShowTidesIntent) -> LengthUnit {
    ShowTidesIntent().`default`
  }

  public func provideDaysOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<NSNumber>?, (any Error)?) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { try await _self.provideDaysOptionsCollection(for: _intent) }
  }

  public func provideDaysOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<NSNumber> {
    try await _collection { self.provideDaysOptions(for: intent, with: $0) }
  }

  public func provideDaysOptions(for intent: ShowTidesIntent, with completion: @escaping ([NSNumber]?, (any Error)?) -> Void) {
    completion(nil, nil)
  }

  public func defaultDays(for intent: ShowTidesIntent) -> NSNumber? {
    nil
  }

  public func provideSinceOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<NSDateComponents>?, (any Error)?) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { try await _self.provideSinceOptionsCollection(for: _intent) }
  }

  public func provideSinceOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<NSDateComponents> {
    try await _collection(as: NSDateComponents.self) { self.provideSinceOptions(for: intent, with: $0) }
  }

  public func provideSinceOptions(for intent: ShowTidesIntent, with completion: @escaping ([DateComponents]?, (any Error)?) -> Void) {
    completion(nil, nil)
  }

  public func defaultSince(for intent: ShowTidesIntent) -> DateComponents? {
    nil
  }

  public func providePageOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<NSURL>?, (any Error)?) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { try await _self.providePageOptionsCollection(for: _intent) }
  }

  public func providePageOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<NSURL> {
    try await _collection(as: NSURL.self) { self.providePageOptions(for: intent, with: $0) }
  }

  public func providePageOptions(for intent: ShowTidesIntent, with completion: @escaping ([URL]?, (any Error)?) -> Void) {
    completion(nil, nil)
  }

  public func defaultPage(for intent: ShowTidesIntent) -> URL? {
    nil
  }

  public func provideTagsOptionsCollection(for intent: ShowTidesIntent, with completion: @escaping (INObjectCollection<NSString>?, (any Error)?) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { try await _self.provideTagsOptionsCollection(for: _intent) }
  }

  public func provideTagsOptionsCollection(for intent: ShowTidesIntent) async throws -> INObjectCollection<NSString> {
    try await _collection(as: NSString.self) { self.provideTagsOptions(for: intent, with: $0) }
  }

  public func provideTagsOptions(for intent: ShowTidesIntent, with completion: @escaping ([String]?, (any Error)?) -> Void) {
    completion(nil, nil)
  }

  public func defaultTags(for intent: ShowTidesIntent) -> [String]? {
    nil
  }

  public func confirm(intent: ShowTidesIntent, completion: @escaping (ShowTidesIntentResponse) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.confirm(intent: _intent) }
  }

  public func confirm(intent: ShowTidesIntent) async -> ShowTidesIntentResponse {
    ShowTidesIntentResponse(code: .ready, userActivity: nil)
  }

  public func handle(intent: ShowTidesIntent, completion: @escaping (ShowTidesIntentResponse) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.handle(intent: _intent) }
  }

  public func handle(intent: ShowTidesIntent) async -> ShowTidesIntentResponse {
    ShowTidesIntentResponse(code: .failure, userActivity: nil)
  }
}

/// How ShowTidesIntent went.
nonisolated public enum ShowTidesIntentResponseCode: Int, Sendable {
  case unspecified = 0
  case ready = 1
  case continueInApp = 2
  case inProgress = 3
  case success = 4
  case failure = 5
  case failureRequiringAppLaunch = 6
  case `dryHarbour` = 100
}

/// The answer to ShowTidesIntent.
nonisolated public class ShowTidesIntentResponse: INIntentResponse {
  /// Harbour
  public var `harbour`: TDHarbour?
  /// Count
  public var `count`: NSNumber?

  public fileprivate(set) var code: ShowTidesIntentResponseCode = .unspecified

  public convenience init(code: ShowTidesIntentResponseCode, userActivity: NSUserActivity?) {
    self.init()
    self.code = code
    self.userActivity = userActivity
  }

  public override var _code: String { "\(code)" }
  public override var _sentences: [String: String] {
    [
      "success": "${count} tides at ${harbour}",
      "dryHarbour": "${harbour} has no water",
    ]
  }
  public override var _values: [String: INIntent.Value] {
    var _all: [String: INIntent.Value] = [:]
    _all["harbour"] = self.`harbour`?._written
    _all["count"] = self.`count`.map { INIntent.Value._number($0) }
    return _all.filter { $0.value != INIntent.Value.none }
  }

  public static func `success`(count: NSNumber, harbour: TDHarbour) -> ShowTidesIntentResponse {
    let _response = ShowTidesIntentResponse(code: .`success`, userActivity: nil)
    _response.`count` = `count`
    _response.`harbour` = `harbour`
    return _response
  }

  public static func `dryHarbour`(harbour: TDHarbour) -> ShowTidesIntentResponse {
    let _response = ShowTidesIntentResponse(code: .`dryHarbour`, userActivity: nil)
    _response.`harbour` = `harbour`
    return _response
  }
}

/// Why a value of name is refused.
nonisolated public enum ShowTidesNameUnsupportedReason: Int, Sendable {
  case `tooLong` = 1
}

/// How a value of name was taken.
nonisolated public class ShowTidesNameResolutionResult: INStringResolutionResult {
  public class func unsupported(forReason reason: ShowTidesNameUnsupportedReason) -> Self {
    Self(outcome: .unsupported)
  }
}

/// Reset
nonisolated public class TDResetTidesIntent: INIntent {
  public override class var _intentName: String { "Reset" }
  public override class var _definition: String? { DefinitionFile.text }

  public override var _values: [String: INIntent.Value]? {
    [:]
  }

  public override func _set(_ value: INIntent.Value, for parameter: String) -> Bool {
    false
  }

  public override func _perform(
    by handler: Any, completion: @escaping @Sendable (INIntent._Answer) -> Void
  ) -> Bool {
    guard let handler = handler as? any TDResetTidesIntentHandling else {
      return false
    }
    INIntent._answer(to: completion) {
      handler.confirm(intent: self, completion: $0)
    } handle: {
      handler.handle(intent: self, completion: $0)
    }
    return true
  }

  public override func _isHandled(by handler: Any) -> Bool {
    handler is any TDResetTidesIntentHandling
  }
}

/// What answers for TDResetTidesIntent.
nonisolated public protocol TDResetTidesIntentHandling: NSObjectProtocol {
  func confirm(intent: TDResetTidesIntent, completion: @escaping (TDResetTidesIntentResponse) -> Void)
  func confirm(intent: TDResetTidesIntent) async -> TDResetTidesIntentResponse
  func handle(intent: TDResetTidesIntent, completion: @escaping (TDResetTidesIntentResponse) -> Void)
  func handle(intent: TDResetTidesIntent) async -> TDResetTidesIntentResponse
}

nonisolated extension TDResetTidesIntentHandling {
  public func confirm(intent: TDResetTidesIntent, completion: @escaping (TDResetTidesIntentResponse) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.confirm(intent: _intent) }
  }

  public func confirm(intent: TDResetTidesIntent) async -> TDResetTidesIntentResponse {
    TDResetTidesIntentResponse(code: .ready, userActivity: nil)
  }

  public func handle(intent: TDResetTidesIntent, completion: @escaping (TDResetTidesIntentResponse) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.handle(intent: _intent) }
  }

  public func handle(intent: TDResetTidesIntent) async -> TDResetTidesIntentResponse {
    TDResetTidesIntentResponse(code: .failure, userActivity: nil)
  }
}

/// How TDResetTidesIntent went.
nonisolated public enum TDResetTidesIntentResponseCode: Int, Sendable {
  case unspecified = 0
  case ready = 1
  case continueInApp = 2
  case inProgress = 3
  case success = 4
  case failure = 5
  case failureRequiringAppLaunch = 6
}

/// The answer to TDResetTidesIntent.
nonisolated public class TDResetTidesIntentResponse: INIntentResponse {
  public fileprivate(set) var code: TDResetTidesIntentResponseCode = .unspecified

  public convenience init(code: TDResetTidesIntentResponseCode, userActivity: NSUserActivity?) {
    self.init()
    self.code = code
    self.userActivity = userActivity
  }

  public override var _code: String { "\(code)" }
}

nonisolated private enum DefinitionFile {
  static let text = #"""
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>INIntentDefinitionModelVersion</key>
	<string>1.2</string>
	<key>INIntentDefinitionNamespace</key>
	<string>q1W2e3</string>
	<key>INEnums</key>
	<array>
		<dict>
			<key>INEnumName</key>
			<string>LengthUnit</string>
			<key>INEnumDisplayName</key>
			<string>Unit of
length</string>
			<key>INEnumType</key>
			<string>Regular</string>
			<key>INEnumValues</key>
			<array>
				<dict>
					<key>INEnumValueName</key>
					<string>unknown</string>
					<key>INEnumValueDisplayName</key>
					<string>unknown</string>
				</dict>
				<dict>
					<key>INEnumValueName</key>
					<string>metres</string>
					<key>INEnumValueDisplayName</key>
					<string>Metres</string>
					<key>INEnumValueIndex</key>
					<integer>2</integer>
				</dict>
				<dict>
					<key>INEnumValueName</key>
					<string>feet</string>
					<key>INEnumValueDisplayName</key>
					<string>Feet</string>
					<key>INEnumValueIndex</key>
					<integer>1</integer>
				</dict>
			</array>
		</dict>
		<dict>
			<key>INEnumName</key>
			<string>DrawingStyle</string>
			<key>INEnumClassName</key>
			<string>TideDrawingStyle</string>
			<key>INEnumType</key>
			<string>Regular</string>
			<key>INEnumValues</key>
			<array>
				<dict>
					<key>INEnumValueName</key>
					<string>default</string>
					<key>INEnumValueIndex</key>
					<integer>1</integer>
				</dict>
				<dict>
					<key>INEnumValueName</key>
					<string>bold</string>
					<key>INEnumValueIndex</key>
					<integer>2</integer>
				</dict>
			</array>
		</dict>
	</array>
	<key>INTypes</key>
	<array>
		<dict>
			<key>INTypeName</key>
			<string>Harbour</string>
			<key>INTypeClassPrefix</key>
			<string>TD</string>
			<key>INTypeDisplayName</key>
			<string>Harbour</string>
			<key>INTypeProperties</key>
			<array>
				<dict>
					<key>INTypePropertyName</key>
					<string>identifier</string>
					<key>INTypePropertyType</key>
					<string>String</string>
					<key>INTypePropertyDefault</key>
					<true/>
					<key>INTypePropertyTag</key>
					<integer>1</integer>
				</dict>
				<dict>
					<key>INTypePropertyName</key>
					<string>displayString</string>
					<key>INTypePropertyType</key>
					<string>String</string>
					<key>INTypePropertyDefault</key>
					<true/>
					<key>INTypePropertyTag</key>
					<integer>2</integer>
				</dict>
				<dict>
					<key>INTypePropertyName</key>
					<string>depth</string>
					<key>INTypePropertyType</key>
					<string>Decimal</string>
					<key>INTypePropertyTag</key>
					<integer>5</integer>
				</dict>
				<dict>
					<key>INTypePropertyName</key>
					<string>region</string>
					<key>INTypePropertyType</key>
					<string>Object</string>
					<key>INTypePropertyObjectType</key>
					<string>Region</string>
					<key>INTypePropertyTag</key>
					<integer>6</integer>
				</dict>
				<dict>
					<key>INTypePropertyName</key>
					<string>unit</string>
					<key>INTypePropertyType</key>
					<string>Integer</string>
					<key>INTypePropertyEnumType</key>
					<string>LengthUnit</string>
					<key>INTypePropertyTag</key>
					<integer>7</integer>
				</dict>
			</array>
		</dict>
		<dict>
			<key>INTypeName</key>
			<string>Region</string>
			<key>INTypeProperties</key>
			<array/>
		</dict>
	</array>
	<key>INIntents</key>
	<array>
		<dict>
			<key>INIntentName</key>
			<string>ShowTides</string>
			<key>INIntentType</key>
			<string>Custom</string>
			<key>INIntentTitle</key>
			<string>Show Tides</string>
			<key>INIntentTitleID</key>
			<string>aaaa</string>
			<key>INIntentEligibleForWidgets</key>
			<true/>
			<key>INIntentParameters</key>
			<array>
				<dict>
					<key>INIntentParameterName</key>
					<string>name</string>
					<key>INIntentParameterType</key>
					<string>String</string>
					<key>INIntentParameterDisplayName</key>
					<string>Name</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idname</string>
					<key>INIntentParameterMetadata</key>
					<dict>
						<key>INIntentParameterMetadataDefaultValue</key>
						<string>Low "tide"</string>
					</dict>
					<key>INIntentParameterSupportsResolution</key>
					<true/>
					<key>INIntentParameterUnsupportedReasons</key>
					<array>
						<dict>
							<key>INIntentParameterUnsupportedReasonCode</key>
							<string>tooLong</string>
							<key>INIntentParameterUnsupportedReasonFormatString</key>
							<string>Too long</string>
						</dict>
					</array>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>harbour</string>
					<key>INIntentParameterType</key>
					<string>Object</string>
					<key>INIntentParameterDisplayName</key>
					<string>Harbour</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idharbour</string>
					<key>INIntentParameterObjectType</key>
					<string>Harbour</string>
					<key>INIntentParameterSupportsDynamicEnumeration</key>
					<true/>
					<key>INIntentParameterSupportsSearch</key>
					<true/>
					<key>INIntentParameterSupportsResolution</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>others</string>
					<key>INIntentParameterType</key>
					<string>Object</string>
					<key>INIntentParameterDisplayName</key>
					<string>Others</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idothers</string>
					<key>INIntentParameterObjectType</key>
					<string>Harbour</string>
					<key>INIntentParameterSupportsDynamicEnumeration</key>
					<true/>
					<key>INIntentParameterSupportsMultipleValues</key>
					<true/>
					<key>INIntentParameterSupportsResolution</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>unit</string>
					<key>INIntentParameterType</key>
					<string>Integer</string>
					<key>INIntentParameterDisplayName</key>
					<string>Unit</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idunit</string>
					<key>INIntentParameterEnumType</key>
					<string>LengthUnit</string>
					<key>INIntentParameterMetadata</key>
					<dict>
						<key>INIntentParameterMetadataDefaultValue</key>
						<string>metres</string>
					</dict>
					<key>INIntentParameterSupportsResolution</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>default</string>
					<key>INIntentParameterType</key>
					<string>Integer</string>
					<key>INIntentParameterDisplayName</key>
					<string>Default</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>iddefault</string>
					<key>INIntentParameterEnumType</key>
					<string>LengthUnit</string>
					<key>INIntentParameterSupportsDynamicEnumeration</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>style</string>
					<key>INIntentParameterType</key>
					<string>Integer</string>
					<key>INIntentParameterDisplayName</key>
					<string>Style</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idstyle</string>
					<key>INIntentParameterEnumType</key>
					<string>DrawingStyle</string>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>units</string>
					<key>INIntentParameterType</key>
					<string>Integer</string>
					<key>INIntentParameterDisplayName</key>
					<string>Units</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idunits</string>
					<key>INIntentParameterEnumType</key>
					<string>LengthUnit</string>
					<key>INIntentParameterSupportsMultipleValues</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>days</string>
					<key>INIntentParameterType</key>
					<string>Integer</string>
					<key>INIntentParameterDisplayName</key>
					<string>Days</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>iddays</string>
					<key>INIntentParameterMetadata</key>
					<dict>
						<key>INIntentParameterMetadataDefaultValue</key>
						<integer>3</integer>
						<key>INIntentParameterMetadataMinimumValue</key>
						<integer>1</integer>
						<key>INIntentParameterMetadataMaximumValue</key>
						<data>
						</data>
					</dict>
					<key>INIntentParameterSupportsDynamicEnumeration</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>height</string>
					<key>INIntentParameterType</key>
					<string>Decimal</string>
					<key>INIntentParameterDisplayName</key>
					<string>Height</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idheight</string>
					<key>INIntentParameterMetadata</key>
					<dict>
						<key>INIntentParameterMetadataDefaultValue</key>
						<real>1.5</real>
					</dict>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>heights</string>
					<key>INIntentParameterType</key>
					<string>Decimal</string>
					<key>INIntentParameterDisplayName</key>
					<string>Heights</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idheights</string>
					<key>INIntentParameterSupportsMultipleValues</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>showsMoon</string>
					<key>INIntentParameterType</key>
					<string>Boolean</string>
					<key>INIntentParameterDisplayName</key>
					<string>Showsmoon</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idshowsMoon</string>
					<key>INIntentParameterMetadata</key>
					<dict>
						<key>INIntentParameterMetadataDefaultValue</key>
						<true/>
					</dict>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>flags</string>
					<key>INIntentParameterType</key>
					<string>Boolean</string>
					<key>INIntentParameterDisplayName</key>
					<string>Flags</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idflags</string>
					<key>INIntentParameterSupportsMultipleValues</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>span</string>
					<key>INIntentParameterType</key>
					<string>TimeInterval</string>
					<key>INIntentParameterDisplayName</key>
					<string>Span</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idspan</string>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>since</string>
					<key>INIntentParameterType</key>
					<string>DateComponents</string>
					<key>INIntentParameterDisplayName</key>
					<string>Since</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idsince</string>
					<key>INIntentParameterSupportsDynamicEnumeration</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>page</string>
					<key>INIntentParameterType</key>
					<string>URL</string>
					<key>INIntentParameterDisplayName</key>
					<string>Page</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idpage</string>
					<key>INIntentParameterSupportsDynamicEnumeration</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>tags</string>
					<key>INIntentParameterType</key>
					<string>String</string>
					<key>INIntentParameterDisplayName</key>
					<string>Tags</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idtags</string>
					<key>INIntentParameterSupportsMultipleValues</key>
					<true/>
					<key>INIntentParameterSupportsDynamicEnumeration</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>place</string>
					<key>INIntentParameterType</key>
					<string>Placemark</string>
					<key>INIntentParameterDisplayName</key>
					<string>Place</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idplace</string>
				</dict>
			</array>
			<key>INIntentResponse</key>
			<dict>
				<key>INIntentResponseCodes</key>
				<array>
					<dict>
						<key>INIntentResponseCodeName</key>
						<string>success</string>
						<key>INIntentResponseCodeSuccess</key>
						<true/>
						<key>INIntentResponseCodeFormatString</key>
						<string>${count} tides at ${harbour}</string>
					</dict>
					<dict>
						<key>INIntentResponseCodeName</key>
						<string>failure</string>
					</dict>
					<dict>
						<key>INIntentResponseCodeName</key>
						<string>dryHarbour</string>
						<key>INIntentResponseCodeFormatString</key>
						<string>${harbour} has no water</string>
					</dict>
				</array>
				<key>INIntentResponseParameters</key>
				<array>
					<dict>
						<key>INIntentResponseParameterName</key>
						<string>harbour</string>
						<key>INIntentResponseParameterType</key>
						<string>Object</string>
						<key>INIntentResponseParameterDisplayName</key>
						<string>Harbour</string>
						<key>INIntentResponseParameterDisplayNameID</key>
						<string>idharbour</string>
						<key>INIntentResponseParameterObjectType</key>
						<string>Harbour</string>
					</dict>
					<dict>
						<key>INIntentResponseParameterName</key>
						<string>count</string>
						<key>INIntentResponseParameterType</key>
						<string>Integer</string>
						<key>INIntentResponseParameterDisplayName</key>
						<string>Count</string>
						<key>INIntentResponseParameterDisplayNameID</key>
						<string>idcount</string>
					</dict>
				</array>
			</dict>
		</dict>
		<dict>
			<key>INIntentName</key>
			<string>Reset</string>
			<key>INIntentClassName</key>
			<string>TDResetTidesIntent</string>
			<key>INIntentType</key>
			<string>Custom</string>
			<key>INIntentTitle</key>
			<string>Reset</string>
		</dict>
		<dict>
			<key>INIntentName</key>
			<string>PlayMedia</string>
			<key>INIntentType</key>
			<string>System</string>
		</dict>
	</array>
</dict>
</plist>

"""#
}
