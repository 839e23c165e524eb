// Made of Transit.intentdefinition by the plugin IntentDefinitions; each build makes it anew.
// swift-format-ignore-file

public import Intents

/// Direction
nonisolated public enum Direction: Int, Sendable, _DefinedEnumeration {
  case `unknown` = 0
  case `inbound` = 1
  case `outbound` = 2

  public static var _cases: [(name: String, value: Direction)] {
    [
      ("unknown", .`unknown`),
      ("inbound", .`inbound`),
      ("outbound", .`outbound`),
    ]
  }
}

/// How a value of Direction was taken.
nonisolated public class DirectionResolutionResult: INEnumResolutionResult {
  public class func success(with resolvedValue: Direction) -> Self { Self(outcome: .success) }
  public class func confirmationRequired(with valueToConfirm: Direction) -> Self { Self(outcome: .confirmation) }
}

/// Stop
nonisolated public class Stop: INObject {
  public var `zone`: NSNumber?

  public override var _values: [String: INIntent.Value] {
    var _all: [String: INIntent.Value] = [:]
    _all["zone"] = self.`zone`.map { INIntent.Value._number($0) }
    return _all.filter { $0.value != INIntent.Value.none }
  }

  public override func _set(_ value: INIntent.Value, for property: String) -> Bool {
    switch property {
    case "zone": return INIntent.Value._store(value._whole, in: &self.`zone`)
    default: return false
    }
  }
}

/// How a value of Stop was taken.
nonisolated public class StopResolutionResult: INObjectResolutionResult {
  public class func success(with resolvedObject: Stop) -> Self { Self(outcome: .success) }
  public class func disambiguation(with objectsToDisambiguate: [Stop]) -> Self { Self(outcome: .disambiguation) }
  public class func confirmationRequired(with objectToConfirm: Stop?) -> Self { Self(outcome: .confirmation) }
}

/// Show Departures
nonisolated public class ShowBoardIntent: INIntent {
  /// Stop
  public var `stop`: Stop?
  /// Direction
  public var `direction`: Direction = .`inbound`
  /// Rows
  public var `rows`: NSNumber? = NSNumber(value: 3)
  /// Platforms
  public var `showsPlatforms`: NSNumber? = NSNumber(value: true)

  public override class var _intentName: String { "ShowBoard" }
  public override class var _definition: String? { DefinitionFile.text }

  public override var _values: [String: INIntent.Value]? {
    var _all: [String: INIntent.Value] = [:]
    _all["stop"] = self.`stop`?._written
    _all["direction"] = self.`direction`._written
    _all["rows"] = self.`rows`.map { INIntent.Value._number($0) }
    _all["showsPlatforms"] = self.`showsPlatforms`.map { INIntent.Value.boolean($0.boolValue) }
    return _all.filter { $0.value != INIntent.Value.none }
  }

  public override func _set(_ value: INIntent.Value, for parameter: String) -> Bool {
    switch parameter {
    case "stop": return INIntent.Value._take(value, in: &self.`stop`)
    case "direction": return INIntent.Value._takeCase(value, in: &self.`direction`)
    case "rows": return INIntent.Value._store(value._whole, in: &self.`rows`)
    case "showsPlatforms": return INIntent.Value._store(value._truth, in: &self.`showsPlatforms`)
    default: return false
    }
  }

  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = super.copy(with: zone)
    guard let own = copy as? ShowBoardIntent else { return copy }
    own.`stop` = self.`stop`
    own.`direction` = self.`direction`
    own.`rows` = self.`rows`
    own.`showsPlatforms` = self.`showsPlatforms`
    return own
  }

  public override func _perform(
    by handler: Any, completion: @escaping @Sendable (INIntent._Answer) -> Void
  ) -> Bool {
    guard let handler = handler as? any ShowBoardIntentHandling else {
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
    handler is any ShowBoardIntentHandling
  }

  public override func _provideOptions(
    for parameter: String, search: String?, from handler: Any,
    completion: @escaping @Sendable (Result<[INObject], any Error>) -> Void
  ) -> Bool {
    guard let handler = handler as? any ShowBoardIntentHandling else {
      return false
    }
    switch parameter {
    case "stop":
      INIntent._offer(to: completion) {
        handler.provideStopOptionsCollection(for: self, searchTerm: search, with: $0)
      }
    default: return false
    }
    return true
  }

  public override func _defaultValue(
    for parameter: String, from handler: Any
  ) -> INIntent.Value? {
    guard let handler = handler as? any ShowBoardIntentHandling else {
      return nil
    }
    let _given = ShowBoardIntent()
    switch parameter {
    case "stop": _given.`stop` = handler.defaultStop(for: self)
    default: return nil
    }
    return _given._values?[parameter]
  }
}

