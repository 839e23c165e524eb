package import JSON
package import JSONRPC

/// The daemon's own error codes, beside JSON-RPC's.
///
/// `docs/PROTOCOL.md` has one line for each.
///
/// The ranges: −320**0x** the connection, **1x** intents and URLs, **2x** widgets, **3x** taps
/// and apps, **4x** the daemon itself, **5x** surfaces and modes. A code never changes its meaning;
/// `data` carries what a program needs.
package enum WireErrorCode: Int, CaseIterable, Sendable {
  case frameTooLarge = -32000
  case queueFull = -32001
  case tooManyConnections = -32002
  case tooManyWaiting = -32003
  case tooMuchMemory = -32004
  case lineUnfinished = -32005

  case noMatch = -32010
  case unknownIntent = -32011
  case invalidParameter = -32012
  case invalidURL = -32013
  case schemeDenied = -32014
  case noRoute = -32015
  case unknownList = -32016
  case linkRefused = -32017
  case callbackDenied = -32018
  case unsupportedVerb = -32019

  case unknownWidget = -32020
  case unknownKind = -32021
  case unsupportedFamily = -32022
  case limitReached = -32023
  case invalidTimeline = -32024
  case unknownReceipt = -32025
  case widgetExists = -32026
  case nothingToUndo = -32027
  case widgetDamaged = -32028
  case unknownImage = -32029

  case nothingToOpen = -32030
  case launchFailed = -32031
  case entryChanged = -32032
  case foreignWidget = -32033
  case unclearPerformer = -32034
  case sessionLocked = -32035

  case storeUnavailable = -32040
  case configurationInvalid = -32041
  case stopping = -32042
  case keyReused = -32043
  case alreadyDone = -32044

  case unsupportedMode = -32050
  case unknownSurface = -32051

  /// The name in `data.name`, stable for programs that prefer words to numbers.
  package var name: String { String(describing: self) }
}

extension RPCError {
  /// Makes a refusal with one of the daemon's codes: its name goes into `data.name`, beside
  /// `details`.
  package init(_ code: WireErrorCode, _ message: String, details: JSONObject = [:]) {
    var data: JSONObject = ["name": .string(code.name)]
    data.members += details.members
    self.init(code: code.rawValue, message: message, data: .object(data))
  }
}