/// What answers for ShowBoardIntent.
nonisolated public protocol ShowBoardIntentHandling: NSObjectProtocol {
  func provideStopOptionsCollection(for intent: ShowBoardIntent, searchTerm: String?, with completion: @escaping (INObjectCollection<Stop>?, (any Error)?) -> Void)
  func provideStopOptionsCollection(for intent: ShowBoardIntent, searchTerm: String?) async throws -> INObjectCollection<Stop>
  func provideStopOptions(for intent: ShowBoardIntent, with completion: @escaping ([Stop]?, (any Error)?) -> Void)
  func defaultStop(for intent: ShowBoardIntent) -> Stop?
  func confirm(intent: ShowBoardIntent, completion: @escaping (ShowBoardIntentResponse) -> Void)
  func confirm(intent: ShowBoardIntent) async -> ShowBoardIntentResponse
  func handle(intent: ShowBoardIntent, completion: @escaping (ShowBoardIntentResponse) -> Void)
  func handle(intent: ShowBoardIntent) async -> ShowBoardIntentResponse
}

nonisolated extension ShowBoardIntentHandling {
  public func provideStopOptionsCollection(for intent: ShowBoardIntent, searchTerm: String?, with completion: @escaping (INObjectCollection<Stop>?, (any Error)?) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { try await _self.provideStopOptionsCollection(for: _intent, searchTerm: searchTerm) }
  }

  public func provideStopOptionsCollection(for intent: ShowBoardIntent, searchTerm: String?) async throws -> INObjectCollection<Stop> {
    try await _collection { self.provideStopOptions(for: intent, with: $0) }
  }

  public func provideStopOptions(for intent: ShowBoardIntent, with completion: @escaping ([Stop]?, (any Error)?) -> Void) {
    completion(nil, nil)
  }

  public func defaultStop(for intent: ShowBoardIntent) -> Stop? {
    nil
  }

  public func confirm(intent: ShowBoardIntent, completion: @escaping (ShowBoardIntentResponse) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.confirm(intent: _intent) }
  }

  public func confirm(intent: ShowBoardIntent) async -> ShowBoardIntentResponse {
    ShowBoardIntentResponse(code: .ready, userActivity: nil)
  }

  public func handle(intent: ShowBoardIntent, completion: @escaping (ShowBoardIntentResponse) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.handle(intent: _intent) }
  }

  public func handle(intent: ShowBoardIntent) async -> ShowBoardIntentResponse {
    ShowBoardIntentResponse(code: .failure, userActivity: nil)
  }
}

/// How ShowBoardIntent went.
nonisolated public enum ShowBoardIntentResponseCode: Int, Sendable {
  case unspecified = 0
  case ready = 1
  case continueInApp = 2
  case inProgress = 3
  case success = 4
  case failure = 5
  case failureRequiringAppLaunch = 6
}

/// The answer to ShowBoardIntent.
nonisolated public class ShowBoardIntentResponse: INIntentResponse {
  public fileprivate(set) var code: ShowBoardIntentResponseCode = .unspecified

  public convenience init(code: ShowBoardIntentResponseCode, userActivity: NSUserActivity?) {
    self.init()
    self.code = code
    self.userActivity = userActivity
  }

  public override var _code: String { "\(code)" }
}

/// Reserve Seats
nonisolated public class ReserveSeatsIntent: INIntent {
  /// Seats
  public var `count`: NSNumber?
  /// Stop
  public var `Stop`: Stop?

  public override class var _intentName: String { "ReserveSeats" }
  public override class var _definition: String? { DefinitionFile.text }

  public override var _values: [String: INIntent.Value]? {
    var _all: [String: INIntent.Value] = [:]
    _all["count"] = self.`count`.map { INIntent.Value._number($0) }
    _all["Stop"] = self.`Stop`?._written
    return _all.filter { $0.value != INIntent.Value.none }
  }

  public override func _set(_ value: INIntent.Value, for parameter: String) -> Bool {
    switch parameter {
    case "count": return INIntent.Value._store(value._whole, in: &self.`count`)
    case "Stop": return INIntent.Value._take(value, in: &self.`Stop`)
    default: return false
    }
  }

  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = super.copy(with: zone)
    guard let own = copy as? ReserveSeatsIntent else { return copy }
    own.`count` = self.`count`
    own.`Stop` = self.`Stop`
    return own
  }

  public override func _perform(
    by handler: Any, completion: @escaping @Sendable (INIntent._Answer) -> Void
  ) -> Bool {
    guard let handler = handler as? any ReserveSeatsIntentHandling else {
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
    handler is any ReserveSeatsIntentHandling
  }
}

/// What answers for ReserveSeatsIntent.
nonisolated public protocol ReserveSeatsIntentHandling: NSObjectProtocol {
  func confirm(intent: ReserveSeatsIntent, completion: @escaping (ReserveSeatsIntentResponse) -> Void)
  func confirm(intent: ReserveSeatsIntent) async -> ReserveSeatsIntentResponse
  func handle(intent: ReserveSeatsIntent, completion: @escaping (ReserveSeatsIntentResponse) -> Void)
  func handle(intent: ReserveSeatsIntent) async -> ReserveSeatsIntentResponse
}

nonisolated extension ReserveSeatsIntentHandling {
  public func confirm(intent: ReserveSeatsIntent, completion: @escaping (ReserveSeatsIntentResponse) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.confirm(intent: _intent) }
  }

  public func confirm(intent: ReserveSeatsIntent) async -> ReserveSeatsIntentResponse {
    ReserveSeatsIntentResponse(code: .ready, userActivity: nil)
  }

  public func handle(intent: ReserveSeatsIntent, completion: @escaping (ReserveSeatsIntentResponse) -> Void) {
    nonisolated(unsafe) let (_self, _intent) = (self, intent)
    _complete(completion) { await _self.handle(intent: _intent) }
  }

  public func handle(intent: ReserveSeatsIntent) async -> ReserveSeatsIntentResponse {
    ReserveSeatsIntentResponse(code: .failure, userActivity: nil)
  }
}

/// How ReserveSeatsIntent went.
nonisolated public enum ReserveSeatsIntentResponseCode: Int, Sendable {
  case unspecified = 0
  case ready = 1
  case continueInApp = 2
  case inProgress = 3
  case success = 4
  case failure = 5
  case failureRequiringAppLaunch = 6
  case `full` = 100
  case `waiting` = 101
}

/// The answer to ReserveSeatsIntent.
nonisolated public class ReserveSeatsIntentResponse: INIntentResponse {
  /// Count
  public var `count`: NSNumber?

  public fileprivate(set) var code: ReserveSeatsIntentResponseCode = .unspecified

  public convenience init(code: ReserveSeatsIntentResponseCode, userActivity: NSUserActivity?) {
    self.init()
    self.code = code
    self.userActivity = userActivity
  }

  public override var _code: String { "\(code)" }
  public override var _successes: Set<String> { ["waiting"] }
  public override var _sentences: [String: String] {
    [
      "success": "${count} seats are yours",
      "full": "only ${count} seats are left",
      "waiting": "You are on the list.",
    ]
  }
  public override var _values: [String: INIntent.Value] {
    var _all: [String: INIntent.Value] = [:]
    _all["count"] = self.`count`.map { INIntent.Value._number($0) }
    return _all.filter { $0.value != INIntent.Value.none }
  }

  public static func `success`(count: NSNumber) -> ReserveSeatsIntentResponse {
    let _response = ReserveSeatsIntentResponse(code: .`success`, userActivity: nil)
    _response.`count` = `count`
    return _response
  }

  public static func `full`(count: NSNumber) -> ReserveSeatsIntentResponse {
    let _response = ReserveSeatsIntentResponse(code: .`full`, userActivity: nil)
    _response.`count` = `count`
    return _response
  }
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
	<string>tR4ns1</string>
	<key>INIntentDefinitionSystemVersion</key>
	<string>20G165</string>
	<key>INIntentDefinitionToolsBuildVersion</key>
	<string>12E507</string>
	<key>INIntentDefinitionToolsVersion</key>
	<string>12.5.1</string>
	<key>INEnums</key>
	<array>
		<dict>
			<key>INEnumName</key>
			<string>Direction</string>
			<key>INEnumType</key>
			<string>Regular</string>
			<key>INEnumDisplayName</key>
			<string>Direction</string>
			<key>INEnumDisplayNameID</key>
			<string>dirID</string>
			<key>INEnumGeneratesHeader</key>
			<true/>
			<key>INEnumValues</key>
			<array>
				<dict>
					<key>INEnumValueName</key>
					<string>unknown</string>
					<key>INEnumValueDisplayName</key>
					<string>unknown</string>
					<key>INEnumValueDisplayNameID</key>
					<string>d0</string>
				</dict>
				<dict>
					<key>INEnumValueName</key>
					<string>inbound</string>
					<key>INEnumValueDisplayName</key>
					<string>Towards the centre</string>
					<key>INEnumValueDisplayNameID</key>
					<string>d1</string>
					<key>INEnumValueIndex</key>
					<integer>1</integer>
				</dict>
				<dict>
					<key>INEnumValueName</key>
					<string>outbound</string>
					<key>INEnumValueDisplayName</key>
					<string>Away from it</string>
					<key>INEnumValueDisplayNameID</key>
					<string>d2</string>
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
			<string>Stop</string>
			<key>INTypeDisplayName</key>
			<string>Stop</string>
			<key>INTypeDisplayNameID</key>
			<string>stopID</string>
			<key>INTypeLastPropertyTag</key>
			<integer>100</integer>
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
					<key>INTypePropertyDisplayPriority</key>
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
					<key>INTypePropertyDisplayPriority</key>
					<integer>2</integer>
				</dict>
				<dict>
					<key>INTypePropertyName</key>
					<string>pronunciationHint</string>
					<key>INTypePropertyType</key>
					<string>String</string>
					<key>INTypePropertyDefault</key>
					<true/>
					<key>INTypePropertyTag</key>
					<integer>3</integer>
					<key>INTypePropertyDisplayPriority</key>
					<integer>3</integer>
				</dict>
				<dict>
					<key>INTypePropertyName</key>
					<string>alternativeSpeakableMatches</string>
					<key>INTypePropertyType</key>
					<string>SpeakableString</string>
					<key>INTypePropertySupportsMultipleValues</key>
					<true/>
					<key>INTypePropertyDefault</key>
					<true/>
					<key>INTypePropertyTag</key>
					<integer>4</integer>
					<key>INTypePropertyDisplayPriority</key>
					<integer>4</integer>
				</dict>
				<dict>
					<key>INTypePropertyName</key>
					<string>zone</string>
					<key>INTypePropertyType</key>
					<string>Integer</string>
					<key>INTypePropertyTag</key>
					<integer>100</integer>
					<key>INTypePropertyDisplayPriority</key>
					<integer>5</integer>
				</dict>
			</array>
		</dict>
	</array>
	<key>INIntents</key>
	<array>
		<dict>
			<key>INIntentName</key>
			<string>ShowBoard</string>
			<key>INIntentType</key>
			<string>Custom</string>
			<key>INIntentCategory</key>
			<string>information</string>
			<key>INIntentVerb</key>
			<string>View</string>
			<key>INIntentTitle</key>
			<string>Show Departures</string>
			<key>INIntentTitleID</key>
			<string>boardID</string>
			<key>INIntentDescription</key>
			<string>Chooses the stop of the board.</string>
			<key>INIntentDescriptionID</key>
			<string>boardDesc</string>
			<key>INIntentEligibleForWidgets</key>
			<true/>
			<key>INIntentIneligibleForSuggestions</key>
			<true/>
			<key>INIntentLastParameterTag</key>
			<integer>4</integer>
			<key>INIntentManagedParameterCombinations</key>
			<dict>
				<key>stop,direction,rows,showsPlatforms</key>
				<dict>
					<key>INIntentParameterCombinationTitle</key>
					<string>Departures from ${stop}</string>
					<key>INIntentParameterCombinationTitleID</key>
					<string>c1</string>
					<key>INIntentParameterCombinationSupportsBackgroundExecution</key>
					<true/>
					<key>INIntentParameterCombinationUpdatesLinked</key>
					<true/>
				</dict>
			</dict>
			<key>INIntentParameters</key>
			<array>
				<dict>
					<key>INIntentParameterName</key>
					<string>stop</string>
					<key>INIntentParameterType</key>
					<string>Object</string>
					<key>INIntentParameterDisplayName</key>
					<string>Stop</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idstop</string>
					<key>INIntentParameterTag</key>
					<integer>1</integer>
					<key>INIntentParameterDisplayPriority</key>
					<integer>1</integer>
					<key>INIntentParameterConfigurable</key>
					<true/>
					<key>INIntentParameterObjectType</key>
					<string>Stop</string>
					<key>INIntentParameterObjectTypeNamespace</key>
					<string>tR4ns1</string>
					<key>INIntentParameterSupportsDynamicEnumeration</key>
					<true/>
					<key>INIntentParameterSupportsSearch</key>
					<true/>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>direction</string>
					<key>INIntentParameterType</key>
					<string>Integer</string>
					<key>INIntentParameterDisplayName</key>
					<string>Direction</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>iddirection</string>
					<key>INIntentParameterTag</key>
					<integer>2</integer>
					<key>INIntentParameterDisplayPriority</key>
					<integer>2</integer>
					<key>INIntentParameterConfigurable</key>
					<true/>
					<key>INIntentParameterEnumType</key>
					<string>Direction</string>
					<key>INIntentParameterEnumTypeNamespace</key>
					<string>tR4ns1</string>
					<key>INIntentParameterMetadata</key>
					<dict>
						<key>INIntentParameterMetadataDefaultValue</key>
						<string>inbound</string>
					</dict>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>rows</string>
					<key>INIntentParameterType</key>
					<string>Integer</string>
					<key>INIntentParameterDisplayName</key>
					<string>Rows</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idrows</string>
					<key>INIntentParameterTag</key>
					<integer>3</integer>
					<key>INIntentParameterDisplayPriority</key>
					<integer>3</integer>
					<key>INIntentParameterConfigurable</key>
					<true/>
					<key>INIntentParameterMetadata</key>
					<dict>
						<key>INIntentParameterMetadataDefaultValue</key>
						<integer>3</integer>
						<key>INIntentParameterMetadataMinimumValue</key>
						<integer>1</integer>
						<key>INIntentParameterMetadataMaximumValue</key>
						<integer>8</integer>
						<key>INIntentParameterMetadataType</key>
						<string>Stepper</string>
					</dict>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>showsPlatforms</string>
					<key>INIntentParameterType</key>
					<string>Boolean</string>
					<key>INIntentParameterDisplayName</key>
					<string>Platforms</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idshowsPlatforms</string>
					<key>INIntentParameterTag</key>
					<integer>4</integer>
					<key>INIntentParameterDisplayPriority</key>
					<integer>4</integer>
					<key>INIntentParameterConfigurable</key>
					<true/>
					<key>INIntentParameterMetadata</key>
					<dict>
						<key>INIntentParameterMetadataDefaultValue</key>
						<true/>
						<key>INIntentParameterMetadataTrueDisplayName</key>
						<string>shown</string>
						<key>INIntentParameterMetadataFalseDisplayName</key>
						<string>hidden</string>
					</dict>
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
					</dict>
					<dict>
						<key>INIntentResponseCodeName</key>
						<string>failure</string>
					</dict>
				</array>
			</dict>
		</dict>
		<dict>
			<key>INIntentName</key>
			<string>ReserveSeats</string>
			<key>INIntentType</key>
			<string>Custom</string>
			<key>INIntentCategory</key>
			<string>generic</string>
			<key>INIntentVerb</key>
			<string>Do</string>
			<key>INIntentTitle</key>
			<string>Reserve Seats</string>
			<key>INIntentTitleID</key>
			<string>seatsID</string>
			<key>INIntentParameters</key>
			<array>
				<dict>
					<key>INIntentParameterName</key>
					<string>count</string>
					<key>INIntentParameterType</key>
					<string>Integer</string>
					<key>INIntentParameterDisplayName</key>
					<string>Seats</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idseats</string>
					<key>INIntentParameterTag</key>
					<integer>1</integer>
					<key>INIntentParameterDisplayPriority</key>
					<integer>1</integer>
				</dict>
				<dict>
					<key>INIntentParameterName</key>
					<string>Stop</string>
					<key>INIntentParameterType</key>
					<string>Object</string>
					<key>INIntentParameterDisplayName</key>
					<string>Stop</string>
					<key>INIntentParameterDisplayNameID</key>
					<string>idfrom</string>
					<key>INIntentParameterTag</key>
					<integer>2</integer>
					<key>INIntentParameterDisplayPriority</key>
					<integer>2</integer>
					<key>INIntentParameterObjectType</key>
					<string>Stop</string>
					<key>INIntentParameterObjectTypeNamespace</key>
					<string>tR4ns1</string>
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
						<string>${count} seats are yours</string>
					</dict>
					<dict>
						<key>INIntentResponseCodeName</key>
						<string>full</string>
						<key>INIntentResponseCodeFormatString</key>
						<string>only ${count} seats are left</string>
					</dict>
					<dict>
						<key>INIntentResponseCodeName</key>
						<string>waiting</string>
						<key>INIntentResponseCodeSuccess</key>
						<true/>
						<key>INIntentResponseCodeFormatString</key>
						<string>You are on the list.</string>
					</dict>
				</array>
				<key>INIntentResponseParameters</key>
				<array>
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
	</array>
</dict>
</plist>

"""#
}
